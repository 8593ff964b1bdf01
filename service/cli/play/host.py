"""`omenlog new` and `omenlog invite`: what the host of a game does for friends who want to join."""

from __future__ import annotations

import ipaddress
import secrets
from collections.abc import Callable, Sequence
from urllib.parse import urlsplit

import httpx
import rich_click as click
from rich.text import Text

from domain.facts.audience import MAX_SEATS
from projections.naming.names import enumerated
from projections.view.packs import PackDetails
from service.bots.client import Api, ApiError, NotAToken
from service.bots.playtest import builtin_of
from service.bots.scenarios import draw_scenario
from service.cli.common import EDITION, HAUNT, SCENARIO, URL, Command, as_typed, console, own_address, say, typed
from service.cli.play.invites import HOST, REFEREE, SPECTATOR, Invite, SavedPlace, is_address, saved_places
from service.cli.play.join import first_look, unreachable
from service.cli.play.table import PATIENCE, TokenEnded
from service.games.lobby.answers import GameOpenedAnswer, InviteRotatedAnswer, SeatReplacedAnswer, SeatShown
from service.identity import CO_REFEREE, Credential
from service.settings import opening_key

OTHERS = {SPECTATOR: f"{SPECTATOR}-1", REFEREE: REFEREE, CO_REFEREE: CO_REFEREE}
"""Places that are no seats, and what their invites are called."""


def _public_option(default: str, meaning: str) -> Callable[[Command], Command]:
    return click.option("--public", metavar="URL", callback=checked_address, show_default=default, help=meaning)


def checked_address(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """An address that an invite can hold, without its final slash."""
    if value is not None and not is_address(value):
        raise click.BadParameter(
            f"invalid address {value!r} (expected one like http://192.168.1.20:8000)", context, parameter
        )
    return value and value.rstrip("/")


@click.command()
@click.option("--seats", required=True, metavar="NAMES", help="The players, separated by commas: Ann,Ben,Cleo.")
@EDITION
@HAUNT
@SCENARIO
@click.option("--pack", show_default="the edition's own", help="The id of a pack that the service offers or was sent.")
@click.option(
    "--turn-limit",
    type=click.IntRange(1, 10_000),
    metavar="TURNS",
    show_default="none",
    help="End the game without a winner after this many turns.",
)
@click.option(
    "--referee", is_flag=True, help="Print an invite for a referee, too: it sees everything, and rules on disputes."
)
@URL
@_public_option(
    "--url", "The address at which your friends reach the service, if it differs from yours; used in the invites."
)
def new(  # noqa: PLR0913 -- each is an option
    *,
    seats: str,
    edition: str,
    haunt: str,
    scenario: str,
    pack: str | None,
    turn_limit: int | None,
    referee: bool,
    url: str,
    public: str | None,
) -> None:
    """Open a game for friends, and print an invite for each.

    The service must be running: `omenlog serve` starts it. An invite is an address for one place, good once; your friend types
    `omenlog join INVITE`. The game begins when all have joined and somebody plays on this machine, which keeps the host's token.
    If the service has an opening key, set OMENLOG_OPENING_KEY to it.
    """
    names = player_names(seats)
    url = url.rstrip("/")
    try:
        with Api(url, patience=PATIENCE) as api:
            chosen = scenario or _drawn_scenario(api, pack or builtin_of(edition))
            options = {"haunt": haunt or None, "scenario": chosen or None, "turn_limit": turn_limit}
            body = {
                "edition": edition,
                "seats": [{"name": name} for name in names],
                "options": {name: value for name, value in options.items() if value is not None},
                **({"pack": pack} if pack else {}),
            }
            opened = api.send(GameOpenedAnswer, "/v1/games", opening_key(), body)
    except NotAToken as fault:
        raise click.ClickException(f"OMENLOG_OPENING_KEY: {fault}") from None
    except (httpx.TransportError, ApiError) as fault:
        if isinstance(fault, httpx.UnsupportedProtocol) or (isinstance(fault, ApiError) and not fault.unanswered):
            raise
        started = f"start it in another terminal with `omenlog serve`, or name another one with --url ({fault})"
        raise click.ClickException(as_typed(f"no service answers at {url}: {started}")) from None
    host = SavedPlace(url=url, game=opened.game.id, place=HOST, token=opened.tokens.host.secret, public=public or url)
    host.save()
    print_invites(opened, names, host.public, referee=referee)


def _drawn_scenario(api: Api, pack: str) -> str:
    """One of the scenarios of a pack, or nothing: that there is no such pack the opening says better."""
    try:
        offered = api.read(PackDetails, f"/v1/packs/{pack}").scenarios
    except ApiError as fault:
        if fault.unanswered:
            raise
        return ""
    return draw_scenario([one.id for one in offered], secrets.token_hex())


def player_names(seats: str) -> list[str]:
    names = [name.strip() for name in seats.split(",")]
    repeated = next((name for name in names if names.count(name) > 1), "")
    if "" in names:
        wrong = f"name {names.index('') + 1} of {len(names)} is empty: name every player, as in Ann,Ben,Cleo"
    elif len(names) > MAX_SEATS:
        wrong = f"{len(names)} names, but at most {MAX_SEATS} can play"
    elif repeated:
        wrong = f"{repeated} appears twice: every player needs a different name"
    else:
        return names
    raise click.BadParameter(wrong, param_hint="--seats")


def print_invites(opened: GameOpenedAnswer, names: list[str], address: str, *, referee: bool) -> None:
    """Print an invite for each place, and what to do with it."""
    places = [
        (name, str(seat), invite) for seat, (name, invite) in enumerate(zip(names, opened.invites.seats, strict=True))
    ]
    for shared in opened.invites.spectators:
        served = "a spectator" if shared.good_for == 1 else f"spectators, {shared.good_for} at most"
        places.append((served, SPECTATOR, shared))
    if referee and opened.invites.referee is not None:
        places.append(("the referee", REFEREE, opened.invites.referee))
    screen = console()
    say(f"Game {opened.game.id} is open for {enumerated(names)}.\n", screen=screen)
    say("Send each the invite that is theirs, and keep your own. Anyone with an invite can take its place, once:\n")
    for name, place, invite in places:
        say(Text(f"  {name}", style="bold"), screen=screen)
        one = Invite(url=address, game=opened.game.id, place=place, secret=invite.secret)
        click.echo(f"    {one}")  # in one piece, to be copied
    say("\nEverybody takes a place like this, on any machine with Omenlog:\n", screen=screen)
    say(f"{joining('INVITE')}\n", screen=screen)
    say("The game begins when all have joined and one of you plays on this machine.", screen=screen)
    warn_if_local(address)


def joining(arguments: str) -> str:
    """How to take a place, in a checkout and elsewhere."""
    otherwise = "" if typed() == "omenlog" else f"      (or: omenlog join {arguments})"
    return f"    {typed()} join {arguments}{otherwise}"


@click.command()
@click.argument("game")
@click.argument("place")
@_public_option(
    "as when the game was opened", "The address at which your friends reach the service; used in the invite."
)
def invite(*, game: str, place: str, public: str | None) -> None:
    """Print a new invite for a PLACE of GAME: for a friend who lost the place, or for somebody else.

    PLACE is the number of a seat or its player's name, `spectator`, `referee` or `co-referee`. The invite before stops working. Whoever has
    joined at a seat loses it at once, and the name is erased; the explorer, the cards and the past of the game stay. A referee who has joined stays.
    Works only on the host's machine, where `omenlog new` opened the game.
    """
    host = hosted(game)
    try:
        with Api(host.url, patience=PATIENCE) as api:
            chosen = None if place in OTHERS else seat_called(first_look(api, host).seats, place)
            fresh = _renew(api, host, OTHERS[place] if chosen is None else chosen)
    except httpx.TransportError as fault:
        raise unreachable(host.url, fault) from None
    except TokenEnded:
        raise click.ClickException("the host's token for this game is no longer valid") from None
    except ApiError as error:
        raise unreachable(host.url, error) if error.unanswered else click.ClickException(error.detail) from None
    address = public or host.public or host.url
    screen = console()
    if chosen is None:
        say("The invite before stops working. Here is the new one:\n", screen=screen)
    else:
        say(f"The place of {called(chosen)} is free. Anyone with this invite can take it, once:\n", screen=screen)
    seat = place if chosen is None else str(chosen.seat)
    click.echo(f"    {Invite(url=address, game=host.game, place=seat, secret=fresh.secret)}")
    if chosen is not None and chosen.claimed:
        say("\nThe name is erased; choose a new one like this:\n", screen=screen)
        say(joining("INVITE --name NAME"), screen=screen)
    warn_if_local(address)


def _renew(api: Api, host: SavedPlace, place: SeatShown | str) -> Credential:
    path = f"/v1/games/{host.game}"
    if isinstance(place, SeatShown) and place.claimed:
        return api.send(SeatReplacedAnswer, f"{path}/seats/{place.seat}/replace", host.token).invite
    name = f"seat-{place.seat}" if isinstance(place, SeatShown) else place
    return api.send(InviteRotatedAnswer, f"{path}/invites/invite-{name}/rotate", host.token).invite


def hosted(game: str) -> SavedPlace:
    """The host's place of a game that was opened here, by the beginning of its id."""
    found = [one for one in saved_places() if one.place == HOST and one.game.startswith(game)]
    if not found:
        raise click.UsageError(f"you did not open game {game} on this machine, and only its host can reassign a seat")
    if len(found) > 1:
        raise click.UsageError(f"several of your games begin like this: {', '.join(one.game for one in found)}")
    return found[0]


def seat_called(seats: Sequence[SeatShown], name: str) -> SeatShown:
    """A seat by its number or its player's name."""
    for one in seats:
        if name.casefold() in (str(one.seat), one.name.casefold()):
            return one
    raise click.UsageError(f"the game has no seat {name!r}; there are {enumerated([called(one) for one in seats])}")


def called(seat: SeatShown) -> str:
    """A seat for people: `Ben (seat 1)`."""
    return f"{seat.name} (seat {seat.seat})" if seat.name else f"seat {seat.seat}"


def warn_if_local(address: str) -> None:
    """If only this machine can reach the service, explain how friends elsewhere can."""
    asked = urlsplit(address)
    if not is_loopback(asked.hostname or ""):
        return
    port = asked.port or 80
    mine = own_address() or "THIS-MACHINE"
    say(
        "\nThese invites work on this machine only. For friends in your network, start the service with "
        f"`omenlog serve --host 0.0.0.0 --port {port}` and open the game with `--public http://{mine}:{port}`; for friends elsewhere, "
        "use the address of a tunnel to this port."
    )


def is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
