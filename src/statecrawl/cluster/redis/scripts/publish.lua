-- Publish the status. KEYS: leader, status, spent, plan, spent-at.
-- ARGV: name of the caller, status, milliseconds until the status expires, milliseconds for which the run was
-- coordinated, plan, which is restored if the server has lost it.
-- Does nothing unless the caller leads.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
    return
end
redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3])
local now = redis.call('TIME')
redis.call('SET', KEYS[3], ARGV[4])
redis.call('SET', KEYS[5], now[1] * 1000 + math.floor(now[2] / 1000))
redis.call('SET', KEYS[4], ARGV[5], 'NX')
