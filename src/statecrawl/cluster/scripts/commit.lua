-- Write facts, send answers, and forget the messages that were dealt with: all of it or nothing.
-- KEYS: leader, journal, asks, ended, and the mailbox of each answer.
-- ARGV: who, for how many milliseconds it leads on, the last group it knows, facts, last message dealt with, why the
-- crawl ended, milliseconds that a mailbox is kept, and the answers. What there is not is empty.
-- Answers with the id of the journal's last group, or with 'deposed' or 'outdated' when nothing was done.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
    return 'deposed'
end
local newest = redis.call('XREVRANGE', KEYS[2], '+', '-', 'COUNT', 1)
local last = newest[1] and newest[1][1] or '0-0'
if last ~= ARGV[3] then
    return 'outdated'
end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
if ARGV[4] ~= '' then
    last = redis.call('XADD', KEYS[2], '*', 'f', ARGV[4])
end
if ARGV[6] ~= '' then
    redis.call('SET', KEYS[4], ARGV[6])
end
for number = 5, #KEYS do
    redis.call('XADD', KEYS[number], 'MAXLEN', '~', 16, '*', 'm', ARGV[number + 3])
    redis.call('PEXPIRE', KEYS[number], ARGV[7])
end
if ARGV[5] ~= '' then
    redis.call('XTRIM', KEYS[3], 'MINID', '=', ARGV[5])
    redis.call('XDEL', KEYS[3], ARGV[5])
end
return last
