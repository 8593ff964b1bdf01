"""Bots over HTTP: they look at what their seats see, and play until the game is over."""

import time
from collections.abc import Callable, Sequence

import msgspec

from domain.facts.commands import AnyCommand
from projections.choices.decisions import Decisions
from projections.view.game import GameView
from service.bots.brain import Brain, Memory
from service.bots.client import Api, Refusal

POLL = 0.25
REFUSALS = 8
"""Refusals in a row after which something must be wrong with the bot."""
RACES = frozenset({409, 412})
"""Statuses that a command can get because somebody else was faster; then one looks again."""
OVER = frozenset({"finished", "abandoned"})


class Player(msgspec.Struct):
    """A bot in its seat."""

    seat: int
    token: str
    brain: Brain
    memory: Memory


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """A command that was accepted."""

    seat: int
    label: str
    """What it does, in the words of the API."""
    command: AnyCommand
    view: GameView
    """What the seat saw when it gave the command."""


class Ended(msgspec.Struct, frozen=True, kw_only=True):
    """How a game ended, as its public facts tell."""

    id: str
    status: str
    version: int
    winner: str
    because: str


class Runner:
    """Drives seats of one game. It may be stopped and another one started at any time: all that counts is in the service."""

    def __init__(
        self,
        api: Api,
        game: str,
        players: Sequence[Player],
        *,
        watch: Callable[[Step], None] | None = None,
        poll: float = POLL,
    ) -> None:
        """Drive these players' seats.

        Args:
            api: the service.
            game: the game's id.
            players: one or more; seats that are not among them are somebody else's.
            watch: called after every command that was accepted.
            poll: seconds until one looks again while somebody else has to act.
        """
        self._api = api
        self._game = game
        self._players = {player.seat: player for player in players}
        self._watch = watch
        self._poll = poll
        self._refused = 0

    def play(self) -> Ended:
        """Play until the game is over.

        Raises:
            Refusal: the service refuses what no race explains: a token that does not hold, a bot that asks for nonsense.
            httpx.TransportError: the service could not be reached for a long time.
        """
        while True:
            if not self._round():
                ended = self.facts()
                if ended.status in OVER:
                    return ended
                time.sleep(self._poll)

    def facts(self) -> Ended:
        """The game's public facts."""
        return msgspec.json.decode(self._api.get(f"/v1/games/{self._game}"), type=Ended)

    def _round(self) -> bool:
        """Let whoever of the players is awaited act; False if nobody of them has anything to do."""
        asked: set[int] = set()
        ahead = list(self._players)
        while ahead:
            seat = ahead.pop(0)
            asked.add(seat)
            player = self._players[seat]
            decisions = self._api.decisions(self._game, player.token)
            if decisions.yours and self._act(player, decisions):
                return True
            # the others are asked in the order in which the game waits for them
            awaited = [one.seat for one in decisions.waiting if one.seat is not None]
            waiting = [one for one in awaited if one in self._players and one not in asked]
            ahead = list(dict.fromkeys([*waiting, *ahead]))
        return False

    def _act(self, player: Player, decisions: Decisions) -> bool:
        """Let a player choose and post; False if it has nothing to say."""
        view = self._api.view(self._game, player.token, decisions.version)
        command = player.brain(view, decisions, player.memory)
        if command is None:
            return False
        try:
            self._api.command(self._game, player.token, command, decisions.version)
        except Refusal as refusal:
            self._note(player, view, command, refusal)
            return True
        self._refused = 0
        player.memory = player.memory.after(view, command)
        if self._watch is not None:
            step = Step(seat=player.seat, label=label_of(decisions, command), command=command, view=view)
            self._watch(step)
        return True

    def _note(self, player: Player, view: GameView, command: AnyCommand, refusal: Refusal) -> None:
        """Somebody was faster, or the bot is wrong: it will not say the same again at this version."""
        self._refused += 1
        if refusal.status not in RACES or self._refused >= REFUSALS:
            raise refusal
        if refusal.code != "stale-version":
            player.memory = player.memory.after_refusal(view, command)


def label_of(decisions: Decisions, command: AnyCommand) -> str:
    """What a command does, in the words of the API where it lists the command."""
    for decision in decisions.yours:
        for listed in decision.commands:
            if listed.command == command:
                return listed.label
        if decision.id == command.decision:
            return decision.text
    return type(command).__name__
