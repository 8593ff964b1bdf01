"""The table of verbs: vocabulary name to compile function. A new verb is added here and in `content.vocabulary.effects`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from content.load.entries import read
from content.vocabulary.effects import Effect
from domain.engine.block import Block
from domain.facts.desk import Amendment
from domain.verbs import cards, flow, haunt, places, rolls, traits
from domain.verbs.compiler import Compiler, Verb

COMPILERS: Mapping[str, Verb] = {
    "gain": traits.gain,
    "lose": traits.lose,
    "heal": traits.heal,
    "set_trait": traits.set_trait,
    "damage": traits.damage,
    "roll": rolls.roll,
    "roll_each": rolls.roll_each,
    "modify_roll": rolls.modify_roll,
    "reroll": rolls.reroll,
    "next_roll": rolls.next_roll,
    "convert_damage": rolls.convert_damage,
    "attacked": rolls.attacked,
    "must_attack": rolls.must_attack,
    "draw": cards.draw,
    "reveal_until": cards.reveal_until,
    "search": cards.search,
    "look": cards.look,
    "discard": cards.discard,
    "lose_card": cards.lose_card,
    "take": cards.take,
    "fetch": cards.fetch,
    "keep": cards.keep,
    "store": cards.store,
    "set_state": cards.set_state,
    "give": cards.give,
    "move": places.move,
    "shift": places.shift,
    "place_tile": places.place_tile,
    "move_tile": places.move_tile,
    "break_wall": places.break_wall,
    "remove_tile": places.remove_tile,
    "place_token": places.place_token,
    "remove_token": places.remove_token,
    "trap": flow.trap,
    "choose": flow.choose,
    "each_room": flow.each_room,
    "run": flow.run,
    "stop": flow.stop,
    "extra_turn": flow.extra_turn,
    "survive": flow.survive,
    "haunt_roll": haunt.haunt_roll,
    "place_monster": haunt.place_monster,
    "stun": haunt.stun,
    "kill": haunt.kill,
    "remove": haunt.remove,
    "change_side": haunt.change_side,
    "count": haunt.count,
    "tell": haunt.tell,
    "choose_secret": haunt.choose_secret,
    "escape": haunt.escape,
    "reveal": haunt.reveal,
    "win": haunt.win,
}


def compile_block(block_id: str, effects: Sequence[Effect], *, sparing: bool = False) -> Block:
    """A block from a list of effects; `sparing` for cards that somebody may decline."""
    compiler = Compiler(block_id, COMPILERS, sparing=sparing)
    compiler.steps(effects, "")
    return compiler.block()


def compile_amendment(block_id: str, amendment: Amendment) -> Block:
    """The steps by which a ruling puts things right; a frame waiting in them finds them again by the block's id (`block_of`)."""
    entry, _ = read({"do": amendment.do})
    assert entry is not None  # noqa: S101 -- it was checked before it came into the log
    return compile_block(block_id, entry.do)
