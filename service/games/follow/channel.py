"""One role's part of a followed game: what was read once for all who follow in that role, and kept for the slower of them.

Commits have a cursor, so who needs older ones than are kept reads them from the log. What lies beside the log has none: a stream tells what
was sent or erased since it was opened. What a role was told and may not hear yet, as it lags behind, waits here for it. So do the last
notices for a reader that is slow; who misses more is told to read all messages.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping

import msgspec

from domain.facts.audience import SPECTATORS, Mask
from service.games.follow.streams import MessageNews, News, Notice
from service.games.horizon import Horizon, lags
from service.games.tables import LATEST, LiveGame
from service.games.talk import Changes, Message, Place, read_messages
from service.identity import Caller
from service.store.port import LogStore

KEPT = 32
"""Notices that are kept for slow readers of a role, and messages that it may not hear yet."""

_encode = msgspec.json.Encoder().encode
LOST = Notice("message", _encode(MessageNews(message=None)))
"""More messages were sent or erased than were kept."""


class Unheard(msgspec.Struct):
    """A message that was sent or erased, and that a role is to be told."""

    place: Place
    commit: int = -1
    """Behind which it was sent; -1: it was not read yet."""
    at: str = ""
    lost: bool = False
    """Others before it were dropped."""


class Channel:
    """One role's part of a game: the same bytes for everybody who follows in that role."""

    def __init__(self, caller: Caller, talk: Mapping[Mask, Changes], unheard: Iterable[Unheard] = ()) -> None:
        """Begin behind the changes of messages in `talk`, but for those that are yet to be told."""
        self.noticed = 0
        """Notices so far."""
        self._notices: deque[Notice] = deque(maxlen=KEPT)
        """The latest."""
        self._known = {stream: known.changes for stream, known in talk.items()}
        self._unheard = list(unheard)
        self.version = 0
        """The latest commit that the role may see, as of the last look."""
        self._caller = caller
        self._recent: list[News] = []
        """The commits up to `version`, none missing, as far as they are kept; who is further behind reads for itself."""
        # What was read, and nobody is told before it is known whose tokens still hold.
        self._read: list[Notice] = []
        self._read_up_to: tuple[int, list[News]] | None = None

    async def look(self, live: LiveGame, horizon: Horizon) -> float | None:
        """Read what is new; seconds until the role may see more although nothing happens, or None. Raises `StoreError`."""
        # Asked before the page: what becomes old enough in between is then on the page, and nobody waits for it.
        due = await horizon.due(live, self._caller)
        if await horizon.head(live, self._caller) < self.version:
            return due  # who lags behind by time is shown less for a while if the machine's clock was set back
        page = await horizon.page(live, self._caller, self.version, LATEST if self.version else 0)
        if page.next < page.version:
            recent = []
        else:
            news = [News(number, event) for number, event in enumerate(page.events, self.version + 1)]
            recent = (self._recent + news)[-LATEST:]
        self._read_up_to = page.version, recent
        return due

    def add(self, event: bytes) -> None:
        """Take in the next commit, as the role may see it."""
        self.version += 1
        self._recent = [*self._recent[1 - LATEST :], News(self.version, event)]

    def after(self, cursor: int) -> list[News] | None:
        """All behind a cursor, or None if that is more than is kept."""
        behind = self.version - cursor
        if behind <= 0:
            return []
        return self._recent[-behind:] if behind <= len(self._recent) else None

    def note(self, talk: Mapping[Mask, Changes]) -> bool:
        """Take note of messages that were sent or erased, of those that the role was told; whether any are yet to be heard."""
        for stream, now in talk.items():
            new = now.changes - self._known.get(stream, 0)
            if new <= 0 or not stream & self._caller.principal:
                continue
            self._known[stream] = now.changes
            waiting = {one.place for one in self._unheard}
            places = dict.fromkeys((stream, number) for number in now.latest[-new:])
            fresh = [Unheard(place) for place in places if place not in waiting]
            self._unheard += fresh
            if new > len(now.latest):
                (fresh or self._unheard)[0].lost = True
        if len(self._unheard) > KEPT:
            self._unheard = self._unheard[-KEPT:]
            self._unheard[0].lost = True
        return bool(self._unheard)

    def waiting(self) -> list[str]:
        """When messages were sent that the role may not hear yet."""
        return [one.at for one in self._unheard]

    async def audible(self, live: LiveGame, horizon: Horizon) -> list[Place]:
        """The messages that the role may hear by now, as far as that is known before they are read."""
        return [
            one.place
            for one in self._unheard
            if one.commit < 0 or await horizon.hears(live, self._caller, one.commit, one.at)
        ]

    async def hear(
        self, live: LiveGame, horizon: Horizon, messages: Mapping[Place, Message], notices: dict[Place, Notice]
    ) -> None:
        """Make notices of messages that were read, those of other roles among them; the role hears the others later."""
        left = []
        for one in self._unheard:
            message = messages.get(one.place)
            if message is None:
                left.append(one)
                continue
            one.commit, one.at = message.commit, message.at
            if not await horizon.hears(live, self._caller, one.commit, one.at):
                left.append(one)
                continue
            if one.lost:
                self._read.append(LOST)
            if one.place not in notices:
                notices[one.place] = Notice("message", _encode(MessageNews(message=message)))
            self._read.append(notices[one.place])
        self._unheard = left

    def publish(self) -> None:
        """Tell what was read from now on."""
        if self._read_up_to is not None:
            self.version, self._recent = self._read_up_to
            self._read_up_to = None
        self._notices.extend(self._read)
        self.noticed += len(self._read)
        self._read = []

    def notices(self, after: int) -> Iterator[tuple[int, Notice]]:
        """Those behind a number, each with its own."""
        first = self.noticed - len(self._notices)
        if after < first:
            yield first, LOST
        for number, notice in enumerate(list(self._notices), first + 1):
            if number > after:
                yield number, notice


async def open_channel(store: LogStore, live: LiveGame, horizon: Horizon, caller: Caller) -> Channel:
    """A channel for a role that begins now. What the role was told and may not hear yet, of the latest messages, it will tell."""
    talk = live.talk
    if caller.principal != SPECTATORS or not lags(live.facts):
        return Channel(caller, talk)
    places = [
        (stream, number) for stream, now in talk.items() if stream & SPECTATORS for number in dict.fromkeys(now.latest)
    ]
    read = await read_messages(store, caller.game, places)
    unheard = [
        Unheard(place, one.commit, one.at)
        for place, one in read.items()
        if not await horizon.hears(live, caller, one.commit, one.at)
    ]
    return Channel(caller, talk, unheard)
