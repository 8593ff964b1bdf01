"""What of a pack games have reached, as a page of Markdown."""

from collections.abc import Mapping

from content.authoring.mechanisms import matrix
from domain.engine.rules import Rules
from domain.pack.reach import TOPICS, Reached, things, verbs


def add_verbs(rules: Rules, reached: Reached) -> None:
    """Count verbs by the steps that did them."""
    for step, verb in verbs(rules).items():
        reached[verb] += reached[step]


def never_reached(rules: Rules, reached: Reached) -> list[str]:
    return [name for names in things(rules).values() for name in names if not reached[name]]


def coverage_report(rules: Rules, reached: Reached, explained: Mapping[str, str], *, title: str) -> str:
    found = things(rules)
    lines = [
        f"# What bots reach in {rules.pack.head.title}",
        "",
        f"Written by `omenlog content reach`; do not edit. {title}.",
        "",
        "| what | there are | reached | never |",
        "| --- | --- | --- | --- |",
    ]
    for topic, names in found.items():
        got = sum(reached[name] > 0 for name in names)
        lines.append(f"| {TOPICS[topic]} | {len(names):,} | {got:,} | {len(names) - got:,} |")
    lines += ["", "## Never reached", ""]
    by_reason: dict[str, list[str]] = {}
    for name in never_reached(rules, reached):
        by_reason.setdefault(explained.get(name, "Not explained."), []).append(name)
    for reason, names in by_reason.items():
        lines += [f"{reason.rstrip('.')}.", "", *(f"- {name}" for name in names), ""]
    if not by_reason:
        lines += ["Nothing.", ""]
    if rules.pack.haunts:
        lines += ["## Mechanisms", "", *matrix(rules.pack.haunts.values()), ""]
    lines += ["## How often", ""]
    for topic, names in found.items():
        if topic == "step":
            continue
        counts = sorted(((reached[name], name.partition(" ")[2]) for name in names), key=lambda one: (-one[0], one[1]))
        told = ", ".join(f"{name} {count:,}" for count, name in counts)
        lines += [f"**{TOPICS[topic][0].upper()}{TOPICS[topic][1:]}**: {told}.", ""]
    return "\n".join(lines)
