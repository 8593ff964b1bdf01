"""Real dice and cards without a moderator: who is asked, who confirms, who alone knows."""

import random

import pytest

from domain.facts.audience import EVERYBODY, REFEREE
from domain.facts.commands import AnswerChance, AnyCommand, Choose
from domain.facts.events import CardDiscarded, CardDrawn, ChanceAnswered, DecisionOpened, DiceRolled, SlotSeen, Told
from domain.facts.state import State
from domain.rulebook.turn.options import legal
from tests.laws.playout import copy_of, encode
from tests.support.packs import rules
from tests.support.table import FOUR, THREE, Table, events

RULES = rules("second-edition")


def table(*, first: int = 0, haunt: str = "") -> Table:
    """A game whose dice and cards lie on a real table; the back of the first tile has been told."""
    opened = Table(FOUR if haunt else THREE, first=first, options={"haunt": haunt} if haunt else {}, source="table")
    settle(opened)
    return opened


def say(game: Table, seat: int, *, faces: tuple[int, ...] = (), pick: str = "") -> None:
    game.play(seat, AnswerChance(decision=game.asked(seat).id, faces=list(faces), pick=pick))


def settle(game: Table) -> None:
    """Say and confirm anything until the game waits for a move."""
    while game.state.open:
        settle_one(game)


def test_who_draws_says_what_it_is_and_the_next_player_confirms() -> None:
    game = table(first=1)
    game.explore("east")

    asked = game.asked(1)
    assert asked.kind == "chance"
    assert asked.about == "tile"
    say(game, 1, pick=asked.options[0])
    confirming = game.asked(2)
    assert (confirming.about, confirming.options) == (f"witness:tile={asked.options[0]}", ["yes", "no"])
    assert not game.is_asked(1)
    game.choose(2, "yes")
    assert asked.options[0] in game.state.rooms or game.asked(1).about == f"place:{asked.options[0]}"


def test_what_the_next_player_denies_is_asked_again() -> None:
    game = table()
    game.explore("east")
    first, second = game.asked(0).options[:2]

    say(game, 0, pick=first)
    game.choose(1, "no")
    assert game.asked(0).about == "tile"
    say(game, 0, pick=second)
    game.choose(1, "yes")
    assert first not in game.state.rooms
    assert events([one for commit in game.commits for one in commit], ChanceAnswered)[-1].pick != first


def test_everybody_is_told_whose_dice_are_asked_for_and_what_for_before_they_fall() -> None:
    """As of every roll: the one who holds the dice need not be the one who rolls."""
    game = table()
    game.lay("attic", "upper", 0, 1)
    game.put(0, "attic")
    game.turn(0)
    game.move("upper-landing")
    assert [one.to for one in game.commits[-1] if isinstance(one.event, DecisionOpened)] == [EVERYBODY]
    asked = game.asked(0)
    assert (asked.who, asked.trait) == (0, "speed")
    say(game, 0, faces=(0,) * asked.total)
    game.choose(1, "yes")
    (rolled,) = events(game.commits[-1], DiceRolled)
    assert (rolled.who, rolled.trait, rolled.about) == (asked.who, asked.trait, asked.cause)


def test_dice_are_what_the_table_says_they_are() -> None:
    game = table()
    game.stack("tiles", "coal-chute")
    game.explore("east")
    settle(game)
    rolled = events([one for commit in game.commits for one in commit], DiceRolled)
    assert all(face == 1 for one in rolled for face in one.faces)


def test_a_total_that_is_said_with_the_faces_must_be_their_sum() -> None:
    game = table()
    game.stack("tiles", "charred-room")
    game.stack("omen", "ring")
    game.explore("east")
    settle(game)
    game.end_turn()
    while not (asked := next(iter(game.state.open.values()))).total:
        settle_one(game)
    faces = [2, 1, *[0] * (asked.total - 2)]
    with game.refuses(problem="chance-misfit"):
        game.play(asked.seat, AnswerChance(decision=asked.id, faces=faces, total=5))
    game.play(asked.seat, AnswerChance(decision=asked.id, faces=faces, total=3))
    assert not game.is_asked(asked.seat), "the next player confirms it"


def test_only_the_addressee_answers_and_only_what_fits() -> None:
    game = table()
    game.explore("east")
    decision = game.asked(0)
    with game.refuses(problem="not-your-decision"):
        game.play(1, AnswerChance(decision=decision.id, pick=decision.options[0]))
    with game.refuses(problem="chance-misfit"):
        game.play(0, AnswerChance(decision=decision.id, pick="a-tile-of-another-game"))


def test_what_may_turn_up_is_told_to_whoever_draws_alone() -> None:
    game = table()
    game.explore("east")
    assert game.view(0).open[game.asked(0).id].options
    assert not game.view(1).open[game.asked(0).id].options


def test_each_player_says_in_secret_which_token_it_was_dealt() -> None:
    game = table(haunt="the-hollow-guest")
    begin_haunt(game)
    roles = [game.asked(seat) for seat in range(4)]
    assert {one.about for one in roles} == {"role"}

    tell_roles(game, ["2", "1", "1", "3"])
    assert [game.asked(seat).about for seat in range(4)] == ["role"] * 4, "two tokens with the number 1: look again"
    tell_roles(game, ["2", "4", "1", "3"])
    assert game.state.haunt is not None
    assert game.state.haunt.traitor == 2
    assert [game.view(seat).haunt.traitor for seat in range(4)] == [-1, -1, 2, -1]  # type: ignore[union-attr]  # it has begun
    assert [[one.token for one in game.view(seat).explorers][seat] for seat in range(4)] == [2, 4, 1, 3]


def tell_roles(game: Table, roles: list[str]) -> None:
    for seat, role in enumerate(roles):
        game.choose(seat, role)


def begin_haunt(game: Table) -> None:
    """Draw an omen and fail the haunt roll."""
    game.stack("tiles", "charred-room")
    game.stack("omen", "skull")
    game.explore("east")
    settle(game)
    game.end_turn()
    while game.state.open and next(iter(game.state.open.values())).about != "role":
        decision = next(iter(game.state.open.values()))
        if decision.kind == "chance":
            say(game, decision.seat, faces=(0,) * decision.total, pick=decision.options[0] if decision.options else "")
        else:
            game.choose(decision.seat, "yes" if "yes" in decision.options else decision.options[0])


@pytest.mark.parametrize("seed", range(6))
def test_whole_games_end_and_are_replayed(seed: int) -> None:
    lot = random.Random(seed)
    game = Table(THREE, options={"turn_limit": 60}, source="table")
    for _ in range(6000):
        if game.state.status != "started":
            break
        seat = next((one.seat for one in game.state.open.values()), game.state.turn.seat)
        commands = legal(RULES, game.state, seat)
        assert commands == legal(RULES, game.view(seat), seat)
        game.play(seat, truthful(game.state, lot, commands))
    assert game.state.status == "finished"
    again = copy_of(State())
    for commit in game.commits:
        for told in commit:
            told.event.apply(again)
    again.commit = game.state.commit
    assert encode(again) == encode(game.state)


def truthful(state: State, lot: random.Random, commands: list[AnyCommand]) -> AnyCommand:
    """Any command; dice show any faces, and nobody denies for ever."""
    chosen = lot.choice(commands)
    if isinstance(chosen, AnswerChance) and chosen.faces:
        return AnswerChance(decision=chosen.decision, faces=[lot.randrange(3) for _ in chosen.faces])
    if isinstance(chosen, Choose) and chosen.option == "no" and lot.random() < 0.7:
        return (
            Choose(decision=chosen.decision, option="yes") if "yes" in state.open[chosen.decision].options else chosen
        )
    return chosen


def test_what_another_player_has_looked_at_is_listed_and_accepted() -> None:
    """Neither list nor refusal may tell what was seen in secret; if the card lies on top after all, it doesn't lie elsewhere."""
    game = table()
    seen = game.state.decks["event"].pool[3]
    game.commit([Told(0b100 | REFEREE, SlotSeen(deck="event", index=1, face=seen))])
    SlotSeen(deck="event", index=1, face=seen).apply(game.state)
    game.stack("tiles", "gardens")
    game.explore("east")
    while next(iter(game.state.open.values())).about != "card:event":
        settle_one(game)

    assert seen in game.view(0).open[game.asked(0).id].options
    assert game.view(2).decks["event"].top[1].face == seen
    game.play(0, AnswerChance(decision=game.asked(0).id, pick=seen))
    game.choose(1, "yes")
    for state in (game.state, *game.roles.values()):
        deck = state.decks["event"]
        assert seen not in [*deck.pool, *(slot.face for slot in deck.top)]
        assert len(deck.pool) == deck.unknown + sum(not slot.face for slot in deck.top)


def test_what_everybody_has_seen_buried_is_not_listed() -> None:
    game = table()
    buried = game.state.decks["event"].pool[3]
    game.happen(CardDrawn(deck="event", card=buried, seat=0))
    game.happen(CardDiscarded(deck="event", card=buried, bury=True))
    game.stack("tiles", "gardens")
    game.explore("east")
    while next(iter(game.state.open.values())).about != "card:event":
        settle_one(game)

    assert buried not in game.view(0).open[game.asked(0).id].options


def settle_one(game: Table) -> None:
    """Answer the oldest question in any way."""
    decision = next(iter(game.state.open.values()))
    if decision.kind == "chance":
        say(game, decision.seat, faces=(1,) * decision.total, pick=decision.options[0] if decision.options else "")
    else:
        game.choose(decision.seat, "yes" if "yes" in decision.options else decision.options[0])
