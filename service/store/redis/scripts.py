"""What is done in one step inside Redis: scripts, each of which works in one slot and checks first, then writes.

Redis doesn't undo what a script did before it failed. But a script can only fail at its first write: before, memory may be
used up or the disk be gone, afterwards Redis goes through with it. So every script answers all its questions, then writes
something that Redis would refuse if it had to. What a script has written gets into the append-only file as one transaction.

Every answer about a game begins with its id: an answer that was meant for somebody else must never be taken for one's own.
"""

import hashlib
from collections.abc import Sequence
from typing import Any

import msgspec


class Sha(str):
    """The SHA-1 by which Redis knows a script."""

    __slots__ = ("text",)
    text: str
    """For a Redis that has not seen it yet."""


class Script(msgspec.Struct, frozen=True):
    """A script by its SHA-1."""

    sha: Sha

    def __call__(self, keys: Sequence[str], *arguments: Any) -> tuple[Any, ...]:  # noqa: ANN401 -- what Redis takes: bytes, text, numbers
        return ("EVALSHA", self.sha, len(keys), *keys, *arguments)


def script(*parts: str) -> Script:
    text = "\n".join(parts)
    sha = Sha(hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest())
    sha.text = text
    return Script(sha)


_GAME = """
local GAME, LOG, TOKENS, HASHES, TEXTS = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local at = 0
local function take() at = at + 1; return ARGV[at] end
local id = take()
local function say(...) return {id, ...} end

local function tell(version)
  redis.call('PUBLISH', GAME .. ':news', version .. ' ' .. redis.call('HGET', GAME, 'revision'))
end
"""

_BESIDE = """
-- A token is kept as two flags (revoked, spent), the length of its hash, its hash and the rest.
local function hash_of(token)
  local length, from = string.match(token, '^..:(%d+):()')
  return string.sub(token, from, from + length - 1)
end

local function take_changes()
  local changes = {facts = take(), status = take(), tokens = {}, revoke = {}, texts = {}}
  for i = 1, tonumber(take()) do
    local name = take()
    changes.tokens[i] = {name = name, token = take()}
  end
  for i = 1, tonumber(take()) do changes.revoke[i] = take() end
  for i = 1, tonumber(take()) do
    local name = take()
    changes.texts[i] = {name = name, text = take()}
  end
  return changes
end

local function clash(changes)
  local seen = {}
  for _, new in ipairs(changes.tokens) do
    local hash = hash_of(new.token)
    local held = seen[hash] or redis.call('HGET', HASHES, hash)
    if held and held ~= new.name then return new.name end
    seen[hash] = new.name
  end
end

local function flag(name, token, place)
  redis.call('HSET', TOKENS, name, string.sub(token, 1, place - 1) .. '1' .. string.sub(token, place + 1))
end

local function keep(changes)
  if changes.facts ~= '' then redis.call('HSET', GAME, 'facts', string.sub(changes.facts, 2)) end
  if changes.status ~= '' then redis.call('HSET', GAME, 'status', string.sub(changes.status, 2)) end
  for _, new in ipairs(changes.tokens) do
    local before = redis.call('HGET', TOKENS, new.name)
    if before then redis.call('HDEL', HASHES, hash_of(before)) end
    redis.call('HSET', TOKENS, new.name, new.token)
    redis.call('HSET', HASHES, hash_of(new.token), new.name)
  end
  for _, name in ipairs(changes.revoke) do
    local token = redis.call('HGET', TOKENS, name)
    if token then flag(name, token, 1) end
  end
  for _, one in ipairs(changes.texts) do
    if one.text == '' then redis.call('HDEL', TEXTS, one.name)
    else redis.call('HSET', TEXTS, one.name, string.sub(one.text, 2)) end
  end
end
"""

APPEND = script(
    """
    local id, expected, commit, key, fingerprint = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
    local head = redis.call('HMGET', KEYS[1], 'version', 'revision', key)
    local version, known = head[1], head[3]
    if not version then return {id, 'nowhere'} end
    if known then
      local entry = redis.call('XRANGE', KEYS[2], known .. '-0', known .. '-0')[1]
      if not entry then return {id, 'damaged', known} end
      return {id, 'known', known, entry[2][6]}
    end
    if version ~= expected then return {id, 'conflict', version} end
    local number = string.format('%d', version + 1)
    local stored
    if version == '0' then
      if key == '' then stored = redis.call('XADD', KEYS[2], number .. '-0', 'c', commit)
      else stored = redis.call('XADD', KEYS[2], number .. '-0', 'c', commit, 'k', key, 'f', fingerprint) end
    elseif key == '' then stored = redis.call('XADD', KEYS[2], 'NOMKSTREAM', number .. '-0', 'c', commit)
    else stored = redis.call('XADD', KEYS[2], 'NOMKSTREAM', number .. '-0', 'c', commit, 'k', key, 'f', fingerprint) end
    if not stored then return {id, 'damaged', version} end
    if key == '' then redis.call('HSET', KEYS[1], 'version', number)
    else redis.call('HSET', KEYS[1], 'version', number, key, number) end
    redis.call('PUBLISH', KEYS[1] .. ':news', number .. ' ' .. head[2])
    return id .. ' ' .. number
    """
)
"""A commit by itself: the same as `APPEND_WITH` for half of the time. Keys: game, log. Arguments: id, expected version, bytes, key
with a colon before it or nothing, fingerprint. An answer in one piece costs the client a third of one in three."""

APPEND_WITH = script(
    _GAME,
    _BESIDE,
    """
    local expected, commit, key, fingerprint = take(), take(), take(), take()
    local head = redis.call('HMGET', GAME, 'version', 'revision', key)
    local version, known = head[1], head[3]
    if not version then return say('nowhere') end
    if known then
      local entry = redis.call('XRANGE', LOG, known .. '-0', known .. '-0')[1]
      if not entry then return say('damaged', known) end
      return say('known', known, entry[2][6])
    end
    if version ~= expected then return say('conflict', version) end
    local revision = take()
    if revision ~= '' and revision ~= head[2] then return say('conflict', version) end
    local spend = {}
    for i = 1, tonumber(take()) do
      local hash = take()
      local name = redis.call('HGET', HASHES, hash)
      local token = name and redis.call('HGET', TOKENS, name)
      if not token or string.sub(token, 1, 2) ~= '00' then return say('spent', hash) end
      spend[name] = token
    end
    local changed = take() == '1'
    local changes = changed and take_changes()
    local twin = changed and clash(changes)
    if twin then return say('clash', twin) end
    local number = string.format('%d', version + 1)
    local entry = {'XADD', LOG, number .. '-0', 'c', commit}
    if version ~= '0' then table.insert(entry, 3, 'NOMKSTREAM') end
    if key ~= '' then
      for _, part in ipairs({'k', key, 'f', fingerprint}) do table.insert(entry, part) end
    end
    if not redis.call(unpack(entry)) then return say('damaged', version) end
    if key == '' then redis.call('HSET', GAME, 'version', number)
    else redis.call('HSET', GAME, 'version', number, key, number) end
    for name, token in pairs(spend) do flag(name, token, 2) end
    if changed then
      redis.call('HINCRBY', GAME, 'revision', 1)
      keep(changes)
    end
    tell(number)
    return say('applied', number)
    """,
)
"""A commit with invites and changes. Keys: the game's. Further arguments: expected revision or nothing, hashes to spend, changes."""

UPDATE = script(
    _GAME,
    _BESIDE,
    """
    local head = redis.call('HMGET', GAME, 'version', 'revision')
    if not head[1] then return say('nowhere') end
    local revision = take()
    if revision ~= '' and revision ~= head[2] then return say('conflict', head[1]) end
    local changes = take_changes()
    local twin = clash(changes)
    if twin then return say('clash', twin) end
    redis.call('HINCRBY', GAME, 'revision', 1)
    keep(changes)
    tell(head[1])
    return say('done')
    """,
)
"""Changes beside the log. Arguments: id, expected revision or nothing, changes."""

STRIP = script(
    """
    if redis.call('EXISTS', KEYS[1]) == 0 then return {ARGV[1], 'nowhere'} end
    local entries = redis.call('XRANGE', KEYS[2], '-', '+')
    redis.call('DEL', KEYS[2])
    for _, entry in ipairs(entries) do
      local number = tonumber(string.match(entry[1], '^%d+'))
      if number <= tonumber(ARGV[2]) then entry[2][2] = ARGV[3] end
      redis.call('XADD', KEYS[2], entry[1], unpack(entry[2]))
    end
    return {ARGV[1], 'done'}
    """
)
"""The log anew, with something short in the place of commits: an entry of a stream can't be changed. Keys: game, log. Arguments: id, the last
number, what is to stand there."""

CREATE = script(
    _GAME,
    _BESIDE,
    """
    local SECRET, VOID = KEYS[6], KEYS[7]
    if redis.call('EXISTS', VOID) == 1 then return say('void') end
    if redis.call('EXISTS', GAME) == 1 then return say('exists') end
    local secret = take()
    local record = {'HSET', GAME, 'revision', '0'}
    for _ = 1, tonumber(take()) do table.insert(record, take()) end
    local commits = {}
    for i = 1, tonumber(take()) do commits[i] = take() end
    local changes = take_changes()
    local twin = clash(changes)
    if twin then return say('clash', twin) end
    local version = string.format('%d', #commits)
    redis.call('SET', SECRET, secret)
    redis.call(unpack(record))
    redis.call('HSET', GAME, 'version', version)
    for number, commit in ipairs(commits) do redis.call('XADD', LOG, string.format('%d-0', number), 'c', commit) end
    keep(changes)
    return say('created', version)
    """,
)
"""A game with all that lies in its slot. Keys: the game's, its secret, its void. Arguments: id, secret, fields of the record, commits, changes."""

VOID = script(
    """
    if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
    redis.call('SET', KEYS[2], '1', 'EX', 86400)
    return 1
    """
)
"""Whoever is about to create this game must give up, unless it is there. Keys: game, void. Answers 1 if it is not there."""

SNAPSHOT = script(
    """
    if redis.call('EXISTS', KEYS[1]) == 0 then return {ARGV[1], 'nowhere'} end
    redis.call('HSET', KEYS[2], ARGV[2], ARGV[3])
    local numbers = redis.call('HKEYS', KEYS[2])
    table.sort(numbers, function(a, b) return tonumber(a) > tonumber(b) end)
    for i = 2, #numbers do redis.call('HDEL', KEYS[2], numbers[i]) end
    return {ARGV[1], 'done'}
    """
)
"""Keeps the newest alone. Keys: game, snapshots. Arguments: id, number, body."""

LATEST = script(
    """
    local best
    for _, number in ipairs(redis.call('HKEYS', KEYS[1])) do
      number = tonumber(number)
      if not best or number > best then best = number end
    end
    if not best then return {ARGV[1]} end
    best = string.format('%d', best)
    return {ARGV[1], best, redis.call('HGET', KEYS[1], best)}
    """
)
"""The newest snapshot: an older Omenlog kept several. Keys: snapshots. Arguments: id."""

FIND = script(
    """
    local name = redis.call('HGET', KEYS[2], ARGV[2])
    local token = name and redis.call('HGET', KEYS[1], name)
    if not token then return {ARGV[1]} end
    return {ARGV[1], name, token}
    """
)
"""A token by its hash. Keys: tokens, hashes. Arguments: id of the game, hash."""

SWAP = script(
    """
    if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
    if ARGV[2] == '' then redis.call('DEL', KEYS[1]) else redis.call('SET', KEYS[1], ARGV[2]) end
    return 1
    """
)
"""Puts one value in the place of another, or deletes it. Arguments: what must be there, what is to be or nothing."""

REMOVE = script(
    """
    for i = 1, #KEYS - 1 do redis.call('DEL', KEYS[i]) end
    redis.call('SET', KEYS[#KEYS], '1', 'EX', 86400)
    return 1
    """
)
"""Removes all that lies in a game's slot, and says so for a day. Keys: all of the game's, its void the last."""

UNLIST = script(
    """
    local place = redis.call('HGET', KEYS[3], ARGV[1])
    redis.call('HDEL', KEYS[1], ARGV[1])
    if not place then return 0 end
    redis.call('XDEL', KEYS[2], place)
    redis.call('HDEL', KEYS[3], ARGV[1])
    return 1
    """
)
"""A game that was listed is no more. Keys: those of the list. Arguments: id."""

INTEND = script(
    """
    if redis.call('HEXISTS', KEYS[3], ARGV[1]) == 1 then return 0 end
    redis.call('HSET', KEYS[1], ARGV[1], redis.call('TIME')[1])
    return 1
    """
)
"""Somebody is about to create a game. Keys: those of the list. Arguments: id."""

LIST = script(
    """
    if redis.call('HDEL', KEYS[1], ARGV[1]) == 0 or redis.call('HEXISTS', KEYS[3], ARGV[1]) == 1 then return 0 end
    local place = redis.call('XADD', KEYS[2], '*', 'g', ARGV[1])
    redis.call('HSET', KEYS[3], ARGV[1], place)
    return 1
    """
)
"""A game that was about to be created is there. Keys: those of the list. Arguments: id."""

PENDING = script(
    """
    local names, now = {}, tonumber(redis.call('TIME')[1])
    local pending = redis.call('HGETALL', KEYS[1])
    for i = 1, #pending, 2 do
      table.insert(names, pending[i])
      table.insert(names, tostring(now - tonumber(pending[i + 1])))
    end
    return names
    """
)
"""Games that somebody is or was about to create, each with the seconds since. Keys: those of the list."""

NEW_ACCOUNT = script("""
local IDS, HASHES = KEYS[1], KEYS[2]
local id, hash, account = ARGV[1], ARGV[2], ARGV[3]
if redis.call('HEXISTS', IDS, id) == 1 or redis.call('HEXISTS', HASHES, hash) == 1 then return {id, 'taken'} end
redis.call('HSET', IDS, id, account)
redis.call('HSET', HASHES, hash, id)
return {id, 'done'}
""")
"""Keep an account. Keys: accounts by id, ids by hash. Arguments: id, hash, account. Answers: id, and `done` or `taken`."""

ENTER_ACCOUNT = script("""
local IDS, PLACES, NUMBERS = KEYS[1], KEYS[2], KEYS[3]
local id, place = ARGV[1], ARGV[2]
if redis.call('HEXISTS', IDS, id) == 0 then return {id, 'nowhere'} end
local number = redis.call('HGET', NUMBERS, place)
if number then return {id, 'done', number} end
number = redis.call('RPUSH', PLACES, place)
redis.call('HSET', NUMBERS, place, number)
return {id, 'done', number}
""")
"""Give a token a place in an account. Keys: accounts by id, places of this one, their numbers. Arguments: id, place. Answers: id, then
`done` and the number, or `nowhere`."""
