"""The numbers of a game: told as they are, as far as the reader knows them."""

from __future__ import annotations

from content.vocabulary.abilities import Attack, Trigger
from content.vocabulary.effects import CounterChange, EachRoom, Effect, PlaceMonster, Win
from content.vocabulary.pack import Bar, Book, Haunt, Stealing, TraitorRule
from content.vocabulary.values import Condition, Count, Each, Number, Rooms
from content.vocabulary.verbs import Damage, Roll, Steps, Token
from domain.editions import EDITIONS
from projections.wording import GameNumbers, Library, Wording
from projections.wording.haunts import bar, goal, haunt, stealing, traitor
from tests.support.packs import pack
from tests.support.table import Table

SECOND = pack("second-edition")
SAYS = Wording(SECOND)
FOUR = ("ox-bellows", "zoe-ingstrom", "jenny-leclerc", "father-rhinehardt")


def read(table: Table, seat: int, piece: str, part: str) -> str:
    """A rule as the player of a seat reads it."""
    library = Library(SECOND, numbers=GameNumbers(table.view(seat)))
    return next(rule.text for rule in library.piece(piece) if rule.part == part)


def test_a_goal_says_how_much_is_still_to_be_done_in_this_game() -> None:
    table = Table(FOUR)
    table.haunt("the-gnawing-tide", traitor=1)
    reached = "The heroes win as soon as “Verses of the rite” reaches 5 ({}).".format
    assert read(table, 0, "haunt:the-gnawing-tide#heroes", "wins-when") == reached("0 now, 5 to go")
    table.counter("verses", 3)
    assert read(table, 0, "haunt:the-gnawing-tide#heroes", "wins-when") == reached("3 now, 2 to go")


def test_a_goal_that_counts_tokens_counts_those_in_the_house() -> None:
    table = Table(FOUR)
    table.haunt("the-unquiet-name", traitor=1)
    table.token("sanity-token", "foyer")
    table.token("knowledge-token", "entrance-hall")
    said = read(table, 0, "haunt:the-unquiet-name#heroes", "wins-when")
    assert said.endswith("is at least 8 (2 now, 6 to go).")


def test_a_number_by_players_is_that_of_the_game() -> None:
    table = Table(FOUR)
    table.haunt("the-gnawing-tide", traitor=1)
    numbers = GameNumbers(table.view(0))
    rats = [Effect(place_monster=PlaceMonster(kind="rat", at="room-of-haunt", count=Number(players={"3": 3, "4": 4})))]
    assert SAYS.effects(rats) == "Put 3 or 4 Rats (one for each player) in the room where the haunt began."
    assert Wording(SECOND, numbers=numbers).effects(rats) == "Put 4 Rats in the room where the haunt began."


def test_a_step_for_more_players_is_left_out_of_a_game_with_fewer() -> None:
    step = Effect(
        if_=Condition(number=Number(players={"3": 0, "4": 1}), at_least=1),
        then=[Effect(damage=Damage(kind="mental", dice=1))],
    )
    assert SAYS.effects([step]) == "If there are 4 players, take 1 die of mental damage."
    assert Wording(SECOND, numbers=GameNumbers(Table(FOUR).view(0))).effects([step]) == "Take 1 die of mental damage."
    assert Wording(SECOND, numbers=GameNumbers(Table().view(0))).effects([step]) == ""


def test_a_counter_that_a_player_does_not_know_is_told_by_its_bound_alone() -> None:
    table = Table(FOUR)
    table.haunt("the-gnawing-tide", traitor=1)
    known = table.view(0).haunt
    assert known is not None
    assert "hunger" not in known.counters
    wording = Wording(SECOND, within=haunt_of("the-gnawing-tide"), numbers=GameNumbers(table.view(0)))
    assert wording.condition(Condition(counter="hunger", at_least=12)) == "“Hungry hours” has reached 12."


def haunt_of(name: str) -> Haunt:
    return next(one for one in SECOND.haunts if one.id == name)


def test_a_ruling_that_the_table_chose_changes_the_words() -> None:
    kept = next(rule for rule in Library(SECOND, rulings=["bottle-lasts"]).piece("card:bottle") if "DRINK" in rule.text)
    assert "iscard" not in kept.text
    used = next(rule for rule in Library(SECOND).piece("card:bottle") if "DRINK" in rule.text)
    assert used.text.endswith("Then discard this card.")


def test_what_an_edition_buries_is_not_discarded() -> None:
    used_up = [Effect(discard="this")]
    assert Wording(SECOND).effects(used_up) == "Discard this card."
    assert Wording(pack("third-edition")).effects(used_up) == "Bury this card."
    assert Wording(SECOND, edition=EDITIONS["third"]).effects(used_up) == "Bury this card.", "as a house plays it"


def test_conditions_are_joined_so_that_nobody_has_to_guess() -> None:
    either = Condition(any=[Condition(carrying="spear"), Condition(carrying="axe")])
    assert SAYS.condition(either) == "You have the Spear or the Axe."
    assert SAYS.condition(Condition(not_=either)) == "You do not have the Spear or the Axe."
    assert SAYS.condition(Condition(moved=True, any=[Condition(carrying="spear"), Condition(in_="crypt")])) == (
        "You have moved this turn, and either you have the Spear or are in the Crypt."
    )


def test_that_nobody_fails_is_told_as_what_holds_of_each() -> None:
    without = Condition(not_=Condition(any=[Condition(token="safe"), Condition(token="closet")]))
    nobody = Each(each="hero", if_=Condition(any=[Condition(alone=False), without]))
    assert SAYS.condition(Condition(not_=Condition(there_is=nobody))) == (
        "Each hero is the only explorer in their room, and is in a room with a Safe token or a Closet token."
    )
    armed = Each(each="hero", if_=Condition(carrying="spear"))
    assert SAYS.condition(Condition(not_=Condition(there_is=armed))) == "There is no hero who has the Spear."


def test_those_who_are_meant_are_told_in_the_third_person() -> None:
    lost = Effect(damage=Damage(kind="physical", points=2), who=Each(each="hero", if_=Condition(carrying="spear")))
    assert SAYS.effects([lost]) == "Each hero who has the Spear takes 2 points of physical damage."
    assert SAYS.selection(Rooms(window=True, without_token="safe")) == "a room with a window and without a Safe token"
    assert SAYS.selection("left-of-you") == "the explorer on your left"


def test_rooms_beside_a_token_are_told_by_the_door_between() -> None:
    assert SAYS.selection(Rooms(next_to_token="safe", on=["upper"])) == (
        "a room on the upper floor one door away from a Safe token"
    )
    assert SAYS.condition(Condition(in_=Rooms(next_to_token="safe"))) == (
        "You are in a room one door away from a Safe token."
    )


def test_what_is_seen_and_who_lies_dead_are_told() -> None:
    assert SAYS.selection(Rooms(in_sight=True)) == "a room in line of sight"
    assert SAYS.selection(Rooms(in_sight=True, or_here=True)) == "your room or a room in line of sight"
    assert SAYS.selection(Each(each="corpse", in_="here")) == "each corpse in your room"


def test_what_is_done_for_each_room_is_told_apart_from_what_follows() -> None:
    closed = Effect(place_token=Token(token="closet", at="that-room"))
    stronger = Effect(gain=Steps(trait="might"))
    safes = Rooms(with_token="safe")
    assert SAYS.effects([Effect(each_room=EachRoom(rooms=safes, do=[closed])), stronger]) == (
        "For each room with a Safe token, put a Closet token in that room. Then gain 1 Might."
    )
    assert SAYS.effects([Effect(each_room=EachRoom(rooms=safes, do=[closed, stronger]))]) == (
        "For each room with a Safe token, put a Closet token in that room and gain 1 Might."
    )
    named = Rooms(one_of=["crypt", "attic"], or_here=True)
    assert SAYS.effects([Effect(each_room=EachRoom(rooms=named, do=[closed]))]) == (
        "For your room and each of the Crypt and the Attic, put a Closet token in that room."
    )


def test_what_a_haunt_forbids_and_permits_reads_as_a_rule() -> None:
    assert (
        bar(SAYS, Bar(kind="weapon", side="heroes"))
        == "In this haunt what weapons permit is barred for the heroes' side."
    )
    assert bar(SAYS, Bar(tile="vault", word="OPEN")) == "In this haunt OPEN of the Vault is barred."
    assert stealing(SAYS, Stealing(barred=True)) == "Nobody can steal anything."
    assert stealing(SAYS, Stealing(cards={"ring": 1})) == (
        "The Ring can be stolen in place of at least 1 point of physical damage."
    )
    assert traitor(SAYS, TraitorRule(highest="might", besides_revealer=True, otherwise=TraitorRule(oldest=True))) == (
        "The traitor is the explorer with the highest Might other than the haunt revealer, "
        "or if there is none, the oldest explorer."
    )


def test_a_counter_of_several_and_a_moment_of_several() -> None:
    moved = Trigger(when="damaged", kinds=["physical", "mental"], do=[Effect(count=CounterChange(counter="x", to=0))])
    assert SAYS.trigger(moved) == "When you take physical or mental damage: set “X” to 0."
    assert SAYS.condition(Condition(count=Count(monsters="any"), at_most=0)) == "There are no monsters in the house."
    assert SAYS.attack(Attack(kills=["any"])) == "You may attack with Might. Monsters that it defeats are killed."


def test_a_book_holds_nothing_of_the_other_side() -> None:
    """So that a role can be shown its own book as it is."""
    library = Library(SECOND)
    for one in SECOND.haunts:
        if one.traitor_book is not None:
            words = {action.word for action in one.traitor_book.actions}
            said = " ".join(rule.text for rule in library.piece(f"haunt:{one.id}#heroes"))
            assert not [word for word in words if f"{word}." in said]
    assert {rule.part.partition(".")[0] for rule in haunt(SAYS, haunt_of("the-gnawing-tide"))} == {
        "kind",
        "traitor",
        "counters",
        "monsters",
    }


def test_a_step_that_more_players_do_more_often_is_told_once() -> None:
    hurt = Effect(damage=Damage(kind="mental", dice=1))
    more = Effect(if_=Condition(number=Number(players={"3": 0, "4": 1}), at_least=1), then=[hurt])
    assert SAYS.effects([hurt, hurt, more]) == "Take 1 die of mental damage, 2 or 3 times (with 3 or 4 players)."
    numbers = GameNumbers(Table(FOUR).view(0))
    assert Wording(SECOND, numbers=numbers).effects([hurt, hurt, more]) == "Take 1 die of mental damage, 3 times."


def test_what_holds_a_captive_is_told_once_behind_the_results() -> None:
    debris = next(rule.text for rule in Library(SECOND).piece("card:debris") if rule.part == "do")
    assert debris.count("you are trapped") == len(("1 or 2", "0"))
    assert debris.count("While trapped, you can do nothing.") == 1


def test_what_comes_after_a_room_that_does_not_fit_is_skipped() -> None:
    lost = next(rule.text for rule in Library(SECOND).piece("card:the-lost-one") if rule.part == "do")
    assert "(if none fits, go to the Entrance Hall and skip the rest)" in lost


def test_a_step_that_may_be_declined_says_what_happens_otherwise() -> None:
    """`Otherwise` could mean the condition alone."""
    ghost = next(
        rule.text for rule in Library(pack("third-edition")).piece("card:wandering-ghost") if rule.part == "do"
    )
    assert "If you do not: roll Sanity." in ghost


def test_a_thing_of_a_haunt_is_called_by_its_name() -> None:
    table = Table(FOUR)
    table.haunt("the-brood-in-the-walls", traitor=1)
    assert read(table, 0, "haunt:the-brood-in-the-walls#heroes", "actions.BURN").startswith(
        "BURN. In a room with an Egg "
    )
    stirred = Wording(SECOND, within=haunt_of("the-house-dreams")).selection(Rooms(with_token="stirred"))
    assert stirred == "a room with a Stirred token"


def test_cards_that_a_condition_lists_are_not_listed_again() -> None:
    table = Table(FOUR)
    table.haunt("the-collectors", traitor=1)
    said = read(table, 0, "haunt:the-collectors#heroes", "actions.LOCK-AWAY")
    assert said.count("Silver Brush") == 1
    assert "discard those that you have" in said


def test_harm_that_may_be_ignored_throughout_is_said_to_be_so_once() -> None:
    fall = next(rule for rule in Library(SECOND).piece("tile:collapsed-room") if rule.part == "actions.FALL")
    assert fall.text.count("may ignore") == 1


def test_a_goal_says_all_that_must_hold_for_a_step_to_win() -> None:
    """Also what stands around the step, and what must fail where it stands under `else`."""
    win = Effect(win=Win(side="traitor", because="Dawn."))
    late = Condition(counter="hunger", at_least=6)
    nested = Effect(if_=Condition(traitor="revealed"), then=[], else_=[Effect(if_=late, then=[win])])
    book = Book(story="", goal="", on=[Trigger(when="round-started", for_="everyone", do=[nested])])
    said = goal(Wording(SECOND, within=haunt_of("the-gnawing-tide")), book, "traitor")
    assert said.endswith("at the start of each round if the traitor is not revealed and “Hungry hours” has reached 6.")


def test_what_is_lacking_is_listed_with_or() -> None:
    lacking = Condition(all=[Condition(not_=Condition(token=token)) for token in ("safe", "closet", "drip")])
    assert SAYS.condition(lacking) == "You are in a room without a Safe token, a Closet token or a Drip token."
    assert SAYS.condition(Condition(not_=Condition(with_="holder:spear"))) == (
        "Whoever has the Spear is not in the room with you."
    )


def test_a_branch_within_a_branch_shows_where_it_ends() -> None:
    harm = [Effect(damage=Damage(kind="mental", dice=number)) for number in (1, 2, 3)]
    inner = Effect(if_=Condition(carrying="axe"), then=harm[:1], else_=harm[1:2])
    outer = Effect(if_=Condition(carrying="spear"), then=[inner], else_=harm[2:])
    rolled = Effect(roll=Roll(dice=1), outcomes={"0+": [outer]})
    assert "(if you have the Axe, take 1 die of mental damage, otherwise take 2 dice of mental damage), otherwise" in (
        SAYS.effects([rolled])
    )
