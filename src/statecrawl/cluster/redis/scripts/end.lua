-- Record why the crawl ended. KEYS: leader, ended. ARGV: name of the caller, reason. Does nothing unless the caller
-- leads.
if redis.call('GET', KEYS[1]) == ARGV[1] then
    redis.call('SET', KEYS[2], ARGV[2], 'NX')
end
