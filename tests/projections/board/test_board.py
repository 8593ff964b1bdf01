"""The picture: all that lies on the table is in it, no text lies on another, and nothing in it is cut off or may run."""

from __future__ import annotations

import itertools
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple, get_args

import msgspec
import pytest

from content.vocabulary.base import TRAITS, Icon
from domain.facts.audience import REFEREE, SPECTATORS
from projections.board import board_of, boards_of, phone_board_of
from projections.board.fonts import width
from projections.board.icons import DRAWINGS
from projections.view.game import GameView, view_of
from tests.projections.driver import play
from tests.support.crowds import PICTURE, crowd
from tests.support.table import FIVE, Table

SVG = "{http://www.w3.org/2000/svg}"
GAMES = [("second-edition", 5, ""), ("second-edition", 9, "the-brood-in-the-walls"), ("third-edition", 7, "")]
LONG = "Antidisestablishmentarianistically-furnished Sitting Room of the Late Countess"
HOSTILE = '<script>alert(1)</script> & "quoted" \x00\ud800 \N{SNOWMAN}'


class Spot(NamedTuple):
    """A rectangle."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Spot) -> bool:
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )

    def holds(self, other: Spot) -> bool:
        return (
            self.left <= other.left
            and self.top <= other.top
            and other.right <= self.right
            and other.bottom <= self.bottom
        )


def drawn(view: GameView) -> ET.Element:
    return ET.fromstring(board_of(view))  # noqa: S314 -- we have just made it


def on_a_phone(view: GameView) -> ET.Element:
    return ET.fromstring(phone_board_of(view))  # noqa: S314 -- as above


def numbers(element: ET.Element, *names: str) -> list[float]:
    return [float(element.get(name, "0")) for name in names]


def text_of(element: ET.Element) -> str:
    return "".join(element.itertext())


def spot_of(text: ET.Element) -> Spot:
    """As much room as the widest of the named fonts could take."""
    x, y, size = numbers(text, "x", "y", "font-size")
    wide = width(text_of(text), size, bold=text.get("font-weight") == "bold")
    left = x - wide / 2 if text.get("text-anchor") == "middle" else x
    return Spot(left, y - 0.78 * size, left + wide, y + 0.22 * size)


def box_of(group: ET.Element) -> Spot:
    """A group's own frame: its first rectangle."""
    frame = next(group.iter(f"{SVG}rect"))
    x, y, wide, high = numbers(frame, "x", "y", "width", "height")
    return Spot(x, y, x + wide, y + high)


def shape_of(sign: ET.Element) -> Spot:
    """What a sign's first shape covers: a rectangle, or a polygon."""
    for shape in sign:
        if shape.tag == f"{SVG}polygon":
            corners = [tuple(map(float, corner.split(","))) for corner in shape.get("points", "").split()]
            xs, ys = [x for x, _ in corners], [y for _, y in corners]
            return Spot(min(xs), min(ys), max(xs), max(ys))
        if shape.tag == f"{SVG}rect":
            break
    return box_of(sign)


def groups(picture: ET.Element, prefix: str) -> dict[str, ET.Element]:
    return {
        what.removeprefix(prefix): group
        for group in picture.iter(f"{SVG}g")
        if (what := group.get("data-what", "")).startswith(prefix)
    }


def words_in(element: ET.Element) -> str:
    """All that can be read there, titles that show on pointing left out."""
    return " ".join(text_of(one) for one in element.iter(f"{SVG}text"))


def tidy(picture: ET.Element) -> None:
    """No text lies on another or leaves the paper; what belongs to a room or a box stays within."""
    page = Spot(*map(float, picture.get("viewBox", "").split()))
    texts = sorted(((spot_of(one), text_of(one)) for one in picture.iter(f"{SVG}text")), key=lambda one: one[0].top)
    for number, (one, words) in enumerate(texts):
        for other, others in texts[number + 1 :]:
            if other.top >= one.bottom:
                break
            assert not one.meets(other), (words, others)
    assert [words for spot, words in texts if not page.holds(spot)] == []
    for prefix in ("room:", "box:"):
        frames = {name: (box_of(group), group) for name, group in groups(picture, prefix).items()}
        for (name, (one, _)), (another, (other, _)) in itertools.combinations(frames.items(), 2):
            assert not one.meets(other), (name, another)
        for name, (frame, group) in frames.items():
            for text in group.iter(f"{SVG}text"):
                assert frame.holds(spot_of(text)), (name, text_of(text))
            signs = [(shape_of(one), what) for what, one in each(group) if one is not group]
            lines = [(spot_of(text), text_of(text)) for text in group.findall(f"{SVG}text")]
            assert all(frame.holds(spot) for spot, _ in signs), name
            for (one, what), (other, other_what) in itertools.combinations([*signs, *lines], 2):
                assert not one.meets(other), (name, what, other_what)


def complete(view: GameView, picture: ET.Element) -> None:
    """Every room, door, figure, token, card, trait and counter of the view can be read off the picture."""
    rooms = groups(picture, "room:")
    assert set(rooms) == {room.id for room in view.rooms}
    for room in view.rooms:
        group = rooms[room.id]
        assert set(room.title.split()) <= set(words_in(group).split())
        here = [f"seat:{one.seat}" for one in view.explorers if (one.alive or one.corpse) and one.room == room.id]
        here += [one.id for one in view.monsters if one.room == room.id]
        here += [
            f"{one.token}@{one.room}" + (f":{one.part}" if one.part else "")
            for one in view.tokens
            if one.room == room.id
        ]
        assert {what for what in groups(group, "") if not what.startswith(("room:", "floor:"))} == set(here)
        lying = sum(len(pile.cards) for pile in view.piles if pile.room == room.id)
        lying += sum(place == room.id for place in view.companions.values())
        piles = [words_in(one) for what, one in each(group) if what == f"floor:{room.id}"]
        assert sum(map(int, piles)) == lying
    signs = [(what, words_in(one)) for group in rooms.values() for what, one in each(group) if "floor:" not in what]
    figures = {what: letters for what, letters in signs if "@" not in what and not what.startswith("room:")}
    assert len(set(figures.values())) == len(figures), "no two figures have the same letters"
    tokens = {
        what.partition("@")[0]: look_of(one) for group in rooms.values() for what, one in each(group) if "@" in what
    }
    assert len(set(tokens.values())) == len(tokens), "no two kinds of tokens look the same"
    unknown = sum(room.floor in view.open_floors for room in view.rooms for side in sides(room) if side == "free")
    assert words_in(picture).split().count("?") == (unknown if picture.get("width") != "360" else 0)
    read = words_in(picture)
    for explorer in view.explorers:
        box = groups(picture, f"box:seat:{explorer.seat}")[""]
        black = [text_of(one) for one in box.iter(f"{SVG}text") if one.get("font-weight") == "bold"]
        assert black[-4:] == [str(getattr(explorer.traits, name).value) for name in TRAITS]
        assert all(view.cards[card].title.split()[0] in words_in(box) for card in explorer.cards)
    for counter in view.haunt.counters if view.haunt is not None else ():
        assert f": {counter.value}" in read
    assert all(card.title.split()[0] in read for card in view.cards.values())


def look_of(sign: ET.Element) -> tuple[str, str]:
    """What tells a token from others: its drawing, and its letters without its number."""
    drawing = sign.find(f"{SVG}use")
    return "" if drawing is None else drawing.get("href", ""), words_in(sign).strip("0123456789 ")


def each(group: ET.Element) -> Iterator[tuple[str, ET.Element]]:
    return ((one.get("data-what", ""), one) for one in group.iter(f"{SVG}g"))


def sides(room: object) -> list[str]:
    doors = getattr(room, "doors")  # noqa: B009 -- of any room
    return [doors.north, doors.east, doors.south, doors.west]


@pytest.mark.parametrize("pack,seed,haunt", GAMES)
def test_all_that_lies_on_the_table_is_in_the_picture_and_no_text_lies_on_another(
    pack: str, seed: int, haunt: str
) -> None:
    for game in play(pack, seed, haunt):
        if game.steps % 60 and game.state.status == "started":
            continue
        for mask in (game.mask, REFEREE):
            view = view_of(game.rules, game.roles[mask], mask)
            for draw in (drawn, on_a_phone) if mask == REFEREE else (drawn,):
                picture = draw(view)
                tidy(picture)
                complete(view, picture)


def test_a_crowd_in_one_room_makes_it_higher_and_covers_nothing() -> None:
    """Six explorers among a swarm."""
    table = Table((*FIVE, "brandon-jaspers"))
    table.haunt("the-gnawing-tide", traitor=1)
    for number in range(1, 13):
        table.monster(f"rat-{number}", "entrance-hall")
    table.token("nest", "entrance-hall")
    table.pile("entrance-hall", "bell", "candle")
    view = view_of(table.rules, table.roles[REFEREE], REFEREE)
    picture = drawn(view)
    tidy(picture)
    complete(view, picture)
    assert len(groups(groups(picture, "room:")["entrance-hall"], "")) == 1 + 6 + 12 + 1 + 1


def test_barriers_stunned_monsters_and_the_dead_are_drawn() -> None:
    view = crowd()
    for picture in (drawn(view), on_a_phone(view)):
        tidy(picture)
        complete(view, picture)


def test_a_phone_shows_the_floors_one_below_the_other_and_letters_of_12_pixels_at_least() -> None:
    view = crowd()
    picture = on_a_phone(view)
    assert picture.get("width") == "360"
    scale = 360 / Spot(*map(float, picture.get("viewBox", "").split())).right
    texts = list(picture.iter(f"{SVG}text"))
    on_maps = {
        id(text)
        for cell in groups(picture, "cell:").values()
        for sign, one in each(cell)
        if sign
        for text in one.iter()
    }
    sizes = [scale * numbers(one, "font-size")[0] for one in texts]
    assert min(size for size, one in zip(sizes, texts, strict=True) if id(one) not in on_maps) >= 13
    assert min(sizes) >= 11.9
    cells = {name: box_of(group) for name, group in groups(picture, "cell:").items()}
    floors = [
        [cells[room.id] for room in view.rooms if room.floor == floor] for floor in ("upper", "ground", "basement")
    ]
    for upper, lower in itertools.pairwise(floors):
        assert max(one.bottom for one in upper) < min(one.top for one in lower)
    for room in view.rooms:
        for other in view.rooms:
            if room.floor == other.floor and room.x < other.x:
                assert cells[room.id].right < cells[other.id].left
            if room.floor == other.floor and room.y > other.y:
                assert cells[room.id].bottom < cells[other.id].top


def test_a_phone_says_of_every_door_where_it_leads() -> None:
    view = crowd()
    rooms = groups(on_a_phone(view), "room:")
    assert "Doors: north to Grand Staircase; east to nowhere; south to Entrance Hall; west to Patio" in words_in(
        rooms["foyer"]
    )
    assert "Doors: north and south into the unknown" in words_in(rooms["tower"])
    closed = msgspec.structs.replace(view, open_floors=[])
    tower = words_in(groups(on_a_phone(closed), "room:")["tower"])
    assert "south into the unknown, for which no tiles are left" in tower


def test_on_a_phone_a_seat_finds_its_own_explorer_first() -> None:
    table = Table(FIVE)
    for seat in (0, 3):
        view = view_of(table.rules, table.roles[1 << seat], 1 << seat)
        boxes = [what for what, _ in each(on_a_phone(view)) if what.startswith("box:seat:")]
        assert boxes == [f"box:seat:{seat}", *(f"box:seat:{other}" for other in range(5) if other != seat)]


def links(picture: ET.Element) -> list[tuple[str, str]]:
    return [(link.get("href", ""), link.findtext(f"{SVG}title", "")) for link in picture.iter(f"{SVG}a")]


def test_ways_to_other_floors_are_links_to_the_rooms_there() -> None:
    table = Table(FIVE)
    table.token("secret-passage", "foyer")
    table.token("secret-passage", "basement-landing")
    view = view_of(table.rules, table.roles[REFEREE], REFEREE)
    ways = [(room.id, way.to) for room in view.rooms for way in room.ways if way.by != "door"]
    assert ("foyer", "basement-landing") in ways
    for picture in (drawn(view), on_a_phone(view), side_by_side(view, view)):
        goals = [element.get("id") for element in picture.iter() if element.get("id")]
        assert len(set(goals)) == len(goals)
        assert {href for href, _ in links(picture)} <= {f"#{goal}" for goal in goals}
    picture = drawn(view)
    rooms = groups(picture, "room:")
    for room, there in ways:
        link = next(one for one in rooms[room].iter(f"{SVG}a") if one.get("href") == f"#room-{there}")
        assert rooms[there].get("id") == f"room-{there}"
        assert words_in(link).startswith("also to ")
        (sign,) = link.findall(f"{SVG}polygon")
        ups = [float(corner.split(",")[1]) for corner in sign.get("points", "").split()]
        floors = {one.id: ("basement", "ground", "upper").index(one.floor) for one in view.rooms}
        assert (ups[2] < ups[0]) == (floors[there] > floors[room])
    assert ("#room-basement-landing", "To Basement Landing, basement") in links(picture)
    cells = [(f"#room-{room.id}", f"To {room.title}") for room in view.rooms]
    assert set(cells) <= set(links(on_a_phone(view)))


def test_a_token_is_shown_by_its_drawing_and_without_one_by_letters() -> None:
    table = Table(FIVE)
    table.haunt("the-long-watch", traitor=1)
    for token in ("smoke", "safe", "red-wick", "black-wick", "blue-wick"):
        table.token(token, "foyer")
    for _ in range(3):
        table.token("smoke", "entrance-hall")
    view = view_of(table.rules, table.roles[REFEREE], REFEREE)
    for picture in (drawn(view), on_a_phone(view)):
        tidy(picture)
        signs = groups(picture, "")
        assert look_of(signs["smoke@foyer"]) == ("#icon-cloud", "")
        assert words_in(signs["smoke@entrance-hall"]) == "3"
        wicks = [look_of(signs[f"{color}-wick@foyer"]) for color in ("red", "black", "blue")]
        assert wicks == [("#icon-candle", "r"), ("#icon-candle", "b"), ("#icon-candle", "bl")]
        defined = {symbol.get("id", "") for symbol in picture.iter(f"{SVG}symbol")}
        assert defined == {use.get("href", "").removeprefix("#") for use in picture.iter(f"{SVG}use")}
    without = msgspec.structs.replace(view, tokens=[msgspec.structs.replace(one, icon="") for one in view.tokens])
    signs = groups(drawn(without), "")
    assert [look_of(signs[f"{token}@foyer"]) for token in ("smoke", "safe")] == [("", "s"), ("", "sa")]


def test_every_icon_of_the_vocabulary_is_drawn() -> None:
    assert set(DRAWINGS) == set(get_args(Icon))


def test_the_picture_in_the_readme_is_the_one_that_is_drawn() -> None:
    """`python -m tests.support.crowds` draws it anew."""
    assert PICTURE.read_text(encoding="utf-8") == board_of(crowd())


@pytest.mark.parametrize("draw", [drawn, on_a_phone])
def test_names_of_any_length_are_written_out(draw: Callable[[GameView], ET.Element]) -> None:
    replace = msgspec.structs.replace
    view = crowd()
    view = replace(
        view,
        rooms=[replace(room, title=LONG if index % 2 else "W" * 60) for index, room in enumerate(view.rooms)],
        explorers=[replace(one, title=f"{one.title} von und zu {LONG}") for one in view.explorers],
    )
    picture = draw(view)
    tidy(picture)
    rooms = groups(picture, "room:")
    assert all(room.title.replace(" ", "") in words_in(rooms[room.id]).replace(" ", "") for room in view.rooms)


def test_nothing_that_somebody_wrote_becomes_more_than_text() -> None:
    """Titles of haunts from printed books are typed in by players."""
    replace = msgspec.structs.replace
    view = crowd()
    assert view.haunt is not None
    counters = [replace(one, title=HOSTILE) for one in view.haunt.counters]
    tokens = [replace(one, title=HOSTILE) for one in view.tokens]
    view = replace(view, haunt=replace(view.haunt, title=HOSTILE, counters=counters), tokens=tokens)
    picture = drawn(view)
    assert {element.tag.removeprefix(SVG) for element in picture.iter()} == {
        *("svg", "title", "desc", "g", "text", "rect", "circle", "line", "polygon", "polyline"),
        *("a", "defs", "symbol", "path", "use"),
    }
    assert all(link.get("href", "").startswith("#") for link in picture.iter() if "href" in link.attrib)
    assert "<script>alert(1)</script>" in words_in(picture)
    tidy(picture)


def test_the_picture_says_in_words_what_it_shows() -> None:
    view = crowd()
    picture = drawn(view)
    assert picture.get("role") == "graphics-document"
    title, desc = picture[0], picture[1]
    assert (title.tag, desc.tag) == (f"{SVG}title", f"{SVG}desc")
    assert picture.get("aria-labelledby") == f"{title.get('id')} {desc.get('id')}"
    assert text_of(title) == f"Turn 2: Ox Bellows · Game g, commit {view.version}, as the referee saw it"
    assert "Rat 4 (stunned)" in text_of(desc)
    assert "Foyer with Candle and Medical Kit" in text_of(desc)


def test_the_picture_has_the_rules_of_cards_and_of_the_books_that_the_role_reads() -> None:
    table = Table(FIVE)
    table.haunt("the-gnawing-tide", traitor=1)
    table.hold(0, "axe")
    table.pile("entrance-hall", "bell")
    for mask, read in ((1 << 1, "traitor"), (1 << 0, "heroes")):
        view = view_of(table.rules, table.roles[mask], mask)
        picture = drawn(view)
        tidy(picture)
        assert view.haunt is not None
        assert list(groups(picture, "box:book:")) == [read]
        (book,) = view.haunt.books
        printed = words_in(picture).replace(" ", "")
        assert all(one.rule.replace(" ", "") in printed for one in book.actions)
        shown = "\n".join(element.text or "" for element in picture.iter(f"{SVG}title"))
        for card in ("axe", "bell"):
            assert view.cards[card].rules
            assert " ".join(view.cards[card].rules) in shown


def framed(picture: ET.Element) -> dict[str, list[str]]:
    """What has a frame, by how it differs."""
    return {how: sorted(groups(picture, f"{how}:")) for how in ("changed", "gone", "new")}


def side_by_side(before: GameView, after: GameView, *changes: str) -> ET.Element:
    return ET.fromstring(boards_of(before, after, changes))  # noqa: S314 -- we have just made it


def sides_of(picture: ET.Element, what: str) -> list[Spot]:
    """Where something is drawn that has this name, from left to right."""
    return sorted(box_of(group) for name, group in each(picture) if name == what)


@pytest.mark.parametrize("pack,seed,haunt", GAMES)
def test_two_moments_side_by_side_have_each_room_in_the_same_place_and_no_text_on_another(
    pack: str, seed: int, haunt: str
) -> None:
    before: GameView | None = None
    for game in play(pack, seed, haunt):
        if game.steps % 90:
            continue
        after = view_of(game.rules, game.roles[REFEREE], REFEREE)
        if before is not None:
            picture = side_by_side(before, after)
            page = Spot(0, 0, *numbers(picture, "width", "height"))
            texts = [spot_of(one) for one in picture.iter(f"{SVG}text")]
            assert all(page.holds(one) for one in texts)
            texts.sort(key=lambda one: one.top)
            for number, one in enumerate(texts):
                for other in texts[number + 1 :]:
                    if other.top >= one.bottom:
                        break
                    assert not one.meets(other)
            stood = {(room.id, room.floor, room.x, room.y) for room in before.rooms}
            both = {room.id for room in after.rooms if (room.id, room.floor, room.x, room.y) in stood}
            shifts = {
                (right.left - left.left, right.top - left.top, right.bottom - left.bottom)
                for left, right in (sides_of(picture, f"room:{room}") for room in both)
            }
            assert len({round(across, 1) for across, _, _ in shifts}) == 1
            assert {(down, low) for _, down, low in shifts} == {(0.0, 0.0)}
            came = {f"room:{room.id}" for room in after.rooms} - {f"room:{room.id}" for room in before.rooms}
            assert came <= set(framed(picture)["new"])
        before = after


def test_frames_stand_around_what_differs_and_around_nothing_else() -> None:
    table = Table()
    table.haunt("the-gnawing-tide", traitor=1)
    table.monster("rat-1", "foyer")
    table.pile("upper-landing", "axe")
    before = view_of(table.rules, table.roles[REFEREE], REFEREE)
    assert framed(side_by_side(before, before)) == {"changed": [], "gone": [], "new": []}
    table.put(0, "foyer")
    table.stun("rat-1")
    table.lay("attic", "upper", 0, 1)
    after = view_of(table.rules, table.roles[REFEREE], REFEREE)
    found = framed(side_by_side(before, after, "Ox Bellows: from the Entrance Hall to the Foyer"))
    assert found["gone"] == ["seat:0"]
    assert found["new"] == ["room:attic", "seat:0"]
    assert set(found["changed"]) == {
        *("room:entrance-hall", "room:foyer", "box:seat:0"),
        *("rat-1", "box:monsters", "kind:rat", "box:stacks"),
    }
    back = framed(side_by_side(after, before))
    assert (back["gone"], back["new"]) == (found["new"], found["gone"])


def test_a_sign_means_the_same_on_both_sides() -> None:
    """Alone, the safe would have the letter of the smoke."""
    table = Table()
    table.token("smoke", "foyer")
    table.token("safe", "entrance-hall")
    before = view_of(table.rules, table.roles[REFEREE], REFEREE)
    after = msgspec.structs.replace(before, tokens=[one for one in before.tokens if one.token == "safe"])
    found = framed(side_by_side(before, after))
    assert (found["gone"], found["changed"]) == (["kind:smoke", "smoke@foyer"], ["box:tokens", "room:foyer"])


def test_a_game_that_has_not_started_has_a_picture_too() -> None:
    game = next(play("second-edition", 5))
    state = type(game.state)()
    for told in game.told[0]:
        if told.to & SPECTATORS:
            told.event.apply(state)
    view = view_of(game.rules, state, SPECTATORS)
    assert "The game has not started yet" in words_in(drawn(view))


def test_the_same_view_is_the_same_bytes_in_every_process(tmp_path: Path) -> None:
    view = crowd()
    body = msgspec.json.encode(view)
    assert board_of(msgspec.json.decode(body, type=GameView)) == board_of(view)
    (tmp_path / "view.json").write_bytes(body)
    program = (
        "import msgspec, sys; from projections.board import board_of; from projections.view.game import GameView;"
        f"sys.stdout.write(board_of(msgspec.json.decode(open({str(tmp_path / 'view.json')!r}, 'rb').read(), type=GameView)))"
    )
    made = subprocess.run(
        [sys.executable, "-c", program],
        check=True,
        capture_output=True,
        env={"PYTHONHASHSEED": "7", "PYTHONPATH": str(Path.cwd())},
    )
    assert made.stdout.decode() == board_of(view)
