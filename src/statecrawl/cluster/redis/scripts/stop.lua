-- End a run of peers, even while they write. KEYS: leader, journal, ended, log.
-- ARGV: name of the caller, last group that it has read, the fact that ends the run, reason.
-- Does nothing when the caller does not lead, the server has lost what the caller has read, or the run has ended.
if redis.call('GET', KEYS[1]) ~= ARGV[1] or redis.call('EXISTS', KEYS[3]) == 1
        or not redis.call('XRANGE', KEYS[2], ARGV[2], ARGV[2])[1] then
    return
end
redis.call('XADD', KEYS[2], '*', 'f', ARGV[3])
redis.call('SET', KEYS[3], ARGV[4])
redis.call('HSET', KEYS[4], 'over', 1)
