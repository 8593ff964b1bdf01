"""`omenlog join` and `omenlog play`: take a place in a game with friends, and play it."""

from __future__ import annotations

import secrets
import sys

import httpx
import msgspec
import rich_click as click

from projections.naming.names import counted
from service.bots.brain import Memory
from service.bots.brains import BRAINS
from service.bots.client import Api, ApiError, Player
from service.cli.common import as_typed, console, say, typed
from service.cli.play.invites import (
    HOST,
    REFEREE,
    SPECTATOR,
    Invite,
    NotAnInvite,
    SavedPlace,
    read_invite,
    saved_place,
    saved_places,
)
from service.cli.play.prompts import Lines
from service.cli.play.show import play_by_bots
from service.cli.play.table import PATIENCE, PlayerLeft, TableScreen, TokenEnded
from service.games.lobby.answers import GameShown, SeatClaimedAnswer
from service.log.recorded import rules_built_in

INTERRUPTED = 130
USED = (
    "this invite is not valid: it was used already, was replaced by a new one, or is incomplete. If you used it yourself on another "
    "machine or as another user, play there; otherwise ask the host for a new one (`omenlog invite`)"
)
REFUSED = {
    "invite-refused": USED,
    "not-found": "the service has no such game: the invite is incomplete, or the game is gone",
    "seat-taken": USED,
    "game-over": "this game is over",
    "not-open": "nobody can join this game any more: it has begun, or is over",
}
"""Why an invite was refused, in words for its owner, by the code of the error."""

BOT = click.option(
    "--bot", type=click.Choice(list(BRAINS)), default=None, show_default="you play", help="Let a bot play your seat."
)


@click.command()
@click.argument("invite")
@click.option("--name", default="", show_default="as the host wrote it", help="Your name at the table.")
@click.option("--character", default="", show_default="any that is left", help="The id of the explorer to play.")
@BOT
def join(*, invite: str, name: str, character: str, bot: str | None) -> None:
    """Take the place that an INVITE offers, and play.

    The token for your place is kept in a file that only you can read, in $XDG_STATE_HOME/omenlog. `omenlog play` finds it there, so you
    can leave the table and come back.
    """
    try:
        asked = read_invite(invite)
    except NotAnInvite as fault:
        raise click.UsageError(str(fault)) from None
    place = saved_place(asked.game, asked.place)
    if place is None or token_ended(place):
        place = claim(asked, name, character)
        place.save()
    sit_down(place, bot)


def token_ended(place: SavedPlace) -> bool:
    """Whether a place's token is no longer valid because its seat was reassigned, perhaps by a new invite for it."""
    try:
        with Api(place.url, patience=PATIENCE) as api:
            first_look(api, place)
    except TokenEnded:
        return True
    except (click.ClickException, ApiError):
        pass  # sitting down will report it
    return False


def claim(invite: Invite, name: str, character: str) -> SavedPlace:
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
                answer = api.send(SeatClaimedAnswer, path, body=body)
            except ApiError as error:
                if error.code != "seat-taken" or character:
                    raise
                del body["entropy"]  # a reassigned seat keeps that of its first player
                answer = api.send(SeatClaimedAnswer, path, body=body)
            facts = api.read(GameShown, f"/v1/games/{invite.game}", answer.token.secret)
    except (httpx.TransportError, ApiError) as fault:
        if isinstance(fault, ApiError) and not fault.unanswered:
            cut_off = fault.code == "invalid-body" and "/invite" in fault.detail
            told = USED if cut_off else REFUSED.get(fault.code, fault.detail)
            raise click.ClickException(as_typed(told)) from None
        raise click.ClickException(
            f"nobody answers at {invite.url} ({fault}). Ask the sender of the invite whether the service is running and reachable there"
        ) from None
    own_name = name or (facts.seats[int(invite.place)].name if invite.place.isdecimal() else "")
    return SavedPlace(url=invite.url, game=invite.game, place=invite.place, name=own_name, token=answer.token.secret)


@click.command()
@click.argument("game", default="")
@click.option(
    "--as", "who", metavar="NAME", show_default="your only one", help="Which of your places: a player's name or a seat."
)
@BOT
def play(*, game: str, who: str | None, bot: str | None) -> None:
    """Return to a table: that of GAME, or the only one that you have.

    Shows what has happened, the house, your cards and your choices by number, then waits for the others. You may leave at any
    time with q or Ctrl-C: nothing is lost, and nobody plays for you meanwhile.
    """
    sit_down(choose_place(saved_places(), game, who), bot)


def choose_place(found: list[SavedPlace], game: str, who: str | None) -> SavedPlace:
    meant = [one for one in found if one.game.startswith(game)] if game else [one for one in found if not one.over]
    if who is not None:
        meant = [one for one in meant if who.lower() in (one.name.lower(), one.place, f"seat:{one.place}")]
    sitting = [one for one in meant if one.place != HOST] or meant
    if len(sitting) == 1:
        return sitting[0]
    if not sitting:
        where = f" in game {game}" if game else ""
        name = f" as {who}" if who is not None else ""
        raise click.UsageError(as_typed(f"you have no place{where}{name}: take one with `omenlog join INVITE`"))
    ways = "\n".join(f"  {typed()} play {one.game} --as {one.name or one.place}" for one in sitting)
    raise click.UsageError(f"you have {counted(len(sitting), 'place')}; choose one:\n{ways}")


def sit_down(place: SavedPlace, bot: str | None) -> None:
    """Play until the game is over, or the player leaves."""
    back = f"`omenlog play {place.game}{f' --as {place.name or place.place}' if place.seat is not None else ''}` takes you back."
    try:
        with Api(place.url, patience=PATIENCE) as api:
            over = by_bot(api, place, bot) if bot else by_hand(api, place)
    except PlayerLeft as left:
        say(f"{left}. {back}")
        sys.exit(left.code)
    except KeyboardInterrupt:
        say(f"\nYou have left the table. {back}")
        sys.exit(INTERRUPTED)
    except TokenEnded:
        gone = "your place was given to somebody else, or its token has expired: ask the host for a new invite (`omenlog invite`)"
        raise click.ClickException(as_typed(gone)) from None
    except ApiError as error:
        gone = f"{place.url} has no game {place.game} any more"
        raise click.ClickException(gone if error.status == httpx.codes.NOT_FOUND else error.detail) from None
    if over:
        for one in saved_places():
            if one.game == place.game:
                msgspec.structs.replace(one, over=True).save()


def by_hand(api: Api, place: SavedPlace) -> bool:
    """Play at the terminal; returns whether the game ended."""
    facts = first_look(api, place)
    rules = rules_built_in(facts.pack_digest, facts.edition)
    if rules is None:
        raise click.ClickException(
            f"this version of Omenlog has another pack {facts.pack} than the game: use the service's version"
        )
    return TableScreen(api, place, facts, rules, Lines(sys.stdin.fileno())).play() != ""


def by_bot(api: Api, place: SavedPlace, bot: str) -> bool:
    """Let a bot play; returns whether the game ended."""
    if place.seat is None:
        raise click.UsageError("a bot needs a seat")
    player = Player(place.seat, place.token, BRAINS[bot], Memory(seed=place.token))
    say(str(play_by_bots(api, place.game, [player], console())))
    return True


def first_look(api: Api, place: SavedPlace) -> GameShown:
    """The game's facts. Raises TokenEnded if the place's token is no longer valid, and a ClickException if nobody answers."""
    path = f"/v1/games/{place.game}"
    try:
        api.get(f"{path}/events", place.token, limit=1)  # the facts are public, whatever the token
        return api.read(GameShown, path, place.token)
    except httpx.TransportError as fault:
        raise unreachable(place.url, fault) from None
    except ApiError as error:
        if error.status == httpx.codes.UNAUTHORIZED:
            raise TokenEnded from error
        if error.unanswered:
            raise unreachable(place.url, error) from None
        raise


def unreachable(url: str, fault: Exception) -> click.ClickException:
    return click.ClickException(
        f"nobody answers at {url}: the service is not running, or has another address ({fault})"
    )
