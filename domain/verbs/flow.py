"""Verbs of control flow: choose, each-room, run, stop, extra-turn, survive, trap."""

from __future__ import annotations

from typing import Any

from content.vocabulary.effects import EachRoom, Effect, Option, Trap
from domain.engine.block import WAIT, Frame
from domain.engine.machine import Machine
from domain.facts.events import AttackSpent, ExplorerHeld, ExtraTurnGiven, Stopped
from domain.facts.ids import id_name
from domain.facts.state import is_explorer
from domain.queries.conditions import places, test
from domain.verbs.compiler import Compiler, Label


def choose(c: Compiler, node: list[Option], _effect: Effect, path: str) -> None:
    """One of the options that are open now, chosen by `you`."""
    open_if = [test(option.if_) if option.if_ is not None else None for option in node]
    labels = {option.id: Label() for option in node}
    end = Label()

    def choose(m: Machine, f: Frame) -> bool | None:
        found = [option.id for option, holds in zip(node, open_if, strict=True) if holds is None or holds(m, f)]
        if not found:
            f.next = end.at
            return None
        chosen = m.choose(f, m.rules.controller(m.state, f.vars["you"]), f"option:{f.block.id}", found)
        if chosen is None:
            return WAIT
        f.next = labels[chosen].at
        return None

    c.add(path, choose)
    for option in node:
        c.place(labels[option.id])
        c.steps(option.do, f"{path}.{option.id}")
        c.jump(f"{path}.{option.id}", end)
    c.place(end)


def each_room(c: Compiler, node: EachRoom, _effect: Effect, path: str) -> None:
    """The steps once for each room that fits as they begin; loops within one another each have their own `that-room`."""
    again, out = Label(), Label()
    register = f"rooms@{path}"

    def begin(m: Machine, f: Frame[Any]) -> None:
        f.vars[register] = [f.vars.get("that", ""), *places(m, f, node.rooms)]

    def each(_m: Machine, f: Frame[Any]) -> None:
        waiting = f.vars[register]
        if len(waiting) > 1:
            f.vars["that"] = waiting.pop(1)
            return
        f.vars["that"] = waiting[0]
        del f.vars[register]
        f.next = out.at

    c.add(path, begin)
    c.place(again)
    c.add(f"{path}!each", each)
    c.steps(node.do, f"{path}.do")
    c.jump(f"{path}!again", again)
    c.place(out)


def run(c: Compiler, node: str, _effect: Effect, path: str) -> None:
    """Run a named block with the same bindings: the haunt's own, or else the pack's."""
    owner = c.block_id.partition("#")[0]
    own, shared_by_all = f"{owner}#blocks.{node}", f"pack#blocks.{node}"

    def run(m: Machine, f: Frame) -> None:
        shared = {
            name: f.vars[name] for name in ("you", "src", "target", "that", "owner", "drawer", "toll") if name in f.vars
        }
        m.call(own if own in m.rules.blocks else shared_by_all, **shared)

    c.add(path, run)


def stop(c: Compiler, node: str, _effect: Effect, path: str) -> None:
    """No more movement, no attack, no leaving of the room, no more of this turn, or no more of this block."""

    def stop(m: Machine, f: Frame) -> None:
        you = f.vars["you"]
        if node == "moving":
            m.emit(Stopped(figure=you, rule=m.rules.cite.movement_over))
        elif node == "attacking":
            m.emit(AttackSpent(figure=you))
            attack = m.nearest("attack")
            if attack is not None and attack.vars["attacker"] == you:
                attack.vars["forbidden"] = True  # the weapon failed its bearer before the attack was rolled
        elif node == "leaving":
            leaving = m.nearest("walk", "explore", "relocate")
            if leaving is not None and f.vars.get("by_choice"):
                leaving.vars["stays"] = True
                m.emit(Stopped(figure=you, rule=m.rules.cite.card_precedence))
        elif node == "block":
            f.finish()
        elif not is_explorer(you):
            m.emit(Stopped(figure=you, rule=m.rules.cite.movement_over))
            m.emit(AttackSpent(figure=you))
        elif m.state.turn.seat == you and m.state.turn.acting and not m.state.turn.monsters:
            m.emit(Stopped(figure=you, rule=m.rules.cite.movement_over))
            m.call_last("end-turn", number=m.state.turn.number)

    c.add(path, stop)


def extra_turn(c: Compiler, _node: str, _effect: Effect, path: str) -> None:
    """`you` have one more turn when the current one is over."""

    def extra_turn(m: Machine, f: Frame) -> None:
        if is_explorer(f.vars["you"]):
            m.emit(ExtraTurnGiven(seat=f.vars["you"], rule=m.rules.cite.card_precedence))

    c.add(path, extra_turn)


def survive(c: Compiler, _node: str, _effect: Effect, path: str) -> None:
    """Prevent the death that this answers."""

    def survive(m: Machine, _f: Frame) -> None:
        death = m.nearest("death")
        if death is not None:
            death.vars["survived"] = True

    c.add(path, survive)


def trap(c: Compiler, node: Trap, _effect: Effect, path: str) -> None:
    """`you` are held until a trait roll frees."""

    def trap(m: Machine, f: Frame) -> None:
        you = f.vars["you"]
        if not is_explorer(you) or not m.state.explorers[you].alive:
            return
        tries = node.tries - 1 if node.first_try_counts else node.tries
        card = id_name(f.vars["src"])
        m.emit(
            ExplorerHeld(
                seat=you,
                card=card,
                trait=node.trait,
                at_least=node.at_least,
                tries_left=tries,
                failing_stops=node.failing_stops,
                far=node.helpers == "anywhere",
                catches=tries if node.catches_helpers else 0,
            )
        )
        m.emit(Stopped(figure=you, rule=m.rules.cite.movement_over))

    c.add(path, trap)
