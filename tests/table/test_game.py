"""A whole game by mouse, from the lobby to its end, on three screens; and what each of them was never sent."""

from __future__ import annotations

import itertools
import json
import random
import re
from collections.abc import Sequence
from typing import Any

import httpx
import msgspec
import pytest
from playwright.sync_api import expect

from domain.decide import decide
from domain.facts.chance import Answer, Request, Seeded
from domain.facts.commands import Act, AnyCommand, Attack, Reveal
from domain.facts.events import GameOpened, SeatClaimed
from domain.game import claim, open_game, start_game
from domain.rulebook.turn.options import legal
from tests.acceptance.driving import bearer
from tests.support.packs import rules
from tests.table import test_lobby as lobby
from tests.table.conftest import MakeScreen
from tests.table.screens import PHONE, WIDE, Screen
from tests.table.test_table import panel

PLAYERS = {"Ann": "ox-bellows", "Ben": "zoe-ingstrom", "Cleo": "jenny-leclerc"}
OPTIONS: dict[str, Any] = {"haunt": "the-bell-below", "turn_limit": 200}
SETUP: dict[str, Any] = {"first_seat": 0, "tiles": ["charred-room"]}
SHORT = 24
"""Commands of a short game."""
WHISPER = "Not a word of this to the others."

Step = tuple[int, AnyCommand]


class Noted:
    """Chance whose haunt rolls show nothing, so that the first omen begins the haunt; it remembers its answers, for a tape."""

    def __init__(self, seed: int) -> None:
        self._source = Seeded(b"%d" % seed, "")
        self.answers: list[Answer] = []

    def ask(self, request: Request) -> Answer | None:
        answer = Answer(faces=(0,) * request.dice) if request.what == "dice:haunt" else self._source.ask(request)
        if answer is not None:
            self.answers.append(answer)
        return answer


def planned(seed: int) -> tuple[list[Step], list[Answer]]:
    """A game: who commands what, and the tape of chance. Whoever can attack or act does it. Cut where it is a short one no more."""
    pack, chance, lot = rules("second-edition"), Noted(seed), random.Random(seed)
    opened = GameOpened(
        game="", edition="second", pack="second-edition", pack_digest="", seats=3, options=OPTIONS, source="tape"
    )
    state, _ = open_game(pack, opened, SETUP)
    for seat, explorer in enumerate(PLAYERS.values()):
        claim(pack, state, SeatClaimed(seat=seat, explorer=explorer))
    start_game(pack, state, chance, "11-21")
    steps: list[Step] = []
    while state.status == "started" and len(steps) <= SHORT:
        seat = next(iter(state.open.values())).seat if state.open else state.turn.seat
        listed = [one for one in legal(pack, state, seat) if not isinstance(one, Reveal)]
        wanted = [one for kind in (Attack, Act) for one in listed if isinstance(one, kind)]
        steps.append((seat, lot.choice(wanted or listed)))
        decide(pack, state, *steps[-1], chance)
        state.commit += 1
    return steps, chance.answers


def short_game() -> tuple[list[Step], list[Answer]]:
    return next(game for game in map(planned, itertools.count()) if len(game[0]) <= SHORT)


def wish(tape: Sequence[Answer]) -> str:
    """What is asked of the service beside the names of players."""
    randomness = {"source": "tape", "answers": tape}
    options = {**OPTIONS, "disclosure": "never"}
    return msgspec.json.encode({"options": options, "setup": SETUP, "randomness": randomness}).decode()


def begin(screens: Sequence[Screen], tape: Sequence[Answer]) -> str:
    """The first opens the game at the lobby, all take their seats there, and it begins."""
    host = screens[0]
    game = lobby.open_game(host, *PLAYERS, advanced=wish(tape))
    links = lobby.invites(host)
    for seat, (screen, name) in enumerate(zip(screens, PLAYERS, strict=True)):
        if screen is host:
            host.page.get_by_text(f"Link for {name}", exact=True).click()
            host.page.get_by_role("button", name="Take this place here").first.click()
        else:
            lobby.invited(screen, game, f"seat-{seat}", links[f"seat-{seat}"])
        screen.page.get_by_text(PLAYERS[name].replace("-", " ").title()).click()
        screen.press("Take this seat")
    host.page.get_by_text("Everybody is here.").wait_for()
    host.press("Begin the game")
    for screen in screens:
        screen.shows("table")
    return game


class Seat:
    """A screen at the table, and what the service says of its place."""

    def __init__(self, screen: Screen, client: httpx.Client, game: str, seat: int) -> None:
        self.screen = screen
        places = json.loads(screen.stored()["omenlog:places"])
        self.token: str = next(one["token"] for one in places if one["role"] == f"seat:{seat}")
        self._client = client
        self._path = f"/v1/games/{game}"

    def get(self, what: str) -> Any:  # noqa: ANN401 -- whatever the operation answers
        answer = self._client.get(f"{self._path}/{what}", headers=bearer(self.token))
        assert answer.status_code == 200, answer.text
        return answer.json()

    def label(self, command: AnyCommand) -> str:
        """What stands on the button of a command."""
        wanted = msgspec.to_builtins(command)
        listed = [one for decision in self.get("decisions")["yours"] for one in decision["commands"]]
        found: str = next(one["label"] for one in listed if one["command"] == wanted)
        return found

    def side(self) -> str:
        """Empty before the haunt."""
        view = self.get("view")
        found: str = next(one["side"] for one in view["explorers"] if one["seat"] == view["you"])
        return found if view["haunt"] else ""

    def whisper(self, text: str) -> None:
        """Say something to one's own side."""
        panel(self.screen, "Talk")
        self.screen.page.locator(".write select").select_option("heroes")
        self.screen.page.get_by_label("Text").first.fill(text)
        self.screen.press("Send")
        self.screen.page.locator(".messages li").get_by_text(text).wait_for()

    def known(self) -> set[str]:
        """What a place is told beside what all are, as it is sent: its tokens, its side's book, its events."""
        books = [one["story"] for one in self.get("book")["books"]]
        events = [event for commit in self.get("events?limit=1000")["events"] for event in commit["data"]["events"]]
        return {self.token, *(msgspec.json.encode(one).decode().strip('"') for one in [*books, *events])}


def test_a_game_from_the_lobby_to_its_end_by_mouse_on_three_screens(screens: MakeScreen, client: httpx.Client) -> None:
    """Nothing that only another may know is in any byte that a screen was sent."""
    steps, tape = short_game()
    devices = [screens() for _ in PLAYERS]
    game = begin(devices, tape)
    seats = [Seat(screen, client, game, seat) for seat, screen in enumerate(devices)]
    version: int = seats[0].get("view")["version"]
    has_whispered = False
    for number, command in steps:
        seat = seats[number]
        seat.screen.shows("table", version=version)
        if not has_whispered and seat.side() == "heroes":
            seat.whisper(WHISPER)
            has_whispered = True
        seat.screen.page.locator(".deeds").get_by_role("button", name=seat.label(command), exact=True).click()
        version += 1
    ending = seats[0].get("view")["ending"]["summary"]
    for seat in seats:
        seat.screen.shows("table", version=version, link="over")
        seat.screen.page.get_by_role("heading", level=1, name=ending).wait_for()
        panel(seat.screen, "Book")
        seat.screen.page.get_by_role("heading", name="The Bell Below", exact=True).wait_for()

    known = [seat.known() | ({WHISPER} if seat.side() == "heroes" else set()) for seat in seats]
    for seat, own in zip(seats, known, strict=True):
        told = seat.screen.told()
        secrets = set[str]().union(*known) - own
        assert len(secrets) > len(seats)
        assert [one for one in secrets if one in told] == []
        assert len([one for one in own if one in told]) > len(steps), "it would be found"


WATCHED = """
  window.shown = [];
  new MutationObserver(() => {
    const mark = document.querySelector(".hotseat")?.textContent ?? "";
    const typed = [...document.querySelectorAll("input, textarea")].map((one) => one.value);
    const whom = /This is what (.+?) sees/.exec(mark)?.[1] ?? "";
    window.shown.push([whom, document.documentElement.textContent + typed]);
  }).observe(document, {subtree: true, childList: true, characterData: true});
"""
"""Notes all that is ever in the page, and who has the screen then; nobody, while it is covered."""
FAR = 10
"""Steps of Tab at most from where a player is left to what the player wants."""


class Shared:
    """One screen for all, by keyboard alone or by touch."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        self.page = screen.page
        self._touches = bool(screen.page.evaluate("() => navigator.maxTouchPoints"))

    def press(self, name: str | re.Pattern[str], within: str = "main") -> None:
        """Press a button; by keyboard it is few steps of Tab away."""
        self.page.locator("main:not([aria-busy=true])").wait_for(state="attached")
        button = self.page.locator(within).get_by_role("button", name=name, exact=True).first
        if self._touches:
            button.tap()
            return
        button.wait_for()
        for _ in range(FAR):
            if button.evaluate("one => one === document.activeElement"):
                break
            self.page.keyboard.press("Tab")
        expect(button).to_be_focused()
        self.page.keyboard.press("Enter")

    def take(self, name: str) -> None:
        """Give the screen to a player, if another one has it."""
        if self.page.get_by_text(f"This is what {name} sees.").count():
            return
        if self.page.locator(".hotseat").count():
            self.press(re.compile(f"^Pass to ({name}|somebody else)$"), ".hotseat")
        title = self.page.get_by_role("heading", name="The screen is covered")
        title.wait_for()
        if not self._touches:
            expect(title).to_be_focused()
        self.press(f"I am {name}", ".cover")
        self.page.locator(".hotseat").get_by_text(f"This is what {name} sees.").wait_for()


@pytest.mark.parametrize("device", [WIDE, PHONE], ids=["keyboard", "touch"])
def test_a_game_on_one_screen_shows_nobody_what_only_another_may_know(
    screens: MakeScreen, client: httpx.Client, device: dict[str, Any]
) -> None:
    steps, tape = short_game()
    screen = screens(**device)
    screen.context.add_init_script(WATCHED)
    game = lobby.open_game(screen, *PLAYERS, explorers=[*PLAYERS.values()], advanced=wish(tape))
    shared = Shared(screen)
    shared.press("Begin the game")
    seats = [Seat(screen, client, game, seat) for seat in range(len(PLAYERS))]
    version: int = seats[0].get("view")["version"]
    books: dict[int, str] = {}
    for number, command in steps:
        screen.shows("table", version=version)
        shared.take([*PLAYERS][number])
        screen.shows("table", version=version)
        if seats[number].side() and number not in books:
            books[number] = seats[number].get("book")["books"][0]["story"][:60]
            tabs = screen.page.locator(".tabs button")
            tabs.filter(has_text="Book").dispatch_event("click")  # the focus stays
            screen.page.locator(".book").get_by_text(books[number]).wait_for()
            if device is PHONE:
                tabs.filter(has_text="Actions").dispatch_event("click")
        shared.press(seats[number].label(command), ".deeds")
        version += 1
    screen.shows("table", version=version, link="over")
    shown: list[tuple[str, str]] = screen.page.evaluate("() => window.shown")
    assert len(set(books.values())) == 2, "one for each side"
    for number, name in enumerate(PLAYERS):
        mine = "".join(text for whom, text in shown if whom == name)
        assert {book for book in books.values() if book in mine} == {books[number]}
    covered = "".join(text for whom, text in shown if not whom)
    assert "The screen is covered" in covered
    assert {book for book in books.values() if book in covered} == set()
