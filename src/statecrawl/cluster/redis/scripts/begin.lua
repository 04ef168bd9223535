-- Start a run, or continue it under another coordinator.
-- KEYS: leader, plan, ended, spent, spent-at. ARGV: name of the caller, plan.
-- Returns the milliseconds for which the run was coordinated before, or 'deposed' when nothing was done: also when
-- there is no leader, since another one may have ended the crawl meanwhile.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
    return 'deposed'
end
redis.call('SET', KEYS[2], ARGV[2])
if redis.call('DEL', KEYS[3]) == 1 then
    redis.call('DEL', KEYS[4], KEYS[5])
end
return tonumber(redis.call('GET', KEYS[4]) or 0)
