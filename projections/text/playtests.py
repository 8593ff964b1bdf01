"""What many games between bots say about a pack: who wins, why and when, and what nobody ever used."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from content.vocabulary.pack import Haunt, Playtest
from domain.engine.rules import Rules
from domain.facts.events import GameEnded, Told, TurnStarted
from domain.facts.ids import HOUSE, is_own_side, stance
from domain.facts.state import State
from domain.pack.reach import SOMEBODY, Reached, things
from domain.rulebook.haunt.winning import heroes_left
from projections.naming.names import counted

TURN_LIMIT = 400
"""Turns after which a playtest gives a game up."""

Side = Literal["heroes", "traitor"]
SIDES: tuple[Side, ...] = ("heroes", "traitor")

Why = Literal["goal", "clock", "deaths", "too few out", "step", ""]
WHYS: dict[Why, str] = {
    "goal": "what `wins-when` asks for came about in play",
    "clock": "it came about as a round began",
    "deaths": "no hero was left",
    "too few out": "heroes had left the house, but not enough",
    "step": "a step said `win`",
}
"""Why a side can have won. Deaths go before a clock, and a clock before a goal."""

BAR = 24
"""Characters of the longest bar of a curve."""


class Played(msgspec.Struct, frozen=True, kw_only=True):
    """A game that was played to its end. `haunt` is empty if none began, and `winner` if nobody won.

    What the house has won counts for the traitor's side in sums.
    """

    seed: str
    seats: int
    haunt: str
    winner: str
    because: str
    place: int = -1
    """Of a winner who played against everybody: so many places clockwise from the revealer."""
    why: Why = ""
    turns: int
    rounds: int
    """Of the haunt."""
    turn_of_haunt: int
    """In which it began."""
    commands: int
    reached: Reached
    """Steps only if the rules are watched."""
    tokens: Counter[str] = msgspec.field(default_factory=Counter)
    """How often each kind was placed."""


def why_won(rules: Rules, state: State, told: Sequence[Told], rounds: int) -> Why:
    """Say why a side won by the events of the game's last command.

    Args:
        rules: of the game.
        state: at its end.
        told: the events.
        rounds: of the haunt, before them.
    """
    events = [one.event for one in told]
    ended = next((event for event in events if isinstance(event, GameEnded)), None)
    if ended is None or not ended.winner or state.haunt is None:
        return ""
    alone = is_own_side(ended.winner)
    if not heroes_left(state) or (alone and len(state.living()) == 1):
        return "deaths"
    turns = [event for event in events if isinstance(event, TurnStarted)]
    if turns and turns[-1].round > rounds:
        return "clock"
    goal = rules.pack.goals.get((state.haunt.id, stance(ended.winner)))
    if goal is not None and goal[1] == ended.because:
        return "goal"
    inside = any(one.alive and one.side != "traitor" for one in state.explorers)
    return "step" if inside else "too few out"


class Tally(msgspec.Struct, kw_only=True):
    """Sums over games of one haunt with one number of seats."""

    games: int = 0
    heroes: int = 0
    traitor: int = 0
    places: Counter[int] = msgspec.field(default_factory=Counter)
    """Of a free-for-all: games won, by place clockwise from the revealer."""
    reasons: Counter[str] = msgspec.field(default_factory=Counter)
    why: dict[str, Counter[str]] = msgspec.field(default_factory=lambda: {side: Counter() for side in SIDES})
    by_round: dict[str, Counter[int]] = msgspec.field(default_factory=lambda: {side: Counter() for side in SIDES})
    turn_of_haunt: int = 0
    rounds: int = 0
    commands: int = 0

    def add(self, game: Played) -> None:
        self.games += 1
        self.heroes += game.winner == "heroes"
        self.traitor += game.winner in ("traitor", HOUSE)
        self.reasons[game.because] += 1
        side = stance(game.winner)
        if game.place >= 0:
            self.places[game.place] += 1
            side = SOMEBODY
            self.why.setdefault(side, Counter())
            self.by_round.setdefault(side, Counter())
        if side in self.why:
            self.why[side][game.why] += 1
            self.by_round[side][game.rounds] += 1
        self.turn_of_haunt += game.turn_of_haunt
        self.rounds += game.rounds
        self.commands += game.commands


def percent(games: int, tally: Tally) -> int:
    """So many of 100 games."""
    return round(100 * games / tally.games)


class Report:
    """What many games add up to: tallies by haunt and number of seats, and games that reached the turn limit."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.tallies: dict[tuple[str, int], Tally] = {}
        self.reached: Counter[str] = Counter()
        self.tokens: Counter[tuple[str, str]] = Counter()
        """How often each kind was placed, by haunt and kind."""
        self.unfinished: list[Played] = []

    def add(self, game: Played) -> None:
        self.tallies.setdefault((game.haunt, game.seats), Tally()).add(game)
        self.reached.update(game.reached)
        self.tokens.update({(game.haunt, token): count for token, count in game.tokens.items()})
        if not game.winner and game.turns >= TURN_LIMIT:
            self.unfinished.append(game)

    def haunts(self) -> list[str]:
        """Those that began, by id."""
        return sorted({haunt for haunt, _ in self.tallies if haunt})

    def against_heroes(self, haunt: str) -> str:
        """Who wins what the heroes of a haunt lose: `traitor`, or `house` where it has none."""
        none = self.rules.pack.haunts[haunt].kind == "no-traitor"
        return HOUSE if none and self.rules.edition.haunt.house_wins else "traitor"

    def reasons(self) -> dict[str, Counter[str]]:
        """Why the games of each haunt ended, in its own words."""
        found: dict[str, Counter[str]] = {}
        for (haunt, _), tally in self.tallies.items():
            found.setdefault(haunt, Counter()).update(tally.reasons)
        return found

    def figures(self, haunt: str) -> Playtest:
        """The haunt's figures, rounded, by the number of seats; each number was played equally often."""
        found = {str(seats): tally for (name, seats), tally in sorted(self.tallies.items()) if name == haunt}
        alone = self.rules.pack.haunts[haunt].kind == "free-for-all"
        return Playtest(
            games=min(tally.games for tally in found.values()),
            heroes={} if alone else {seats: percent(tally.heroes, tally) for seats, tally in found.items()},
            winners={
                seats: [percent(tally.places[place], tally) for place in range(int(seats))]
                for seats, tally in found.items()
                if alone
            },
            rounds={seats: round(tally.rounds / tally.games) for seats, tally in found.items()},
        )

    def never(self) -> list[str]:
        """Things in the pack that no game reached, except steps and verbs (`omenlog content reach` counts those)."""
        found = things(self.rules)
        return [
            name for topic in found if topic not in ("step", "verb") for name in found[topic] if not self.reached[name]
        ]

    def unused(self, haunt: str) -> dict[str, list[str]]:
        """What of a haunt no game used, by topic; triggers and steps only mean something if the games were watched."""
        piece = self.rules.pack.haunts[haunt]
        known = things(self.rules)
        items = [card.id for card in piece.items]
        own = [f"action haunt:{haunt}:", *(f"action card:{item}#" for item in items)]
        blocks = [f"step haunt/{haunt}#", *(f"step card/{item}#" for item in items)]
        done = [step for step in self.reached if step.startswith(tuple(blocks))]
        triggers = {
            f"{side}.on.{number}": when
            for side, number, when in _triggers(piece)
            if not any(step.startswith(f"step haunt/{haunt}#{side}.on.{number}.") for step in done)
        }
        silent = tuple(f"step haunt/{haunt}#{trigger}." for trigger in triggers)
        found = {
            "actions": [name for name in known["action"] if name.startswith(tuple(own)) and not self.reached[name]],
            "triggers": [f"{when} ({trigger})" for trigger, when in triggers.items()],
            "items": [item for item in items if not self.reached[f"card {item}"]],
            "tokens": [token.id for token in piece.tokens if not self.tokens[haunt, token.id]],
            "monsters": [kind for kind in piece.monsters if not self.reached[f"monster {haunt}:{kind}"]],
            "steps": [
                step
                for step in known["step"]
                if step.startswith(tuple(blocks)) and not self.reached[step] and not step.startswith(silent)
            ],
        }
        return {topic: [_short(name, haunt) for name in names] for topic, names in found.items()}


def _triggers(haunt: Haunt) -> Iterator[tuple[str, int, str]]:
    """The sides, numbers and moments of what a haunt's books do by themselves."""
    for side, book in haunt.books.items():
        for number, trigger in enumerate(book.on):
            yield side, number, trigger.when


def _short(name: str, haunt: str) -> str:
    """A thing without what goes without saying: `heroes#LIGHT`."""
    for prefix in (f"action haunt:{haunt}:", f"step haunt/{haunt}#", "action card:", "step card/"):
        name = name.removeprefix(prefix)
    return name


# -- for people -----------------------------------------------------------------------------------------------------------


def reasons_told(report: Report, haunt: str) -> list[str]:
    """Lines that say how often each side won, and why."""
    lines = []
    met: set[str] = set()
    alone = report.rules.pack.haunts[haunt].kind == "free-for-all"
    for side in (SOMEBODY,) if alone else SIDES:
        why: Counter[str] = Counter()
        for (name, _), tally in report.tallies.items():
            if name == haunt:
                why.update(tally.why.get(side, {}))
        met |= why.keys()
        told = ", ".join(f"{count} by {name}" for name, count in why.most_common())
        who = report.against_heroes(haunt) if side == "traitor" else side
        lines.append(f"{who} won {counted(why.total(), 'game')}{f': {told}' if told else ''}")
    meanings = [f"{name}: {text}" for name, text in WHYS.items() if name in met]
    return [f"why {haunt} was won", *lines, *([f"({'; '.join(meanings)})"] if meanings else [])]


def unused_told(report: Report, haunt: str) -> list[str]:
    """Lines that say what of a haunt was never used."""
    found = [f"{topic}: {', '.join(names)}" for topic, names in report.unused(haunt).items() if names]
    return [f"of {haunt} no game used", *found] if found else [f"of {haunt} everything was used"]


def curves(report: Report, haunt: str) -> list[str]:
    """Draw the curve of a haunt for each number of seats."""
    lines: list[str] = []
    for (name, seats), tally in sorted(report.tallies.items()):
        if name == haunt:
            lines += [
                *([""] if lines else []),
                f"{haunt}, {counted(seats, 'seat')}: games won in which round",
                *curve(tally, report.against_heroes(haunt)),
            ]
    return lines


def curve(tally: Tally, against: str = "traitor") -> list[str]:
    """Draw in which rounds of the haunt either side won: a line for each round, with a bar to the left and to the right.

    `against` is who wins what the heroes lose.
    """
    if SOMEBODY in tally.by_round:
        return _lone_curve(tally)
    heroes, traitor = (tally.by_round[side] for side in SIDES)
    rounds = sorted({*heroes, *traitor})
    if not rounds:
        return []
    most = max(*heroes.values(), *traitor.values(), 1)
    wide = BAR + 1 + len(str(most))
    lines = [f"{'heroes':>{wide}}  round  {against}"]
    for number in range(rounds[0], rounds[-1] + 1):
        left = f"{heroes[number]} {_bar(heroes[number], most)}" if heroes[number] else ""
        right = f"{_bar(traitor[number], most)} {traitor[number]}" if traitor[number] else ""
        lines.append(f"{left:>{wide}}  {number:^5}  {right}".rstrip())
    return lines


def _lone_curve(tally: Tally) -> list[str]:
    """In which rounds somebody won, and how often each place clockwise from the revealer."""
    won = tally.by_round[SOMEBODY]
    most = max(won.values())
    lines = [f"{number:^5}  {_bar(won[number], most)} {won[number]}" for number in sorted(won)]
    places = ", ".join(f"{tally.places[place]}" for place in range(max(tally.places) + 1))
    return ["round  somebody", *lines, f"by place, clockwise from the revealer: {places}"]


def _bar(count: int, most: int) -> str:
    return "█" * max(1, round(BAR * count / most))


# -- for programs ---------------------------------------------------------------------------------------------------------


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """Games of one haunt with one number of seats. `haunt` is empty where none began."""

    haunt: str
    seats: int
    games: int
    heroes: int
    """Games that they won."""
    traitor: int
    """Games that the traitor won, or in a haunt without one the house."""
    places: list[int] = []
    """Of a free-for-all: games won, by place clockwise from the revealer."""
    begins: float
    """The turn in which the haunt begins, on average, as all that follows."""
    rounds: float
    commands: float
    why: dict[str, dict[str, int]]
    """By side: how often it won for which reason (`goal`, `clock`, `deaths`, `too few out`, `step`)."""
    because: dict[str, int]
    """How often games ended with which words."""
    wins_by_round: dict[str, dict[str, int]]
    """By side, and by round of the haunt."""


class Findings(msgspec.Struct, frozen=True, kw_only=True):
    """A report as JSON."""

    rows: list[Row]
    unused: dict[str, dict[str, list[str]]]
    """By haunt, and by topic (`actions`, `triggers`, `items`, `tokens`, `monsters`, `steps`); only of haunts that were asked for."""
    never: list[str]
    """Things of the whole pack that no game reached."""
    given_up: list[str]
    """Seeds of games that came to the turn limit."""


def findings(report: Report, asked: Sequence[str]) -> Findings:
    """Put a report into plain data; `asked` are the haunts whose games were watched."""
    rows = [
        Row(
            haunt=haunt,
            seats=seats,
            games=tally.games,
            heroes=tally.heroes,
            traitor=tally.traitor,
            places=[tally.places[place] for place in range(seats)] if tally.places else [],
            begins=tally.turn_of_haunt / tally.games,
            rounds=tally.rounds / tally.games,
            commands=tally.commands / tally.games,
            why={side: dict(why) for side, why in tally.why.items()},
            because=dict(tally.reasons),
            wins_by_round={
                side: {str(number): wins[number] for number in sorted(wins)} for side, wins in tally.by_round.items()
            },
        )
        for (haunt, seats), tally in sorted(report.tallies.items())
    ]
    unused = {haunt: report.unused(haunt) for haunt in report.haunts() if haunt in asked}
    return Findings(rows=rows, unused=unused, never=report.never(), given_up=[one.seed for one in report.unfinished])
