"""The contract of streams and webhooks: `openapi/asyncapi.json`, AsyncAPI 3, from the same types and the same short game.

AsyncAPI has no binding for server-sent events: they are HTTP channels whose description says how a message is framed.
What the service tells is `send`, what it takes `receive`: the document speaks for the service.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import msgspec

from content.patterns import published
from content.vocabulary.entry import Entry
from openapi.writer import webhooks
from openapi.writer.events import ENTRY
from openapi.writer.facts import TAGS
from openapi.writer.schemas import Json, Types, reachable, schema_name
from service.games.follow.presence import Present
from service.games.follow.streams import EndData, MessageNews
from service.games.lobby.answers import CommitAnswer, CommitEvent
from service.http.socket import (
    CODES,
    AnswerFrame,
    CommandFrame,
    EndFrame,
    EventFrame,
    HeartbeatFrame,
    HelloFrame,
    MessageFrame,
    PingFrame,
    PongFrame,
    PresenceFrame,
)
from service.problems import Problem

VERSION = "3.1.0"
FRAMES_IN = (CommandFrame, PingFrame)
BESIDE: Mapping[str, type[msgspec.Struct]] = {"message": MessageNews, "presence": Present}
"""What the stream of a game tells of beside its log."""
FRAMES_OUT = (
    HelloFrame,
    EventFrame,
    MessageFrame,
    PresenceFrame,
    AnswerFrame,
    PongFrame,
    HeartbeatFrame,
    EndFrame,
)
TOLD = (HelloFrame, EventFrame, MessageFrame, PresenceFrame, HeartbeatFrame, EndFrame)
CLOUD_EVENT = "application/cloudevents+json"
JSON = "application/json"

INFO = {
    "title": "Omenlog: streams and webhooks",
    "version": "1",
    "description": (
        "What happens in games of *Betrayal at House on the Hill*, as each role may see it, as one CloudEvents 1.0 message for "
        "each commit. A client keeps the cursor of the last message that it has handled and goes on from there after any "
        "break: nothing is lost and nothing comes twice. Endpoints that subscribe receive signed messages, at least once. "
        "The OpenAPI document describes all other requests."
    ),
    "license": {"name": "MIT"},
}
SERVERS = {
    "http": {"host": "127.0.0.1:8000", "protocol": "http", "description": "The default address of `omenlog serve`."},
    "endpoint": {
        "host": "example.com",
        "protocol": "https",
        "description": "A receiver of webhooks, at the URL of its subscription.",
    },
    "ws": {"host": "127.0.0.1:8000", "protocol": "ws", "description": "The same port."},
}
SCHEMES = {
    "token": {"type": "http", "scheme": "bearer", "description": "A token of one game."},
    "ticket": {"type": "httpApiKey", "name": "ticket", "in": "query", "description": "For browsers: see `makeTicket`."},
    "account": {"type": "http", "scheme": "bearer", "description": "The key of an account."},
    "signature": {
        "type": "httpApiKey",
        "name": "webhook-signature",
        "in": "header",
        "description": "By Standard Webhooks: the receiver checks it with the key shown in the subscription.",
    },
}
GAME = {"game": {"description": "The game's id."}}
AFTER = {"type": "integer", "minimum": 0, "description": "The cursor: later commits follow."}
EVENTS = {
    "type": "boolean",
    "default": True,
    "description": "False: only answers, heartbeats and the end come, and the role does not count as present.",
}
TICKET = {"type": "string", "description": "In place of a token, for browsers."}
OPAQUE = {"type": "string", "description": "The cursor, exactly as received."}
AS_SSE = (
    "`text/event-stream`: a commit is `event: commit` with the message as its data; the last event is `event: end`. Each id "
    "is the cursor behind the event: send it as `Last-Event-ID`. An idle stream sends a comment, `:`, as a heartbeat. `Accept` may "
    "ask for `application/x-ndjson` instead: all commits up to now, one on each line."
)
BESIDE_SSE = (
    " Two more kinds of event have no id, as they are not in the log: `event: message` for a message that the role was told, or that was "
    "erased, and `event: presence` for who follows the game live. They are told from when the stream is open; read `getMessages` "
    "behind that for all messages before."
)
AS_FRAMES = (
    "One JSON object in each text frame. After `end` the service closes: "
    + ", ".join(f"{code} for `{reason}`" for reason, code in CODES.items())
    + ". The library also closes with 1009 for a frame that is too large, and 1011 for a peer that is gone."
)


def build_asyncapi(examples: Mapping[str, Mapping[str, Any]] = MappingProxyType({})) -> Json:
    """Build the document.

    Args:
        examples: real requests and answers by operation, as `openapi.writer.examples` has them, or none.
    """
    types = Types()
    commit, end = _message(types, "commit", CommitEvent, CLOUD_EVENT), _message(types, "end", EndData)
    told = webhooks.first_event(examples)
    _exemplify(commit, told, webhooks.first_event(examples, "getAccountEvents"))
    _exemplify(end, {"reason": "game-over", "cursor": 71}, {"reason": "stopping", "cursor": "q1PDn4jH0eZvBQc"})
    messages = {"commit": commit, "end": end}
    messages |= {name: _message(types, name, kind) for name, kind in BESIDE.items()}
    for kind in (*FRAMES_IN, *FRAMES_OUT):
        messages[_name(kind)] = _message(types, kind.__struct_config__.tag, kind)
    for name, hook in webhooks.KINDS.items():
        messages[name] = {**_message(types, name, hook, CLOUD_EVENT), "headers": webhooks.header_schema()}
    for name, sent in webhooks.examples(told).items():
        messages[name]["examples"] = [{"headers": webhooks.SIGNED, "payload": sent}]
    for name, sent in _beside(examples).items():
        _exemplify(messages[name], sent)
    for name, frame in _frames(examples, told).items():
        _exemplify(messages[name], frame)
    tags = [{"name": name, "description": TAGS[name]} for name in ("events", "webhooks")]
    document: Json = {
        "asyncapi": VERSION,
        "info": {**INFO, "tags": tags},
        "defaultContentType": JSON,
        "servers": SERVERS,
        "channels": _channels(),
        "operations": _operations(),
        "components": {"messages": messages, "securitySchemes": SCHEMES},
    }
    schemas = types.all(iter(()))
    either = [types.ref(CommitAnswer), types.ref(Problem)]
    schemas["AnswerFrame"]["properties"]["body"] = {
        "anyOf": either
    }  # no decoder could tell them apart, but by the status
    # Its parts hold themselves, over which parsers that resolve all references never finish.
    schemas[schema_name(Entry)] = {"type": "object", "description": ENTRY}
    schemas = reachable({"paths": messages}, schemas)
    document["components"]["schemas"] = {name: _plain(schema) for name, schema in schemas.items()}
    found: Json = published(document)
    return found


# -- channels and what goes over them -----------------------------------------------------------------------------------


def _channels() -> Json:
    return {
        "gameEvents": {
            "address": "/v1/games/{game}/events",
            "title": "A game, as it happens",
            "description": AS_SSE + BESIDE_SSE,
            "servers": [{"$ref": "#/servers/http"}],
            "parameters": GAME,
            "messages": _in_channel(["commit", *BESIDE, "end"]),
        },
        "accountEvents": {
            "address": "/v1/account/events",
            "title": "All games of an account, as they happen",
            "description": (
                f"{AS_SSE} Each commit has two more attributes: `recipient`, the name of the token that was told, and `cursor`. The "
                "commits of each game come in order; there is no order between games."
            ),
            "servers": [{"$ref": "#/servers/http"}],
            "messages": _in_channel(["commit", "end"]),
        },
        "endpoint": {
            "address": None,
            "title": "An endpoint that subscribed",
            "description": webhooks.TEXT,
            "servers": [{"$ref": "#/servers/endpoint"}],
            "messages": _in_channel([*webhooks.KINDS]),
        },
        "gameSocket": {
            "address": "/v1/games/{game}/socket",
            "title": "A game over one WebSocket, commands in",
            "description": AS_FRAMES,
            "servers": [{"$ref": "#/servers/ws"}],
            "parameters": GAME,
            "messages": _in_channel([_name(kind) for kind in (*FRAMES_IN, *FRAMES_OUT)]),
            "bindings": {
                "ws": {
                    "method": "GET",
                    "query": _query(after=AFTER, events=EVENTS, ticket=TICKET),
                    "bindingVersion": "0.1.0",
                }
            },
        },
    }


def _operations() -> Json:
    return {
        "followGame": {
            "action": "send",
            "channel": {"$ref": "#/channels/gameEvents"},
            "summary": "Tell a role what happens in a game after a cursor.",
            "security": _security("token", "ticket"),
            "messages": _of("gameEvents", ["commit", *BESIDE, "end"]),
            "bindings": _http(_query(after=AFTER, ticket=TICKET)),
        },
        "followAccount": {
            "action": "send",
            "channel": {"$ref": "#/channels/accountEvents"},
            "summary": "Tell an account what happens in all its games after a cursor.",
            "security": _security("account"),
            "messages": _of("accountEvents", ["commit", "end"]),
            "bindings": _http(_query(after=OPAQUE)),
        },
        "deliver": {
            "action": "send",
            "channel": {"$ref": "#/channels/endpoint"},
            "summary": webhooks.SUMMARY,
            "security": _security("signature"),
            "messages": _of("endpoint", [*webhooks.KINDS]),
            "bindings": {"http": {"method": "POST", "bindingVersion": "0.3.0"}},
        },
        "tell": {
            "action": "send",
            "channel": {"$ref": "#/channels/gameSocket"},
            "summary": "Greet, tell commits, messages and who is there, and say why the connection ends.",
            "security": _security("token", "ticket"),
            "messages": _of("gameSocket", [_name(kind) for kind in TOLD]),
        },
        "command": _answered("Do a command, and answer as `postCommand` does.", CommandFrame, AnswerFrame),
        "ping": _answered("Answer a ping.", PingFrame, PongFrame),
    }


def _answered(summary: str, asked: type[msgspec.Struct], reply: type[msgspec.Struct]) -> Json:
    channel = {"$ref": "#/channels/gameSocket"}
    return {
        "action": "receive",
        "channel": channel,
        "summary": summary,
        "security": _security("token", "ticket"),
        "messages": _of("gameSocket", [_name(asked)]),
        "reply": {"channel": channel, "messages": _of("gameSocket", [_name(reply)])},
    }


def _name(frame: type[msgspec.Struct]) -> str:
    """What a frame's message is called: frames are not the only ones that end."""
    return f"{frame.__struct_config__.tag}Frame"


def _in_channel(names: Sequence[str]) -> Json:
    return {name: {"$ref": f"#/components/messages/{name}"} for name in names}


def _of(channel: str, names: Sequence[str]) -> list[Json]:
    return [{"$ref": f"#/channels/{channel}/messages/{name}"} for name in names]


def _security(*names: str) -> list[Json]:
    return [{"$ref": f"#/components/securitySchemes/{name}"} for name in names]


def _query(**properties: Json) -> Json:
    return {"type": "object", "properties": properties}


def _http(query: Json) -> Json:
    return {"http": {"method": "GET", "query": query, "bindingVersion": "0.3.0"}}


# -- messages -----------------------------------------------------------------------------------------------------------


def _message(types: Types, name: object, kind: type[msgspec.Struct], content: str = JSON) -> Json:
    text = inspect.getdoc(kind) or ""
    types.ref(kind)
    reference = {"$ref": f"#/components/schemas/{schema_name(kind)}"}
    return {"name": name, "summary": text.partition("\n")[0], "contentType": content, "payload": reference}


def _exemplify(message: Json, *payloads: Any) -> None:  # noqa: ANN401 -- real messages
    given = [{"payload": payload} for payload in payloads if payload is not None]
    if given:
        message["examples"] = given


def _beside(examples: Mapping[str, Mapping[str, Any]]) -> Json:
    """What is told of beside the log, of which the game of the examples gives the message."""
    told = examples.get("postMessage", {}).get("201")
    return {"message": {"message": told}, "presence": {"roles": ["seat:0", "seat:2", "referee"], "spectators": 1}}


def _frames(examples: Mapping[str, Mapping[str, Any]], told: Any) -> Json:  # noqa: ANN401 -- a real event
    """A frame of each kind, of which the game of the examples gives the contents."""
    posted = examples.get("postCommand", {})
    if told is None or not {"request", "201"} <= set(posted):
        return {}
    return {
        "helloFrame": {
            "type": "hello",
            "game": "qfmzs4hk2mxvq5ohq2vd",
            "role": "seat:0",
            "cursor": 0,
            "heartbeat": 15.0,
            "request": "8f14e45fceea167a",
        },
        "eventFrame": {"type": "event", "cursor": int(told["id"]), "event": told},
        **{f"{name}Frame": {"type": name, **sent} for name, sent in _beside(examples).items()},
        "commandFrame": {"type": "command", "id": "c-1", "key": "move-17", "command": posted["request"]},
        "answerFrame": {"type": "answer", "id": "c-1", "status": 201, "body": posted["201"]},
        "pingFrame": {"type": "ping", "id": "p-1"},
        "pongFrame": {"type": "pong", "id": "p-1"},
        "heartbeatFrame": {"type": "heartbeat", "cursor": int(told["id"])},
        "endFrame": {"type": "end", "reason": "game-over", "cursor": 71},
    }


# -- schemas ------------------------------------------------------------------------------------------------------------


def _plain(node: Any) -> Any:  # noqa: ANN401 -- any piece of a schema
    """A schema in the dialect of AsyncAPI, draft 7 of JSON Schema: nothing stands beside a reference."""
    if isinstance(node, list):
        return [_plain(one) for one in node]
    if not isinstance(node, dict):
        return node
    if isinstance(node.get("$ref"), str):
        return {"$ref": node["$ref"]}
    return {key: _plain(value) for key, value in node.items() if key != "discriminator"}
