"""`omenlog webhooks`: subscriptions of a token or an account, over the API."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec
import rich_click as click
from msgspec import UNSET, UnsetType

from projections.naming.names import counted
from service.bots.client import Api
from service.cli.screen import say
from service.webhooks.answers import (
    Attempts,
    AttemptShown,
    KeyMade,
    Progress,
    Redeliver,
    Subscribe,
    SubscriptionMade,
    Subscriptions,
    SubscriptionShown,
)

PATH = "/v1/subscriptions"
PATIENCE = 5.0
"""Seconds to go on trying while the service does not answer."""

T = TypeVar("T")
Command = TypeVar("Command", bound=Callable[..., Any])


def caller(command: Command) -> Command:
    """The options that say whose subscriptions, and where."""
    command = click.option("--url", default="http://127.0.0.1:8000", help="The service.")(command)
    text = "The token, or the account's key, whose subscriptions they are."
    return click.option("--token", required=True, envvar="OMENLOG_TOKEN", show_envvar=True, help=text)(command)


@click.group()
def webhooks() -> None:
    """Have commits sent to an endpoint: what a token's role is told of its game, signed, at least once and in order.

    With the key of an account: of all games of the tokens that are bound to it, now and later.

    The endpoint is asked first, and must agree; docs/clients.md tells how, and examples/webhook_receiver.py shows it.
    """


@webhooks.command("list")
@caller
def list_(url: str, token: str) -> None:
    """List the subscriptions: how far each has come, and what could not be delivered."""
    with Api(url, patience=PATIENCE) as api:
        found = _read(api.get(PATH, token), Subscriptions).subscriptions
    if not found:
        say("no subscriptions")
    for one in found:
        _show(one)


@webhooks.command()
@click.argument("endpoint")
@click.option("--full", is_flag=True, help="Send what the role is told of a commit, and not only that there is one.")
@click.option(
    "--type",
    "types",
    multiple=True,
    show_default="all",
    help="Only commits with an event of this type; may be repeated.",
)
@click.option("--after", type=click.IntRange(0), show_default="what there is now", help="Begin behind this commit.")
@click.option(
    "--cursor", show_default="what there is now", help="Of an account: begin behind this cursor of its stream."
)
@click.option(
    "--game", "games", multiple=True, show_default="all", help="Of an account: only this game; may be repeated."
)
@caller
def add(*, endpoint: str, full: bool, url: str, token: str, **given: Any) -> None:  # noqa: ANN401 -- options as `Subscribe` has them
    """Send commits to ENDPOINT, a URL."""
    lists = {name: list(value) for name, value in given.items() if isinstance(value, tuple)}
    asked = Subscribe(url=endpoint, payload="full" if full else "thin", **{**given, **lists})
    with Api(url, patience=PATIENCE) as api:
        made = _read(api.post(PATH, token, asked), SubscriptionMade)
    _show(made.subscription)
    say(f"  secret     {made.secret}  (for receivers that check `v1` only; keep it)")


@webhooks.command()
@click.argument("subscription")
@caller
def remove(subscription: str, url: str, token: str) -> None:
    """Forget SUBSCRIPTION."""
    with Api(url, patience=PATIENCE) as api:
        api.delete(f"{PATH}/{subscription}", token)
    say(f"removed {subscription}")


@webhooks.command()
@click.argument("subscription")
@click.option(
    "--commit",
    "commits",
    type=click.IntRange(1),
    multiple=True,
    show_default="all dead letters",
    help="Send this commit again; may be repeated.",
)
@click.option("--game", show_default="all", help="Of an account: only of this game.")
@click.option(
    "--message",
    "messages",
    multiple=True,
    show_default="all dead letters",
    help="Send this message again, by its `webhook-id`; may be repeated.",
)
@caller
def redeliver(
    *, subscription: str, commits: tuple[int, ...], game: str | None, messages: tuple[str, ...], url: str, token: str
) -> None:
    """Send again what SUBSCRIPTION missed; if it was disabled, go on where it was."""
    asked = Redeliver(commits=list(commits) or None, game=game, messages=list(messages) or None)
    with Api(url, patience=PATIENCE) as api:
        _show(_read(api.post(f"{PATH}/{subscription}/redeliver", token, asked), SubscriptionShown))


@webhooks.command()
@click.argument("subscription")
@caller
def test(subscription: str, url: str, token: str) -> None:
    """Send a message that tells of nothing, and say what became of it."""
    with Api(url, patience=PATIENCE) as api:
        tried = _read(api.post(f"{PATH}/{subscription}/test", token), AttemptShown)
    _show_attempt(tried)
    if not tried.arrived:
        sys.exit(1)


@webhooks.command()
@click.argument("subscription")
@caller
def attempts(subscription: str, url: str, token: str) -> None:
    """List the latest messages that were sent, the newest first, and what became of them."""
    with Api(url, patience=PATIENCE) as api:
        for one in _read(api.get(f"{PATH}/{subscription}/attempts", token), Attempts).attempts:
            _show_attempt(one)


def _show_attempt(one: AttemptShown) -> None:
    became = f"arrived, {one.status}" if one.arrived else one.error
    whose = f" of game {one.game} to {one.recipient}" if one.game else ""
    click.echo(f"{one.at}  {one.webhook_id}{whose}: {became}")


@webhooks.command()
@click.argument("subscription")
@caller
def rotate(subscription: str, url: str, token: str) -> None:
    """Sign with a new key; for some time the old one signs beside it."""
    with Api(url, patience=PATIENCE) as api:
        made = _read(api.post(f"{PATH}/{subscription}/rotate", token), KeyMade)
    _show(made.subscription)
    say(f"  secret     {made.secret}  (for receivers that check `v1` only; keep it)")


def _show(one: SubscriptionShown) -> None:
    kinds = f", only {', '.join(one.types)}" if one.types else ""
    whose = f"game {one.game} as {one.token}"
    if one.account:
        only = f", only {', '.join(one.games)}" if one.games else ""
        whose = f"all games of account {one.account}{only}"
    say(f"{one.id}  {one.url}  ({one.payload}{kinds}; {whose})")
    _show_progress(one, "", one.cursor)
    for part in one.parts:
        _show_progress(part, f"game {part.game} as {part.recipient}: ", part.cursor)
    for key in one.keys:
        say(f"  key        {key.public_key}{f'  until {key.until}' if key.until else ''}")


def _show_progress(one: Progress, what: str, cursor: int | UnsetType) -> None:
    why = f": {one.reason}" if one.reason else ""
    done = "" if cursor is UNSET else f"done with commit {cursor}, "
    say(f"  {what}{one.state}{why}; {done}{one.delivered} delivered")
    if one.error and one.attempts:
        say(
            f"  the next has failed {counted(one.attempts, 'time')} ({one.error}), tried again at {one.next_attempt or 'once'}"
        )
    for letter in one.letters:
        when = f"sent again at {letter.next_attempt}" if letter.next_attempt else "dead letter"
        say(
            f"  commit {letter.commit}: {when}; failed {counted(letter.attempts, 'time')} {letter.error and f'({letter.error})'}"
        )


def _read(body: bytes, kind: type[T]) -> T:
    return msgspec.json.decode(body, type=kind)
