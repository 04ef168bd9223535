-- Coordinate, or say that one still does. KEYS: leader, journal. ARGV: who, for how many milliseconds.
-- Answers with the id of the journal's last group, or with nothing when somebody else coordinates.
local leader = redis.call('GET', KEYS[1])
if leader and leader ~= ARGV[1] then
    return false
end
if leader then -- which works in a full memory as well
    redis.call('PEXPIRE', KEYS[1], ARGV[2])
else
    redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
end
local last = redis.call('XREVRANGE', KEYS[2], '+', '-', 'COUNT', 1)
return last[1] and last[1][1] or '0-0'
