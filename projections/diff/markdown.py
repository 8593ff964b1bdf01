"""The difference between two moments as Markdown, for pasting."""

from __future__ import annotations

from projections.diff.compare import GameDiff
from projections.text.post import plain

HEADINGS = {
    "game": "Game",
    "turn": "Turn",
    "seat": "Seats",
    "explorer": "Explorers",
    "trait": "Traits",
    "card": "Cards and items",
    "room": "Rooms",
    "token": "Tokens",
    "monster": "Monsters",
    "haunt": "Haunt",
    "counter": "Haunt",
    "book": "Haunt",
    "note": "Haunt",
    "secret": "Haunt",
    "ruling": "Rulings",
    "stack": "Stacks",
    "awaited": "Decisions",
    "decision": "Decisions",
    "enter": "Decisions",
}
"""By topic."""

ROLES = {"spectators": "the spectators", "referee": "the referee"}


def sentences(diff: GameDiff) -> list[str]:
    """What changed, a line each."""
    return [change.text for change in diff.changes if change.text]


def diff_as_markdown(diff: GameDiff) -> str:
    """A heading, then what changed by topic, a line each; ends with a line break."""
    who = ROLES.get(diff.role, diff.role.replace(":", " "))
    blocks = [f"## Commits {diff.from_} to {diff.to}, as {who} saw it"]
    lines: dict[str, list[str]] = {}
    for change in diff.changes:
        if change.text:
            lines.setdefault(HEADINGS[change.topic], []).append(f"- {plain(change.text)}")
    blocks += [f"**{heading}**\n\n" + "\n".join(found) for heading, found in lines.items()]
    if not lines:
        blocks.append("Nothing changed.")
    return "\n\n".join(blocks) + "\n"
