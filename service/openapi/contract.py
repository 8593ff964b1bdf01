"""What the contract promises of each operation beyond its parameters and types: errors, headers, links."""

from __future__ import annotations

from service.problems import KINDS, Kind

PARAMETER = ("invalid-parameter",)
BODY = ("invalid-body", "too-deep", "body-too-large", "unsupported-media-type")
KEY = ("invalid-idempotency-key", "key-reused")
POSITION = ("ahead-of-log",)
IF_MATCH = ("invalid-precondition", "stale-version")
WRITE = ("store-full",)
NOT_FOUND = ("not-found",)
INVITE = ("invite-refused",)
TOKEN = ("unauthorized", "forbidden")
OPENING = (
    "unknown-edition",
    "unknown-pack",
    "unknown-character",
    "character-taken",
    "unfit-options",
    "unfit-setup",
    "unfit-seats",
    "unfit-tape",
)
COMMAND = (
    "illegal-command",
    "decision-closed",
    "not-your-decision",
    "not-an-option",
    "wrong-answer-kind",
    "chance-misfit",
    "ruling-open",
    "chance-open",
    "table-limit",
    "take-back-closed",
    "play-paused",
    "unfit-span",
    "unfit-amendment",
    "nothing-to-enter",
    "not-your-book",
    "unfit-entry",
    "not-started",
    "game-over",
    "conflict",
)
DISPUTE = ("dispute-closed", "not-started", "game-over", "conflict")
ALWAYS = ("too-many-requests", "internal", "store-unavailable")
"""What every call can meet that asks the store."""
GAME_LOG = ("damaged-log", "archive-missing")

PROBLEMS: dict[str, tuple[str, ...]] = {
    "openGame": (*BODY, *KEY, *OPENING, *WRITE, *ALWAYS),
    "importGame": (
        "unsupported-media-type",
        "body-too-large",
        *KEY,
        "unfit-export",
        "unknown-pack",
        "newer-revision",
        "not-disclosed",
        "diverged-export",
        "unverified-export",
        "game-exists",
        *WRITE,
        *ALWAYS,
    ),
    "listGames": (*PARAMETER, *NOT_FOUND, *ALWAYS),
    "getGame": (*PARAMETER, "invalid-precondition", *NOT_FOUND, *ALWAYS),
    "startGame": (*PARAMETER, *KEY, *TOKEN, "not-open", "seats-free", "conflict", *WRITE, *GAME_LOG, *ALWAYS),
    "closeGame": (*PARAMETER, *KEY, *TOKEN, "game-over", "conflict", *WRITE, *GAME_LOG, *ALWAYS),
    "claimSeat": (
        *PARAMETER,
        *BODY,
        *KEY,
        *INVITE,
        *NOT_FOUND,
        "not-open",
        "seat-taken",
        "unknown-character",
        "character-taken",
        "illegal-command",
        "conflict",
        *WRITE,
        *GAME_LOG,
        *ALWAYS,
    ),
    "replaceSeat": (
        *PARAMETER,
        *KEY,
        *TOKEN,
        *NOT_FOUND,
        "seats-free",
        "game-over",
        "conflict",
        *WRITE,
        *GAME_LOG,
        *ALWAYS,
    ),
    "joinSpectators": (*PARAMETER, *BODY, "invalid-idempotency-key", *INVITE, *WRITE, *GAME_LOG, *ALWAYS),
    "joinReferee": (*PARAMETER, *BODY, "invalid-idempotency-key", *INVITE, *WRITE, *GAME_LOG, *ALWAYS),
    "rotateToken": (*PARAMETER, "invalid-idempotency-key", *TOKEN, *WRITE, *GAME_LOG, *ALWAYS),
    "getView": (*PARAMETER, "invalid-precondition", *TOKEN, *POSITION, *GAME_LOG, *ALWAYS),
    "getDecisions": (*PARAMETER, "invalid-precondition", *TOKEN, *POSITION, *GAME_LOG, *ALWAYS),
    "getBoard": (*PARAMETER, "invalid-precondition", *TOKEN, *POSITION, *GAME_LOG, *ALWAYS),
    "getDiff": (*PARAMETER, *TOKEN, *POSITION, "unfit-span", *GAME_LOG, *ALWAYS),
    "postCommand": (*PARAMETER, *BODY, *KEY, *IF_MATCH, *TOKEN, *COMMAND, *WRITE, *GAME_LOG, *ALWAYS),
    "openDispute": (
        *PARAMETER,
        *BODY,
        *KEY,
        *TOKEN,
        "dispute-open",
        "dispute-limit",
        "unfit-span",
        "not-started",
        "game-over",
        "conflict",
        *WRITE,
        *GAME_LOG,
        *ALWAYS,
    ),
    "listDisputes": (*PARAMETER, "invalid-precondition", *TOKEN, *GAME_LOG, *ALWAYS),
    "getDispute": (*PARAMETER, "invalid-precondition", *TOKEN, *NOT_FOUND, *GAME_LOG, *ALWAYS),
    "giveEvidence": (
        *PARAMETER,
        *BODY,
        *KEY,
        *TOKEN,
        *NOT_FOUND,
        "unfit-evidence",
        "unknown-rule",
        "unfit-span",
        "dispute-limit",
        *DISPUTE,
        *WRITE,
        *GAME_LOG,
        *ALWAYS,
    ),
    "withdrawDispute": (*PARAMETER, *KEY, *TOKEN, *NOT_FOUND, *DISPUTE, *WRITE, *GAME_LOG, *ALWAYS),
    "ruleDispute": (
        *PARAMETER,
        *BODY,
        *KEY,
        *TOKEN,
        *NOT_FOUND,
        "unfit-ruling",
        "dispute-limit",
        "unknown-rule",
        "unfit-span",
        "unfit-amendment",
        "ruling-open",
        "decision-closed",
        "illegal-command",
        *DISPUTE,
        *WRITE,
        *GAME_LOG,
        *ALWAYS,
    ),
    "getEvents": (
        *PARAMETER,
        "invalid-precondition",
        *TOKEN,
        *POSITION,
        "invalid-cursor",
        "not-acceptable",
        "too-many-streams",
        *GAME_LOG,
        *ALWAYS,
    ),
    "makeTicket": (*PARAMETER, *TOKEN, *GAME_LOG, *ALWAYS),
    "openAccount": (*WRITE, *ALWAYS),
    "getAccount": ("unauthorized", *GAME_LOG, *ALWAYS),
    "getAccountEvents": (
        *PARAMETER,
        "unauthorized",
        "invalid-cursor",
        *POSITION,
        "not-acceptable",
        "too-many-streams",
        *GAME_LOG,
        *ALWAYS,
    ),
    "bindToken": (*PARAMETER, *BODY, *TOKEN, "account-full", "is-fork", *WRITE, *GAME_LOG, *ALWAYS),
    "unbindToken": (*PARAMETER, *TOKEN, *WRITE, *GAME_LOG, *ALWAYS),
    "getTrace": (*PARAMETER, *TOKEN, *POSITION, "unfit-span", "not-acceptable", *GAME_LOG, *ALWAYS),
    "askVerification": (*PARAMETER, *TOKEN, "jobs-unavailable", *GAME_LOG, *ALWAYS),
    "getVerification": (*PARAMETER, *TOKEN, *NOT_FOUND, "jobs-unavailable", *GAME_LOG, *ALWAYS),
    "getPost": (*PARAMETER, *TOKEN, *POSITION, *GAME_LOG, *ALWAYS),
    "getOdds": (*PARAMETER, *BODY, *TOKEN, *POSITION, "unfit-odds", *GAME_LOG, *ALWAYS),
    "dryRun": (*PARAMETER, *BODY, *TOKEN, *POSITION, "unfit-entry", *GAME_LOG, *ALWAYS),
    "forkGame": (
        *PARAMETER,
        *BODY,
        *KEY,
        *TOKEN,
        *POSITION,
        "unfit-tape",
        "is-fork",
        "not-started",
        "game-over",
        "half-done",
        "too-many-forks",
        "no-world",
        "conflict",
        *WRITE,
        *GAME_LOG,
        *ALWAYS,
    ),
    "listForks": (*PARAMETER, *TOKEN, *GAME_LOG, *ALWAYS),
    "getMessages": (*PARAMETER, *TOKEN, *GAME_LOG, *ALWAYS),
    "postMessage": (
        *PARAMETER,
        *BODY,
        *KEY,
        *TOKEN,
        "no-side",
        "stream-full",
        "illegal-command",
        *WRITE,
        *GAME_LOG,
        *ALWAYS,
    ),
    "eraseMessage": (*PARAMETER, *TOKEN, *NOT_FOUND, *WRITE, *GAME_LOG, *ALWAYS),
    "getOrders": (*PARAMETER, *TOKEN, *NOT_FOUND, *GAME_LOG, *ALWAYS),
    "leaveOrders": (*PARAMETER, *BODY, *TOKEN, *NOT_FOUND, "unfit-orders", "game-over", *WRITE, *GAME_LOG, *ALWAYS),
    "withdrawOrders": (*PARAMETER, *TOKEN, *NOT_FOUND, *WRITE, *GAME_LOG, *ALWAYS),
    "subscribe": (
        *BODY,
        *TOKEN,
        "unfit-subscription",
        "endpoint-refused",
        "subscription-exists",
        "too-many-subscriptions",
        "is-fork",
        "invalid-cursor",
        *POSITION,
        *WRITE,
        *GAME_LOG,
        *ALWAYS,
    ),
    "listSubscriptions": (*TOKEN, *ALWAYS),
    "getSubscription": (*PARAMETER, *TOKEN, *ALWAYS),
    "unsubscribe": (*PARAMETER, *TOKEN, *WRITE, *ALWAYS),
    "redeliver": (*PARAMETER, *BODY, *TOKEN, "unfit-subscription", "endpoint-refused", *POSITION, *WRITE, *ALWAYS),
    "rotateKey": (*PARAMETER, *TOKEN, *WRITE, *ALWAYS),
    "exportGame": (*PARAMETER, *TOKEN, *GAME_LOG, *ALWAYS),
    "getHeads": (*PARAMETER, "invalid-precondition", *NOT_FOUND, *POSITION, *GAME_LOG, *ALWAYS),
    "getProofs": (*PARAMETER, "invalid-precondition", *TOKEN, *POSITION, *GAME_LOG, *ALWAYS),
    "getProofPage": (),
    "listPacks": ALWAYS,
    "getPack": (*PARAMETER, *NOT_FOUND, *ALWAYS),
    "listRules": (*PARAMETER, *NOT_FOUND, *ALWAYS),
    "getRule": (*PARAMETER, *NOT_FOUND, *ALWAYS),
    "getReady": ("store-full", *ALWAYS),
    "getLive": (),
    "getMetrics": ALWAYS,
    "getContract": (),
    "getStreamsContract": (),
}
"""The problems that each operation can answer, by code."""

UNVERSIONED = (
    "getOdds",
    "dryRun",
    "forkGame",
    "listForks",
    "askVerification",
    "getVerification",
    "getMessages",
    "postMessage",
    "eraseMessage",
    "getOrders",
    "leaveOrders",
    "withdrawOrders",
    "rotateToken",
    "subscribe",
    "listSubscriptions",
    "getSubscription",
    "unsubscribe",
    "redeliver",
    "rotateKey",
    "makeTicket",
    "openAccount",
    "getAccount",
    "getAccountEvents",
    "bindToken",
    "unbindToken",
    "openGame",
    "listGames",
    "listPacks",
    "getPack",
    "listRules",
    "getRule",
    "getReady",
    "getLive",
    "getMetrics",
    "getContract",
    "getStreamsContract",
    "getProofPage",
)
"""Operations whose answers have no `ETag`: they are not about one game at a version."""
CONDITIONAL = (
    "getGame",
    "getView",
    "getDecisions",
    "getBoard",
    "getEvents",
    "getHeads",
    "getProofs",
    "listDisputes",
    "getDispute",
)
"""Operations that answer 304."""

HEADERS: dict[str, dict[str, object]] = {
    "ETag": {
        "description": "The game's version as the caller may see it: the number of a commit.",
        "schema": {"type": "string", "pattern": '^"[0-9]+"$'},
    },
    "Location": {"description": "What came into being.", "schema": {"type": "string"}},
    "Idempotent-Replayed": {
        "description": "`true` if the request had been accepted before under the same key: this is the first answer.",
        "schema": {"type": "string", "enum": ["true"]},
    },
    "Retry-After": {"description": "Seconds until it may work.", "schema": {"type": "integer", "minimum": 1}},
    "WWW-Authenticate": {"description": "`Bearer`.", "schema": {"type": "string"}},
}

GAME = {"game": "$response.body#/game/id"}
SAME = {"game": "$request.path.game"}

LINKS: dict[str, dict[str, dict[str, object]]] = {
    "openGame": {
        "game": {"operationId": "getGame", "parameters": GAME},
        "claim": {
            "operationId": "claimSeat",
            "parameters": {**GAME, "seat": "0"},
            "requestBody": {"invite": "$response.body#/invites/seats/0/secret"},
            "description": "With the seat's invite. For a hotseat all seats are claimed already.",
        },
        "referee": {
            "operationId": "joinReferee",
            "parameters": GAME,
            "requestBody": {"invite": "$response.body#/invites/referee/secret"},
        },
        "spectators": {
            "operationId": "joinSpectators",
            "parameters": GAME,
            "requestBody": {"invite": "$response.body#/invites/spectators/0/secret"},
        },
        "start": {"operationId": "startGame", "parameters": GAME, "description": "With the host's token."},
        "close": {"operationId": "closeGame", "parameters": GAME, "description": "With the host's token."},
        "rotate": {
            "operationId": "rotateToken",
            "parameters": {**GAME, "token": "$response.body#/tokens/host/id"},
            "description": "With the host's token.",
        },
    },
    "claimSeat": {
        "view": {"operationId": "getView", "parameters": SAME, "description": "With the seat's token."},
        "start": {"operationId": "startGame", "parameters": SAME, "description": "With the host's token."},
        "replace": {
            "operationId": "replaceSeat",
            "parameters": {**SAME, "seat": "$request.path.seat"},
            "description": "With the host's token.",
        },
    },
    "startGame": {
        "decisions": {"operationId": "getDecisions", "parameters": SAME},
        "view": {"operationId": "getView", "parameters": SAME},
        "events": {"operationId": "getEvents", "parameters": SAME},
        "export": {"operationId": "exportGame", "parameters": SAME},
        "trace": {"operationId": "getTrace", "parameters": SAME},
        "heads": {"operationId": "getHeads", "parameters": SAME},
        "proofs": {"operationId": "getProofs", "parameters": SAME, "description": "With a seat's token."},
        "verification": {"operationId": "askVerification", "parameters": SAME, "description": "With a seat's token."},
    },
    "askVerification": {
        "verdict": {
            "operationId": "getVerification",
            "parameters": {**SAME, "verification": "$response.body#/id"},
        }
    },
    "forkGame": {
        "game": {"operationId": "getGame", "parameters": GAME},
        "decisions": {
            "operationId": "getDecisions",
            "parameters": GAME,
            "description": "With a seat's token of the fork.",
        },
        "list": {"operationId": "listForks", "parameters": SAME},
    },
    "getDecisions": {
        "try": {
            "operationId": "dryRun",
            "parameters": SAME,
            "requestBody": "$response.body#/yours/0/commands/0/command",
        },
        "command": {
            "operationId": "postCommand",
            "parameters": SAME,
            "requestBody": "$response.body#/yours/0/commands/0/command",
            "description": "Whatever is listed can be posted as it stands.",
        },
    },
    "getView": {
        "board": {"operationId": "getBoard", "parameters": SAME},
        "diff": {"operationId": "getDiff", "parameters": {**SAME, "query.from": "$response.body#/version"}},
    },
    "postCommand": {
        "decisions": {"operationId": "getDecisions", "parameters": SAME},
        "events": {"operationId": "getEvents", "parameters": SAME},
    },
    "subscribe": {
        name: {"operationId": operation, "parameters": {"subscription": "$response.body#/subscription/id"}}
        for name, operation in (("see", "getSubscription"), ("rotate", "rotateKey"), ("end", "unsubscribe"))
    },
    "getHeads": {"proofs": {"operationId": "getProofs", "parameters": SAME, "description": "With a seat's token."}},
    "importGame": {"game": {"operationId": "getGame", "parameters": GAME}},
    "listGames": {"game": {"operationId": "getGame", "parameters": {"game": "$response.body#/games/0/id"}}},
    "listPacks": {"pack": {"operationId": "getPack", "parameters": {"pack": "$response.body#/packs/0/id"}}},
    "openDispute": {
        "dispute": {"operationId": "listDisputes", "parameters": SAME},
    },
    "listRules": {"rule": {"operationId": "getRule", "parameters": {"rule": "$response.body#/rules/0/id"}}},
}
"""What an answer feeds, by operation."""

TAGS = {
    "accounts": "One key for the tokens of many games, and one stream over all of them.",
    "games": "Games as a whole: opened, listed, started, closed.",
    "seats": "Seats, other places, tokens.",
    "play": "What a role sees, what it may do, and doing it.",
    "what if": "Odds, dry runs and sandboxes: nothing of it happens.",
    "disputes": "The referee's desk: what seats dispute, and how it is ruled.",
    "side": "Beside the log: messages of a side, standing orders.",
    "referee": "Looking back: what happened, by which rule, and what each role could know.",
    "events": "The log, as the caller's role was told it.",
    "webhooks": "Commits sent to endpoints, by Standard Webhooks.",
    "proof": "Holding the service to its log, while a game goes on and after it.",
    "content": "Packs and the rule ledger.",
    "health": "Whether the service lives and can keep what it promises.",
}


def by_status(operation: str) -> dict[int, list[Kind]]:
    """The problems of an operation by their status."""
    found: dict[int, list[Kind]] = {}
    for code in PROBLEMS[operation]:
        found.setdefault(KINDS[code].status, []).append(KINDS[code])
    return found
