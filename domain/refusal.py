"""Refusals: why a command is not accepted. A refusal is raised before the first event, so that nothing has changed."""


class Refused(Exception):
    """A command is against a rule, or against what the game waits for.

    `rule` is the ledger's id where a rule forbids it; `problem` is a short name for refusals that no rulebook speaks of
    (`decision-closed`, `not-your-decision`, `not-an-option`).
    """

    def __init__(self, detail: str, *, rule: str = "", problem: str = "illegal-command") -> None:
        """Remember the sentence for people, the rule and the problem's name."""
        super().__init__(detail)
        self.detail = detail
        self.rule = rule
        self.problem = problem
