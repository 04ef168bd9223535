-- Say what is going on. KEYS: leader, status, spent, plan, spent-at. ARGV: who, the status, for how many milliseconds that holds,
-- the milliseconds for which the run was coordinated, the plan, for a server that has forgotten it.
-- Nothing happens when somebody else coordinates.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
    return
end
redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3])
local now = redis.call('TIME')
redis.call('SET', KEYS[3], ARGV[4])
redis.call('SET', KEYS[5], now[1] * 1000 + math.floor(now[2] / 1000))
redis.call('SET', KEYS[4], ARGV[5], 'NX')
