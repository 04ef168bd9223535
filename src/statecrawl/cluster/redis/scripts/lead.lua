-- Take or renew the leadership. KEYS: leader, journal. ARGV: name of the caller, milliseconds until it expires.
-- Returns the id of the journal's last group, or false when another process leads.
local leader = redis.call('GET', KEYS[1])
if leader and leader ~= ARGV[1] then
    return false
end
if leader then -- also works when the memory is full
    redis.call('PEXPIRE', KEYS[1], ARGV[2])
else
    redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
end
local last = redis.call('XREVRANGE', KEYS[2], '+', '-', 'COUNT', 1)
return last[1] and last[1][1] or '0-0'
