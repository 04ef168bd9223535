-- A peer appends to the log, and says that it is there: all of it or nothing.
-- KEYS: journal, log, seen, peers, ended, warnings.
-- ARGV: 1 who; 2 the number of its request; 3 the incarnation that it has read; 4 one that was never used; 5 the last
-- group that it has read; 6 '1' when nobody may have written since; 7 facts; 8 why the crawl ended; 9 events, 10 resets,
-- 11 transitions and 12 idle milliseconds since its request before; 13 how many groups to answer with; then warnings.
-- What there is not is empty. Answers with the incarnation, whether that was appended, the id of the last group, the
-- first groups behind the one that was read, and names and the milliseconds for which they were silent; with nothing
-- when the request is an old one, and with 'wait' when the crawl has not begun.
local newest = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)
if not newest[1] then
    return 'wait'
end
local last = newest[1][1]

local known = redis.call('HGET', KEYS[4], ARGV[1])
local of = {}
for word in (known or '0 0 - 0 0 0 0'):gmatch('%S+') do
    of[#of + 1] = word
end
local number, appended = tonumber(of[1]), of[2] == '1'
if tonumber(ARGV[2]) < number then
    return false
end

-- The time of the log: the server's, without those times in which nobody could be heard.
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local log = redis.call('HMGET', KEYS[2], 'incarnation', 'clock', 'at')
local clock = tonumber(log[2] or 0) + math.max(0, math.min(now - tonumber(log[3] or now), 5000))
redis.call('HSET', KEYS[2], 'clock', string.format('%.0f', clock), 'at', string.format('%.0f', now))
redis.call('HSET', KEYS[3], ARGV[1], string.format('%.0f', clock))

local incarnation = log[1]
if not incarnation or (incarnation == ARGV[3] and ARGV[5] ~= '0-0'
        and not redis.call('XRANGE', KEYS[1], ARGV[5], ARGV[5])[1]) then -- the server has lost what this one has read
    incarnation = ARGV[4]
    redis.call('HSET', KEYS[2], 'incarnation', incarnation)
end
local current = incarnation == ARGV[3]

if tonumber(ARGV[2]) > number then
    local fired = redis.call('HINCRBY', KEYS[2], 'fired', ARGV[9])
    local resets = redis.call('HINCRBY', KEYS[2], 'resets', ARGV[10])
    appended = current and not (ARGV[6] == '1' and last ~= ARGV[5])
    if appended and ARGV[7] ~= '' then
        last = redis.call('XADD', KEYS[1], '*', 'f', ARGV[7], 's', fired .. ' ' .. resets)
    end
    if appended and ARGV[8] ~= '' then
        redis.call('SET', KEYS[5], ARGV[8])
    end
    local since = of[3] == '-' and string.format('%.0f', clock) or of[3]
    for place = 4, 7 do
        of[place] = string.format('%.0f', tonumber(of[place]) + tonumber(ARGV[place + 5]))
    end
    redis.call('HSET', KEYS[4], ARGV[1],
        table.concat({ARGV[2], appended and '1' or '0', since, of[4], of[5], of[6], of[7]}, ' '))
    for place = 14, #ARGV do
        if redis.call('SCARD', KEYS[6]) < 100 then
            redis.call('SADD', KEYS[6], ARGV[place])
        end
    end
end

local silence = redis.call('HGETALL', KEYS[3])
for place = 2, #silence, 2 do
    silence[place] = clock - tonumber(silence[place])
end
local groups = redis.call('XRANGE', KEYS[1], current and '(' .. ARGV[5] or '-', '+', 'COUNT', ARGV[13])
return {incarnation, (appended and current) and 1 or 0, last, groups, silence}
