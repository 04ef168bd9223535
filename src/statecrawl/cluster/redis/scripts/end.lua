-- The crawl has ended. KEYS: leader, ended. ARGV: who, why. Nothing happens when somebody else coordinates.
if redis.call('GET', KEYS[1]) == ARGV[1] then
    redis.call('SET', KEYS[2], ARGV[2], 'NX')
end
