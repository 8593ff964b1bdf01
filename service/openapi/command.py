"""The hot route, which Litestar doesn't know (see `service.http.commands`)."""

from __future__ import annotations

from domain.commands import AnyCommand
from service.http.incoming import GAME, LONGEST_KEY
from service.openapi.schemas import REF, Json


def post_command() -> Json:
    """Describe the operation as Litestar would: `service.openapi.document` finishes it like the others."""
    alternatives = [kind.__name__ for kind in AnyCommand.__args__]
    tags = {kind.__struct_config__.tag: REF + kind.__name__ for kind in AnyCommand.__args__}
    command: Json = {
        "oneOf": [{"$ref": REF + name} for name in alternatives],
        "discriminator": {"propertyName": "type", "mapping": tags},
    }
    text = {"type": "string"}
    return {
        "tags": ["play"],
        "summary": "Post a command",
        "description": (
            "Do what `getDecisions` lists, or anything else that the rules allow. The answer comes when the commit is "
            "durable. A command is valid as long as the decision that it names is open; with `If-Match` only at that version. "
            "Where no rule answers, any seat and the referee may `propose-ruling` and `flip-coin` at any time, by the decision "
            "`table`; these are never listed, but whoever is asked to agree to a ruling is told so by `getDecisions`. "
            "In a haunt from the players' own printed books (`options.haunt` is `external`) whoever may, as `getDecisions` says, "
            "enters parts of it by `enter`; such a command is never listed."
        ),
        "operationId": "postCommand",
        "parameters": [
            {
                "name": "game",
                "in": "path",
                "required": True,
                "description": "The game's id.",
                "schema": {**text, "pattern": GAME},
            },
            {
                "name": "Idempotency-Key",
                "in": "header",
                "required": False,
                "description": "Makes a retry safe: the same key and command get the first answer again, for ever.",
                "schema": {**text, "minLength": 1, "maxLength": LONGEST_KEY},
            },
            {
                "name": "If-Match",
                "in": "header",
                "required": False,
                "description": 'Entity tags, of which one must begin with the game\'s version (`"140.x"` or `"140"`), else 412.',
                "schema": text,
            },
        ],
        "requestBody": {"required": True, "content": {"application/json": {"schema": command}}},
        "responses": {
            "201": {"description": "", "content": {"application/json": {"schema": {"$ref": REF + "CommitAnswer"}}}}
        },
    }
