-- Append the request of a peer to the log, and record that the peer is alive: all of it or nothing.
-- KEYS: journal, log, seen, peers, ended, warnings, leader.
-- ARGV: 1 name of the peer; 2 number of its request; 3 incarnation that it has read, -1 for none; 4 a new incarnation
-- that was never used; 5 last group that it has read; 6 '1' to append only if no peer has written since; 7 facts; 8 why
-- the crawl ended; 9 events, 10 resets, 11 transitions and 12 idle milliseconds since its previous request; 13 maximal
-- number of groups to return; 14 changes of members, 15 number of the first and 16 of the last of them; 17 latest run
-- known to the peer; 18 milliseconds of silence after which a peer is forgotten; then warnings. Missing arguments are
-- empty.
-- Returns the incarnation, whether the facts were appended, the id of the last group, the first groups after the one
-- that the peer has read, and names of peers with the milliseconds of their silence; false for an outdated request;
-- 'wait' when the run has not started.
local newest = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)
if not newest[1] then
    return 'wait'
end
local last = newest[1][1]

local log = redis.call('HMGET', KEYS[2], 'incarnation', 'clock', 'at', 'run', 'over', 'epoch')
if log[5] == '1' and ((log[4] and tonumber(log[4]) < tonumber(ARGV[17])) -- the server has lost the start of a later run
        or (ARGV[3] == '-1' and redis.call('EXISTS', KEYS[7]) == 1)) then -- the leader is about to start one, or to exit
    return 'wait'
end

local known = redis.call('HGET', KEYS[4], ARGV[1])
local of = {}
for word in (known or '0 0 - 0 0 0 0'):gmatch('%S+') do
    of[#of + 1] = word
end
local number, appended = tonumber(of[1]), of[2] == '1'
if tonumber(ARGV[2]) < number then
    return false
end

-- The clock of the log: the server's time without the periods in which the server was unavailable.
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local clock = tonumber(log[2] or 0) + math.max(0, math.min(now - tonumber(log[3] or now), 5000))
redis.call('HSET', KEYS[2], 'clock', string.format('%.0f', clock), 'at', string.format('%.0f', now))
redis.call('HSET', KEYS[3], ARGV[1], string.format('%.0f', clock))

local incarnation = log[1]
if not incarnation or (incarnation == ARGV[3] and ARGV[5] ~= '0-0'
        and not redis.call('XRANGE', KEYS[1], ARGV[5], ARGV[5])[1]) then -- the server has lost what the peer has read
    incarnation = ARGV[4]
    redis.call('HSET', KEYS[2], 'incarnation', incarnation)
end
local current = incarnation == ARGV[3]

if tonumber(ARGV[2]) > number then
    local fired = redis.call('HINCRBY', KEYS[2], 'fired', ARGV[9])
    local resets = redis.call('HINCRBY', KEYS[2], 'resets', ARGV[10])
    appended = current and not (ARGV[6] == '1' and last ~= ARGV[5])
    local changes = ''
    if appended and ARGV[14] ~= '' and tonumber(ARGV[15]) > tonumber(log[6] or 0) then -- else another peer was faster
        changes = ARGV[14]
        redis.call('HSET', KEYS[2], 'epoch', ARGV[16])
    end
    if appended and changes .. ARGV[7] ~= '' then
        last = redis.call('XADD', KEYS[1], '*', 'f', changes .. ARGV[7], 's', fired .. ' ' .. resets)
    end
    if appended and ARGV[8] ~= '' then
        redis.call('SET', KEYS[5], ARGV[8])
        redis.call('HSET', KEYS[2], 'over', 1)
    end
    local since = of[3] == '-' and string.format('%.0f', clock) or of[3]
    for place = 4, 7 do
        of[place] = string.format('%.0f', tonumber(of[place]) + tonumber(ARGV[place + 5]))
    end
    redis.call('HSET', KEYS[4], ARGV[1],
        table.concat({ARGV[2], appended and '1' or '0', since, of[4], of[5], of[6], of[7]}, ' '))
    for place = 19, #ARGV do
        if redis.call('SCARD', KEYS[6]) < 100 then
            redis.call('SADD', KEYS[6], ARGV[place])
        end
    end
end

local seen, silence = redis.call('HGETALL', KEYS[3]), {}
for place = 1, #seen, 2 do
    local silent = clock - tonumber(seen[place + 1])
    if silent < tonumber(ARGV[18]) then
        silence[#silence + 1], silence[#silence + 2] = seen[place], silent
    else
        redis.call('HDEL', KEYS[3], seen[place])
        redis.call('HDEL', KEYS[4], seen[place])
    end
end
local groups = redis.call('XRANGE', KEYS[1], current and '(' .. ARGV[5] or '-', '+', 'COUNT', ARGV[13])
return {incarnation, (appended and current) and 1 or 0, last, groups, silence}
