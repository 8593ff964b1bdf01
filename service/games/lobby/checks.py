"""Checks before a game opens: edition, pack, seats, options, setup and tape must fit, and no two names may look alike."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from content.errors import did_you_mean
from content.ledger import no_rule
from content.load.offers import Offered
from content.lookalikes import UNICODE, looks, shows, unassigned
from domain.editions import EDITIONS
from domain.engine.external import EXTERNAL
from domain.engine.rules import Rules
from domain.engine.tables import Tables
from domain.facts.refusal import Refused
from service.log.requests import MOST_SPECTATORS, OpenGame, Options, Randomness, Setup, TapeChance
from service.problems import FieldError, ProblemError, cited


def check_name(name: str, others: Mapping[int, str], where: str) -> None:
    """Check that a name can be told from those of other seats; `where` points to it in the request.

    Raises `Refused` (`name-taken`), or `invalid-body` for characters that show nothing and stand beyond what a pattern can name, and for
    code points that are no characters.
    """
    point = unassigned(name)
    if point or not shows(name):
        unknown = f"{point} is not a character of Unicode {UNICODE}: it is unassigned, or for private use."
        detail = unknown if point else "Something in it shows nothing."
        raise ProblemError("invalid-body", f"{where}: {detail}", errors=[FieldError(where, detail)])
    mine = looks(name)
    for seat, other in others.items():
        if mine & looks(other):
            same = "that name" if name == other else "a name that looks the same"
            detail = f"Seat {seat} has {same}: choose another."
            raise Refused(detail, problem="name-taken", errors=[(where, detail)])


DECKS = ("tiles", "event", "item", "omen")
"""What a setup can prepare the top of."""


def choose_pack(offers: Mapping[str, Offered], asked: OpenGame) -> Offered:
    """The pack that the game is to be played with. Raises `unknown-edition` or `unknown-pack`."""
    if asked.edition not in EDITIONS:
        raise _problem("unknown-edition", "/edition", f"Played here: {', '.join(EDITIONS)}.")
    edition = EDITIONS[asked.edition]
    fitting = [one for one in offers.values() if edition.plays(one.pack.head.edition)]
    if asked.pack is not None:
        fitting = [one for one in fitting if one.name == asked.pack]
    if not fitting:
        offered = [f"{name} ({one.pack.head.edition})" for name, one in offers.items()]
        raise _problem("unknown-pack", "/pack", f"Offered here: {', '.join(offered)}.")
    return fitting[0]


def check_opening(rules: Rules, asked: OpenGame) -> None:
    """Check everything that the pack and the edition have a say in.

    Raises `unfit-seats`, `unknown-character`, `character-taken`, `unfit-options`, `unfit-setup`, `unfit-tape`, or `Refused` (`name-taken`).
    """
    players = rules.pack.head.players
    if not players[0] <= len(asked.seats) <= players[-1]:
        detail = f"This pack seats {players[0]} to {players[-1]}, not {len(asked.seats)}."
        raise _problem("unfit-seats", "/seats", detail)
    check_characters(rules, [seat.character or "" for seat in asked.seats])
    names: dict[int, str] = {}
    for seat, wish in enumerate(asked.seats):
        if wish.name is not None:
            check_name(wish.name, names, f"/seats/{seat}/name")
            names[seat] = wish.name
    _check_options(rules, asked.options)
    invites, each = asked.for_spectators
    if invites * each > MOST_SPECTATORS:
        detail = (
            f"{invites} invites for {each} each are more than the {MOST_SPECTATORS} spectators that a game can invite."
        )
        raise _problem("unfit-options", "/spectators_per_invite", detail)
    if asked.hotseat and asked.spectators_per_invite is not None:
        detail = "A hotseat has tokens in place of invites: leave it out."
        raise _problem("unfit-options", "/spectators_per_invite", detail)
    if asked.setup is not None:
        _check_setup(rules.pack, asked.setup, len(asked.seats))
    check_tape(asked.randomness)


def check_tape(randomness: Randomness) -> None:
    """Check the answers of a tape, if it is one. Raises `unfit-tape`."""
    if isinstance(randomness, TapeChance):
        for index, answer in enumerate(randomness.answers):
            if bool(answer.faces) == bool(answer.pick):
                where = f"/randomness/answers/{index}"
                raise _problem("unfit-tape", where, "An answer has either faces or a pick.")


def check_characters(rules: Rules, wishes: Sequence[str]) -> None:
    """Check the explorers that seats ask for: they exist, and no two are on one card (2E-SETUP-002)."""
    known = rules.pack.explorers
    for seat, wish in enumerate(wishes):
        where = f"/seats/{seat}/character"
        if wish and wish not in known:
            raise _problem("unknown-character", where, f"This pack has no explorer {wish}{_near(wish, known)}")
        if wish and any(earlier in (wish, known[wish].other_side) for earlier in wishes[:seat]):
            detail = f"Another seat has {wish}, or the other side of its card."
            raise _problem("character-taken", where, detail, rules.cite.explorer_choice)


def _no_ruling(alternatives: Mapping[str, Mapping[str, str]], piece: str, name: str) -> str:
    if piece not in alternatives:
        offered = ", ".join(alternatives) or "nothing in this pack"
        return (
            f"There is nothing to be chosen for {piece}{_near(piece, alternatives)} Rulings are offered for {offered}."
        )
    near, found = _near(name, alternatives[piece]), alternatives[piece].items()
    offered = "; ".join(f"{one} ({text.rstrip('.')})" for one, text in found)
    return f"{piece} has no ruling {name}{near} It has {offered}; left out, the pack's own holds."


def _unfit_options(place: str, detail: str, rule: str = "") -> ProblemError:
    return _problem("unfit-options", f"/options/{place}", detail, rule)


def _check_scenario(rules: Rules, scenario: str | None) -> None:
    if scenario is not None and scenario not in rules.pack.scenarios:
        offered = ", ".join(rules.pack.scenarios) or "none"
        detail = f"There is no scenario {scenario}{_near(scenario, rules.pack.scenarios)} This pack has {offered}."
        raise _unfit_options("scenario", detail, rules.cite.scenario)


def _check_known_haunts(rules: Rules, played: Sequence[str | int]) -> None:
    if played and not rules.cite.known_haunt:
        detail = (
            f"The {rules.edition.id} edition has no rule for haunts that the group knows: leave `known_haunts` out."
        )
        raise _unfit_options("known_haunts", detail, rules.cite.haunt_chart)
    for index, one in enumerate(played):
        if one not in rules.pack.haunts and str(one) not in rules.pack.chart.haunts:
            near = _near(str(one), rules.pack.haunts)
            detail = f"{one} is neither a haunt of this pack nor a number of its chart{near}"
            raise _unfit_options(f"known_haunts/{index}", detail)


def _check_haunt(rules: Rules, options: Options) -> None:
    haunts = [*rules.pack.haunts, *([EXTERNAL] if rules.pack.chart.traitors else [])]
    if options.haunt is not None and options.haunt not in haunts:
        offered = ", ".join(haunts) or "none"
        detail = f"There is no haunt {options.haunt}{_near(options.haunt, haunts)} Haunts of this pack: {offered}."
        raise _unfit_options("haunt", detail)
    if options.consent is not None and options.haunt != EXTERNAL:
        raise _unfit_options("consent", "Only where `haunt` is `external` something is consented to.")


def _check_options(rules: Rules, options: Options) -> None:
    _check_haunt(rules, options)
    _check_scenario(rules, options.scenario)
    chosen = options.disputes
    if chosen is not None and chosen.turns is not None and (chosen.pause or chosen.seconds is not None):
        why = "while play pauses no turn begins" if chosen.pause else "a dispute has one deadline"
        raise _unfit_options("disputes/turns", f"Leave `turns` out, or give `seconds` alone: {why}.")
    if chosen is not None and chosen.pauses is not None and not chosen.pause:
        raise _unfit_options("disputes/pauses", "Leave `pauses` out, or let disputes `pause` play.")
    for piece, named in options.rulings.items():
        several = [("", named)] if isinstance(named, str) else [(f"/{at}", one) for at, one in enumerate(named)]
        for place, name in several:
            if name not in rules.pack.alternatives.get(piece, {}):
                why = _no_ruling(rules.pack.alternatives, piece, name)
                raise _unfit_options(f"rulings/{piece}{place}", why)
    _check_known_haunts(rules, options.known_haunts)
    if options.reading_out != "on-demand" and not rules.cite.part_used:
        detail = f"The {rules.edition.id} edition has no rule for reading parts of the books out: leave it out."
        raise _unfit_options("reading_out", detail)
    for index, ruling in enumerate(options.house_rulings):
        if detail := no_rule(ruling.rule, rules.edition.rules_of()):
            raise _unfit_options(f"house_rulings/{index}/rule", detail, rules.cite.table_ruling)


def _check_setup(pack: Tables, setup: Setup, seats: int) -> None:
    if setup.first_seat is not None and setup.first_seat >= seats:
        raise _problem("unfit-setup", "/setup/first_seat", f"The game has the seats 0 to {seats - 1}.")
    for deck in DECKS:
        faces: list[str] = getattr(setup, deck) or []
        for index, face in enumerate(faces):
            where = f"/setup/{deck}/{index}"
            if face not in pack.decks[deck]:
                raise _problem("unfit-setup", where, f"{face} is not in that stack{_near(face, pack.decks[deck])}")
            if face in faces[:index]:
                raise _problem("unfit-setup", where, f"{face} is there only once.")


def _near(written: str, known: Iterable[str]) -> str:
    """The end of a sentence about an unknown name: which one was probably meant."""
    near = did_you_mean(written, known)
    return f": {near}" if near else "."


def _problem(code: str, pointer: str, detail: str, rule: str = "") -> ProblemError:
    return ProblemError(code, detail, errors=[FieldError(pointer, detail)], rule=cited(rule))
