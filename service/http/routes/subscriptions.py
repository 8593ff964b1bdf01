"""Webhooks: subscriptions of the token, or of the account, whose key a request shows."""

from __future__ import annotations

from typing import Annotated

from litestar import Response
from litestar.params import PathParameter

from content.patterns import whole
from service.http.bodies import read_body
from service.http.incoming import FromDesk, FromService
from service.http.operation import EITHER, link, operation
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


@operation(
    "POST /v1/subscriptions",
    "Subscribe an endpoint",
    "webhooks",
    security=EITHER,
    body=Subscribe,
    problems="unfit-subscription endpoint-refused subscription-exists too-many-subscriptions is-fork invalid-cursor "
    "ahead-of-log damaged-log archive-missing",
    links={
        "see": link("getSubscription", {"subscription": "$response.body#/subscription/id"}),
        "try": link("testSubscription", {"subscription": "$response.body#/subscription/id"}),
        "attempts": link("listAttempts", {"subscription": "$response.body#/subscription/id"}),
        "rotate": link("rotateKey", {"subscription": "$response.body#/subscription/id"}),
        "end": link("unsubscribe", {"subscription": "$response.body#/subscription/id"}),
    },
)
async def subscribe(request: AnyRequest, service: FromService, desk: FromDesk) -> Response[SubscriptionMade]:
    """Have each commit of the token's game sent to an endpoint, by Standard Webhooks, as far as the token's role is told of it.

    With the key of an account: the commits of all games bound to it, now and later, each as the bound token's role is told it. If several tokens of
    one game are bound, each gets its own messages, named by `recipient`. Each game has its own cursor, order and dead letters. A token that is
    revoked or unbound gets no more; bound again, it goes on where it was. A token that is bound later brings its game from the beginning.

    The service first asks the endpoint whether it agrees. Messages are delivered at least once and in the order of the commits. A message that does
    not arrive is retried for three days, then kept as a dead letter. Asking again for the same token or account and URL gives the same subscription.
    """
    asked: Subscribe = await read_body(request, service)
    made, replayed = await desk.subscribe(asked)
    return created(made, None, f"/v1/subscriptions/{made.subscription.id}", replayed=replayed)


@operation("GET /v1/subscriptions", "List subscriptions", "webhooks", security=EITHER)
async def list_subscriptions(desk: FromDesk) -> Response[Subscriptions]:
    """List the subscriptions of the token or account: how far each has come, and what could not be delivered."""
    return Response(await desk.shown(), headers=PRIVATE)


@operation("GET /v1/subscriptions/{subscription:str}", "Get a subscription", "webhooks", security=EITHER)
async def get_subscription(desk: FromDesk, subscription: SubscriptionName) -> Response[SubscriptionShown]:
    """See how far a subscription has come, its keys, and what could not be delivered."""
    return Response(await desk.get(subscription), headers=PRIVATE)


@operation("DELETE /v1/subscriptions/{subscription:str}", "Delete a subscription", "webhooks", security=EITHER)
async def unsubscribe(desk: FromDesk, subscription: SubscriptionName) -> None:
    """Delete a subscription. A message that is already under way may still arrive."""
    await desk.remove(subscription)


@operation(
    "POST /v1/subscriptions/{subscription:str}/redeliver",
    "Redeliver messages",
    "webhooks",
    security=EITHER,
    body=Redeliver,
    problems="unfit-subscription endpoint-refused ahead-of-log",
    litestar={"status_code": 202},
)
async def redeliver(
    request: AnyRequest, service: FromService, desk: FromDesk, subscription: SubscriptionName
) -> Response[SubscriptionShown]:
    """Send all dead letters again, or the commits or messages that are named, and whatever is queued, at once.

    They are sent beside the queue, with the same `webhook-id` as before. A disabled subscription is asked again whether it agrees, and goes on
    where it was.
    """
    asked: Redeliver = await read_body(request, service)
    shown = await desk.redeliver(subscription, asked)
    return Response(shown, status_code=202, headers=PRIVATE)


@operation(
    "POST /v1/subscriptions/{subscription:str}/test",
    "Send a test message",
    "webhooks",
    security=EITHER,
    litestar={"status_code": 200},
)
async def test_subscription(desk: FromDesk, subscription: SubscriptionName) -> Response[AttemptShown]:
    """Send a test message, signed like any other but about no commit, and report what became of it.

    It is sent once and at once, whatever state the subscription is in.
    """
    return Response(await desk.test(subscription), status_code=200, headers=PRIVATE)


@operation("GET /v1/subscriptions/{subscription:str}/attempts", "List attempts", "webhooks", security=EITHER)
async def list_attempts(desk: FromDesk, subscription: SubscriptionName) -> Response[Attempts]:
    """List the latest 50 attempts, newest first: which message, when, and how the endpoint answered; for an account, of each of its parts.

    Any of them that tells of a commit can be sent again: pass its `webhook_id` to `redeliver` in `messages`.
    """
    return Response(await desk.attempts(subscription), headers=PRIVATE)


@operation("POST /v1/subscriptions/{subscription:str}/rotate", "Rotate the signing key", "webhooks", security=EITHER)
async def rotate_key(desk: FromDesk, subscription: SubscriptionName) -> Response[KeyMade]:
    """Sign with a new key from now on. The previous key also signs for a day (a setting), so that no message fails verification."""
    made = await desk.rotate(subscription)
    return created(made, None, f"/v1/subscriptions/{subscription}")
