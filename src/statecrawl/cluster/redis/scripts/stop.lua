-- Whoever looks after peers ends their run, also while they write. KEYS: leader, journal, ended, log.
-- ARGV: who, the last group that it has read, the fact that it ends, why.
-- Nothing happens when it does not lead, when the server has lost what it has read, or when the run has ended.
if redis.call('GET', KEYS[1]) ~= ARGV[1] or redis.call('EXISTS', KEYS[3]) == 1
        or not redis.call('XRANGE', KEYS[2], ARGV[2], ARGV[2])[1] then
    return
end
redis.call('XADD', KEYS[2], '*', 'f', ARGV[3])
redis.call('SET', KEYS[3], ARGV[4])
redis.call('HSET', KEYS[4], 'over', 1)
