"""The scenario of a game that a test plays: any will do, unless the test names one."""

from domain.engine.rules import Rules


def scenario_for(rules: Rules, number: int = 0) -> str:
    """One of the pack's scenarios, another for each number in turn; empty where it has none."""
    named = list(rules.pack.scenarios)
    return named[number % len(named)] if named else ""
