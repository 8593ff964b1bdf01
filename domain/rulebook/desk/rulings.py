"""Where no rule answers: the table's own rulings with everybody's consent, and coins (rulebook: What If There Isn't a Rule for That?).

All of it is kept beside the game. A proposal is open alongside everything else, and nothing waits for it; one is open at a time,
a single refusal ends it, and whoever proposed it may withdraw it. Only its text is recorded: no program can follow it.
"""

from __future__ import annotations

from content.errors import listed
from domain.engine.bindings import Waiting
from domain.engine.block import WAIT, Frame, procedure
from domain.engine.machine import ASKED_BY_INDEX, Machine
from domain.facts.commands import Allocate, AnswerChance, Choose, FlipCoin, ProposeRuling, Select, TableCommand
from domain.facts.events import (
    CoinCalled,
    CoinFlipped,
    RulingAgreed,
    RulingConsented,
    RulingProposed,
    RulingRefused,
    RulingWithdrawn,
)
from domain.facts.refusal import Refused
from domain.facts.state import Decision, Rulings, State

TABLE = "table"
"""The decision that rulings and coins name: always open, and nobody is awaited for it."""

AGREE, REFUSE, WITHDRAW = "agree", "refuse", "withdraw"

MOST = 12
"""Rulings and coins in one turn, so that nobody stalls a game."""

COIN_FACES = ("heads", "tails")


def proposal(rulings: Rulings) -> str:
    """The id of the decision about the ruling that is proposed, or empty."""
    return f"ruling-{rulings.proposed.number}" if rulings.proposed is not None else ""


def consent(state: State, actor: int) -> Decision | None:
    """What a seat, or the referee (-1), is asked about the ruling that is proposed: to consent, or to withdraw its own."""
    rulings = state.rulings
    if rulings is None or rulings.proposed is None:
        return None
    if actor in rulings.awaited:
        options = [AGREE, REFUSE]
    elif actor == rulings.proposed.by:
        options = [WITHDRAW]
    else:
        return None
    return Decision(id=proposal(rulings), seat=actor, kind="consent", about="ruling", options=options)


def perform_at_table(m: Machine, actor: int, command: TableCommand) -> None:
    """Propose a ruling, or flip a coin.

    Raises:
        Refused: `decision-closed`, `game-over`, `table-limit`, `ruling-open`, `chance-open` or `not-an-option`.
    """
    if command.decision != TABLE:
        raise Refused(f"use the decision `{TABLE}`", problem="decision-closed")
    if m.state.status != "started":
        raise Refused(f"the game is {m.state.status}", problem="game-over")
    if m.state.rulings is not None and m.state.rulings.spoken >= MOST:
        raise Refused(f"at most {MOST} rulings and coins in a turn", problem="table-limit")
    if isinstance(command, ProposeRuling):
        _propose(m, actor, command)
    elif isinstance(command, FlipCoin):
        _flip(m, actor, command)


def _propose(m: Machine, actor: int, command: ProposeRuling) -> None:
    """Ask everybody else, players of dead explorers included (2E-NORULE-001)."""
    rulings = m.state.rulings or Rulings()
    if rulings.proposed is not None:
        raise Refused(f"the ruling `{proposal(rulings)}` is still waiting for consent", problem="ruling-open")
    asked = [seat for seat in range(m.state.seats) if seat != actor]
    number, rule = rulings.numbers + 1, m.rules.cite.table_ruling
    m.emit(RulingProposed(number=number, text=command.text, by=actor, asked=asked, rule=rule))


def perform_consent(m: Machine, actor: int, command: Choose | Allocate | Select | AnswerChance) -> None:
    """Answer what `consent` asks.

    Raises:
        Refused: `not-your-decision`, `wrong-answer-kind` or `not-an-option`.
    """
    asked = consent(m.state, actor)
    rulings = m.state.rulings
    if asked is None or rulings is None or rulings.proposed is None:
        raise Refused("this decision is not yours to answer", problem="not-your-decision")
    ruling, rule = rulings.proposed, m.rules.cite.table_ruling
    if not isinstance(command, Choose):
        raise Refused(
            f"this decision takes an answer of another kind: `{asked.kind}`", rule=rule, problem="wrong-answer-kind"
        )
    if command.option not in asked.options:
        detail = f"`{command.option}` is not an option here: choose one of {listed(asked.options)}"
        raise Refused(detail, rule=rule, problem="not-an-option")
    if command.option == WITHDRAW:
        m.emit(RulingWithdrawn(number=ruling.number, by=actor, rule=rule))
    elif command.option == REFUSE:
        m.emit(RulingRefused(number=ruling.number, seat=actor, rule=rule))
    else:
        m.emit(RulingConsented(number=ruling.number, seat=actor, rule=rule))
        if not rulings.awaited:
            m.emit(RulingAgreed(number=ruling.number, text=ruling.text, by=ruling.by, rule=rule))


# -- coin -----------------------------------------------------------------------------------------------------------------------


def _flip(m: Machine, actor: int, command: FlipCoin) -> None:
    heads, tails = command.options
    if heads == tails:
        raise Refused("the two sides of a coin must differ", rule=m.rules.cite.coin, problem="not-an-option")
    if any(name[0] in ASKED_BY_INDEX for name in m.state.open):
        # whoever holds the dice is asked one thing at a time; only a reveal, which waits for nothing, may interrupt
        raise Refused("answer the open request for chance first", problem="chance-open")
    m.emit(CoinCalled(by=actor, heads=heads, tails=tails, rule=m.rules.cite.coin))
    m.call("coin", options=[heads, tails])


class FlippingCoin(Waiting):
    """Bindings of `coin`."""

    options: list[str]
    """What heads and what tails stand for."""


def flip(m: Machine, f: Frame[FlippingCoin]) -> bool | None:
    """Heads or tails, equally likely; what was half-done goes on afterwards."""
    face = m.pick(f, "coin", COIN_FACES)
    if face is None:
        return WAIT
    m.emit(CoinFlipped(face=face, chosen=f.vars["options"][COIN_FACES.index(face)], rule=m.rules.cite.coin))
    return None


COIN = procedure("coin", flip)
