"""`omenlog join` and `omenlog play`: a game with friends, each at a terminal of their own."""

from __future__ import annotations

import secrets
import sys

import httpx
import msgspec
import rich_click as click

from projections.naming.names import counted
from service.bots.brain import Memory
from service.bots.brains import BRAINS
from service.bots.client import Api, Refusal
from service.bots.runner import Player, Runner
from service.cli.screen import as_typed, console, say, typed
from service.cli.table.places import HOST, REFEREE, SPECTATOR, Invite, NoInvite, Place, place_in, places, read_invite
from service.cli.table.screen import PATIENCE, Left, Table, TokenEnded
from service.cli.table.typing import Lines
from service.cli.watching import Watcher
from service.games.lobby.answers import GameShown, SeatClaimedAnswer
from service.log.recorded import rules_built_in

INTERRUPTED = 130

BOT = click.option(
    "--bot",
    type=click.Choice(list(BRAINS)),
    default=None,
    show_default="you play",
    help="Let a built-in bot play in your place.",
)


@click.command()
@click.argument("invite")
@click.option("--name", default="", show_default="as the host wrote it", help="What the others call you.")
@click.option("--character", default="", show_default="one that is left", help="The explorer to play, by its id.")
@BOT
def join(*, invite: str, name: str, character: str, bot: str | None) -> None:
    """Take the place that an INVITE is for, and play.

    The token that holds your place is kept in a file that only you can read, in $XDG_STATE_HOME/omenlog; `omenlog play` finds it there,
    so that you can leave the table and come back.
    """
    try:
        asked = read_invite(invite)
    except NoInvite as fault:
        raise click.UsageError(str(fault)) from None
    place = place_in(asked.game, asked.place)
    if place is None or ended(place):
        place = claimed(asked, name, character)
        place.keep()
    sit(place, bot)


def ended(place: Place) -> bool:
    """Whether a place's token holds no longer: its seat was given away, perhaps to whoever has a new invite for it."""
    try:
        with Api(place.url, patience=PATIENCE) as api:
            first_look(api, place)
    except TokenEnded:
        return True
    except (click.ClickException, Refusal):
        pass  # that is told by whoever sits down
    return False


def claimed(invite: Invite, name: str, character: str) -> Place:
    """Exchange an invite for a place.

    Raises:
        click.ClickException: it can't be had.
    """
    path = f"/v1/games/{invite.game}"
    body: dict[str, object] = {"invite": invite.secret}
    if invite.place in (SPECTATOR, REFEREE):
        path += f"/{invite.place}{'s' if invite.place == SPECTATOR else ''}"
    else:
        path += f"/seats/{invite.place}/claim"
        said = {"name": name, "character": character}
        body |= {"entropy": secrets.token_urlsafe(24), **{key: value for key, value in said.items() if value}}
    try:
        with Api(invite.url, patience=PATIENCE) as api:
            try:
                got = api.post(path, body=body)
            except Refusal as refusal:
                if refusal.code != "seat-taken" or character:
                    raise
                del body["entropy"]  # of a seat that was taken from its player it is fixed
                got = api.post(path, body=body)
            answer = msgspec.json.decode(got, type=SeatClaimedAnswer)
            facts = msgspec.json.decode(api.get(f"/v1/games/{invite.game}", answer.token.secret), type=GameShown)
    except (httpx.TransportError, Refusal) as fault:
        if isinstance(fault, Refusal) and not fault.unanswered:
            unfit = fault.code == "invalid-body" and "$.invite" in fault.detail  # cut off by pasting
            told = USED if unfit else REFUSED.get(fault.code, fault.detail)
            raise click.ClickException(as_typed(told)) from None
        raise click.ClickException(
            f"nobody answers at {invite.url} ({fault}). Ask whoever sent the invite whether the service runs, and is reached there"
        ) from None
    called = name or (facts.seats[int(invite.place)].name if invite.place.isdecimal() else "")
    return Place(url=invite.url, game=invite.game, place=invite.place, name=called, token=answer.token.secret)


USED = (
    "this invite does not hold: it was used already, was replaced by a new one, or is not whole. If it was you who used it, on another "
    "machine or as another user, play there; else ask the host for a new one (`omenlog invite`)"
)
REFUSED = {
    "invite-refused": USED,
    "not-found": "the service has no such game: the invite is not whole, or the game is gone",
    "seat-taken": USED,
    "game-over": "this game is over",
    "not-open": "this game takes nobody in any more: it has begun, or is over",
}
"""What an invite can't do, in words for whoever got it."""


@click.command()
@click.argument("game", default="")
@click.option(
    "--as",
    "who",
    metavar="NAME",
    show_default="your only one",
    help="Which of your places: a player's name, or a seat's number.",
)
@BOT
def play(*, game: str, who: str | None, bot: str | None) -> None:
    """Sit down at a table again: at that of GAME, or at the only one that you have.

    Shown are what has happened, the house, your cards, and what you can do, with numbers to choose by; then the others are waited for.
    You may leave at any time with q or Ctrl-C: nothing is lost, and nobody plays for you meanwhile.
    """
    sit(chosen(places(), game, who), bot)


def chosen(found: list[Place], game: str, who: str | None) -> Place:
    """The place that is meant.

    Raises:
        click.UsageError: there is none, or there are several.
    """
    meant = [one for one in found if one.game.startswith(game)] if game else [one for one in found if not one.over]
    if who is not None:
        meant = [one for one in meant if who.lower() in (one.name.lower(), one.place, f"seat:{one.place}")]
    sitting = [one for one in meant if one.place != HOST] or meant
    if len(sitting) == 1:
        return sitting[0]
    if not sitting:
        where = f" in game {game}" if game else ""
        called = f" as {who}" if who is not None else ""
        raise click.UsageError(as_typed(f"you have no place{where}{called}: `omenlog join INVITE` takes one"))
    ways = "\n".join(f"  {typed()} play {one.game} --as {one.name or one.place}" for one in sitting)
    raise click.UsageError(f"you have {counted(len(sitting), 'place')}; say which:\n{ways}")


def sit(place: Place, bot: str | None) -> None:
    """Play until the game is over, or the player leaves.

    Raises:
        click.ClickException: the place can't be had any more.
    """
    back = f"`omenlog play {place.game}{f' --as {place.name or place.place}' if place.seat is not None else ''}` takes you back."
    try:
        with Api(place.url, patience=PATIENCE) as api:
            over = by_bot(api, place, bot) if bot else by_hand(api, place)
    except Left as left:
        say(f"{left}. {back}")
        sys.exit(left.code)
    except KeyboardInterrupt:
        say(f"\nYou have left the table. {back}")
        sys.exit(INTERRUPTED)
    except TokenEnded:
        raise click.ClickException(
            as_typed(
                "your place was given to somebody else, or its token has run out: ask the host for a new invite (`omenlog invite`)"
            )
        ) from None
    except Refusal as refusal:
        gone = f"{place.url} has no game {place.game} any more"
        raise click.ClickException(gone if refusal.status == httpx.codes.NOT_FOUND else refusal.detail) from None
    if over:
        for one in places():
            if one.game == place.game:
                msgspec.structs.replace(one, over=True).keep()


def by_hand(api: Api, place: Place) -> bool:
    """Play at the terminal; returns whether the game is over.

    Raises:
        click.ClickException: the game's pack isn't built in here.
    """
    facts = first_look(api, place)
    rules = rules_built_in(facts.pack_digest, facts.edition)
    if rules is None:
        raise click.ClickException(
            f"the game is played with another pack {facts.pack} than is built in here: take the version of Omenlog that the service has"
        )
    return Table(api, place, facts, rules, Lines(sys.stdin.fileno())).play() != ""


def first_look(api: Api, place: Place) -> GameShown:
    """The game's facts, as the holder of a place is told them.

    Raises:
        click.ClickException: nobody answers.
        TokenEnded: the token holds no longer.
        Refusal: the service refuses for another reason.
    """
    path = f"/v1/games/{place.game}"
    try:
        api.get(f"{path}/events", place.token, limit=1)  # the facts are told to anybody, whatever the token
        return msgspec.json.decode(api.get(path, place.token), type=GameShown)
    except httpx.TransportError as fault:
        raise nobody(place.url, fault) from None
    except Refusal as refusal:
        if refusal.status == httpx.codes.UNAUTHORIZED:
            raise TokenEnded from refusal
        if refusal.unanswered:
            raise nobody(place.url, refusal) from None
        raise


def nobody(url: str, fault: Exception) -> click.ClickException:
    """What is told where no service answers."""
    return click.ClickException(f"nobody answers at {url}: the service does not run, or is reached elsewhere ({fault})")


def by_bot(api: Api, place: Place, bot: str) -> bool:
    """Let a bot play; returns whether the game is over."""
    if place.seat is None:
        raise click.UsageError("a bot needs a seat")
    player = Player(place.seat, place.token, BRAINS[bot], Memory(seed=place.token))
    with Watcher(console()) as watcher:
        ended = Runner(api, place.game, [player], watch=watcher.step).play()
    won = f"{ended.winner} won" if ended.winner else "nobody won"
    say(f"{ended.status}: {won}. {ended.because}")
    return True
