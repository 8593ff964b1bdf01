"""The rule ledger: every rule of every edition, by its id. `rules/FORMAT.md` tells what the fields mean."""

import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from content.errors import ContentErrors, Mistake, did_you_mean
from content.patterns import told, whole

FOLDER = Path(__file__).parent / "rules"

Edition = Literal["second", "third", "legacy", "play-by-post"]

PREFIXES: dict[str, Edition] = {"2E": "second", "3E": "third", "LEG": "legacy", "PBP": "play-by-post"}
"""What the first part of a rule's id says."""

SEALED_PAGES = "After the Campaign: Free Play"
"""The part of the Legacy rulebook that stays closed until the campaign is over (LEG-FREE-001), as `source` names it."""

SEALED_WORDS = re.compile(r"(?i:free[ -]play)|\bFREE\b")
"""How the ledger speaks of those pages: by their name, or by the area of their rules."""

Text = Annotated[str, msgspec.Meta(min_length=1)]

Phase = Literal["exploration", "haunt", "both", "setup", "end", "campaign"]
Actor = Literal["explorer", "hero", "traitor", "monster", "moderator", "table"]
Visibility = Literal["public", "heroes", "traitor", "owner", "referee"]
RuleKind = Literal[
    "setup", "procedure", "constraint", "trigger", "computation", "permission", "information", "definition"
]


class WrittenRule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A rule as a ledger file holds it."""

    id: Annotated[str, msgspec.Meta(pattern=whole(r"^(2E|3E|LEG|PBP)-[A-Z][A-Z0-9]*-\d{3}$"))]
    title: Text
    text: Text
    """In our own words."""
    source: Text
    """File, section and page of the rulebook."""
    phase: Phase
    actors: Annotated[list[Actor], msgspec.Meta(min_length=1)]
    visibility: Visibility
    """Who may know what the rule produces."""
    kind: RuleKind
    tests: Annotated[list[Text], msgspec.Meta(min_length=1)]
    """Cases that can be observed from outside, numbered from 1; tests play them as they are written."""
    overrides: list[str]
    """Ids of the rules that this one replaces or is an exception to."""
    ambiguity: str
    """What the rulebook leaves open, and the ruling taken."""
    manual: bool
    """No program can enforce it."""
    unplayed: dict[str, Text] = {}
    """By number: cases of `tests` that no game on this engine can play, with the reason."""


class Rule(WrittenRule, frozen=True, kw_only=True):
    """A rule, with what follows from its id and source."""

    edition: Edition
    sealed: bool
    """Not to be shown before the campaign is over."""
    sealed_ambiguity: bool
    """`ambiguity` tells of the sealed pages, though the rule may be open: left out where a sealed rule is not shown."""


@cache
def ledger() -> dict[str, Rule]:
    """Load the ledger, once for each process.

    Returns:
        All rules by id, in the order of their files; the same dictionary at every call: do not change it.

    Raises:
        ContentErrors: a ledger file is damaged; with all mistakes.
    """
    return read_ledger(FOLDER)


@cache
def rule_ids() -> frozenset[str]:
    """Return the ids of all rules, by a look at the files alone: fifty times as quick as loading them."""
    pattern = re.compile(r'^id = "(.*)"', re.MULTILINE)
    return frozenset(name for path in _files(FOLDER) for name in pattern.findall(path.read_text(encoding="utf-8")))


def no_rule(name: str, editions: Sequence[str]) -> str:
    """Say why a rule cannot be cited where only these editions' rules hold; empty if it can.

    A sealed rule is not told from one that doesn't exist.
    """
    holding = [one.id for one in ledger().values() if one.edition in editions and not one.sealed]
    if name in holding:
        return ""
    prefixes = [f"{prefix}-" for prefix, edition in PREFIXES.items() if edition in editions]
    whose = "any edition" if len(prefixes) == len(PREFIXES) else "this edition"
    begin = " or ".join([", ".join(prefixes[:-1]), *prefixes[-1:]]) if len(prefixes) > 1 else "".join(prefixes)
    same = [other for other in holding if other.partition("-")[2] == name.partition("-")[2]]
    near = did_you_mean(name, same or holding)
    return f"{name} is not a rule of {whose}, whose rules begin with {begin}{f': {near}' if near else '.'}"


def read_ledger(folder: Path) -> dict[str, Rule]:
    """Read all ledger files of a folder.

    Raises:
        ContentErrors: with all mistakes: not TOML, fields that do not fit, ids given twice, overrides of no rule.
    """
    rules: dict[str, Rule] = {}
    lines: dict[str, tuple[str, int]] = {}
    mistakes: list[Mistake] = []
    for path in _files(folder):
        for line, data in _entries(path, mistakes):
            try:
                entry = msgspec.convert(data, WrittenRule)
            except msgspec.ValidationError as error:
                mistakes.append(Mistake(str(path), line, 1, f"this rule does not fit: {told(str(error))}"))
                continue
            for number in entry.unplayed:
                if number not in map(str, range(1, len(entry.tests) + 1)):
                    message = f"`unplayed` names case {number!r}; the cases are numbered 1 to {len(entry.tests)}"
                    mistakes.append(Mistake(str(path), line, 1, message))
            if entry.id in rules:
                mistakes.append(Mistake(str(path), line, 1, f"the id `{entry.id}` is given twice"))
            rules[entry.id] = _rule(entry)
            lines[entry.id] = (str(path), line)
    for rule in rules.values():
        for other in rule.overrides:
            if other not in rules:
                message = f"`{rule.id}` overrides `{other}`, which is no rule"
                mistakes.append(Mistake(*lines[rule.id], 1, message, did_you_mean(other, rules)))
    if mistakes:
        raise ContentErrors(mistakes)
    return rules


def _rule(entry: WrittenRule) -> Rule:
    return Rule(
        **msgspec.structs.asdict(entry),
        edition=PREFIXES[entry.id.split("-")[0]],
        sealed=SEALED_PAGES in entry.source,
        sealed_ambiguity=SEALED_WORDS.search(entry.ambiguity) is not None,
    )


def _files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.toml"))


def _entries(path: Path, mistakes: list[Mistake]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Return each rule of a file as plain data, with the line of its header."""
    try:
        text = path.read_text(encoding="utf-8")
        data = tomllib.loads(text)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        mistakes.append(Mistake(str(path), 1, 1, f"cannot be read: {error}"))
        return
    found = data.pop("rule", [])
    if data or not isinstance(found, list):
        mistakes.append(Mistake(str(path), 1, 1, "a ledger file holds `[[rule]]` tables and nothing else"))
        return
    headers = [number for number, line in enumerate(text.splitlines(), 1) if line.strip() == "[[rule]]"]
    # Headers may be written so that this simple look misses one; then the file's first line has to do.
    yield from zip(headers if len(headers) == len(found) else [1] * len(found), found, strict=True)
