"""One test for several editions."""

import pytest

from content.ledger import ledger


def in_each(*rules: pytest.MarkDecorator) -> pytest.MarkDecorator:
    """Run a test for each of these rules, `pytest.mark.rule(id, …)`: it is given the rule's `edition` and the id as `rule`."""
    ids = [mark.mark.args[0] for mark in rules]
    return pytest.mark.parametrize(
        "edition,rule",
        [
            pytest.param(ledger()[rule].edition, rule, marks=mark, id=rule)
            for rule, mark in zip(ids, rules, strict=True)
        ],
    )
