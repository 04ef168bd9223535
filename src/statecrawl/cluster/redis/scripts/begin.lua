-- A run begins, or goes on under another coordinator. KEYS: leader, plan, ended, spent, spent-at. ARGV: who, the plan.
-- Answers with the milliseconds for which the run was coordinated before, or with 'deposed' when nothing was done: also
-- when nobody leads, since whoever led meanwhile may have ended the crawl.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
    return 'deposed'
end
redis.call('SET', KEYS[2], ARGV[2])
if redis.call('DEL', KEYS[3]) == 1 then
    redis.call('DEL', KEYS[4], KEYS[5])
end
return tonumber(redis.call('GET', KEYS[4]) or 0)
