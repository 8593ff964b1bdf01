"""History: every event has a sentence, and the sentences name things as players do."""

import inspect

import pytest

from content.vocabulary.entry import Entry
from domain.facts.audience import REFEREE, SPECTATORS
from domain.facts.events import (
    EVENT_TYPES,
    AmendmentTold,
    AttackSpent,
    ChanceAnswered,
    CoinCalled,
    CoinFlipped,
    DamageTaken,
    DecisionOpened,
    DiceRolled,
    Disclosed,
    Event,
    Fizzled,
    GameArranged,
    GameEnded,
    MonsterHid,
    MonsterPlaced,
    MonsterShown,
    Moved,
    Rewound,
    RulingAgreed,
    RulingConsented,
    RulingProposed,
    RulingRefused,
    RulingWithdrawn,
    SecretChosen,
    StackArranged,
    TextTold,
    TileSearched,
    TileSetAside,
    TokenPlaced,
    TradeProposed,
    TraitChanged,
    Used,
    WayClosed,
)
from domain.facts.state import Decision, MonsterId, State
from projections.sentences.haunt import PARTS
from projections.sentences.history import SENTENCES, sentence
from tests.projections.driver import play
from tests.support.gaps import below, place, report
from tests.support.packs import rules
from tests.support.table import Table, the

GAMES = [("second-edition", 9, ""), ("second-edition", 10, "the-hollow-guest"), ("third-edition", 11, "")]

SAID = [
    (Moved(figure=0, room="attic", spent=1), "Ox Bellows goes to the Attic."),
    (Moved(figure=MonsterId("rat-2"), room="attic"), "Rat 2 is now in the Attic."),
    (
        DiceRolled(
            who=1, kind="trait", about="tile/vault#actions.OPEN", faces=[2, 0, 1], total=7, trait="knowledge", bonus=4
        ),
        "Zoe Ingstrom rolls 7 with knowledge for the Vault (2 0 1, plus 4).",
    ),
    (
        DamageTaken(seat=0, kind="mental", amount=1, source="card:rotten"),
        "Ox Bellows takes 1 point of mental damage from Rotten.",
    ),
    (
        TraitChanged(seat=2, trait="might", to=0, by=-2),
        "The might of Jenny LeClerc goes down by 2 spaces, to the skull.",
    ),
    (TraitChanged(seat=2, trait="speed", to=1, by=0), "The speed of Jenny LeClerc stays at its lowest number."),
    (TraitChanged(seat=2, trait="speed", to=8, by=0), "The speed of Jenny LeClerc stays at its highest number."),
    (
        TileSetAside(deck="tiles", back="ground+upper"),
        "A tile for the ground floor or the upper floor fits nowhere and is set aside.",
    ),
    (
        AmendmentTold(number=1, you=0, do=[{"gain": {"trait": "might", "steps": 2}}]),
        "Amended for Ox Bellows: gain 2 Might.",
    ),
    (
        AmendmentTold(number=1, you=0, do=[{"run": "called-outside"}]),
        "Amended for Ox Bellows by steps of the haunt.",
    ),
    (
        TradeProposed(seat=0, partner=2, gives=["axe"], wants=["spear"]),
        "Ox Bellows offers Axe to Jenny LeClerc for Spear.",
    ),
    (TokenPlaced(token="secret-passage", room="foyer"), "The Secret Passage token is put in the Foyer."),
    (
        Used(key="card:mask#CHANGE", per="own-turn", seat=0),
        "Ox Bellows can't do “Mask: Put the mask on or take it off” again this turn.",
    ),
    (
        MonsterPlaced(monster=MonsterId("sexton-1"), kind="sexton", room="crypt", side="traitor", traits={}),
        "Sexton 1 appears in the Crypt.",
    ),
    (
        MonsterPlaced(monster=MonsterId("sexton-1"), kind="sexton", room="", side="traitor", traits={}),
        "Sexton 1 appears.",
    ),
    (MonsterHid(monster=MonsterId("sexton-1"), room="crypt"), "Sexton 1 hides in the Crypt."),
    (MonsterHid(monster=MonsterId("sexton-1")), "Sexton 1 hides."),
    (MonsterShown(monster=MonsterId("sexton-1"), room="crypt"), "Sexton 1 shows itself in the Crypt."),
    (
        DecisionOpened(decision=Decision(id="d1", seat=1, kind="choice", about="place:attic", options=[])),
        "Zoe Ingstrom is asked: Choose where to place the Attic.",
    ),
    (
        Disclosed(traitor=1, innocents=[0]),
        "It becomes known that Zoe Ingstrom is the traitor and Ox Bellows is a hero.",
    ),
    (Fizzled(what="draw:omen"), "The omen deck is empty."),
    (Fizzled(what="gain"), "The traits of monsters never go up."),
    (Fizzled(what="forgotten-verb"), "It has no effect."),
    (
        ChanceAnswered(index=3, what="tile-back", pick="basement+upper"),
        "Chance answers “Look at the back of the next tile”: basement and upper.",
    ),
    (
        ChanceAnswered(index=4, what="card:item:seen-by:1", pick="lucky-stone"),
        "Chance answers “Turn up a card of the item deck”: Lucky Stone.",
    ),
    (ChanceAnswered(index=5, what="dice:trait", faces=[0, 2]), "Chance answers “Roll 2 dice for a trait”: 0 2."),
    (SecretChosen(name="hiding-place", value="attic"), "The secret “hiding place” is the Attic."),
    (SecretChosen(name="true-name", value="grey-ash"), "The secret “true name” is “grey ash”."),
    (TextTold(side="heroes", text="the-name"), "The heroes read the text “the name”."),
    (Fizzled(what="crowd"), "The house holds no more monsters."),
    (GameArranged(setup={"first_seat": 1, "tiles": []}), "The start is prepared: first seat and tiles."),
    (
        StackArranged(deck="tiles", faces=["attic", "crypt"]),
        "The room stack begins with Attic and Crypt.",
    ),
    (TileSearched(deck="tiles", tile="patio"), "The Patio is taken out of the room stack."),
    (TileSearched(deck="tiles", tile="patio", loose=True), "The Patio is taken from the rooms not in the house."),
    (WayClosed(by="token:secret-passage", room="attic"), "The Secret Passage no longer leads from the Attic."),
    (AttackSpent(figure=MonsterId("rat-1")), "Rat 1 cannot attack again this turn."),
    (
        RulingProposed(number=2, text="It burns", by=1, asked=[0, 2]),
        'Zoe Ingstrom proposes ruling 2: "It burns".',
    ),
    (RulingConsented(number=2, seat=0), "Ox Bellows agrees to ruling 2."),
    (RulingAgreed(number=2, text="It burns", by=1), 'All agree to ruling 2: "It burns".'),
    (RulingRefused(number=2, seat=0), "Ox Bellows does not agree to ruling 2."),
    (RulingWithdrawn(number=2, by=-1), "The referee withdraws ruling 2."),
    (CoinCalled(by=-1, heads="yes", tails="no"), 'The referee flips a coin: heads for "yes", tails for "no".'),
    (CoinFlipped(face="tails", chosen="no"), 'The coin shows tails: "no".'),
    (Rewound(to=12, state=State()), "Play goes back to commit 12."),
    (
        GameEnded(winner="", because="closed by the host", status="abandoned"),
        "The game is abandoned: closed by the host.",
    ),
]


def module_of(kind: type[Event]) -> str:
    """The file that should hold the sentence for an event."""
    return f"projections/sentences/{kind.__module__.rpartition('.')[2]}.py"


def test_every_part_of_an_entry_is_told_in_words() -> None:
    assert list(PARTS) == list(Entry.__struct_fields__)


def test_every_event_has_a_sentence() -> None:
    report(
        f"{kind.__name__} ({place(kind)}) has no sentence: write a function that words it in {module_of(kind)}, "
        f"and enter `{kind.__name__}: _function` in SENTENCES there."
        for kind in EVENT_TYPES
        if kind not in SENTENCES
    )
    assert SENTENCES.keys() <= set(EVENT_TYPES)


def test_a_sentence_stands_in_the_module_named_after_the_topic_of_its_event() -> None:
    report(
        f"The sentence for {kind.__name__} ({place(kind)}) stands in {below(inspect.getfile(words))}: move it to "
        f"{module_of(kind)}, and its entry to SENTENCES there."
        for kind, words in SENTENCES.items()
        if below(inspect.getfile(words)) != module_of(kind)
    )


@pytest.mark.parametrize("event,said", SAID)
def test_a_sentence_names_things_as_players_do(event: Event, said: str) -> None:
    table = Table()
    assert sentence(table.rules, event, table.state) == said


def test_without_a_state_explorers_are_called_by_their_seats() -> None:
    assert sentence(rules("second-edition"), Moved(figure=3, room="attic", spent=1)) == "Seat 3 goes to the Attic."


def search(*faces: int) -> tuple[Table, DiceRolled]:
    """A hero tries the task of its book with these dice."""
    table = Table(("ox-bellows", "father-rhinehardt", "jenny-leclerc"))
    table.put(1, "upper-landing")
    table.haunt("the-bell-below", traitor=1)
    table.token("hiding-place", "entrance-hall")
    table.traits(0, knowledge=len(faces))
    table.act("haunt:heroes", "SEARCH")
    return table, the(table.rolls(faces).choose(0, "knowledge"), DiceRolled)


def test_a_failed_task_roll_tells_those_who_have_read_the_book_what_it_would_have_taken() -> None:
    table, rolled = search(2, 1, 1)
    failed = "Ox Bellows rolls 4 with knowledge for The Bell Below (2 1 1)"
    assert sentence(table.rules, rolled, table.view(0)) == f"{failed}: 5+ was needed."
    assert sentence(table.rules, rolled, table.roles[REFEREE]) == f"{failed}: 5+ was needed."
    assert sentence(table.rules, rolled, table.view(1)) == f"{failed}."
    assert sentence(table.rules, rolled, table.roles[SPECTATORS]) == f"{failed}."


def test_a_task_roll_that_succeeds_does_not() -> None:
    table, rolled = search(2, 2, 1)
    assert sentence(table.rules, rolled, table.view(0)).endswith("for The Bell Below (2 2 1).")


@pytest.mark.parametrize("pack,seed,haunt", GAMES)
def test_real_games_are_told_in_whole_sentences(pack: str, seed: int, haunt: str) -> None:
    *_, game = play(pack, seed, haunt)
    for told in (one for commit in game.told for one in commit):
        said = sentence(game.rules, told.event, game.state)
        assert said[0].isupper() or said[0].isdigit() or said.startswith("d"), said
        assert said[-1] in ".?!", said  # `Whoops!` closes its sentence itself
        assert "Seat" not in said or type(told.event).__name__ == "SeatClaimed", said
        assert not set("{}#_") & set(said) or type(told.event).__name__ in ("ChanceAnswered", "OptionsTold"), said
