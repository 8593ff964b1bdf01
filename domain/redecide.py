"""Decide a recorded command again: the base of audits, traces, and the search for hidden facts that agree with what a role was told."""

from __future__ import annotations

from collections.abc import Sequence

from domain.decide import decide
from domain.default_actions import lapse_dispute, take_default
from domain.engine.rules import Rules
from domain.facts.chance import Answer, Chance, Request
from domain.facts.events import ChanceAnswered, Told
from domain.facts.lifecycle_commands import AnyRecorded, Closed, Expired, Lapsed, Life, Started
from domain.facts.state import State
from domain.game import close_game, start_game
from domain.past import Past


def redecide(
    rules: Rules, state: State, actor: int, command: AnyRecorded, chance: Chance, past: Past | None = None
) -> list[Told]:
    """Decide a recorded command on the state before it, which is advanced.

    Commits whose commands do not say everything (a game or a sandbox begins, a seat changes hands) give no events here: take them from the record.

    Args:
        rules: of the game.
        state: before the commit.
        actor: a seat, or the moderator; unused for the lifecycle's commands.
        command: as it was recorded.
        chance: what answers.
        past: see `decide`.

    Raises:
        Refused: the rules refuse it on this state.
    """
    match command:
        case Started():
            return start_game(rules, state, chance, command.today, command.scenario)
        case Closed():
            return close_game(rules, state, command.because)
        case Expired():
            return take_default(rules, state, command, chance)
        case Lapsed():
            return lapse_dispute(rules, state, command, chance)
        case Life():
            return []
        case _:
            return decide(rules, state, actor, command, chance, past)


class RecordedChance:
    """Chance that answers what was recorded in one commit, and waits where the record waited."""

    def __init__(self, recorded: Sequence[Told]) -> None:
        answers = [one.event for one in recorded if isinstance(one.event, ChanceAnswered)]
        self._answers = {one.index: Answer(faces=tuple(one.faces), pick=one.pick) for one in answers}

    def ask(self, request: Request) -> Answer | None:
        return self._answers.get(request.index)
