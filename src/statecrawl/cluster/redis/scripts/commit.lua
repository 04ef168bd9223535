-- Append facts, send replies, and remove processed messages: all of it or nothing.
-- KEYS: leader, journal, asks, ended, and the mailbox of each reply.
-- ARGV: name of the caller, milliseconds by which to renew its leadership, last group that it knows, facts, why the
-- crawl ended, expiry of a mailbox in milliseconds, the replies; number of processed messages, and their ids; messages
-- to be put back. Missing arguments are empty.
-- Returns the id of the journal's last group, or 'deposed' or 'outdated' when nothing was done.
local leader = redis.call('GET', KEYS[1])
if leader and leader ~= ARGV[1] then
    return 'deposed'
end
local newest = redis.call('XREVRANGE', KEYS[2], '+', '-', 'COUNT', 1)
local last = newest[1] and newest[1][1] or '0-0'
if last ~= ARGV[3] then
    return 'outdated'
end
if leader then
    redis.call('PEXPIRE', KEYS[1], ARGV[2])
else -- the leadership has expired meanwhile, and no other process has written since
    redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
end
if ARGV[4] ~= '' then
    last = redis.call('XADD', KEYS[2], '*', 'f', ARGV[4])
end
if ARGV[5] ~= '' then
    redis.call('SET', KEYS[4], ARGV[5])
end
local at = 7
for number = 5, #KEYS do
    redis.call('XADD', KEYS[number], 'MAXLEN', '~', 16, '*', 'm', ARGV[at])
    redis.call('PEXPIRE', KEYS[number], ARGV[6])
    at = at + 1
end
local done = tonumber(ARGV[at])
for number = at + 1, at + done do
    redis.call('XDEL', KEYS[3], ARGV[number])
end
for number = at + done + 1, #ARGV do
    redis.call('XADD', KEYS[3], '*', 'm', ARGV[number])
end
return last
