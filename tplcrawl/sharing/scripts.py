"""What Redis does in one step: each script happens whole or not at all.

Keys, all below one prefix:

``seen``          a set: every URL that was ever discovered
``open``          a hash: the tasks of URLs that are not done
``queue``         a sorted set: those that nobody has, the least deep first
``taken:WORKER``  a set: what a worker has leased
``held:WORKER``   a set: what it was given and does not need as things stand
``workers``       a sorted set: when the leases of each worker end
``led``           a set: URLs that led to another one
``told``          a hash: how far each worker has told what its store has discovered
``hosts``         a set: hosts of the site that start pages have led to
``counts``        a hash: the pages of each worker's templates
``pages``, ``number``, ``site``  the pages so far, the tasks so far, and whose crawl it is
"""

from __future__ import annotations

_COMMON = """
local p = KEYS[1]
local me = ARGV[1]
local function now()
  local time = redis.call('TIME')
  return tonumber(time[1]) + tonumber(time[2]) / 1000000
end
local function enqueue(key, task, number)
  local depth = math.min(tonumber(string.match(task, '^%[(%d+),')) or 0, 4000)
  redis.call('ZADD', p .. 'queue', depth * 1099511627776 + number, key)
end
local function give_back(set)
  for _, key in ipairs(redis.call('SMEMBERS', set)) do
    local task = redis.call('HGET', p .. 'open', key)
    if task then enqueue(key, task, 0) end
  end
  redis.call('DEL', set)
end
local function reap()
  for _, dead in ipairs(redis.call('ZRANGEBYSCORE', p .. 'workers', '-inf', now())) do
    give_back(p .. 'taken:' .. dead)
    give_back(p .. 'held:' .. dead)
    redis.call('ZREM', p .. 'workers', dead)
  end
end
local function live()
  return redis.call('ZSCORE', p .. 'workers', me)
end
"""
"""Less deep URLs come first, those given back first among them; in a float there is room for 2^40
URLs of each of 4,000 depths."""

JOIN = (
    _COMMON
    + """
if redis.call('SETNX', p .. 'site', ARGV[2]) == 0 and redis.call('GET', p .. 'site') ~= ARGV[2] then
  return redis.call('GET', p .. 'site')
end
reap()
if redis.call('ZCARD', p .. 'workers') == 0 then
  for _, name in ipairs(redis.call('HKEYS', p .. 'told')) do give_back(p .. 'held:' .. name) end
end
give_back(p .. 'taken:' .. me)
give_back(p .. 'held:' .. me)
for i = 5, #ARGV do
  if redis.call('ZREM', p .. 'queue', ARGV[i]) == 1 then
    redis.call('SADD', p .. 'taken:' .. me, ARGV[i])
  end
end
redis.call('ZADD', p .. 'workers', now() + tonumber(ARGV[3]), me)
local told = math.min(tonumber(redis.call('HGET', p .. 'told', me) or '0'), tonumber(ARGV[4]))
redis.call('HSET', p .. 'told', me, told)
return told
"""
)
"""Worker, site, seconds of its leases, the last id of its store, keys that it still has. Returns
how far it has told, or the site that the keys are of, where that is another one."""

BEAT = (
    _COMMON
    + """
if live() then redis.call('ZADD', p .. 'workers', now() + tonumber(ARGV[2]), me) end
"""
)
"""Worker, seconds: it lives, and its leases do."""

TELL = (
    _COMMON
    + """
if not live() or redis.call('HGET', p .. 'told', me) ~= ARGV[2] then return 0 end
for i = 5, #ARGV, 3 do
  local kind, key, task = ARGV[i], ARGV[i + 1], ARGV[i + 2]
  if kind == 'new' or kind == 'again' then
    local unseen = redis.call('SADD', p .. 'seen', key) == 1
    if unseen or kind == 'again' then
      if redis.call('HSETNX', p .. 'open', key, task) == 1 then
        enqueue(key, task, redis.call('INCR', p .. 'number'))
      end
    end
  elseif kind == 'held' then
    if redis.call('SREM', p .. 'taken:' .. me, key) == 1 then
      redis.call('SADD', p .. 'held:' .. me, key)
    end
  else
    local unseen = redis.call('SADD', p .. 'seen', key) == 1
    local first = redis.call('HDEL', p .. 'open', key) == 1 or unseen
    if first and kind == 'page' then redis.call('INCR', p .. 'pages') end
    if kind == 'led' then redis.call('SADD', p .. 'led', key) end
    redis.call('ZREM', p .. 'queue', key)
    redis.call('SREM', p .. 'taken:' .. me, key)
    redis.call('SREM', p .. 'held:' .. me, key)
  end
end
redis.call('HSET', p .. 'told', me, ARGV[3])
if ARGV[4] ~= '' then redis.call('HSET', p .. 'counts', me, ARGV[4]) end
return 1
"""
)
"""Worker, how far it had told and has told with this, its counts, and for each URL what became of
it, its key and its task. Telling a thing twice is telling it once. Does nothing where the leases
have ended, or Redis knows of another place up to which was told; returns whether all is well."""

TAKE = (
    _COMMON
    + """
reap()
if not live() then return {} end
local leased = 0
for _, name in ipairs(redis.call('ZRANGE', p .. 'workers', 0, -1)) do
  leased = leased + redis.call('SCARD', p .. 'taken:' .. name)
end
local pages = tonumber(redis.call('GET', p .. 'pages') or '0')
local most = tonumber(ARGV[2])
if ARGV[3] ~= '' then most = math.min(most, tonumber(ARGV[3]) - pages - leased) end
local given = {}
while most > 0 do
  local key = redis.call('ZPOPMIN', p .. 'queue')[1]
  if not key then break end
  local task = redis.call('HGET', p .. 'open', key)
  if task then
    redis.call('SADD', p .. 'taken:' .. me, key)
    given[#given + 1] = key
    given[#given + 1] = task
    most = most - 1
    leased = leased + 1
  end
end
local hosts = redis.call('SMEMBERS', p .. 'hosts')
return {redis.call('ZCARD', p .. 'queue'), leased, pages, hosts, given}
"""
)
"""Worker, how many at the most, how many pages at the most. Returns how many wait, how many are
leased, how many pages there are, the hosts, and what it is given; nothing, if its leases have
ended."""

CLAIM = (
    _COMMON
    + """
local key = ARGV[2]
if not live() then return 0 end
local had
if ARGV[3] == '' then
  had = redis.call('ZREM', p .. 'queue', key) + redis.call('SREM', p .. 'held:' .. me, key)
else
  had = redis.call('SREM', p .. 'led', key)
  if had > 0 then redis.call('HSET', p .. 'open', key, ARGV[3]) end
end
if had > 0 then redis.call('SADD', p .. 'taken:' .. me, key) end
return had
"""
)
"""Worker, key, and its task where it is to be had only if it has led to another URL. Returns
whether it is leased now."""

LEAVE = (
    _COMMON
    + """
give_back(p .. 'taken:' .. me)
if ARGV[2] == '' then give_back(p .. 'held:' .. me) end
redis.call('ZREM', p .. 'workers', me)
"""
)
"""Worker, and whether what it holds stays held: nobody needs that any more."""
