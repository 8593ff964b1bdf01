"""`omenlog new` and `omenlog invite`: what the host of a game does for friends who are to join it."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Sequence
from urllib.parse import urlsplit

import httpx
import msgspec
import rich_click as click
from rich.text import Text

from domain.editions import EDITIONS
from domain.facts.audience import MAX_SEATS
from projections.naming.names import enumerated
from service.bots.client import Api, NotAToken, Refusal
from service.cli.screen import as_typed, console, say, typed
from service.cli.table.places import HOST, SPECTATOR, Invite, Place, is_address, places
from service.cli.table.play import first_look, nobody
from service.cli.table.screen import PATIENCE, TokenEnded
from service.games.lobby.answers import GameOpenedAnswer, SeatReplacedAnswer, SeatShown
from service.settings import opening_key

URL = "http://127.0.0.1:8000"


def checked_address(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """An address that can stand in an invite, without a slash at its end.

    Raises:
        click.BadParameter: it can't.
    """
    if value is not None and not is_address(value):
        raise click.BadParameter(
            f"{value!r} is no address of a service, as http://192.168.1.20:8000 is", context, parameter
        )
    return value and value.rstrip("/")


@click.command()
@click.option("--seats", required=True, metavar="NAMES", help="Who plays, with commas: Ann,Ben,Cleo.")
@click.option("--edition", default="second", type=click.Choice(list(EDITIONS)), help="Third: exploration only.")
@click.option("--haunt", default="", show_default="as the chart says", help="The haunt to play, by its id.")
@click.option(
    "--turn-limit",
    type=click.IntRange(1, 10_000),
    metavar="TURNS",
    show_default="none",
    help="The game ends without a winner after this many turns.",
)
@click.option("--url", default=URL, help="The service.")
@click.option(
    "--public",
    metavar="URL",
    callback=checked_address,
    show_default="--url",
    help="How your friends reach the service, if it is otherwise than you do: the address in the invites.",
)
def new(*, seats: str, edition: str, haunt: str, turn_limit: int | None, url: str, public: str | None) -> None:
    """Open a game for friends, and print an invite for each.

    The service must run: `omenlog serve` starts it. An invite is an address for one place, good once; who has it types
    `omenlog join INVITE`. The game begins when all have joined and somebody plays on this machine, which keeps the host's token.
    Where the service has an opening key, OMENLOG_OPENING_KEY holds it.
    """
    names = named(seats)
    options = {"haunt": haunt or None, "turn_limit": turn_limit}
    body = {
        "edition": edition,
        "seats": [{"name": name} for name in names],
        "options": {name: value for name, value in options.items() if value is not None},
    }
    url = url.rstrip("/")
    try:
        with Api(url, patience=PATIENCE) as api:
            answer = api.post("/v1/games", opening_key(), body)
    except NotAToken as fault:
        raise click.ClickException(f"OMENLOG_OPENING_KEY: {fault}") from None
    except (httpx.TransportError, Refusal) as fault:
        if isinstance(fault, httpx.UnsupportedProtocol) or (isinstance(fault, Refusal) and not fault.unanswered):
            raise
        started = f"start it in another terminal with `omenlog serve`, or name another one with --url ({fault})"
        raise click.ClickException(as_typed(f"no service answers at {url}: {started}")) from None
    opened = msgspec.json.decode(answer, type=GameOpenedAnswer)
    host = Place(url=url, game=opened.game.id, place=HOST, token=opened.tokens.host.secret, public=public or url)
    host.keep()
    tell_invites(opened, names, host.public)


def named(seats: str) -> list[str]:
    """The names of the players.

    Raises:
        click.BadParameter: one is empty or stands there twice, or there are too many.
    """
    names = [name.strip() for name in seats.split(",")]
    if "" in names:
        raise click.BadParameter(
            f"name {names.index('') + 1} of {len(names)} is empty: say who plays, as in Ann,Ben,Cleo",
            param_hint="--seats",
        )
    if len(names) > MAX_SEATS:
        raise click.BadParameter(f"{len(names)} names, and at most {MAX_SEATS} can play", param_hint="--seats")
    twice = next((name for name in names if names.count(name) > 1), "")
    if twice:
        raise click.BadParameter(f"{twice} stands there twice: everybody needs another name", param_hint="--seats")
    return names


def tell_invites(opened: GameOpenedAnswer, names: list[str], address: str) -> None:
    """Print an invite for each place, and what to do with it."""
    game = opened.game.id
    found = [
        (name, Invite(url=address, game=game, place=str(seat), secret=invite.secret))
        for seat, (name, invite) in enumerate(zip(names, opened.invites.seats, strict=True))
    ]
    found += [
        ("a spectator", Invite(url=address, game=game, place=SPECTATOR, secret=one.secret))
        for one in opened.invites.spectators
    ]
    screen = console()
    say(f"Game {game} is open for {enumerated([name for name, _ in found[: len(names)]])}.\n", screen=screen)
    say("Send each the invite that is theirs, and keep your own. Whoever has an invite can take its place, once:\n")
    for name, invite in found:
        say(Text(f"  {name}", style="bold"), screen=screen)
        click.echo(f"    {invite}")  # in one piece, to be copied
    say("\nEverybody takes a place like this, on any machine with Omenlog:\n", screen=screen)
    say(f"{joining('INVITE')}\n", screen=screen)
    say("The game begins when all have joined and one of you plays on this machine.", screen=screen)
    if reached(address):
        say(reached(address), screen=screen)


def joining(arguments: str) -> str:
    """How a place is taken, in a checkout and elsewhere."""
    otherwise = "" if typed() == "omenlog" else f"      (or: omenlog join {arguments})"
    return f"    {typed()} join {arguments}{otherwise}"


@click.command()
@click.argument("game")
@click.argument("seat")
@click.option(
    "--public",
    metavar="URL",
    callback=checked_address,
    show_default="as the game was opened",
    help="How your friends reach the service: the address in the invite.",
)
def invite(*, game: str, seat: str, public: str | None) -> None:
    """Print a new invite for a SEAT of GAME: for a friend who has lost the place, or for somebody else.

    SEAT is a number or the player's name. Whoever holds the seat loses it at once, and the name is erased; the explorer, the cards and
    all that has happened stay. Only the host can do so: on the machine where `omenlog new` opened the game.
    """
    host = hosted(game)
    try:
        with Api(host.url, patience=PATIENCE) as api:
            facts = first_look(api, host)
            chosen = seat_called(facts.seats, seat)
            if not chosen.claimed:
                unused = f"nobody has joined as {called(chosen)} yet: the invite that `omenlog new` printed still holds"
                raise click.ClickException(as_typed(unused))
            answer = api.post(f"/v1/games/{host.game}/seats/{chosen.seat}/replace", host.token)
    except httpx.TransportError as fault:
        raise nobody(host.url, fault) from None
    except TokenEnded:
        raise click.ClickException("the host's token for this game holds no longer") from None
    except Refusal as refusal:
        raise nobody(host.url, refusal) if refusal.unanswered else click.ClickException(refusal.detail) from None
    secret = msgspec.json.decode(answer, type=SeatReplacedAnswer).invite.secret
    address = public or host.public or host.url
    screen = console()
    say(f"The place of {called(chosen)} is free. Whoever has this invite can take it, once:\n", screen=screen)
    click.echo(f"    {Invite(url=address, game=host.game, place=str(chosen.seat), secret=secret)}")
    say("\nThe name is erased; a new one is said like this:\n", screen=screen)
    say(joining("INVITE --name NAME"), screen=screen)
    if reached(address):
        say(reached(address), screen=screen)


def hosted(game: str) -> Place:
    """The host's place of a game that was opened here; the beginning of its id is enough.

    Raises:
        click.UsageError: there is none, or there are several.
    """
    found = [one for one in places() if one.place == HOST and one.game.startswith(game)]
    if not found:
        raise click.UsageError(
            f"you did not open game {game} on this machine: only its host can give a seat to somebody else"
        )
    if len(found) > 1:
        raise click.UsageError(f"you opened several such games: {', '.join(one.game for one in found)}")
    return found[0]


def seat_called(seats: Sequence[SeatShown], name: str) -> SeatShown:
    """A seat by its number or its player's name.

    Raises:
        click.UsageError: there is none.
    """
    for one in seats:
        if name.casefold() in (str(one.seat), one.name.casefold()):
            return one
    raise click.UsageError(f"the game has no seat {name!r}: there are {enumerated([called(one) for one in seats])}")


def called(seat: SeatShown) -> str:
    """A seat, for people: `Ben (seat 1)`."""
    return f"{seat.name} (seat {seat.seat})" if seat.name else f"seat {seat.seat}"


def reached(address: str) -> str:
    """How friends elsewhere reach a service that only this machine does; empty where that is not asked."""
    asked = urlsplit(address)
    if not is_loopback(asked.hostname or ""):
        return ""
    port = asked.port or 80
    mine = own_address() or "THIS-MACHINE"
    return (
        "\nThese invites hold on this machine alone. For friends in your network, start the service with "
        f"`omenlog serve --host 0.0.0.0 --port {port}` and open the game with `--public http://{mine}:{port}`; for friends elsewhere, "
        "with the address that a tunnel to this port has."
    )


def is_loopback(host: str) -> bool:
    """Whether only this machine is meant."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def own_address() -> str:
    """This machine's address in its network, as far as it can be told without asking anybody; or nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # a datagram socket sends nothing by connecting
            return str(probe.getsockname()[0])
        except OSError:
            return ""
