"""Bots over HTTP: they look at what their seats see, and play until the game is over."""

import time
from collections.abc import Callable, Sequence

import msgspec

from domain.facts.commands import AnyCommand
from projections.choices.decisions import Decisions
from projections.view.game import GameView
from service.bots.brain import Brain, Memory
from service.bots.client import Api, ApiError

POLL = 0.25
MOST_REFUSALS = 8
"""Refusals in a row after which the bot must be wrong."""
RACES = frozenset({409, 412})
"""Statuses of a command that came too late because somebody else was faster."""
OVER = frozenset({"finished", "abandoned"})


class Player(msgspec.Struct):
    """A bot in its seat."""

    seat: int
    token: str
    brain: Brain
    memory: Memory


class AcceptedCommand(msgspec.Struct, frozen=True, kw_only=True):
    """A command that the service accepted from a bot."""

    seat: int
    label: str
    """What it does, in the words of the API."""
    command: AnyCommand
    view: GameView
    """What the seat saw when it gave the command."""


class Ended(msgspec.Struct, frozen=True, kw_only=True):
    """How a game ended, by its public facts."""

    id: str
    status: str
    version: int
    winner: str
    because: str

    def __str__(self) -> str:
        return f"{self.status}: {f'{self.winner} won' if self.winner else 'nobody won'}. {self.because}"


class Runner:
    """Plays seats of one game. It may be stopped and replaced at any time: it holds nothing that matters."""

    def __init__(
        self,
        api: Api,
        game: str,
        players: Sequence[Player],
        *,
        watch: Callable[[AcceptedCommand], None] | None = None,
        poll: float = POLL,
    ) -> None:
        """Play these players' seats.

        Args:
            api: the service.
            game: the game's id.
            players: one or more; others play the remaining seats.
            watch: called after each accepted command.
            poll: seconds between two looks while others have to act.
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
            ApiError: the service refuses for another reason than a race: an invalid token, say, or a faulty bot.
            httpx.TransportError: the service was unreachable for too long.
        """
        while True:
            if not self._act_once():
                ended = self._api.read(Ended, f"/v1/games/{self._game}")
                if ended.status in OVER:
                    return ended
                time.sleep(self._poll)

    def _act_once(self) -> bool:
        """Let one awaited player act; False if none of them has anything to do."""
        asked: set[int] = set()
        ahead = list(self._players)
        while ahead:
            seat = ahead.pop(0)
            asked.add(seat)
            player = self._players[seat]
            decisions = self._api.decisions(self._game, player.token)
            if decisions.yours and self._act(player, decisions):
                return True
            # ask the others in the order in which the game waits for them
            awaited = [one.seat for one in decisions.waiting if one.seat is not None]
            waiting = [one for one in awaited if one in self._players and one not in asked]
            ahead = list(dict.fromkeys([*waiting, *ahead]))
        return False

    def _act(self, player: Player, decisions: Decisions) -> bool:
        """Let a player choose and post; False if it has no command."""
        view = self._api.view(self._game, player.token, decisions.version)
        command = player.brain(view, decisions, player.memory)
        if command is None:
            return False
        try:
            self._api.command(self._game, player.token, command, decisions.version)
        except ApiError as error:
            self._note_refusal(player, view, command, error)
            return True
        self._refused = 0
        player.memory = player.memory.after(view, command)
        if self._watch is not None:
            label = label_of(decisions, command)
            self._watch(AcceptedCommand(seat=player.seat, label=label, command=command, view=view))
        return True

    def _note_refusal(self, player: Player, view: GameView, command: AnyCommand, error: ApiError) -> None:
        """Keep the player from repeating a refused command at this version; give up if it is always refused."""
        self._refused += 1
        if error.status not in RACES or self._refused >= MOST_REFUSALS:
            raise error
        if error.code != "stale-version":
            player.memory = player.memory.after_refusal(view, command)


def label_of(decisions: Decisions, command: AnyCommand) -> str:
    """What a command does, in the words of the API if it lists the command."""
    for decision in decisions.yours:
        for listed in decision.commands:
            if listed.command == command:
                return listed.label
        if decision.id == command.decision:
            return decision.text
    return type(command).__name__
