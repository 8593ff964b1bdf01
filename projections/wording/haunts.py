"""Haunts in words: what everybody knows, and each side's book apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from content.vocabulary.abilities import Action, Trigger
from content.vocabulary.base import Side
from content.vocabulary.effects import Effect
from content.vocabulary.pack import (
    Bar,
    Book,
    Counter,
    Haunt,
    Monster,
    MonstersTurn,
    Powers,
    Stealing,
    TraitorRule,
)
from content.vocabulary.values import Condition
from projections.wording.abilities import attack, led, moment
from projections.wording.pieces import RuleText, card, kept, token
from projections.wording.wording import Wording
from projections.wording.words.conditions import SIDES
from projections.wording.words.english import enumerated, listed, plain, quoted, sentence, sentences, somebody, the
from projections.wording.words.titles import trait

KINDS: dict[str, str] = {
    "one-traitor": "one of you becomes the traitor",
    "no-traitor": "nobody becomes the traitor",
    "hidden-traitor": "one of you is the traitor in secret",
    "free-for-all": "each of you plays against all others, and one wins",
}


def haunt(w: Wording, one: Haunt) -> list[RuleText]:
    """What a haunt says besides its books; a role may see a monster, token or counter only once it is told."""
    told = [
        RuleText("kind", sentence(KINDS[one.kind])),
        RuleText("traitor", traitor(w, one.traitor) if one.traitor is not None else ""),
        *(
            RuleText(f"counters.{name}", counter(w, kept_at, w.titles.counters[name]))
            for name, kept_at in one.counters.items()
        ),
        *(
            rule
            for name, kind in one.monsters.items()
            for rule in (RuleText(f"monsters.{name}", monster(w, name, kind)), *_in_box(w, name, kind))
        ),
        *(RuleText(f"bars.{number}", bar(w, rule)) for number, rule in enumerate(one.bars)),
        RuleText("stealing", stealing(w, one.stealing) if one.stealing is not None else ""),
        RuleText(
            "revealed",
            led("when you, the hidden traitor, are revealed", w.effects(one.revealed)) if one.revealed else "",
        ),
        RuleText(
            "reveal-if",
            f"The hidden traitor may be revealed only if {w.if_(one.reveal_if)}." if one.reveal_if else "",
        ),
        RuleText("truce", "While the traitor is hidden, explorers cannot attack one another." if one.truce else ""),
        RuleText(
            "revealer-runs",
            "While the traitor is hidden, the haunt revealer's player moves the monsters." if one.revealer_runs else "",
        ),
        RuleText("monsters-turn", monsters_turn(one.monsters_turn) if one.monsters_turn is not None else ""),
        RuleText("traitor-powers", powers(one.traitor_powers) if one.traitor_powers is not None else ""),
        RuleText("traitor-first", "The traitor's setup is done first." if one.traitor_first else ""),
    ]
    for kind in one.tokens:
        told += [
            RuleText(f"tokens.{kind.id}.{rule.part}", f"{w.titles.token(kind.id)}: {rule.text}")
            for rule in token(w, kind)
        ]
    for item in one.items:
        told += [
            RuleText(f"items.{item.id}.{rule.part}", f"{w.titles.cards[item.id]}: {rule.text}")
            for rule in card(w, item)
        ]
    return kept(told)


def book(w: Wording, of: Book, side: Side, *, shared: bool = False) -> list[RuleText]:
    """A side's book.

    Args:
        w: the words inside the haunt.
        of: the book.
        side: whose it is.
        shared: everybody reads it, and the hidden traitor by it too.
    """
    everybody_for_themselves = shared and side == "traitor"
    setup = "right now, as the revealer" if everybody_for_themselves else "right now"
    told = [
        RuleText("right-now", led(setup, w.effects(of.right_now)) if of.right_now else ""),
        RuleText("wins-when", goal(w, of, side)),
        *(RuleText(f"actions.{rule.word}", w.action(rule, _together(rule, of.actions))) for rule in of.actions),
        *(RuleText(f"on.{number}", w.trigger(rule, "book")) for number, rule in enumerate(of.on)),
        RuleText("instead-of-death", _instead(w, of.instead_of_death, side) if of.instead_of_death else ""),
        RuleText("plays-on", _plays_on(w, of)),
        RuleText("loses-when", _loses(w, of)),
    ]
    if shared and side == "heroes":
        told.insert(
            2, RuleText("traitor-wins", goal(w, Book(story="", goal="", actions=of.actions, on=of.on), "traitor"))
        )
    return kept(told)


def _loses(w: Wording, of: Book) -> str:
    """When all who read a book have lost."""
    if of.loses_when is None:
        return ""
    return sentence(f"{w.titles.foe} wins {_as_soon_as(w, of.loses_when)}")


def _together(action: Action, others: Iterable[Action]) -> list[str]:
    """The words of other actions that attempt the same task."""
    task = _task(action)
    return [other.word for other in others if task and other is not action and _task(other) == task]


def _task(action: Action) -> str:
    rolls = [effect.roll for effect in action.do if effect.roll is not None]
    return next((roll.task_name for roll in rolls if roll.task_name is not None), "")


def goal(w: Wording, of: Book, side: Side) -> str:
    """When a side wins: by its condition, by what it does, and the traitor's also without any hero left."""
    ways = [] if of.wins_when is None else [_as_soon_as(w, of.wins_when)]
    deeds = [plain(action.word).upper() for action in of.actions if _wins(w, action.do, side)]
    if deeds:
        ways.append(f"by {listed(deeds, 'or')}")
    if side == "traitor" and w.titles.survivors_decide:
        ways.append("when no hero is left")
    for trigger in of.on:
        ways += _wins_then(w, trigger, side)
    return sentence(f"{_winning(w, side)} {', or '.join(ways)}") if ways else ""


def goal_by(w: Wording, of: Book, side: Side, part: str) -> str:
    """When a side wins by this part of a book alone: `wins-when`, `on.2`; empty where the part lets nobody win."""
    head, _, number = part.partition(".")
    ways = []
    if head == "wins-when" and of.wins_when is not None:
        ways = [_as_soon_as(w, of.wins_when)]
    elif head == "on":
        ways = _wins_then(w, of.on[int(number)], side)
    return sentence(f"{_winning(w, side)} {', or '.join(ways)}") if ways else ""


def _wins_then(w: Wording, trigger: Trigger, side: Side) -> list[str]:
    """How a side wins by what happens by itself."""
    held = [w.if_(trigger.if_)] if trigger.if_ is not None else []
    found = _wins_if(w, trigger.do, side, held)
    return list(dict.fromkeys(led_by(moment(trigger, "book"), enumerated(way)) for way in found))


def _winning(w: Wording, side: Side) -> str:
    return "the heroes win" if side == "heroes" else "you win" if w.titles.alone else f"{w.titles.foe} wins"


def _as_soon_as(w: Wording, condition: Condition) -> str:
    return f"as soon as {w.if_(condition).replace(' has reached ', ' reaches ')}"


def led_by(when: str, condition: str) -> str:
    """When something happens: `at the start of a round if the traitor is dead`."""
    return f"{when} if {condition}" if condition else when


def _wins_if(w: Wording, effects: Sequence[Effect], side: Side, held: list[str]) -> Iterator[list[str]]:
    """What must hold for each step by which a side wins."""
    for effect in effects:
        own = [*held, w.if_(effect.if_)] if effect.if_ is not None else held
        if effect.win is not None and effect.win.side in (side, "you"):
            yield own
        if effect.run is not None:
            yield from _wins_if(w, w.titles.blocks.get(effect.run, ()), side, own)
        inner = effect.each_room.do if effect.each_room is not None else []
        options = [one.do for one in effect.choose or []]
        for steps in (effect.then or [], *(effect.outcomes or {}).values(), *options, inner):
            yield from _wins_if(w, steps, side, own)
        otherwise = [*held, w.unless(effect.if_)] if effect.if_ is not None else held
        yield from _wins_if(w, effect.else_ or [], side, otherwise)


def _wins(w: Wording, effects: Sequence[Effect], side: Side) -> bool:
    return any(
        (effect.win is not None and effect.win.side in (side, "you"))
        or any(
            _wins(w, steps, side)
            for steps in (effect.then or [], effect.else_ or [], *(effect.outcomes or {}).values())
        )
        or (effect.run is not None and _wins(w, w.titles.blocks.get(effect.run, ()), side))
        or any(_wins(w, option.do, side) for option in effect.choose or [])
        or (effect.each_room is not None and _wins(w, effect.each_room.do, side))
        for effect in effects
    )


def _instead(w: Wording, effects: Sequence[Effect], side: Side) -> str:
    return led(f"if you are on {SIDES[side]} and would die, do this instead", w.effects(effects))


def _plays_on(w: Wording, of: Book) -> str:
    return (
        f"Once the traitor is dead, the monsters go on taking turns as long as {w.if_(of.plays_on)}."
        if of.plays_on is not None
        else ""
    )


def counter(w: Wording, of: Counter, title: str = "") -> str:
    """A counter; `title` is its own with the numbers that it names."""
    most = f" and goes up to {w.value(of.max)}" if of.max is not None else ""
    track = ", on the Turn/Damage track" if of.track else ""
    public = " Everybody knows it." if of.public else ""
    whose = "Every explorer has its own " if of.each is not None else ""
    return f"{whose}{quoted(title or of.title)}{', which' if whose else ''} starts at {of.start}{most}{track}.{public}"


def by_damage(of: Monster) -> str:
    """What damage does to it."""
    if of.dies:
        return "damage kills it"
    return "damage stuns it" if of.stuns else "damage neither kills nor stuns it"


IT = somebody("it")


def box(w: Wording, name: str, of: Monster) -> list[str]:
    """All that a monster's box says: its numbers, its special actions and rules."""
    return [monster(w, name, of), *filter(None, (rule.text for rule in _in_box(w, name, of)))]


def _in_box(w: Wording, name: str, of: Monster) -> Iterator[RuleText]:
    for action in of.actions:
        yield RuleText(
            f"monsters.{name}.actions.{action.word}", w.action(msgspec.structs.replace(action, for_="monsters"))
        )
    for number, trigger in enumerate(of.on):
        yield RuleText(f"monsters.{name}.on.{number}", w.trigger(trigger, "book"))


def monster(w: Wording, name: str, of: Monster) -> str:
    """A kind of monster, with its numbers."""
    title = w.titles.monsters.get(name, of.title)
    numbers = listed([f"{trait(one)} {w.value(value)}" for one, value in of.traits.items()])
    said = [f"{title} ({of.size}{f', {of.color}' if of.color is not None else ''}): {numbers}"]
    if of.side == "heroes":
        said.append("it is on the heroes' side")
    if not of.attacks:
        said.append("it never attacks")
    said.append(by_damage(of))
    if of.hidden:
        said.append(
            "only its own side knows where it is, until it attacks or something happens to it; each step hides it again"
        )
    if of.explores:
        said.append("it may discover rooms, but draws no cards")
    if of.carries:
        said.append(f"it may carry items{'' if of.keeps else ', which it drops when stunned'}")
    if of.keeps:
        said.append("it keeps what it carries when stunned")
    if of.uses_items:
        said.append("it may attack with weapons that it carries")
    if of.attack is not None:
        said.append(attack(w, w.folding.any(of.attack), IT).removesuffix("."))
    elif of.attacks:
        said.append("it attacks with Might")
    return sentences(said)


SEATED: dict[str, str] = {
    "revealer": "the haunt revealer",
    "left-of-revealer": "the player on the haunt revealer's left",
    "right-of-revealer": "the player on the haunt revealer's right",
    "traitor": "the hidden traitor",
}
"""Players by the words of `monsters-turn`."""


def monsters_turn(of: MonstersTurn) -> str:
    """When the monsters act and who runs them, while nobody is known to be the traitor."""
    runs = SEATED[of.run_by]
    by = f"{runs} runs them" if of.run_by != of.after else "that player runs them"
    return sentence(f"while no traitor is known, the monsters act after the turn of {SEATED[of.after]}, and {by}")


def powers(of: Powers) -> str:
    """Which powers the traitor lacks, or everybody has."""
    said = []
    for given, power in ((of.tiles, "ignore the damage that rooms deal"), (of.events, "ignore event symbols")):
        if given is not None:
            said.append(f"everybody may {power}" if given else f"the traitor may not {power}")
    return sentences(said)


PICKED: dict[str, str] = {
    "revealer": "the haunt revealer",
    "left_of_revealer": "the player on the haunt revealer's left",
    "oldest": "the oldest explorer",
    "youngest": "the youngest explorer",
    "hidden": "whoever draws token 1 in secret",
    "none": "nobody",
    "free_for_all": "nobody, for everybody plays against everybody",
    "most_omens": "the explorer with the most omens",
}


def traitor(w: Wording, rule: TraitorRule) -> str:
    """Who becomes the traitor."""
    return sentence(f"the traitor is {_picked(w, rule)}")


def _picked(w: Wording, rule: TraitorRule) -> str:
    if rule.explorer is not None:
        said = f"whoever plays {w.titles.explorers.get(rule.explorer) or plain(rule.explorer)}"
    elif rule.holds is not None:
        said = f"whoever has {w.titles.card(rule.holds)}"
    elif rule.highest is not None:
        said = f"the explorer with the highest {trait(rule.highest)}"
    elif rule.lowest is not None:
        said = f"the explorer with the lowest {trait(rule.lowest)}"
    else:
        said = next((PICKED[name] for name, told in rule.stated().items() if told is True and name in PICKED), "nobody")
    if rule.besides_revealer:
        said += " other than the haunt revealer"
    return said if rule.otherwise is None else f"{said}, or if there is none, {_picked(w, rule.otherwise)}"


BARRED: dict[str, str] = {"weapon": "weapons", "companion": "companions"}


def bar(w: Wording, rule: Bar) -> str:
    """What a haunt forbids although a piece permits it."""
    if rule.card is not None:
        of = w.titles.card(rule.card)
    elif rule.tile is not None:
        of = w.titles.room(rule.tile)
    elif rule.token is not None:
        of = the(w.titles.token(rule.token))
    else:
        of = BARRED[rule.kind or "weapon"]
    what = (
        f"{plain(rule.word).upper()} of {of}"
        if rule.word is not None
        else f"what {of} {'permit' if rule.kind else 'permits'}"
    )
    whose = f" for {SIDES[rule.side]}" if rule.side is not None else ""
    return sentence(f"in this haunt {what} is barred{whose}")


def stealing(w: Wording, rule: Stealing) -> str:
    """What a haunt says about stealing."""
    said = ["nobody can steal anything"] if rule.barred else []
    said += (
        ["whoever wins an attack may take a card instead of dealing 2 or more points of physical damage"]
        if rule.granted
        else []
    )
    said += [
        f"{w.titles.card(name)} can be stolen in place of at least {least} {'point' if least == 1 else 'points'} of physical damage"
        for name, least in rule.cards.items()
    ]
    return sentences(said)
