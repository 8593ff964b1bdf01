"""The board: the house as buttons that are about what commands are about, by mouse, by keyboard and by touch."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Locator

from projections.board.icons import DRAWINGS
from tests.node import TABLE
from tests.support.crowds import crowd
from tests.table.conftest import MakeScreen
from tests.table.screens import DARK, PHONE, Screen, exporting

Show = Callable[..., None]

SHOW = f"""async ({{view, commands, waits}}) => {{
    const {{House}} = await import("{exporting("House")}");
    const {{spotsOf}} = await import("{exporting("spotsOf")}");"""
SHOW += """
    const {h, render} = await import("/table/vendor/preact.js");
    const main = document.getElementById("main");
    main.style.height = "100dvh";
    if (!main.querySelector(".house")) render(null, main);
    window.chosen ??= [];
    const onAct = (one) => window.chosen.push(one.label);
    const onWhy = (place) => {
        window.chosen.push(place);
        window.show(h("p", {class: "detail"}, "You have no spaces left."));
    };
    window.show = (why) => {
        const board = h(House, {view, spots: window.spots, waits, me: 0, why, onAct, onWhy});
        render([h("h1", {class: "spoken"}, "Table"), board], main);
    };
    window.spots = spotsOf(commands);
    window.show(null);
    await new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen)));
}"""
"""Shows a view in place of a part of the page, as a part would."""


NAMELESS = """async (titles) => {
    for (let frame = 0; ; frame++) {
        const names = [...document.querySelectorAll(".floor button")].map((one) => one.getAttribute("aria-label") ?? "");
        const missing = titles.filter((title) => !names.some((name) => name.startsWith(title)));
        if (missing.length === 0 || frame > 120) return missing;
        await new Promise(requestAnimationFrame);
    }
}"""
"""Of these titles those that nothing on the board is called after two seconds."""


def house() -> dict[str, Any]:
    """A house with much in it, as the referee sees it."""
    found: dict[str, Any] = msgspec.to_builtins(crowd())
    return found


def show(screen: Screen, view: dict[str, Any], commands: Sequence[dict[str, Any]] = (), *, waits: bool = False) -> None:
    if not screen.page.url.startswith(screen.address):
        screen.open()
        screen.shows("lobby", link="")
    screen.page.evaluate(SHOW, {"view": view, "commands": list(commands), "waits": waits})


def listed(label: str, *at: dict[str, Any]) -> dict[str, Any]:
    return {"label": label, "command": {"type": "move", "decision": "turn-1"}, "at": list(at)}


def spot(screen: Screen, key: str) -> Locator:
    return screen.page.locator(f'[data-key="{key}"]')


def chosen(screen: Screen) -> list[Any]:
    """What was chosen so far: labels of commands, and places without any."""
    found: list[Any] = screen.page.evaluate("window.chosen")
    return found


def focused(screen: Screen) -> str:
    name: str = screen.page.evaluate(
        "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent"
    )
    return name


def test_the_table_draws_tokens_as_the_printed_picture_does() -> None:
    code = (TABLE / "board" / "icons.js").read_text(encoding="utf-8").partition("const SIGNS")[0]
    drawn = re.findall(r'^  "?([\w-]+)"?: \[\s*"([^"]*)",\s*"([^"]*)",?\s*\]', code, re.MULTILINE)
    assert {name: (line, surface) for name, line, surface in drawn} == DRAWINGS


@pytest.mark.parametrize("device", [{}, {**PHONE, **DARK}], ids=["wide", "phone-dark"])
def test_all_that_is_in_the_house_has_a_name_on_every_screen(screens: MakeScreen, device: dict[str, Any]) -> None:
    screen, view = screens(**device), house()
    show(screen, view, [listed("Move to the Patio (1 space)", {"kind": "room", "room": "patio"})])
    floors = {"upper": "Upper", "ground": "Ground", "basement": "Basement"}
    for floor, name in floors.items():
        if device.get("is_mobile"):
            screen.page.locator(".tab", has_text=name).tap()
        here = {room["id"]: room["title"] for room in view["rooms"] if room["floor"] == floor}
        things = [one for key in ("explorers", "monsters", "tokens") for one in view[key] if one["room"] in here]
        titles = [*here.values(), *(one["title"] for one in things if one.get("alive", True))]
        assert screen.page.evaluate(NAMELESS, titles) == []
    assert screen.inaccessible() == []


def test_a_spot_acts_or_offers_a_choice_or_says_why_not(screen: Screen) -> None:
    hall, rat = {"kind": "room", "room": "entrance-hall"}, {"kind": "figure", "figure": "rat-1"}
    commands = [
        listed("Move to the Patio (1 space)", {"kind": "room", "room": "patio"}),
        listed("Attack Rat 1", rat),
        listed("Attack Rat 1 with the Axe", rat, {"kind": "card", "card": "axe"}),
        listed("Explore through the west door (1 space)", {"kind": "doorway", "room": "entrance-hall", "door": "west"}),
    ]
    show(screen, house(), commands)
    assert "Move to the Patio (1 space)" in (spot(screen, "room/patio").get_attribute("aria-label") or "")
    spot(screen, "room/patio").click()
    spot(screen, "doorway/entrance-hall/west").click()
    spot(screen, "figure/rat-1").click()
    menu = screen.page.get_by_role("dialog", name="Rat 1, r1")
    assert menu.locator(".commands button").all_inner_texts() == ["Attack Rat 1", "Attack Rat 1 with the Axe"]
    menu.get_by_role("button", name="Attack Rat 1 with the Axe", exact=True).click()
    menu.wait_for(state="detached")
    spot(screen, "room/entrance-hall").click(position={"x": 12, "y": 12})
    told = screen.page.get_by_role("dialog", name="Entrance Hall")
    assert "You have no spaces left." in told.inner_text()
    assert "The front door fell shut behind you" in told.inner_text()
    assert chosen(screen) == [
        "Move to the Patio (1 space)",
        "Explore through the west door (1 space)",
        "Attack Rat 1 with the Axe",
        hall,
    ]


def test_commands_wait_with_the_page(screen: Screen) -> None:
    show(screen, house(), [listed("Move to the Patio (1 space)", {"kind": "room", "room": "patio"})], waits=True)
    assert spot(screen, "room/patio").get_attribute("aria-disabled") == "true"
    spot(screen, "room/patio").click(force=True)
    assert chosen(screen) == []


def test_a_tile_is_turned_before_it_is_laid(screen: Screen) -> None:
    def laid(turns: int, *doors: str) -> dict[str, Any]:
        cell = {"floor": "ground", "x": 2, "y": 0, "turns": turns, "doors": list(doors)}
        label = f"Place it east of the Entrance Hall, doors {' and '.join(doors)}"
        return listed(label, {"kind": "spot", "tile": "kitchen", "title": "Kitchen", **cell})

    show(screen, house(), [laid(0, "north", "west"), laid(1, "north", "east")])
    ghost, name = (
        spot(screen, "spot/ground/2/0"),
        "Lay the Kitchen: Place it east of the Entrance Hall, doors north and ",
    )
    assert ghost.get_attribute("aria-label") == f"{name}west"
    screen.page.get_by_role("button", name="Turn the tile").click()
    assert ghost.get_attribute("aria-label") == f"{name}east"
    ghost.focus()
    screen.page.keyboard.press("Enter")
    show(screen, house())
    assert focused(screen).startswith("Map of the house"), "whoever was at a spot that is gone stays at the board"
    assert chosen(screen) == ["Place it east of the Entrance Hall, doors north and east"]


def test_the_house_is_walked_by_keyboard(screen: Screen) -> None:
    show(screen, house(), [listed("Move to the Patio (1 space)", {"kind": "room", "room": "patio"})])
    press = screen.page.keyboard.press
    place = "document.querySelector('.world').style.transform"
    screen.page.locator(".frame").focus()
    before = screen.page.evaluate(place)
    press("ArrowLeft")
    press("+")
    assert screen.page.evaluate(place) != before
    press("Enter")
    screen.page.locator('[data-key="room/entrance-hall"]:focus').wait_for()
    press("i")
    assert screen.page.get_by_role("dialog", name="Entrance Hall").count() == 1
    press("Escape")
    assert focused(screen).startswith("Entrance Hall")
    spot(screen, "room/foyer").focus()
    press("ArrowLeft")
    assert focused(screen) == "Patio: Move to the Patio (1 space)"
    press("Enter")
    assert chosen(screen) == ["Move to the Patio (1 space)"]


def test_a_drag_moves_the_house_and_picks_nothing(screen: Screen) -> None:
    show(screen, house(), [listed("Move to the Patio (1 space)", {"kind": "room", "room": "patio"})])
    room = spot(screen, "room/patio")
    box = room.bounding_box()
    assert box is not None
    screen.page.mouse.move(box["x"] + 20, box["y"] + 20)
    screen.page.mouse.down()
    screen.page.mouse.move(box["x"] + 80, box["y"] + 50, steps=3)
    screen.page.mouse.up()
    moved = room.bounding_box()
    assert moved is not None
    assert (round(moved["x"] - box["x"]), round(moved["y"] - box["y"])) == (60, 30)
    screen.page.mouse.wheel(0, -100)
    closer = room.bounding_box()
    assert closer is not None
    assert closer["width"] > box["width"]
    assert chosen(screen) == []


def test_on_a_phone_ways_lead_to_other_floors_and_back(screens: MakeScreen) -> None:
    screen = screens(**PHONE)
    show(screen, house())
    pressed = screen.page.locator(".tab[aria-pressed=true]")
    assert pressed.inner_text() == "Ground"
    screen.page.get_by_role("button", name="Upper floor: to Upper Landing").tap()
    screen.page.locator('[data-key="room/upper-landing"]:focus').wait_for()
    assert pressed.inner_text() == "Upper"
    spot(screen, "room/attic").tap()
    told = screen.page.get_by_role("dialog", name="Attic").bounding_box()
    attic = spot(screen, "room/attic").bounding_box()
    assert told is not None
    assert attic is not None
    assert attic["y"] + attic["height"] <= told["y"], "what is told of a room does not cover it"
    screen.page.get_by_role("button", name="Find me").tap()
    screen.page.locator('[data-key="room/entrance-hall"]:focus').wait_for()
    assert pressed.inner_text() == "Ground"


def test_only_what_changed_is_drawn_anew(screen: Screen) -> None:
    view = house()
    show(screen, view)
    screen.page.evaluate(
        """() => {
            window.touched = new Set();
            const world = document.querySelector(".world");
            new MutationObserver((found) => {
                for (const one of found) {
                    if (one.target !== world) window.touched.add(one.target.closest("[data-key]")?.dataset.key ?? "");
                }
            }).observe(world, {subtree: true, childList: true, attributes: true});
        }"""
    )
    later = json.loads(json.dumps(view))
    show(screen, later)
    assert screen.page.evaluate("[...window.touched]") == []
    later["version"] += 1
    later["explorers"][2]["room"] = "attic"
    show(screen, later)
    touched = screen.page.evaluate("[...window.touched]")
    assert {"room/tower", "room/attic", "figure/2"} <= set(touched)
    assert {"room/foyer", "room/entrance-hall", "figure/0", "figure/rat-1", "pile/1"}.isdisjoint(touched)
