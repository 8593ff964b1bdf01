"""The English of rules: who a sentence is about, articles, plurals, lists.

A rule is first written as a template in which marked words agree with whom it is about: `[lose] 1 of [your] cards` becomes
`lose 1 of your cards` for *you*, and `each hero loses 1 of their cards` for *each hero*.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Person(NamedTuple):
    """Whom a sentence is about."""

    name: str
    third: bool
    """Whether its verbs end in `s`."""
    your: str
    them: str


YOU = Person("you", third=False, your="your", them="you")
THEY = Person("they", third=False, your="their", them="them")
WHO = Person("who", third=True, your="their", them="them")

_MARKED = re.compile(r"\[([a-z]+)\]")
_THIRD = {"are": "is", "have": "has", "do": "does", "go": "goes"}
_PLURALS = {"Footman": "Footmen", "space": "spaces", "die": "dice"}
_CONSONANT_SOUNDS = ("uni", "use", "eu", "one")


def somebody(name: str) -> Person:
    """A person told by name: `each hero`, `the target`."""
    return Person(name, third=True, your="their", them="them")


def agreed(template: str, person: Person) -> str:
    """A template with its marked words made to agree with a person."""

    def word(match: re.Match[str]) -> str:
        marked = match[1]
        if marked == "you":
            return person.name
        if marked == "your":
            return person.your
        if marked == "them":
            return person.them
        return third(marked) if person.third else marked

    return _MARKED.sub(word, template)


def unbent(template: str) -> str:
    """A template whose verbs stay as they are, behind `may`."""
    return _MARKED.sub(lambda match: match[0] if match[1] in ("you", "your", "them") else match[1], template)


def deed(template: str, person: Person) -> str:
    """A template as an order: `lose 1 Might` for you, `each hero loses 1 Might` for others."""
    said = agreed(template, person)
    return (
        said
        if person == YOU or not template.startswith("[") or template.startswith("[you")
        else f"{person.name} {said}"
    )


def third(verb: str) -> str:
    """The form of a verb for he, she and it."""
    if verb in _THIRD:
        return _THIRD[verb]
    if verb.endswith(("s", "x", "ch", "sh", "z")):
        return f"{verb}es"
    return f"{verb[:-1]}ies" if verb.endswith("y") and verb[-2] not in "aeiou" else f"{verb}s"


def plural(thing: str) -> str:
    """The plural of a noun: `Rats`, `Footmen`, `Unquiet Ones`, `Doors of Salt`."""
    head, of, rest = thing.partition(" of ")
    if of:
        return f"{plural(head)}{of}{rest}"
    if thing in _PLURALS:
        return _PLURALS[thing]
    if thing.endswith(("man", "Man")):
        return f"{thing[:-2]}en"
    if thing.endswith(("s", "x", "ch", "sh", "z")):
        return f"{thing}es"
    return f"{thing[:-1]}ies" if thing.endswith("y") and thing[-2:-1] not in set("aeiou") else f"{thing}s"


def a(thing: str) -> str:
    """A noun with its article: `an Egg Sac`, `a Rat`."""
    lower = thing.lower()
    vowel = lower.startswith(tuple("aeiou8")) and not lower.startswith(_CONSONANT_SOUNDS)
    return f"an {thing}" if vowel else f"a {thing}"


def countable(title: str) -> bool:
    """Whether a title is a thing of which there may be one, as far as its ending tells: `Lamp`, but not `Remains` or `Stirred`."""
    head = title.partition(" of ")[0]
    return not (head.endswith("s") and not head.endswith("ss")) and (" " in title or not title.endswith("ed"))


def be(title: str) -> str:
    """A title with its verb: `the Crypt is`, `the Gardens are`, `the Ashes of the Host are`."""
    head = title.partition(" of ")[0]
    return f"{title} {'are' if head.endswith('s') and not head.endswith('ss') else 'is'}"


def the(title: str) -> str:
    """A title within a sentence: `the Crypt`, but `The Beckoning` and `Her Letter`."""
    return title if title.startswith(("The ", "A ", "An ", "Her ", "His ", "Their ")) else f"the {title}"


def listed(words: Sequence[str], last: str = "and") -> str:
    """Words as a sentence lists them: `Axe, Bell and Spear`."""
    return f" {last} ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def enumerated(words: Sequence[str], last: str = "and") -> str:
    """Clauses as a sentence lists them, with a comma before the last where one of them has an `and` or `or` itself."""
    if len(words) < 2:  # noqa: PLR2004 -- nothing to join
        return "".join(words)
    comma = "," if any(re.search(r"\b(and|or|then)\b", word) for word in words) else ""
    return f"{', '.join(words[:-1])}{comma} {last} {words[-1]}"


def capital(words: str) -> str:
    """Words as a sentence begins."""
    return words[:1].upper() + words[1:]


def sentence(words: str) -> str:
    """Words as a sentence: a capital first, and a full stop unless they end with one."""
    return capital(words) if words.endswith((".", "!", "?")) else f"{capital(words)}."


def sentences(parts: Iterable[str]) -> str:
    """Each of these as a sentence, in one line."""
    return " ".join(sentence(part) for part in parts if part)


def plain(name: str) -> str:
    """A name that has no title, as words: `listening-room` is `listening room`."""
    return name.replace("-", " ").replace("_", " ")


def quoted(words: str) -> str:
    """Words in quotation marks."""
    return f"“{words}”"
