"""OpenAPI links: what an answer feeds, by operation."""

from __future__ import annotations

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
        for name, operation in (
            ("see", "getSubscription"),
            ("try", "testSubscription"),
            ("attempts", "listAttempts"),
            ("rotate", "rotateKey"),
            ("end", "unsubscribe"),
        )
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
