-- Replace the plan for nodes during a run. KEYS: leader, plan. ARGV: name of the caller, plan.
-- Returns 'deposed' when the caller does not lead, and nothing was done.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
    return 'deposed'
end
redis.call('SET', KEYS[2], ARGV[2])
