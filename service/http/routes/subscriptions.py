"""Webhooks: subscriptions of the token, or of the account, whose key a request shows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec
from litestar import Response, delete, get, post, route
from litestar.params import PathParameter

from content.patterns import whole
from service.http.bodies import read_body
from service.http.incoming import FromDesk, FromService
from service.http.outgoing import PRIVATE, AnyRequest, created
from service.webhooks.answers import (
    Attempts,
    AttemptShown,
    KeyMade,
    Redeliver,
    Subscribe,
    SubscriptionMade,
    Subscriptions,
    SubscriptionShown,
)

SubscriptionName = Annotated[str, PathParameter(pattern=whole(r"^[a-z2-7]{20}$"), description="The subscription's id.")]

EITHER: Sequence[dict[str, list[str]]] = [{"token": []}, {"account": []}]

_subscribe = msgspec.json.Decoder(Subscribe)
_redeliver = msgspec.json.Decoder(Redeliver)


@post(
    "/v1/subscriptions",
    operation_id="subscribe",
    summary="Subscribe an endpoint",
    tags=["webhooks"],
    security=EITHER,
    opt={"body": Subscribe},
)
async def subscribe(request: AnyRequest, service: FromService, desk: FromDesk) -> Response[SubscriptionMade]:
    """Have each commit of the token's game sent to an endpoint, by Standard Webhooks, as far as the token's role is told of it.

    By the key of an account: the commits of all games bound to it, now and later, each as the bound token's role is told it; of several tokens
    of one game each gets its own messages, named by `recipient`. Each game has a cursor, an order and dead letters of its own. A token that is
    revoked or unbound is sent no more; bound again it goes on where it was; one that is bound later brings its game from the beginning.

    The endpoint is asked first whether it agrees. Messages come at least once and in the order of the commits; what does not arrive
    is tried again for three days, then kept as a dead letter. The same token or account and URL asked for again give the same subscription.
    """
    asked: Subscribe = await read_body(request, service, _subscribe)
    made, replayed = await desk.subscribe(asked)
    return created(made, None, f"/v1/subscriptions/{made.subscription.id}", replayed=replayed)


@get(
    "/v1/subscriptions",
    operation_id="listSubscriptions",
    summary="List subscriptions",
    tags=["webhooks"],
    security=EITHER,
)
async def list_subscriptions(desk: FromDesk) -> Response[Subscriptions]:
    """List the subscriptions that the token or account asked for: how far each has come, and what could not be delivered."""
    return Response(await desk.shown(), headers=PRIVATE)


@get(
    "/v1/subscriptions/{subscription:str}",
    operation_id="getSubscription",
    summary="See a subscription",
    tags=["webhooks"],
    security=EITHER,
)
async def get_subscription(desk: FromDesk, subscription: SubscriptionName) -> Response[SubscriptionShown]:
    """See how far a subscription has come, its keys, and what could not be delivered."""
    return Response(await desk.get(subscription), headers=PRIVATE)


@delete(
    "/v1/subscriptions/{subscription:str}",
    operation_id="unsubscribe",
    summary="End a subscription",
    tags=["webhooks"],
    security=EITHER,
    status_code=204,
)
async def unsubscribe(desk: FromDesk, subscription: SubscriptionName) -> None:
    """Forget a subscription. A message that is under way may still arrive."""
    await desk.remove(subscription)


@post(
    "/v1/subscriptions/{subscription:str}/redeliver",
    operation_id="redeliver",
    summary="Send again",
    tags=["webhooks"],
    security=EITHER,
    status_code=202,
    opt={"body": Redeliver},
)
async def redeliver(
    request: AnyRequest, service: FromService, desk: FromDesk, subscription: SubscriptionName
) -> Response[SubscriptionShown]:
    """Send all dead letters again, or the commits or messages that are named; and what is in line, at once.

    Letters go out beside the line, with the same `webhook-id` as before. A subscription that was disabled is asked whether it agrees and
    goes on where it was.
    """
    asked: Redeliver = await read_body(request, service, _redeliver)
    shown = await desk.redeliver(subscription, asked)
    return Response(shown, status_code=202, headers=PRIVATE)


@post(
    "/v1/subscriptions/{subscription:str}/test",
    operation_id="testSubscription",
    summary="Send a test message",
    tags=["webhooks"],
    security=EITHER,
    status_code=200,
)
async def test_subscription(desk: FromDesk, subscription: SubscriptionName) -> Response[AttemptShown]:
    """Send a message that tells of nothing, signed like any other, and say what became of it.

    It is sent once, and now, whatever state the subscription is in.
    """
    return Response(await desk.test(subscription), status_code=200, headers=PRIVATE)


@get(
    "/v1/subscriptions/{subscription:str}/attempts",
    operation_id="listAttempts",
    summary="List attempts",
    tags=["webhooks"],
    security=EITHER,
)
async def list_attempts(desk: FromDesk, subscription: SubscriptionName) -> Response[Attempts]:
    """List the latest 50 attempts, the newest first: which message, when, and what the endpoint answered. Of an account: of each of its parts.

    Any of them that tells of a commit can be sent again: `redeliver` takes its `webhook_id` in `messages`.
    """
    return Response(await desk.attempts(subscription), headers=PRIVATE)


@post(
    "/v1/subscriptions/{subscription:str}/rotate",
    operation_id="rotateKey",
    summary="Rotate the key",
    tags=["webhooks"],
    security=EITHER,
)
async def rotate_key(desk: FromDesk, subscription: SubscriptionName) -> Response[KeyMade]:
    """Sign with a new key from now on. The key before signs beside it for a day (a setting), so that no message fails to verify."""
    made = await desk.rotate(subscription)
    return created(made, None, f"/v1/subscriptions/{subscription}")


@route("/v1/subscriptions", http_method=["OPTIONS"], include_in_schema=False)
async def options_of_subscriptions() -> Response[None]:
    """Say which methods there are: Litestar's own answer names only those of the first handler of a path."""
    return Response(None, status_code=204, headers={"Allow": "GET, OPTIONS, POST"})


@route("/v1/subscriptions/{subscription:str}", http_method=["OPTIONS"], include_in_schema=False)
async def options_of_subscription(subscription: SubscriptionName) -> Response[None]:  # noqa: ARG001 -- the path has it
    """As above."""
    return Response(None, status_code=204, headers={"Allow": "DELETE, GET, OPTIONS"})
