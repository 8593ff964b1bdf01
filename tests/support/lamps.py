"""A small haunt that nobody has printed, as a group would enter it from a book: three lamps to light before the gloom wins."""

from typing import Any

PIECES: dict[str, Any] = {
    "counters": {"lamps": {"title": "Lamps lit", "max": 3}, "gloom": {"title": "Gloom"}},
    "tokens": [{"id": "lamp", "title": "Lamp"}],
}
LIGHT: dict[str, Any] = {
    "actions": [
        {
            "word": "LIGHT",
            "title": "Light a lamp",
            "do": [
                {
                    "roll": {"trait": "knowledge", "task": True},
                    "outcomes": {
                        "3+": [{"count": {"counter": "lamps", "by": 1}}, {"place-token": {"token": "lamp"}}],
                        "0-2": [],
                    },
                }
            ],
        }
    ],
    "notes": {"where": "Any room will do for a lamp."},
}
HEROES_GOAL: dict[str, Any] = {
    "goal": "Light three lamps.",
    "wins-when": {"counter": "lamps", "at-least": 3},
    "because": "The third lamp burns.",
}
SHADES: dict[str, Any] = {
    "monsters": {"shade": {"title": "Shade", "speed": 3, "might": 3, "sanity": 3}},
    "do": [{"place-monster": {"kind": "shade", "at": "room-of-haunt", "count": 2}}],
}
GLOOM: dict[str, Any] = {
    "notes": {"gloom": "The gloom grows by itself."},
    "on": [
        {
            "when": "round-started",
            "for": "everyone",
            "do": [
                {"count": {"counter": "gloom", "by": 1}},
                {
                    "if": {"counter": "gloom", "at-least": 9},
                    "then": [{"win": {"side": "traitor", "because": "The gloom fills the house."}}],
                },
            ],
        }
    ],
}
WHISPER: dict[str, Any] = {
    "actions": [
        {
            "word": "WHISPER",
            "target": {"each": "opponent", "in": "here"},
            "once": {"per": "turn"},
            "do": [{"damage": {"kind": "mental", "dice": 1}, "who": "target"}],
        }
    ]
}
SCRIPT: list[tuple[str, dict[str, Any]]] = [
    ("heroes", PIECES),
    ("heroes", LIGHT),
    ("traitor", SHADES),
    ("heroes", HEROES_GOAL),
    ("traitor", GLOOM),
    ("traitor", WHISPER),
]
"""Whose book says what, in the order in which it is entered."""
