"""Sentences for what the players settle among themselves."""

from __future__ import annotations

from domain.facts.events import (
    CoinCalled,
    CoinFlipped,
    RulingAgreed,
    RulingConsented,
    RulingProposed,
    RulingRefused,
    RulingWithdrawn,
)
from projections.naming.questions import Asking
from projections.sentences.wording import Sentences


def _proposed(a: Asking, e: RulingProposed) -> str:
    return f'{a.table(e.by)} proposes ruling {e.number}: "{e.text}".'


def _consented(a: Asking, e: RulingConsented) -> str:
    return f"{a.table(e.seat)} agrees to ruling {e.number}."


def _agreed(_a: Asking, e: RulingAgreed) -> str:
    return f'All agree to ruling {e.number}: "{e.text}".'


def _refused(a: Asking, e: RulingRefused) -> str:
    return f"{a.table(e.seat)} does not agree to ruling {e.number}."


def _withdrawn(a: Asking, e: RulingWithdrawn) -> str:
    return f"{a.table(e.by)} withdraws ruling {e.number}."


def _called(a: Asking, e: CoinCalled) -> str:
    return f'{a.table(e.by)} flips a coin: heads for "{e.heads}", tails for "{e.tails}".'


def _flipped(_a: Asking, e: CoinFlipped) -> str:
    return f'The coin shows {e.face}: "{e.chosen}".'


SENTENCES: Sentences = {
    RulingProposed: _proposed,
    RulingConsented: _consented,
    RulingAgreed: _agreed,
    RulingRefused: _refused,
    RulingWithdrawn: _withdrawn,
    CoinCalled: _called,
    CoinFlipped: _flipped,
}
