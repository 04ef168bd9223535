-- Tell nodes another plan, while a run goes on. KEYS: leader, plan. ARGV: who, the plan.
-- Answers with 'deposed' when somebody else coordinates, and nothing was done.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
    return 'deposed'
end
redis.call('SET', KEYS[2], ARGV[2])
