-- Coordinate no longer. KEYS: leader. ARGV: who.
if redis.call('GET', KEYS[1]) == ARGV[1] then
    redis.call('DEL', KEYS[1])
end
