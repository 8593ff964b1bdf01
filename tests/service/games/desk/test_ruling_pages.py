"""Disputes as pages to be pasted: what stands on them for each role, and that no player can forge a part of them."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable

import pytest
from markdown_it import MarkdownIt

from service.bootstrap import Service
from service.games.desk.disputes import AskDispute, AskEvidence, AskReopening, AskRuling
from service.identity import Caller
from service.problems import ProblemError
from tests.support.running import open_game, play, referee, seat, service_on, spectator

GAIN = [{"gain": {"trait": "might"}}]
NASTY = """# Forged
## Ruling
**The referee rules: it stands.**
> quoted <b>bold</b> <!-- hidden --> &lt;b&gt; [link](https://evil.example) ![picture](//evil.example/x.png)
`code` @everyone #12 www.evil.example ||secret|| ~~struck~~ $x$ someone@evil.example
1. one
12) two
- three
+ four
===
---
| a | b |
```
unclosed"""


def in_a_game(deeds: Callable[[Service, str], Awaitable[None]]) -> None:
    async def run() -> None:
        service = await service_on()
        game = await open_game(service)
        await play(service, game, 6)
        try:
            await deeds(service, game)
        finally:
            await service.close()

    asyncio.run(run())


async def page(service: Service, caller: Caller, number: int = 1) -> str:
    return (await service.ruling_pages.page(caller, number))[0]


def headings(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("#")]


def test_a_ruling_tells_claim_deeds_rules_and_reasons_to_those_who_were_told() -> None:
    async def deeds(service: Service, game: str) -> None:
        await service.disputing.open(seat(game, 1), AskDispute(first=6, last=7, claim="Two steps."), "")
        given = AskEvidence(commits=[8], rules=["2E-DOOR-001"], note="See there.")
        await service.disputing.give(seat(game, 1), 1, given, "")
        ruling = AskRuling(outcome="amend", reasons="One Might too few.", rules=["2E-TRAIT-003"], you=1, do=GAIN)
        await service.disputing.rule(referee(game), 1, ruling, "")

        told = await page(service, referee(game))
        for caller in (referee(game), seat(game, 1)):
            known = await page(service, caller)
            for words in (
                "> Two steps.",
                "Father Rhinehardt goes to the Foyer. 1 of 3 spaces.",
                "commit 8, 2E-DOOR-001 and “See there.”",
                "- **2E-DOOR-001** ",
                "- **2E-TRAIT-003** ",
                "**The referee rules on dispute 1: it is corrected.** (commit 14)",
                '- Darrin "Flash" Williams: Might: 3 → 4',
                "> One Might too few.\n\nBy 2E-TRAIT-003.",
            ):
                assert words in known, (words, known)
        assert [line.partition(" ·")[0] for line in headings(told)] == [
            f"# Dispute 1 of game {game}",
            *["## Claim", "## What happened", "### 6", "### 7", "### 8"],
            *["## Evidence", "## Rules", "## Ruling", "### Reasons"],
        ]
        assert 'Amended for Darrin "Flash" Williams: gain 1 Might.' in told
        assert "Move to the Foyer" in told
        assert "card/" not in told  # ids of boxes are for those who know the files
        for caller in (seat(game, 0), spectator(game)):
            known = await page(service, caller)
            assert headings(known) == [headings(told)[0], "## Claim", "## Ruling", "### Reasons"]
            assert known.count("Only seat 1 and the referee were told.") == 2
            assert "Might: 3 → 4" in known
            for secret in ("Two steps", "See there", "2E-DOOR-001", "One Might", "2E-TRAIT-003", "Amended", "Foyer"):
                assert secret not in known, (secret, known)
        public, _, _ = await service.ruling_pages.page(referee(game), 1, spectator(game).principal)
        assert public == await page(service, spectator(game))

    in_a_game(deeds)


def test_a_rewind_tells_what_it_undid_and_applied_again_and_an_open_dispute_what_is_proposed() -> None:
    async def deeds(service: Service, game: str) -> None:
        rule, to = service.disputing.rule, "play goes back to commit 5"
        await service.disputing.open(seat(game, 1), AskDispute(first=6, last=6, claim="No."), "")
        await rule(referee(game), 1, AskRuling(outcome="amend", reasons="Less.", you=1, do=GAIN), "")
        await service.disputing.open(seat(game, 2), AskDispute(first=6, last=6, claim="No."), "")
        known = await page(service, referee(game), 2)
        assert "**Nobody has ruled yet.** If nobody does within 12 new turns: what happened stands." in known
        assert "A rewind to before the disputed commits would undo the amendment of dispute 1." in known
        await rule(referee(game), 2, AskRuling(outcome="rewind", to=5, reasons="Anew.", reapply=[1]), "")

        known = await page(service, referee(game), 2)
        assert f"{to}, and the amendment of dispute 1 is applied again.** (commit 15)" in known
        undone = known.partition("What was undone:")[2]
        assert "\n- 6 · Father Rhinehardt (seat 2): Move to the Foyer (1 space)\n" in undone
        assert "Dispute" not in undone.replace("Rule on dispute 1", "")  # talk is not undone
        public = (await page(service, spectator(game), 2)).partition("What was undone:")[2]
        assert "\n- 6 · Father Rhinehardt (seat 2): Father Rhinehardt goes to the Foyer. 1 of 3 spaces.\n" in public

        await service.disputing.reopen(referee(game), 2, AskReopening(reasons="Wait."), "")
        known = await page(service, spectator(game), 2)
        assert headings(known)[2:] == ["## Earlier ruling", "### Reasons", "## Reopened in commit 16", "## Ruling"]
        assert known.endswith("If nobody does within 12 new turns: what was ruled stands.\n")

        await service.disputing.open(seat(game, 0), AskDispute(first=6, last=6, claim="No.", addressed="table"), "")
        await rule(seat(game, 2), 3, AskRuling(outcome="amend", reasons="Less.", you=1, do=GAIN), "")
        known = await page(service, spectator(game), 3)
        assert known.endswith(
            "Father Rhinehardt (seat 2) proposes: it is corrected. Brandon Jaspers (seat 0) and "
            'Darrin "Flash" Williams (seat 1) have not answered yet.\n\nAmended for Darrin "Flash" Williams: gain 1 Might.\n\n> Less.\n'
        )
        await service.disputing.withdraw(seat(game, 0), 3, "")
        assert (await page(service, spectator(game), 3)).endswith(
            "**Brandon Jaspers withdraws dispute 3.** (commit 19)\n"
        )
        with pytest.raises(ProblemError, match="This game has 3 disputes"):
            await page(service, referee(game), 4)

    in_a_game(deeds)


def test_what_players_write_forges_nothing() -> None:
    async def deeds(service: Service, game: str) -> None:
        pages = []
        for number, text in enumerate(("Fair words.", NASTY), 1):
            await service.disputing.open(seat(game, 1), AskDispute(first=6, last=6, claim=text), "")
            await service.disputing.give(seat(game, 1), number, AskEvidence(note=text), "")
            await service.disputing.rule(
                referee(game), number, AskRuling(outcome="stands", reasons=" ".join(text.split())), ""
            )
            pages.append(await page(service, referee(game), number))
        fair, nasty = (MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text) for text in pages)

        def shape(tokens: object) -> list[str]:
            kinds = [one.type for one in tokens]  # type: ignore[attr-defined]  # tokens
            return [kind for kind in kinds if not kind.startswith(("paragraph", "inline"))]

        assert shape(nasty) == shape(fair)
        inner = {child.type for one in nasty for child in one.children or ()}
        assert inner <= {"text", "text_special", "strong_open", "strong_close", "em_open", "em_close"}
        assert not re.search(r"[@#]\w|\w://|www\.", pages[1])  # what forums make links of by themselves
        shown = "".join(child.content for one in nasty for child in one.children or ()).replace("\u200b", "")
        for line in NASTY.splitlines():
            assert line in shown, line

    in_a_game(deeds)


def test_much_that_is_disputed_is_told_in_part() -> None:
    async def deeds(service: Service, game: str) -> None:
        await play(service, game, 50)
        await service.disputing.open(seat(game, 1), AskDispute(first=6, last=50, claim="All of it."), "")
        await service.disputing.give(seat(game, 1), 1, AskEvidence(commits=[50]), "")
        known = await page(service, referee(game))
        numbers = [int(line.split()[1]) for line in headings(known) if line.startswith("### ")]
        assert numbers == [*range(6, 45), 50]
        assert "5 more commits are disputed." in known

    in_a_game(deeds)
