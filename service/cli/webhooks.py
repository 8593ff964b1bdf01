"""`omenlog webhooks`: subscriptions of a token or an account, over the API."""

from __future__ import annotations

import sys
from typing import Any

import rich_click as click
from msgspec import UNSET, UnsetType

from projections.naming.names import counted
from service.bots.client import Api
from service.cli.common import calling, say
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
from service.webhooks.subscription import Payload

PATH = "/v1/subscriptions"

with_api = calling("The token, or the account key, that owns the subscriptions.")


@click.group()
def webhooks() -> None:
    """Send commits to an endpoint: what a token's role sees of its game, signed, at least once and in order.

    With an account key, commits of all games whose tokens are bound to the account, now and later.

    The endpoint is asked first and must agree: docs/clients.md tells how, and examples/webhook_receiver.py shows it.
    """


@webhooks.command("list")
@with_api
def list_(api: Api) -> None:
    """List the subscriptions: how far each has come, and what could not be delivered."""
    found = api.read(Subscriptions, PATH).subscriptions
    if not found:
        say("no subscriptions")
    for one in found:
        _show(one)


@webhooks.command()
@click.argument("endpoint")
@click.option("--full", is_flag=True, help="Send what the role sees of a commit, not only that there is one.")
@click.option("--sentences", is_flag=True, help="The same, with each event in a sentence.")
@click.option(
    "--type", "types", multiple=True, show_default="all", help="Only commits with an event of this type; repeatable."
)
@click.option("--after", type=click.IntRange(0), show_default="the latest", help="Start after this commit.")
@click.option("--cursor", show_default="the latest", help="For an account: start after this cursor of its stream.")
@click.option("--game", "games", multiple=True, show_default="all", help="For an account: only this game; repeatable.")
@with_api
def add(*, api: Api, endpoint: str, full: bool, sentences: bool, **given: Any) -> None:  # noqa: ANN401 -- options as `Subscribe` has them
    """Send commits to ENDPOINT, a URL."""
    lists = {name: list(value) for name, value in given.items() if isinstance(value, tuple)}
    payload: Payload = "sentences" if sentences else "full" if full else "thin"
    asked = Subscribe(url=endpoint, payload=payload, **{**given, **lists})
    _show_secret(api.send(SubscriptionMade, PATH, body=asked))


@webhooks.command()
@click.argument("subscription")
@with_api
def remove(api: Api, subscription: str) -> None:
    """Delete SUBSCRIPTION."""
    api.delete(f"{PATH}/{subscription}")
    say(f"removed {subscription}")


@webhooks.command()
@click.argument("subscription")
@click.option(
    "--commit",
    "commits",
    type=click.IntRange(1),
    multiple=True,
    show_default="all dead letters",
    help="Send this commit again; repeatable.",
)
@click.option("--game", show_default="all", help="For an account: only commits of this game.")
@click.option(
    "--message",
    "messages",
    multiple=True,
    show_default="all dead letters",
    help="Send the message with this `webhook-id` again; repeatable.",
)
@with_api
def redeliver(
    *, api: Api, subscription: str, commits: tuple[int, ...], game: str | None, messages: tuple[str, ...]
) -> None:
    """Send again what SUBSCRIPTION missed; if it was disabled, resume it."""
    asked = Redeliver(commits=list(commits) or None, game=game, messages=list(messages) or None)
    _show(api.send(SubscriptionShown, f"{PATH}/{subscription}/redeliver", body=asked))


@webhooks.command()
@click.argument("subscription")
@with_api
def test(api: Api, subscription: str) -> None:
    """Send an empty message, and show whether it arrived."""
    tried = api.send(AttemptShown, f"{PATH}/{subscription}/test")
    _show_attempt(tried)
    if not tried.arrived:
        sys.exit(1)


@webhooks.command()
@click.argument("subscription")
@with_api
def attempts(api: Api, subscription: str) -> None:
    """List the latest messages, the newest first, and whether they arrived."""
    for one in api.read(Attempts, f"{PATH}/{subscription}/attempts").attempts:
        _show_attempt(one)


@webhooks.command()
@click.argument("subscription")
@with_api
def rotate(api: Api, subscription: str) -> None:
    """Sign with a new key; for some time, sign with the old one too."""
    _show_secret(api.send(KeyMade, f"{PATH}/{subscription}/rotate"))


def _show_attempt(one: AttemptShown) -> None:
    became = f"arrived, {one.status}" if one.arrived else one.error
    whose = f" of game {one.game} to {one.recipient}" if one.game else ""
    click.echo(f"{one.at}  {one.webhook_id}{whose}: {became}")


def _show_secret(made: SubscriptionMade | KeyMade) -> None:
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
        again = f"next attempt at {one.next_attempt}" if one.next_attempt else "next attempt at once"
        say(f"  the next message has failed {counted(one.attempts, 'time')} ({one.error}); {again}")
    for letter in one.letters:
        when = f"next attempt at {letter.next_attempt}" if letter.next_attempt else "dead letter"
        why = f" ({letter.error})" if letter.error else ""
        say(f"  commit {letter.commit}: {when}; failed {counted(letter.attempts, 'time')}{why}")
