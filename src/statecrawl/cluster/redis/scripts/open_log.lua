-- Start a run of peers, without members: all of it or nothing.
-- KEYS: leader, journal, ended, log, seen, peers, warnings.
-- ARGV: 1 name of the caller; 2 last group that it knows; 3 facts; 4 number of the run; 5 number of the last change of
-- members; 6 events and 7 resets spent before, unless the log has newer values.
-- Returns the id of the journal's last group, or 'deposed' or 'outdated' when nothing was done.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
    return 'deposed'
end
local newest = redis.call('XREVRANGE', KEYS[2], '+', '-', 'COUNT', 1)
if (newest[1] and newest[1][1] or '0-0') ~= ARGV[2] then
    return 'outdated'
end
redis.call('DEL', KEYS[3], KEYS[5], KEYS[6], KEYS[7])
redis.call('HSETNX', KEYS[4], 'fired', ARGV[6])
redis.call('HSETNX', KEYS[4], 'resets', ARGV[7])
redis.call('HSET', KEYS[4], 'run', ARGV[4], 'over', 0, 'epoch', ARGV[5])
return redis.call('XADD', KEYS[2], '*', 'f', ARGV[3])
