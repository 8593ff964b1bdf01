"""`omenlog disputes`: a game's disputes as its referee sees them, from the store."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import rich_click as click

from domain.audience import REFEREE
from domain.past import Past
from domain.turn.disputing import disputes as disputes_of
from projections.desk import DisputeView, EvidenceView
from projections.names import counted, enumerated
from projections.questions import VERDICTS
from service.cli.lasting import DATA, settings_of_store
from service.cli.screen import say
from service.games.desk.disputes import CLAIM, DisputeShown, known, shown
from service.log.facts import read_facts
from service.log.past import past_of
from service.store.open import open_store
from service.store.port import LogStore


@click.command()
@click.argument("game")
@DATA
def disputes(game: str, data: Path | None) -> None:
    """List the disputes of a GAME in the store that OMENLOG_STORE names, as its referee sees them.

    For each: who disputes which commits, the claim, the evidence, and how it was ruled. Texts that were erased are left out. It changes nothing.
    """
    settings = settings_of_store(data)

    async def read() -> list[DisputeShown]:
        store = await open_store(settings)
        try:
            return await _read(store, game)
        finally:
            await store.close()

    found = asyncio.run(read())
    for one in found:
        for line in _lines(one):
            say(line)
    if not found:
        say(f"{game}: nobody has disputed anything.")


async def _read(store: LogStore, game: str) -> list[DisputeShown]:
    record = await store.get_game(game)
    if record is None:
        raise click.UsageError(f"there is no game {game} in the store")
    seats = len(read_facts(record.facts).seats)
    past: Past = await past_of(store, game, record.version, seats, record.version)
    texts = await store.get_texts(game, CLAIM)
    return [shown(*known(one), texts) for one in disputes_of(past.known[REFEREE])]


def _lines(one: DisputeShown) -> Iterator[str]:
    dispute, texts = one.dispute, {note.digest: note.text for note in one.texts}
    first, last = (dispute.span.first, dispute.span.last) if dispute.span else (0, 0)
    span = f"commit {first}" if first == last else f"commits {first} to {last}"
    yield f"dispute {dispute.number}: seat {dispute.by} to the {dispute.addressed}, {span}; {_state(dispute)}"
    if dispute.claim in texts:
        yield f'  "{texts[dispute.claim]}"'
    for given in dispute.evidence:
        yield f"  evidence by {_who(given.by)}: {_cited(given, texts)}"
    if dispute.reasons:
        rules = f" ({', '.join(dispute.rules)})" if dispute.rules else ""
        yield f'  reasons: "{dispute.reasons}"{rules}'
    seen: dict[int, list[str]] = {}
    for sight in dispute.seen:
        seen.setdefault(sight.seat, []).append(str(sight.commit))
    for seat, commits in seen.items():
        yield f"  seat {seat} knows what it saw in {'commit' if len(commits) == 1 else 'commits'} {enumerated(commits)}"


def _state(dispute: DisputeView) -> str:
    if not dispute.outcome:
        left = dispute.turns_left
        until = f"within {dispute.seconds} s" if left is None else f"within {counted(left, 'new turn')}"
        return f"open, to be decided {until}" + (", play waits" if dispute.pauses else "")
    ended = {"withdrawn": "withdrawn", "lapsed": "lapsed, what happened stands", "over": "open when the game ended"}
    if dispute.outcome in ended:
        return ended[dispute.outcome]
    precedent = ", a precedent" if dispute.precedent else ""
    return f"{_who(dispute.judge)} ruled in commit {dispute.closed}: {VERDICTS[dispute.outcome].format(to=dispute.to)}{precedent}"


def _cited(given: EvidenceView, texts: dict[str, str]) -> str:
    cited = [f"commit {number}" for number in given.commits] + list(given.rules)
    cited += [f'"{texts[given.note]}"'] if given.note in texts else []
    return enumerated(cited) or "a note that was erased"


def _who(seat: int | None) -> str:
    return "the referee" if seat is None else f"seat {seat}"
