"""A game with friends: opened, joined and played to its end by real processes at real terminals and pipes."""

from __future__ import annotations

import json
import os
import re
import select
import stat
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import httpx
import pytest
from click.testing import Result

from projections.choices.families import Division, Faces, OneOf, Places, Subset
from service.cli.play.demo import ServiceProcess
from service.cli.play.invites import Invite, NotAnInvite, SavedPlace, read_invite
from service.cli.play.prompts import parsed
from tests.acceptance.packs.writing import haunt_file
from tests.cli.invoking import omenlog
from tests.support.forked import ForkedService, Omenlog, at_terminal

NAMES = ("Ann", "Ben", "Cleo")
PATIENCE = 120.0
"""Seconds for which anything is waited for."""
INVITED = re.compile(r"^ +(http\S+/join/\S+)$", re.MULTILINE)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServiceProcess]:
    with ForkedService(tmp_path_factory.mktemp("service")) as running:
        yield running


class Home:
    """A user with files of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.env = {**os.environ, "XDG_STATE_HOME": str(folder), "COLUMNS": "80", "TERM": "xterm"}

    def run(self, *arguments: str) -> Result:
        """What ends by itself, in this process."""
        return omenlog(*arguments, env={**self.env, "COLUMNS": "200"})

    def open_game(self, url: str, *options: str) -> tuple[str, list[str]]:
        """A game of the three, and the invites for their seats and for a spectator."""
        made = self.run("new", "--seats", ",".join(NAMES), "--url", url, *options)
        assert made.exit_code == 0, made.output
        found = INVITED.findall(made.stdout)
        return read_invite(found[0]).game, found


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "state")


class Terminal:
    """A process of `omenlog` at a terminal of eighty columns, which a test types into."""

    def __init__(self, env: Mapping[str, str], *arguments: str, anew: bool = False) -> None:
        self._process, self._screen = at_terminal(env, *arguments, anew=anew)
        self.pid = self._process.pid
        self.shown = ""
        self._seen = 0

    def read(self, seconds: float) -> bool:
        """Read what is there; returns False at the end."""
        if not select.select([self._screen], [], [], seconds)[0]:
            return True
        try:
            more = os.read(self._screen, 65_536)
        except OSError:  # how Linux tells that nobody has the terminal open any more
            return False
        self.shown += re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", more.decode(errors="replace")).replace("\r", "")
        return bool(more)

    def shows(self, words: str) -> bool:
        """Whether these words were shown behind what was waited for."""
        return words in self.shown[self._seen :]

    def until(self, words: str) -> str:
        """Read until these words have been shown, behind what was waited for before; returns what was shown on the way."""
        end = time.monotonic() + PATIENCE
        while (at := self.shown.find(words, self._seen)) < 0:
            assert time.monotonic() < end, f"no {words!r} in:\n{self.shown[self._seen :]}"
            assert self.read(0.2), f"ended without {words!r}:\n{self.shown[self._seen :]}"
        told = self.shown[self._seen : at + len(words)]
        self._seen = at + len(words)
        return told

    def type(self, line: str) -> None:
        os.write(self._screen, f"{line}\n".encode())

    def interrupt(self) -> None:
        os.write(self._screen, b"\x03")

    def ended(self) -> int:
        """The exit code, when it has ended."""
        end = time.monotonic() + PATIENCE
        while self.read(0.2):
            assert time.monotonic() < end, self.shown[self._seen :]
        os.close(self._screen)
        return self._process.ended(PATIENCE)


class Piped:
    """A process of `omenlog` that reads all that it is told from a file, and writes into a file."""

    def __init__(self, home: Home, *arguments: str, typed: str) -> None:
        folder = home.folder.parent
        source, self._sink = folder / f"typed-{time.monotonic_ns()}", folder / f"shown-{time.monotonic_ns()}"
        source.write_text(typed)
        self._process = Omenlog(home.env, arguments, str(source), str(self._sink))

    def ended(self) -> tuple[int, str]:
        """The exit code, and all that was shown, when it has ended."""
        return self._process.ended(PATIENCE), self._sink.read_text()


def test_a_game_is_opened_with_a_pack_that_is_not_built_in(tmp_path: Path, home: Home) -> None:
    packs = f"second-edition,{haunt_file(tmp_path)}"
    with ForkedService(tmp_path / "data", packs=packs) as running:
        game, _ = home.open_game(running.url, "--pack", "our-bell", "--haunt", "our-bell")
        assert httpx.get(f"{running.url}/v1/games/{game}").json()["pack"] == "our-bell"
        refused = home.run("new", "--seats", "Ann,Ben,Cleo", "--url", running.url, "--pack", "their-bell")
        assert refused.exit_code != 0
        assert "Offered here: second-edition (second), our-bell (second)." in refused.output


def test_a_referee_is_invited_who_is_asked_for(service: ServiceProcess, home: Home) -> None:
    for options, places in (((), "0 1 2 spectator"), (("--referee",), "0 1 2 spectator referee")):
        _, invites = home.open_game(service.url, *options)
        assert " ".join(read_invite(one).place for one in invites) == places


def test_a_game_is_played_to_its_end_from_two_terminals_and_a_pipe(service: ServiceProcess, home: Home) -> None:
    game, invites = home.open_game(service.url, "--turn-limit", "5")
    ann = Terminal(home.env, "join", invites[0])
    ann.until("Waiting for Ben and Cleo to join.")
    ben = Terminal(Home(home.folder / "elsewhere").env, "join", invites[1])
    ann.until("Waiting for Cleo to join.")
    cleo = Piped(home, "join", invites[2], typed="1\n" * 500)

    terminals = [ann, ben]
    end = time.monotonic() + PATIENCE
    while terminals:
        assert time.monotonic() < end
        for one in list(terminals):
            if one.shows("Your choice"):
                told = one.until("Your choice")
                one.type(re.findall(r"^ +(\d+)  ", told, re.MULTILINE)[-1])  # the last choice, mostly to end the turn
            elif not one.read(0.05):
                terminals.remove(one)

    code, shown = cleo.ended()
    assert [ann.ended(), ben.ended(), code] == [0, 0, 0]
    for told in (ann.shown, ben.shown, shown):
        assert "At the table: Ann (" in told
        assert "nobody has won: The turn limit of 5 is reached." in " ".join(told.split())
        assert "You are " in told
        assert "again this turn" not in told
        assert re.search(r"· .* [0-9] of [0-9] spaces?\.", " ".join(told.split())), "sums say what they are made of"
    for told in (ann.shown, ben.shown):
        assert re.search(r"^· .*\n  \S", told, re.MULTILINE), "what is wrapped hangs below its beginning"
        assert max(map(len, told.splitlines())) <= 80
    assert "Everybody is here: the game begins." in ann.shown
    facts = httpx.get(f"{service.url}/v1/games/{game}").json()
    assert (facts["status"], facts["because"]) == ("finished", "The turn limit of 5 is reached.")


def test_bots_take_seats_and_play_to_the_end_before_a_spectator(service: ServiceProcess, home: Home) -> None:
    game, invites = home.open_game(service.url, "--turn-limit", "9")
    bots = [Piped(home, "join", invite, "--bot", "steady", typed="") for invite in invites[:3]]
    watching = Piped(home, "join", invites[3], typed="")
    starter = Piped(home, "play", game, "--as", "host", typed="")
    codes, told = zip(*(one.ended() for one in (*bots, watching, starter)), strict=True)

    assert codes == (0, 0, 0, 0, 0)
    assert all("finished: " in one for one in told[:3])
    assert "The game is over, and nobody has won: The turn limit of 9 is reached." in told[3]


def test_when_the_haunt_begins_each_reads_its_own_book(service: ServiceProcess, home: Home) -> None:
    """The setup lays out room and omen, and a tape has the haunt roll."""
    wish = {
        "edition": "second",
        "options": {"haunt": "the-bell-below"},
        "seats": [{"name": name} for name in NAMES],
        "setup": {"first_seat": 0, "tiles": ["charred-room", "attic"], "omen": ["ring"]},
        "randomness": {"source": "tape", "answers": [{"faces": [0] * 6}]},
    }
    opened = httpx.post(f"{service.url}/v1/games", json=wish).json()
    game = opened["game"]["id"]
    seats = [
        Terminal(home.env, "join", str(Invite(url=service.url, game=game, place=str(seat), secret=one["secret"])))
        for seat, one in enumerate(opened["invites"]["seats"])
    ]
    for one in seats:
        one.until("Everybody is here. The game begins when `omenlog play` runs")
    headers = {"Authorization": f"Bearer {opened['tokens']['host']['secret']}"}
    assert httpx.post(f"{service.url}/v1/games/{game}/start", headers=headers).status_code == 201

    choose(seats[0], "Explore through the east door")
    assert "draws an omen: Ring." in choose(seats[0], "End the turn")
    books = [re.findall(r"The (\w+?)'s? book", one.until("How you win")) for one in seats]

    assert sorted(books) == [["heroes"], ["heroes"], ["traitor"]]
    for one in seats:
        one.interrupt()
        assert one.ended() == 130


def test_at_the_terminals_a_haunt_has_a_volunteer_a_box_is_read_out_and_a_corpse_is_looted(
    tmp_path: Path, home: Home
) -> None:
    """The setup lays out rooms and omens, and a tape has the rolls: the third for the haunt begins it, and the attack kills."""
    fight = [{"faces": [2, 2, 2, 2]}, {"faces": [0] * 5}, {"faces": [1] * 4}]
    wish = {
        "edition": "third",
        "options": {"scenario": "for-sale", "haunt": "a-tiding-of-magpies"},
        "seats": [{"name": name} for name in NAMES],
        "setup": {
            "first_seat": 0,
            "tiles": ["ballroom", "charred-room", "library", "chapel"],
            "omen": ["ring", "dog", "mask"],
        },
        "randomness": {"source": "tape", "answers": [{"faces": [0]}, {"faces": [0, 0]}, {"faces": [2, 2, 2]}, *fight]},
    }
    with ForkedService(tmp_path / "data", packs="second-edition,third-edition") as running:
        opened = httpx.post(f"{running.url}/v1/games", json=wish).json()
        game = opened["game"]["id"]
        ann, ben, cleo = (
            Terminal(home.env, "join", str(Invite(url=running.url, game=game, place=str(seat), secret=one["secret"])))
            for seat, one in enumerate(opened["invites"]["seats"])
        )
        for one in (ann, ben, cleo):
            one.until("Everybody is here. The game begins when `omenlog play` runs")
        headers = {"Authorization": f"Bearer {opened['tokens']['host']['secret']}"}
        assert httpx.post(f"{running.url}/v1/games/{game}/start", headers=headers).status_code == 201

        ann.until("The scenario is For Sale.")
        choose(ann, "Explore through the east door")
        choose(ben, "Explore through the west door")
        choose(ben, "Place it")
        choose(cleo, "End the turn")
        choose(ann, "Explore through the north door")
        choose(ann, "Place it")
        choose(ben, "Ask for a volunteer")
        choose(cleo, "Volunteer")
        for one in (ann, ben, cleo):
            one.until("Tokens needed")
        assert "TEAR." in ann.until("What you can do") + ann.until("Other monsters in the house")
        assert "The rest is in its box" in ann.until("Counters")
        assert "Might 2" in cleo.until("Counters")
        for one in (ann, ben, cleo):
            one.until("Get ready for the haunt")
            one.until("Your choice")
        for ready, others in ((ann, (ben, cleo)), (ben, (cleo,)), (cleo, ())):
            ready.type("1")
            for one in others:
                one.until("Your choice")  # asked anew, as something has happened

        choose(ben, "End the turn")
        choose(cleo, "Move to the Entrance Hall")
        choose(cleo, "Attack")
        choose(cleo, "Deal the damage")
        ann.until("dies")
        choose(cleo, "End the turn")
        choose(cleo, "End the monsters' turn")
        ann.until("Your choice")
        ann.type("d")
        (number,) = re.findall(r"^ +(\d+)  The box of Magpie$", ann.until("Which is to be read out"), re.MULTILINE)
        ann.type(number)
        assert "Magpie 1 has Might 2, Speed 4 and Sanity 2." in ann.until("The turn of")
        choose(ann, "Move to the Ballroom")
        choose(ann, "Move to the Entrance Hall")
        choose(ann, "Take Dog from the corpse of Brittani")
        ann.until("Your cards: Ring and Dog.")
        for one in (ann, ben, cleo):
            one.interrupt()
            assert one.ended() == 130


def choose(player: Terminal, label: str) -> str:
    """Choose what bears this label; returns what was shown before."""
    told = player.until("Your choice")
    number, *_ = re.findall(rf"^ +(\d+)  {label}", told, re.MULTILINE)
    player.type(number)
    return told


def test_readme_shows_what_is_printed(service: ServiceProcess, home: Home) -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text()
    section = readme.partition("## Play with friends\n")[2].partition("\n## ")[0]
    typed = re.findall(r"```text\n(.*?)```", section, re.DOTALL)[-1]
    shown = typed.partition("open for")[2].partition("…")[0]
    told = home.run(
        "new", "--seats", ",".join(NAMES), "--url", service.url, "--public", "http://192.168.1.20:8000"
    ).stdout

    def alike(text: str) -> list[str]:
        return [re.sub(r"[a-z2-7]{20}|omen_\S+", "…", line) for line in text.splitlines() if line.strip()]

    lines = alike(shown)
    assert alike(told.partition("open for")[2])[: len(lines)] == lines
    joined = typed.partition("omenlog join ")[2].partition("\n")[2].strip()
    _, invites = home.open_game(service.url)
    ann = Terminal(home.env, "join", invites[0])
    assert ann.until("to join.").strip() == joined
    ann.interrupt()
    assert ann.ended() == 130


def test_tokens_lie_where_only_the_user_reads_them_and_on_no_command_line(service: ServiceProcess, home: Home) -> None:
    game, invites = home.open_game(service.url)
    ann = Terminal(home.env, "join", invites[0], anew=True)
    ann.until("Waiting for")

    kept = {file.name: file for file in (home.folder / "omenlog").iterdir()}
    assert set(kept) == {f"{game}-host.json", f"{game}-0.json"}
    assert {stat.S_IMODE(file.stat().st_mode) for file in kept.values()} == {0o600}
    assert stat.S_IMODE((home.folder / "omenlog").stat().st_mode) == 0o700
    token = json.loads(kept[f"{game}-0.json"].read_bytes())["token"]
    arguments = Path(f"/proc/{ann.pid}/cmdline").read_bytes().decode()
    assert token not in arguments
    assert token not in ann.shown
    ann.type("q")
    ann.until(f"`omenlog play {game} --as Ann` takes you back.".replace("\n", " ")[:20])
    assert ann.ended() == 0


def test_whoever_leaves_comes_back_by_play(service: ServiceProcess, home: Home) -> None:
    game, invites = home.open_game(service.url)
    ann = Terminal(home.env, "join", invites[0])
    ann.until("Waiting for Ben and Cleo to join.")
    ann.interrupt()
    ann.until("You have left the table.")
    assert ann.ended() == 130

    again = Terminal(home.env, "play")  # the only place
    again.until("Waiting for Ben and Cleo to join.")
    again.type("?")
    again.until("a number chooses")
    again.type("b")
    again.until("No haunt has begun yet.")
    again.type("7")
    again.until("You have no choice to make now.")
    again.type("q")
    assert again.ended() == 0
    # the invite was used by oneself: it takes one back, too
    third = Terminal(home.env, "join", invites[0])
    third.until("Waiting for Ben and Cleo to join.")
    third.type("q")
    assert third.ended() == 0
    assert f"{game}" in third.shown


def started(service: ServiceProcess | Proxy, home: Home) -> tuple[str, list[Terminal]]:
    """A game of three terminals that has begun; the first is whoever's turn it is."""
    game, invites = home.open_game(service.url)
    seats = [Terminal(home.env, "join", invite) for invite in invites[:3]]
    for one in seats:
        one.until("At the table")
    turn = next(one.seat for one in places_of(service, game, home) if one.seat is not None)
    return game, [seats[turn], *[one for number, one in enumerate(seats) if number != turn]]


def places_of(service: ServiceProcess | Proxy, game: str, home: Home) -> list[SavedPlace]:
    """The place of whoever's turn it is."""
    kept = [json.loads(file.read_bytes()) for file in (home.folder / "omenlog").glob(f"{game}-?.json")]
    headers = {"Authorization": f"Bearer {kept[0]['token']}"}
    waiting = httpx.get(f"{service.url}/v1/games/{game}/decisions", headers=headers).json()["waiting"]
    return [SavedPlace(**one) for one in kept if int(one["place"]) == waiting[0]["seat"]]


def test_at_the_table_one_looks_chooses_errs_and_takes_back(service: ServiceProcess, home: Home) -> None:
    _, (first, second, third) = started(service, home)
    told = first.until("Your choice")
    assert "Ground floor" in told
    assert re.search(r"^ +1  Move to the Foyer \(1 space\)$", told, re.MULTILINE)
    for typed, said in (("99", "Type a number from 1 to "), ("fly", "Type a number from 1 to "), ("c", "no cards")):
        first.type(typed)
        first.until(said)
    first.type("t")
    first.until("There is nothing that you can take back.")
    first.until("Your choice")
    first.type("1")
    assert "goes to the Foyer." in first.until("Your choice")
    second.until("goes to the Foyer.")  # live, while it waits
    third.until("goes to the Foyer.")
    first.type("t")
    first.until("takes back")
    first.until("Your choice")
    second.until("takes back")
    for one in (first, second, third):
        one.interrupt()
        assert one.ended() == 130


def test_a_service_that_goes_and_comes_back_is_waited_for(tmp_path: Path, home: Home) -> None:
    data = tmp_path / "data"
    with ForkedService(data) as service:
        port = int(service.url.rpartition(":")[2])
        _, (first, second, third) = started(service, home)
        first.until("Your choice")
        service.kill()
        first.type("1")
        first.until("does not answer. Waiting for it")
        second.until("does not answer. Waiting for it")
        with ForkedService(data, port):
            first.until("The service is back.")
            second.until("The service is back.")
            first.until("goes to the Foyer.")
            second.until("goes to the Foyer.")
            for one in (first, second, third):
                one.interrupt()
                assert one.ended() == 130


class Proxy:
    """Hands requests on to a service: faithfully, not at all (`answers` 502), or it loses what is answered to a POST (`loses`).

    Streams it never hands on, so that tables ask by themselves.
    """

    def __init__(self, service: ServiceProcess) -> None:
        self.url = ""
        self.answers = 0
        """A status that it answers by itself, or 0."""
        self.loses = False
        self.posted: list[tuple[str, str]] = []
        """Path and Idempotency-Key of each POST that came."""
        self._service = httpx.Client(base_url=service.url)

    def take(self, request: BaseHTTPRequestHandler) -> None:
        content = request.rfile.read(int(request.headers.get("Content-Length", 0)))
        if request.command == "POST":
            self.posted.append((request.path, request.headers["Idempotency-Key"]))
        status = 503 if request.headers["Accept"] == "text/event-stream" else self.answers
        answer = None
        if not status:
            kept = {name: value for name, value in request.headers.items() if name not in ("Host", "Connection")}
            answer = self._service.request(request.command, request.path, headers=kept, content=content)
            if self.loses and request.command == "POST":
                request.close_connection = True
                return
        body = b"" if answer is None else answer.content
        request.send_response(status if answer is None else answer.status_code)
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)

    @contextmanager
    def running(self) -> Iterator[Proxy]:
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                proxy.take(self)

            def do_POST(self) -> None:
                proxy.take(self)

            def log_message(self, *_: object) -> None:
                pass

        with self._service, ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
            Thread(target=server.serve_forever, daemon=True).start()
            self.url = f"http://127.0.0.1:{server.server_port}"
            yield self
            server.shutdown()


@pytest.fixture
def proxy(service: ServiceProcess) -> Iterator[Proxy]:
    with Proxy(service).running() as running:
        yield running


def test_a_proxy_without_its_service_is_waited_for(proxy: Proxy, home: Home) -> None:
    game, seats = started(proxy, home)
    seats[0].until("Your choice")
    proxy.answers = 502
    seats[0].type("1")
    for one in seats:
        one.until("does not answer. Waiting for it")
    for arguments, said in (
        (("play", game, "--as", "Ann"), "nobody answers at"),
        (("invite", game, "Ann"), "nobody answers at"),
        (("join", str(Invite(url=proxy.url, game="a" * 20, place="1", secret="omen_nothing"))), "nobody answers at"),
        (("new", "--seats", ",".join(NAMES), "--url", proxy.url), "no service answers at"),
    ):
        told = home.run(*arguments)
        assert (told.exit_code, said in told.output) == (1, True), told.output
        assert "502" in told.output
    proxy.answers = 0
    for one in seats:
        one.until("The service is back.")
        one.until("goes to the Foyer.")
        one.interrupt()
        assert one.ended() == 130


def test_a_deed_whose_answer_is_lost_is_done_once(proxy: Proxy, service: ServiceProcess, home: Home) -> None:
    game, seats = started(proxy, home)
    seats[0].until("Your choice")
    proxy.loses = True
    seats[0].type("1")
    seats[0].until("does not answer. Waiting for it")
    proxy.loses = False
    told = seats[0].until("Your choice")

    assert "The service is back." in told
    assert "goes to the Foyer." in told
    assert "faster" not in told
    keys = [key for path, key in proxy.posted if path.endswith("/commands")]
    assert len(keys) > 1
    assert len(set(keys)) == 1
    moves = [event for event in events_of(service, game, home) if event["type"] == "Moved"]
    assert len(moves) == 1
    for one in seats:
        one.interrupt()
        assert one.ended() == 130


def events_of(service: ServiceProcess, game: str, home: Home) -> list[dict[str, object]]:
    token = json.loads((home.folder / "omenlog" / f"{game}-0.json").read_bytes())["token"]
    path = f"{service.url}/v1/games/{game}/events"
    page = httpx.get(path, headers={"Authorization": f"Bearer {token}"}).json()
    return [event for commit in page["events"] for event in commit["data"]["events"]]


def test_an_input_that_ends_is_told_when_a_choice_is_asked_for(service: ServiceProcess, home: Home) -> None:
    game, (first, second, third) = started(service, home)
    (place,) = places_of(service, game, home)
    first.until("Your choice")
    left = Piped(home, "play", game, "--as", place.name, typed="")
    code, told = left.ended()
    assert code == 1
    assert told.endswith(f"The input has ended. `omenlog play {game} --as {place.name}` takes you back.\n")
    for one in (first, second, third):
        one.interrupt()
        assert one.ended() == 130


def test_what_is_wrong_with_an_invite_or_a_place_is_said_in_a_sentence(service: ServiceProcess, home: Home) -> None:
    game, invites = home.open_game(service.url)
    taken = Terminal(Home(home.folder / "elsewhere").env, "join", invites[0])
    taken.until("Waiting for")
    bad = str(Invite(url=service.url, game="a" * 20, place="1", secret="omen_nothing"))
    away = str(Invite(url="http://127.0.0.1:9", game=game, place="1", secret="omen_nothing"))
    for arguments, code, said in (
        (("join", "http://example.org/"), 2, "incomplete or invalid invite; it should look like http://"),
        (("join", invites[0].replace("/join/seat-0/", "/join/9/")), 2, "invalid place `9` in this invite"),
        (("join", invites[0]), 1, "it was used already, was replaced by a new one, or is incomplete."),
        (("join", invites[1][:-4]), 1, "it was used already, was replaced by a new one, or is incomplete."),
        (("join", bad), 1, "this invite is not valid"),
        (("join", away), 1, "nobody answers at http://127.0.0.1:9"),
        (("join", invites[1], "--character", "ox-belows"), 1, "did you mean `ox-bellows`?"),
        (("play", "b" * 20), 2, f"you have no place in game {'b' * 20}: take one with `omenlog join INVITE`"),
        (("new", "--seats", "Ann,Ben", "--url", service.url), 1, "This pack seats 3 to 6, not 2."),
        (("new", "--seats", "Ann,,Ben"), 2, "name 2 of 3 is empty: name every player, as in Ann,Ben,Cleo"),
        (("new", "--seats", "Ann,Ben,Cleo,"), 2, "name 4 of 4 is empty"),
        (("new", "--seats", " "), 2, "name 1 of 1 is empty"),
        (("new", "--seats", "A,B,C,D,E,F,G"), 2, "7 names, but at most 6 can play"),
        (("new", "--seats", "Ann,Ben,Ann"), 2, "Ann appears twice: every player needs a different name"),
        (
            ("new", "--seats", "A,B,C", "--public", "192.168.1.20:8000"),
            2,
            "invalid address '192.168.1.20:8000'",
        ),
        (("new", "--seats", "A,B,C", "--public", "http://a.example/#b"), 2, "invalid address"),
        (("new", "--seats", "A,B,C", "--url", "http://127.0.0.1:9"), 1, "in another terminal with `omenlog serve`"),
        (("new", "--seats", "A,B,C", "--url", "nowhere"), 2, "invalid service address"),
        (("new", "--seats", "A,B,C", "--haunt", "the-bel", "--url", service.url), 1, "did you mean `the-bell-below`?"),
    ):
        told = home.run(*arguments)
        text = " ".join(re.sub(r"[│╭╮╰╯─]", " ", told.output).split())
        assert told.exit_code == code, (arguments, text)
        assert said in text, (arguments, text)
        assert "Traceback" not in text
    taken.interrupt()
    assert taken.ended() == 130


def test_a_place_that_was_given_away_or_a_game_that_was_closed_is_told(service: ServiceProcess, home: Home) -> None:
    game, invites = home.open_game(service.url)
    host = json.loads((home.folder / "omenlog" / f"{game}-host.json").read_bytes())["token"]
    headers = {"Authorization": f"Bearer {host}", "Idempotency-Key": "k" * 24}
    ann = Terminal(home.env, "join", invites[0])
    ann.until("Waiting for")
    ben = Terminal(home.env, "join", invites[1])
    ben.until("Waiting for")
    assert httpx.post(f"{service.url}/v1/games/{game}/seats/0/replace", headers=headers).status_code == 201
    ann.until("your place was given to somebody else")
    assert ann.ended() == 1
    assert (
        httpx.post(f"{service.url}/v1/games/{game}/close", headers={"Authorization": f"Bearer {host}"}).status_code
        == 201
    )
    ben.until("The game was abandoned")
    assert ben.ended() == 0
    late = home.run("join", invites[2])
    assert late.exit_code == 1
    assert "this game is over" in late.output


def test_the_host_gives_a_seat_to_whoever_has_a_new_invite(service: ServiceProcess, home: Home) -> None:
    public = service.url.replace("127.0.0.1", "localhost")
    game, invites = home.open_game(service.url, "--public", public)
    elsewhere = Home(home.folder / "elsewhere")
    ann = Terminal(elsewhere.env, "join", invites[0])
    ann.until("Ann has joined.")
    ann.until("Waiting for")

    told = home.run("invite", game[:8], "ann")
    assert told.exit_code == 0, told.output
    assert "The place of Ann (seat 0) is free." in told.output
    (fresh,) = INVITED.findall(told.stdout)
    assert fresh.startswith(f"{public}/#/g/{game}/join/seat-0/omen_")
    assert "These invites work on this machine only." in told.output
    ann.until("your place was given to somebody else")
    assert ann.ended() == 1
    late = elsewhere.run("join", invites[0])
    assert (late.exit_code, "was replaced by a new one" in late.output) == (1, True)

    again = Terminal(elsewhere.env, "join", fresh, "--name", "Anna")  # where the place of before still lies
    again.until("Waiting for Ben and Cleo to join.")
    again.type("q")
    assert again.ended() == 0
    for somebody, arguments, code, said in (
        (home, (game, "7"), 2, "the game has no seat '7'; there are Anna (seat 0), Ben (seat 1) and Cleo (seat 2)"),
        (home, (game, "co-referee"), 1, "The game has no such invite."),
        (home, (game, "0", "--public", "localhost"), 2, "invalid address 'localhost'"),
        (elsewhere, (game, "0"), 2, f"you did not open game {game} on this machine, and only its host can"),
    ):
        refused = somebody.run("invite", *arguments)
        assert refused.exit_code == code, refused.output
        assert said in " ".join(re.sub(r"[│╭╮╰╯─]", " ", refused.output).split())

    for place, said in (("Ben", "The place of Ben (seat 1) is free."), ("referee", "The invite before stops working.")):
        told = home.run("invite", game, place)
        assert said in told.output
        (new,) = INVITED.findall(told.stdout)
        newer = INVITED.findall(home.run("invite", game, place).stdout)
        came = [
            Terminal(Home(home.folder / f"{place}-{number}").env, "join", one)
            for number, one in enumerate([new, *newer])
        ]
        came[0].until("was replaced by a new one")
        came[1].until("Waiting for")
        assert came[0].ended() == 1
    taken = home.run("invite", game, "referee")
    assert (taken.exit_code, "Somebody has claimed this place with its invite." in taken.output) == (1, True)

    kept = home.folder / "omenlog" / f"{game}-host.json"
    host = json.loads(kept.read_bytes())
    httpx.post(f"{service.url}/v1/games/{game}/close", headers={"Authorization": f"Bearer {host['token']}"})
    assert "the game is over" in home.run("invite", game, "0").output
    kept.write_text(json.dumps({**host, "url": "http://127.0.0.1:9"}))
    away = home.run("invite", game, "0")
    assert (away.exit_code, "nobody answers at http://127.0.0.1:9" in away.output) == (1, True)


def test_who_has_the_opening_key_opens_games(tmp_path: Path, home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    key = "a-key-that-only-friends-have"
    monkeypatch.setenv("OMENLOG_OPENING_KEY", key)
    with ForkedService(tmp_path / "data") as service:
        monkeypatch.delenv("OMENLOG_OPENING_KEY")
        told = home.run("new", "--seats", ",".join(NAMES), "--url", service.url)
        assert told.exit_code == 1
        assert "opening key" in told.output
        home.env["OMENLOG_OPENING_KEY"] = key
        home.open_game(service.url)


def test_several_places_are_told_apart(service: ServiceProcess, home: Home) -> None:
    game, invites = home.open_game(service.url)
    for invite in invites[:2]:
        one = Terminal(home.env, "join", invite)
        one.until("Waiting for")
        one.interrupt()
        assert one.ended() == 130
    told = home.run("play")
    assert told.exit_code == 2
    for name in ("Ann", "Ben"):
        assert f"omenlog play {game} --as {name}" in told.output
    ben = Terminal(home.env, "play", "--as", "ben")
    ben.until("Waiting for Cleo to join.")
    ben.type("q")
    assert ben.ended() == 0


@pytest.mark.parametrize(
    "url",
    ["http://127.0.0.1:8000", "https://example.org", "https://example.org/games/", "http://[::1]:8000"],
)
@pytest.mark.parametrize("place", ["0", "5", "spectator", "referee"])
def test_an_invite_is_one_address_that_says_it_all(url: str, place: str) -> None:
    invite = Invite(url=url.rstrip("/"), game="a" * 20, place=place, secret="omen_S-e_cret")
    shown = f"seat-{place}" if place.isdecimal() else place
    assert str(invite) == f"{url.rstrip('/')}/#/g/{'a' * 20}/join/{shown}/omen_S-e_cret"
    assert read_invite(f"  <{invite}>\n") == invite
    for broken in (str(invite)[:-14], str(invite).replace("#", ""), str(invite).replace("aaa", "a")):
        with pytest.raises(NotAnInvite) as told:
            read_invite(broken)
        assert "S-e_cret" not in str(told.value)


def test_an_invite_may_name_a_seat_as_browsers_do_and_the_second_referee() -> None:
    for written, place in (("seat-3", "3"), ("co-referee", "referee")):
        assert read_invite(f"https://example.org/#/g/{'a' * 20}/join/{written}/omen_secret").place == place
    for wrong in ("seat-6", "seat-", "co-spectator"):
        with pytest.raises(NotAnInvite, match="invalid place"):
            read_invite(f"https://example.org/#/g/{'a' * 20}/join/{wrong}/omen_secret")


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:65536",
        "http://127.0.0.1:0",
        "http://:8000",
        "ftp://a",
        "http://me@a",
        "http://a?b",
        "http://[::1",
    ],
)
def test_an_address_that_leads_nowhere_makes_no_invite(home: Home, url: str) -> None:
    told = home.run("new", "--seats", "A,B,C", "--public", url)
    assert told.exit_code == 2
    assert "--public" in told.output
    with pytest.raises(NotAnInvite):
        read_invite(f"{url}/#/g/{'a' * 20}/join/0/omen_secret")


@pytest.mark.parametrize(
    "field, line, meant",
    [
        (OneOf(field="to", values=["attic", "foyer"]), "2", "foyer"),
        (Division(least=3, total=3, caps={"might": 2, "speed": 2}), "m 2, speed 1", {"might": 2, "speed": 1}),
        (Division(least=0, total=3, caps={"might": 2, "speed": 2}), "s 1", {"speed": 1}),
        (Places(of=["0", "2", "1"], most=2), "1 3", [0, 2]),
        (Places(of=["0", "2", "1"], most=2), "0", []),
        (Subset(field="cards", of=["axe", "bell"], least=1), "2 1", ["bell", "axe"]),
        (Faces(dice=3), "0 2 1", [0, 2, 1]),
    ],
)
def test_what_is_typed_for_a_member_of_a_command_is_understood(field: object, line: str, meant: object) -> None:
    assert parsed(field, line) == meant  # type: ignore[arg-type]  # one of the fields


@pytest.mark.parametrize(
    "field, line",
    [
        (OneOf(field="to", values=["attic"]), "2"),
        (Division(least=3, total=3, caps={"might": 2, "speed": 2}), "might 3"),
        (Division(least=3, total=3, caps={"might": 2, "speed": 2}), "might 1"),
        (Division(least=3, total=3, caps={"might": 2, "speed": 2}), "sanity 3"),
        (Division(least=0, total=3, caps={"might": 2, "speed": 2}), "might 2 speed 2"),
        (Places(of=["0", "2", "1"], most=2), "1 2 3"),
        (Places(of=["0", "2", "1"], most=2), "1 1"),
        (Subset(field="cards", of=["axe", "bell"], least=1), "0"),
        (Faces(dice=3), "0 2"),
        (Faces(dice=1), "3"),
        (Faces(field="rolled", dice=1, least=1), "0"),
    ],
)
def test_what_does_not_fit_is_asked_again(field: object, line: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        parsed(field, line)  # type: ignore[arg-type]  # one of the fields
