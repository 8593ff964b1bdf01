"""The brief: short at any point of any game, and every legal command stays reachable by its number."""

from __future__ import annotations

import msgspec
import pytest

from domain.facts.audience import REFEREE, SPECTATORS, Mask
from domain.facts.commands import Allocate, Drop, Move
from projections.choices.brief import BUDGET, Brief, Misfit, brief_of, command_of, options_of, tokens_at_most
from projections.choices.decisions import Decisions, Listed, OfferView, decisions_of
from projections.choices.families import Division, Subset, family
from projections.view.game import view_of
from projections.view.people import MonsterView
from tests.projections.driver import Game, play

GAMES = [("second-edition", 5, ""), ("second-edition", 6, "the-hollow-guest"), ("third-edition", 7, "")]


def whole(game: Game, mask: Mask) -> Decisions:
    return decisions_of(game.rules, game.roles[mask], mask, whole=True)


def brief(game: Game, mask: Mask, decisions: Decisions, page: int = 1) -> Brief:
    return brief_of(view_of(game.rules, game.roles[mask], mask), decisions, page)


def pages(game: Game, mask: Mask, decisions: Decisions) -> list[Brief]:
    first = brief(game, mask, decisions)
    return [first, *(brief(game, mask, decisions, page) for page in range(2, first.pages + 1))]


@pytest.mark.parametrize("pack,seed,haunt", GAMES)
def test_a_brief_is_short_for_every_role_throughout_a_game_and_numbers_all_that_is_legal(
    pack: str, seed: int, haunt: str
) -> None:
    for game in play(pack, seed, haunt):
        if game.steps % 9:
            continue
        for mask in (game.mask, SPECTATORS, REFEREE):
            decisions = whole(game, mask)
            found = pages(game, mask, decisions)
            assert all(tokens_at_most(one.text) < BUDGET for one in found)
            assert all(f"\n{option.number}. " in one.text for one in found for option in one.options)
            options = [option for one in found for option in one.options]
            assert [option.number for option in options] == list(range(1, len(options) + 1))
            assert len(found) == 1 or len(options) > 20
            commands = [option.command for option in options]
            for own in decisions.yours:
                if own.count == len(own.commands):
                    assert all(one.command in commands for one in own.commands)
                else:
                    assert all(one.example in commands for one in own.families)


@pytest.fixture(scope="module")
def game() -> Game:
    """A game in which somebody's turn has just begun, soon after the start."""
    return next(game for game in play("second-edition", 5) if game.steps == 9)


def asked(game: Game, **changes: object) -> Decisions:
    """What the active seat may do, with changes to its first decision."""
    found = whole(game, game.mask)
    return msgspec.structs.replace(found, yours=[msgspec.structs.replace(found.yours[0], **changes)])


def test_the_longest_names_leave_what_must_be_known_and_all_options(game: Game) -> None:
    long = "Mrs Longwinded-Name 3 "
    title = (long * 6)[:120]
    view = view_of(game.rules, game.roles[game.mask], game.mask)
    card = next(iter(view_of(game.rules, game.roles[REFEREE], REFEREE).cards.values()), None)
    assert card is not None
    cards = {f"card-{number}": msgspec.structs.replace(card, title=title) for number in range(40)}
    view = msgspec.structs.replace(
        view,
        cards=cards,
        explorers=[msgspec.structs.replace(one, title=title, cards=list(cards)) for one in view.explorers],
        rooms=[msgspec.structs.replace(one, title=title, text=title * 30) for one in view.rooms],
        because=title * 30,
    )
    moves = [Listed(title, Move(decision="t", to=f"room-{n}")) for n in range(90)]
    offer = OfferView(gives=list(cards), wants=list(cards))
    decisions = asked(game, text=title, kind="consent", offer=offer, commands=moves, count=90, families=[])
    briefs = [brief_of(view, decisions, page) for page in range(1, brief_of(view, decisions).pages + 1)]
    assert all(tokens_at_most(one.text) < BUDGET for one in briefs)
    assert [option.command for one in briefs for option in one.options] == [one.command for one in moves]
    for known in ("\nYou are asked: ", "\nThe trade: you get ", f", seat {view.you} (you): "):
        assert known in briefs[0].text


def test_a_card_that_a_question_names_is_told(game: Game) -> None:
    view = view_of(game.rules, game.roles[game.mask], game.mask)
    card = msgspec.structs.replace(
        next(iter(view_of(game.rules, game.roles[REFEREE], REFEREE).cards.values())),
        title="Odd Bell (M.D.)",
        rules=["Roll Speed.", "4+: gain 1 Speed."],
    )
    known = msgspec.structs.replace(view, cards={"odd-bell": card})
    question = asked(game, kind="choice", text="Resolve Odd Bell (M.D.), or decline it")
    line = "\nOdd Bell (M.D.): Roll Speed. 4+: gain 1 Speed.\n"
    assert line in brief_of(known, question).text
    assert line not in brief_of(known, asked(game, kind="choice", text="Resolve Odd Bells")).text
    assert line not in brief_of(known, whole(game, game.mask)).text


def test_a_map_follows_and_what_is_alike_stands_on_one_line(game: Game) -> None:
    view = view_of(game.rules, game.roles[game.mask], game.mask)
    here = next(one.room for one in view.explorers if one.seat == view.you)
    hatchling = MonsterView(
        id="hatchling-1",
        kind="hatchling",
        title="Hatchling 1",
        room=here,
        floor="ground",
        part=0,
        hides=False,
        side="traitor",
        traits={"might": 2},
        has=["might"],
        boxed=False,
        stunned=False,
        left=0,
        attacked=False,
        dies=True,
        stuns=True,
        defends=True,
        color="",
        cards=[],
    )
    other = msgspec.structs.replace(hatchling, id="hatchling-12", title="Hatchling 12", stunned=True)
    found = brief_of(msgspec.structs.replace(view, monsters=[hatchling, other]), whole(game, game.mask)).text
    place = next(one.title for one in view.rooms if one.id == here)
    assert f"\nHatchling (Might 2): 1 in {place}, 12 in {place} (stunned)\n" in found
    assert "\nGrand Staircase (ground): ways to Foyer and Upper Landing\n" in found
    alone = brief_of(msgspec.structs.replace(view, monsters=[hatchling]), whole(game, game.mask)).text
    assert f"\nHatchling 1: {place}; Might 2\n" in alone


def test_options_that_do_not_fit_go_on_on_the_next_page_under_the_same_numbers(game: Game) -> None:
    moves = [Listed(f"Move to the Antechamber of room {n}", Move(decision="t", to=f"room-{n}")) for n in range(300)]
    found = pages(game, game.mask, asked(game, commands=moves, count=300, families=[]))
    assert len(found) > 2
    assert all(tokens_at_most(one.text) < BUDGET for one in found)
    assert [one.command for page in found for one in page.options] == [one.command for one in moves]
    assert "of 300 at version" in found[0].text
    assert f"More: page 2 of {len(found)}." in found[0].text
    assert "More" not in found[-1].text
    behind = brief(game, game.mask, asked(game, commands=moves, count=300, families=[]), len(found) + 1)
    assert behind.options == []
    assert "There is no page" in behind.text


def test_a_family_is_one_option_that_says_what_comes_with_its_number(game: Game) -> None:
    caps = {"might": 4, "speed": 5}
    points = family(
        "Divide 9 points",
        Allocate(decision="d1", points={"might": 4, "speed": 5}),
        Division(least=9, total=9, caps=caps),
    )
    decisions = asked(game, kind="allocation", count=70, commands=[], families=[points])
    (option,) = options_of(decisions)
    assert (
        '[with "points": points by trait, 9 in all: might up to 4, speed up to 5]'
        in brief(game, game.mask, decisions).text
    )
    assert command_of(option, {"points": {"might": 4, "speed": 5}}) == points.example
    wrongs: list[dict[str, object]] = [{}, {"cards": []}, {"points": 3}, {"points": {"might": 4}, "decision": "d2"}]
    for wrong in wrongs:
        with pytest.raises(Misfit, match='takes `with`: "points"'):
            command_of(option, wrong)


def test_cards_that_are_named_together_come_beside_the_single_commands(game: Game) -> None:
    cards = [f"card-{number}" for number in range(35)]
    drop = family("Drop items", Drop(decision="t", cards=cards[:1]), Subset(field="cards", of=cards, least=1))
    move = Listed("Move to the Attic (1 space)", Move(decision="t", to="attic"))
    decisions = asked(game, count=2**35, commands=[move], families=[drop])
    first, second = options_of(decisions)
    assert command_of(first, {}) == move.command
    assert command_of(second, {"cards": cards[3:5]}) == Drop(decision="t", cards=cards[3:5])
    with pytest.raises(Misfit, match="takes nothing"):
        command_of(first, {"cards": cards})
    one = family("Drop items", Drop(decision="t", cards=cards[:1]), Subset(field="cards", of=cards[:1], least=1))
    listed = [move, Listed("Drop Card 0", Drop(decision="t", cards=cards[:1]))]
    assert len(options_of(asked(game, count=3, commands=listed, families=[one]))) == 2, "a family of one is listed"
    text = brief(game, game.mask, decisions).text
    assert "card-34]" in text
    assert tokens_at_most(text) < BUDGET


@pytest.mark.parametrize(
    "text,most",
    [
        ("", 0),
        ("the", 1),
        ("explorer", 2),
        ("Move to the Attic (1 space)", 10),
        ("12345", 5),
        ("Rolled 0 12", 7),
        ("Übel", 3),
        ("鬼", 3),
        ("…\n\n1", 5),
    ],
)
def test_tokens_are_bounded_by_letters_digits_signs_and_bytes(text: str, most: int) -> None:
    assert tokens_at_most(text) == most
