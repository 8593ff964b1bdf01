"""Verbs of the haunt: haunt-roll, monsters, sides, counters, secrets, reveal and win."""

from __future__ import annotations

from content.vocabulary.effects import ChooseSecret, CounterChange, Effect, HauntRoll, Monsters, PlaceMonster, Tell, Win
from domain.engine.block import WAIT, Frame
from domain.engine.external import EXTERNAL
from domain.engine.machine import Glance, Machine
from domain.engine.parts import BOXES
from domain.facts.audience import EVERYBODY, seat_bit, seats_mask
from domain.facts.events import CorpseRemoved, CounterMoved, Fizzled, MonsterPlaced, SecretChosen, SideChanged, TextTold
from domain.facts.ids import stance
from domain.facts.state import MODERATOR, MonsterId, is_explorer, is_monster
from domain.queries.characters import is_corpse, side_of
from domain.queries.conditions import places, within, your_seat
from domain.queries.numbers import counter_key, number
from domain.queries.whereabouts import sees
from domain.rulebook.cards.drawing import free_traitor, has_begun
from domain.rulebook.fight import monsters
from domain.rulebook.haunt.beginning import tell_counters
from domain.rulebook.haunt.winning import end_game
from domain.rulebook.table.hiding import hide, show, tell_hideouts
from domain.verbs.compiler import Compiler, Label
from domain.verbs.places import choose_part, choose_place

MOST_MONSTERS = 200
"""In the house at once; a haunt has some dozen. The rest are not placed: each costs every view and list of choices time."""


def haunt_roll(c: Compiler, node: HauntRoll, _effect: Effect, path: str) -> None:
    """A haunt roll that a card asks for; if the haunt does not begin, `otherwise`."""
    begun = Label()

    def roll(m: Machine, f: Frame) -> None:
        f.vars["begins"] = has_begun(m)
        if not f.vars["begins"]:
            m.call("haunt-roll", seat=f.vars["you"], number=node.number)

    def judge(_m: Machine, f: Frame) -> None:
        if f.vars["begins"]:
            f.next = begun.at

    c.add(path, roll)
    c.add(path, judge)
    c.steps(node.otherwise, f"{path}.otherwise")
    c.place(begun)


def place_monster(c: Compiler, node: PlaceMonster, _effect: Effect, path: str) -> None:
    """Put monsters into the house; the numbers of their kind go on where they stopped."""
    amount = number(node.count)

    def place_monster(m: Machine, f: Frame) -> None:
        room = f.vars["spot"]
        if not room:
            return
        kind = m.rules.pack.monster(m.state, node.kind)
        traits = {trait: value(m, f) for trait, value in m.rules.pack.traits_of(m.state, node.kind).items()}
        taken = 0
        for name in m.state.monsters:
            base, _, tail = name.rpartition("-")
            if base == node.kind:
                taken = max(taken, int(tail))
        wanted, free = amount(m, f), max(0, MOST_MONSTERS - len(m.state.monsters))
        if wanted > free:
            m.emit(Fizzled(what="crowd"))
        for step in range(min(wanted, free)):
            name = MonsterId(f"{node.kind}-{taken + step + 1}")
            monsters.place(
                m,
                MonsterPlaced(
                    monster=name,
                    kind=node.kind,
                    room="" if kind.hidden else room,
                    part=0 if kind.hidden else f.vars["part"],
                    side=kind.side,
                    traits=traits,
                    attacks=kind.attacks,
                ),
            )
            if kind.hidden:
                hide(m, name, room, f.vars["part"])

    def unseen(m: Glance, _f: Frame) -> bool:
        return m.rules.pack.monster(m.state, node.kind).hidden

    def choose_side(m: Machine, f: Frame) -> bool | None:
        f.vars["part"] = 0  # which side is asked for would tell the room
        return None if unseen(m, f) else choose_part(m, f)

    c.add(path, choose_place(node.at, f"monster:{node.kind}", secret=unseen))
    c.add(path, choose_side)
    c.add(path, place_monster)


def _chosen(m: Machine, f: Frame, node: Monsters) -> list[MonsterId]:
    """Monsters of the kind, in the place if one is given."""
    found = [name for name, one in m.state.monsters.items() if node.kind in ("any", one.kind) and sees(m, f, name)]
    if node.in_ is None:
        return found
    return [one for one in within(m, f, node.in_, [*found]) if is_monster(one)]


def stun(c: Compiler, node: Monsters, _effect: Effect, path: str) -> None:
    """Stun monsters; this works even where damage would not stun them (2E-MON-006)."""

    def stun(m: Machine, f: Frame) -> None:
        for name in _chosen(m, f, node):
            monsters.stun(m, name, m.rules.cite.stun_effects)

    c.add(path, stun)


def kill(c: Compiler, node: Monsters | str, _effect: Effect, path: str) -> None:
    """Kill monsters, `you` or the target."""

    def kill(m: Machine, f: Frame) -> None:
        if isinstance(node, Monsters):
            for name in _chosen(m, f, node):
                monsters.kill(m, name)
            return
        figure = f.vars["target"] if node == "target" else f.vars["you"]
        if is_explorer(figure):
            m.call("death", seat=figure)
        elif figure in m.state.monsters:
            monsters.kill(m, MonsterId(figure))

    c.add(path, kill)


def remove(c: Compiler, node: str, _effect: Effect, path: str) -> None:
    """An explorer leaves the house for good without dying (2E-HTURN-004), or a corpse is taken away (3E-DIE-005)."""

    def remove(m: Machine, f: Frame) -> None:
        figure = f.vars["target"] if node == "target" else f.vars["you"]
        if is_explorer(figure) and m.state.explorers[figure].alive:
            m.call("removal", seat=figure)
        elif is_explorer(figure) and is_corpse(m.state.explorers[figure]):
            m.emit(CorpseRemoved(seat=figure, rule=m.rules.cite.uses_of_corpses))

    c.add(path, remove)


def escape(c: Compiler, _node: str, _effect: Effect, path: str) -> None:
    """An explorer gets out of the house with all belongings."""

    def escape(m: Machine, f: Frame) -> None:
        figure = f.vars["you"]
        if is_explorer(figure) and m.state.explorers[figure].alive:
            m.call("escape", seat=figure)

    c.add(path, escape)


def change_side(c: Compiler, node: str, _effect: Effect, path: str) -> None:
    """`you` are on the other side from now on, for everybody to see; an explorer reads its book (2E-DEATH-002)."""

    def change_side(m: Machine, f: Frame) -> None:
        you = f.vars["you"]
        haunt = m.state.haunt
        if haunt is None or side_of(m.state, you) == node:
            return
        show(m, you)
        m.emit(SideChanged(figure=you, side=node, rule=m.rules.cite.turned))
        if is_explorer(you):
            tell_hideouts(m, node, seats_mask([you]))
            if node == BOXES:
                monsters.tell_boxes(m, seats_mask([you]))
            sheet = m.rules.pack.haunts[haunt.id]
            one_book, book = sheet.one_book, sheet.read_by(node)
            m.emit(TextTold(side=node, text=f"{book}.book", rule=m.rules.cite.shared_knowledge), seats_mask([you]))
            if not one_book and haunt.id != EXTERNAL:
                tell_counters(m, sheet, node, seats_mask([you]))
            if haunt.id == EXTERNAL:
                m.call("read-entries", seat=you)
            if node == "traitor":
                free_traitor(m, you)

    c.add(path, change_side)


def count(c: Compiler, node: CounterChange, _effect: Effect, path: str) -> None:
    """Move a counter within its limits."""
    by = number(node.by) if node.by is not None else None
    to = number(node.to) if node.to is not None else None

    def count(m: Machine, f: Frame) -> None:
        haunt = m.state.haunt
        if haunt is None:
            return
        key = counter_key(m.state, node.counter, f.vars["you"])
        if key not in haunt.counters:
            return  # a monster has no count of its own
        old = haunt.counters[key]
        new = to(m, f) if to is not None else old + (by(m, f) if by is not None else 0)
        new = max(0, min(new, haunt.maxima.get(key, new)))
        if new != old:
            m.emit(CounterMoved(counter=key, to=new, rule=m.rules.cite.counter))

    c.add(path, count)


def tell(c: Compiler, node: Tell, _effect: Effect, path: str) -> None:
    """Tell a side, `you` or all a text of the haunt, or what was chosen in secret."""

    def tell(m: Machine, f: Frame) -> None:
        if node.side == "all":
            to = EVERYBODY
        elif node.side == "you":
            to = seats_mask([your_seat(f)])
        else:
            to = m.state.side_mask(node.side)
        rule = m.rules.cite.shared_knowledge
        if node.text is not None:
            m.emit(TextTold(side=node.side, text=node.text, words=_words(m, f, node.text), rule=rule), to)
        elif node.secret is not None and m.state.haunt is not None and m.state.haunt.secrets.get(node.secret):
            m.emit(SecretChosen(name=node.secret, value=m.state.haunt.secrets[node.secret], rule=rule), to)
        else:
            return
        reader = m.actor != MODERATOR and f.vars["src"] == f"haunt:{stance(side_of(m.state, m.actor))}"
        if reader and not to & seat_bit(m.actor):
            m.apply_rule(f.vars["src"], rule, seats_mask([m.actor]))  # or it couldn't know why it can't take this back

    c.add(path, tell)


def _words(m: Machine, f: Frame, text: str) -> str:
    """What a note says that was entered: those who are told it now have no other text to read."""
    haunt = m.state.haunt
    if haunt is None or haunt.id != EXTERNAL:
        return ""
    books = m.rules.pack.haunts[haunt.id].books
    mine = f.vars.get("src", "").removeprefix("haunt:")
    ordered = sorted(books.items(), key=lambda one: one[0] != mine)
    return next((book.texts[text] for _side, book in ordered if text in book.texts), "")


def choose_secret(c: Compiler, node: ChooseSecret, _effect: Effect, path: str) -> None:
    """One room or word, known to the side of `you`."""

    def choose_secret(m: Machine, f: Frame) -> bool | None:
        options = node.words if node.words is not None else places(m, f, node.rooms or "here")
        if not options:
            return None
        you = f.vars["you"]
        if node.by == "chance":
            chosen = m.pick(f, f"secret:{node.name}", options)
        else:
            chosen = m.choose(f, m.rules.controller(m.state, you), f"secret:{node.name}", options)
        if chosen is None:
            return WAIT
        m.emit(SecretChosen(name=node.name))
        knowing = m.state.side_mask(side_of(m.state, you))
        m.emit(SecretChosen(name=node.name, value=chosen), knowing)
        return None

    c.add(path, choose_secret)


def reveal(c: Compiler, _node: str, _effect: Effect, path: str) -> None:
    """The hidden traitor is revealed."""

    def reveal(m: Machine, _f: Frame) -> None:
        if m.state.haunt is not None and m.state.haunt.hidden:
            m.call("reveal-traitor", seat=m.state.haunt.traitor)

    c.add(path, reveal)


def win(c: Compiler, node: Win, _effect: Effect, path: str) -> None:
    """The game ends."""

    def win(m: Machine, f: Frame) -> None:
        if m.state.haunt is None:
            m.emit(Fizzled(what="win", rule=m.rules.cite.no_winning_yet))
            return
        end_game(m, side_of(m.state, f.vars["you"]) if node.side == "you" else node.side, node.because)
        m.stack.clear()

    c.add(path, win)
