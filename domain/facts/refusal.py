"""Refusals: why a command is not accepted. A refusal is raised before the first event, so that nothing has changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from domain.facts.ids import id_kind, id_name

watchers: list[Callable[[Refused], None]] = []
"""Are shown every refusal. Empty in play: tests note here which rules were cited."""


class Refused(Exception):
    """A command is against a rule, or against what the game waits for.

    `rule` is the ledger's id where a rule forbids it; `problem` is a short name for refusals that no rulebook mentions
    (`decision-closed`, `not-your-decision`).
    """

    def __init__(
        self,
        sentence: str,
        *about: str,
        rule: str = "",
        problem: str = "illegal-command",
        errors: Sequence[tuple[str, str]] = (),
    ) -> None:
        """Remember why.

        Args:
            sentence: for people; with a `{}` for each thing that it is about.
            about: ids of these things: `tile:attic`, `card:axe`, `seat:2`, `monster:rat-1`, `deed:tile:vault#OPEN`.
            rule: by which it is forbidden.
            problem: what kind of refusal it is.
            errors: places in the command that are wrong, and why, in sentences about the same things.
        """
        self.sentence = sentence
        self.about = about
        self.rule = rule
        self.problem = problem
        self._errors = errors
        self.detail = self._filled(sentence, _unnamed)
        """The sentence with ids in it, for logs; people read `worded`."""
        self.errors = [(at, self._filled(why, _unnamed)) for at, why in errors]
        super().__init__(self.detail)
        for watch in watchers:
            watch(self)

    def worded(self, name: Callable[[str], str]) -> Refused:
        """The same with the names by which its reader knows what it is about."""
        if not self.about:
            return self
        errors = [(at, self._filled(why, name)) for at, why in self._errors]
        return Refused(self._filled(self.sentence, name), rule=self.rule, problem=self.problem, errors=errors)

    def _filled(self, sentence: str, name: Callable[[str], str]) -> str:
        return sentence.format(*map(name, self.about)) if self.about else sentence


def _unnamed(about: str) -> str:
    return about.replace(":", " ") if id_kind(about) == "seat" else id_name(about)


class Endless(Exception):
    """Some content makes a command cause more events than one may; the whole command is undone."""

    def __init__(self, block: str, most: int) -> None:
        super().__init__(f"`{block}` goes on for more than the {most:,} events that one command may have")
