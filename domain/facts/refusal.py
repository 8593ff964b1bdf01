"""Refusals: why a command is not accepted. A refusal is raised before the first event, so that nothing has changed."""

from collections.abc import Sequence


class Refused(Exception):
    """A command is against a rule, or against what the game waits for.

    `rule` is the ledger's id where a rule forbids it; `problem` is a short name for refusals that no rulebook mentions
    (`decision-closed`, `not-your-decision`).
    """

    def __init__(
        self, detail: str, *, rule: str = "", problem: str = "illegal-command", errors: Sequence[tuple[str, str]] = ()
    ) -> None:
        """Remember the sentence for people, the rule, the problem's name, and the places in the command that are wrong, and why."""
        super().__init__(detail)
        self.errors = errors
        self.detail = detail
        self.rule = rule
        self.problem = problem


class Endless(Exception):
    """Some content makes a command cause more events than one may; the whole command is undone."""

    def __init__(self, block: str, most: int) -> None:
        super().__init__(f"`{block}` goes on for more than the {most:,} events that one command may have")
