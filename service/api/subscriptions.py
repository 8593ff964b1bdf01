"""Webhooks: subscriptions of the token that a request shows."""

from __future__ import annotations

from typing import Annotated

import msgspec
from litestar import Response, delete, get, post, route
from litestar.params import PathParameter

from service.api.bodies import read_body
from service.api.incoming import bearer
from service.api.outgoing import PRIVATE, AnyRequest, created
from service.api.parameters import FromCaller, FromService
from service.identity import digest
from service.webhooks.answers import (
    KeyMade,
    Redeliver,
    Subscribe,
    SubscriptionMade,
    Subscriptions,
    SubscriptionShown,
)

SubscriptionName = Annotated[str, PathParameter(pattern=r"^[a-z2-7]{20}$", description="The subscription's id.")]

_subscribe = msgspec.json.Decoder(Subscribe)
_redeliver = msgspec.json.Decoder(Redeliver)


@post(
    "/v1/subscriptions",
    operation_id="subscribe",
    summary="Subscribe an endpoint",
    tags=["webhooks"],
    opt={"body": Subscribe},
)
async def subscribe(request: AnyRequest, service: FromService, caller: FromCaller) -> Response[SubscriptionMade]:
    """Have each commit of the token's game sent to an endpoint, by Standard Webhooks, as far as the token's role is told of it.

    The endpoint is asked first whether it agrees. Messages come at least once and in the order of the commits; what does not arrive
    is tried again for three days, then kept as a dead letter. The same token and URL asked for again give the same subscription.
    """
    asked: Subscribe = await read_body(request, service, _subscribe)
    made, replayed = await service.webhooks.subscribe(caller, _holder(request), asked)
    return created(made, None, f"/v1/subscriptions/{made.subscription.id}", replayed=replayed)


@get("/v1/subscriptions", operation_id="listSubscriptions", summary="List subscriptions", tags=["webhooks"])
async def list_subscriptions(request: AnyRequest, service: FromService, caller: FromCaller) -> Response[Subscriptions]:
    """List the subscriptions that the token asked for: how far each has come, and what could not be delivered."""
    return Response(await service.webhooks.shown(caller, _holder(request)), headers=PRIVATE)


@get(
    "/v1/subscriptions/{subscription:str}",
    operation_id="getSubscription",
    summary="See a subscription",
    tags=["webhooks"],
)
async def get_subscription(
    request: AnyRequest, service: FromService, caller: FromCaller, subscription: SubscriptionName
) -> Response[SubscriptionShown]:
    """See how far a subscription has come, its keys, and what could not be delivered."""
    return Response(await service.webhooks.get(caller, _holder(request), subscription), headers=PRIVATE)


@delete(
    "/v1/subscriptions/{subscription:str}",
    operation_id="unsubscribe",
    summary="End a subscription",
    tags=["webhooks"],
    status_code=204,
)
async def unsubscribe(
    request: AnyRequest, service: FromService, caller: FromCaller, subscription: SubscriptionName
) -> None:
    """Forget a subscription. A message that is under way may still arrive."""
    await service.webhooks.remove(caller, _holder(request), subscription)


@post(
    "/v1/subscriptions/{subscription:str}/redeliver",
    operation_id="redeliver",
    summary="Send again",
    tags=["webhooks"],
    status_code=202,
    opt={"body": Redeliver},
)
async def redeliver(
    request: AnyRequest, service: FromService, caller: FromCaller, subscription: SubscriptionName
) -> Response[SubscriptionShown]:
    """Send all dead letters again, or the commits that are named; and what is in line, at once.

    Letters go out beside the line, with the same `webhook-id` as before. A subscription that was disabled is asked whether it agrees and
    goes on where it was.
    """
    asked: Redeliver = await read_body(request, service, _redeliver)
    shown = await service.webhooks.redeliver(caller, _holder(request), subscription, asked)
    return Response(shown, status_code=202, headers=PRIVATE)


@post(
    "/v1/subscriptions/{subscription:str}/rotate",
    operation_id="rotateKey",
    summary="Rotate the key",
    tags=["webhooks"],
)
async def rotate_key(
    request: AnyRequest, service: FromService, caller: FromCaller, subscription: SubscriptionName
) -> Response[KeyMade]:
    """Sign with a new key from now on. The key before signs beside it for a day (a setting), so that no message fails to verify."""
    made = await service.webhooks.rotate(caller, _holder(request), subscription)
    return created(made, None, f"/v1/subscriptions/{subscription}")


@route("/v1/subscriptions", http_method=["OPTIONS"], include_in_schema=False)
async def options_of_subscriptions() -> Response[None]:
    """Say which methods there are: Litestar's own answer names only those of the first handler of a path."""
    return Response(None, status_code=204, headers={"Allow": "GET, OPTIONS, POST"})


@route("/v1/subscriptions/{subscription:str}", http_method=["OPTIONS"], include_in_schema=False)
async def options_of_subscription(subscription: SubscriptionName) -> Response[None]:  # noqa: ARG001 -- the path has it
    """As above."""
    return Response(None, status_code=204, headers={"Allow": "DELETE, GET, OPTIONS"})


def _holder(request: AnyRequest) -> bytes:
    """What the subscription is bound to: the token that was just found to hold."""
    return digest(bearer(request.headers.get("Authorization")))
