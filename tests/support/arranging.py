"""Setting a scene: figures, tiles, cards, tokens and monsters put where an example wants them, by real events.

What is arranged is told to everybody and folded like any commit, so that a scene is a state that a log can lead to.
"""

from collections.abc import Callable, Sequence
from typing import Any

from domain.engine.block import Frame
from domain.engine.books import known_to_all, maxima, starts, with_known_end
from domain.engine.machine import Machine
from domain.engine.rules import Rules
from domain.facts.audience import REFEREE, seats_mask
from domain.facts.events import (
    CardDrawn,
    CounterMoved,
    Event,
    HauntBegun,
    MonsterPlaced,
    MonstersRolled,
    MonsterStunned,
    Moved,
    PileChanged,
    SideTold,
    StackArranged,
    StackShuffled,
    TilePlaced,
    TileSearched,
    TokenPlaced,
    Told,
    TraitChanged,
    TurnStarted,
)
from domain.facts.ids import own_side
from domain.facts.state import TRAIT_INDEX, MonsterId, State
from domain.house.placing import Spot, laid
from domain.rulebook.explore.laying import open_ways
from domain.rulebook.fight.monsters import place
from domain.rulebook.haunt.beginning import READING, STEPS
from domain.verbs.places import open_token_ways, opens_barrier
from tests.support.fate import Fate


class Arranging:
    """The arranging half of a table."""

    rules: Rules
    state: State
    fate: Fate

    def commit(self, told: list[Told]) -> list[Told]:
        """Keep a commit and tell it to the roles."""
        raise NotImplementedError

    def happen(self, *events: Event) -> None:
        """Let events happen, told to everybody."""

        def emit(machine: Machine) -> None:
            for event in events:
                machine.emit(event)

        self._run(emit)

    def _run(self, what: Callable[[Machine], None]) -> list[Told]:
        machine = Machine(self.rules, self.state, self.fate)
        what(machine)
        machine.run()
        return self.commit(machine.told)

    # -- the house --------------------------------------------------------------------------------------------------

    def lay(self, tile: str, floor: str, x: int, y: int, *, turns: int = 0) -> None:
        """Put a tile into the house, turned clockwise by quarter turns, with the ways that it opens."""
        rest = [face for face in self.rules.pack.decks["tiles"] if face != tile and face not in self.state.rooms]
        placement = laid(self.rules.tile(self.state, tile), Spot(floor, x, y, turns))
        placed = TilePlaced(
            tile=tile,
            floor=floor,
            x=x,
            y=y,
            turns=turns,
            doors=placement.doors,
            windows=placement.windows,
            parts=placement.parts,
            in_haunt=self.state.haunt is not None,
        )
        self.happen(TileSearched(deck="tiles", tile=tile), StackShuffled(deck="tiles", order=rest), placed)
        self._run(lambda machine: open_ways(machine, tile))

    def stack(self, deck: str, *faces: str) -> None:
        """Lay these cards or tiles on top of a stack, the first on top. After all other arranging."""
        arranged = StackArranged(deck=deck, faces=list(faces))
        self._run(lambda machine: machine.emit(arranged, REFEREE))

    def token(self, token: str, room: str, *, part: int = 0) -> None:
        """Put a token into a room."""
        others = [here.room for here in self.state.tokens if here.token == token and here.room != room]

        def put(machine: Machine) -> None:
            machine.emit(TokenPlaced(token=token, room=room, part=part, opens=opens_barrier(machine, token, room)))
            open_token_ways(machine, token, room, others)

        self._run(put)

    def pile(self, room: str, *cards: str, part: int = 0) -> None:
        """Let cards lie in a room."""
        self._take_out(cards)
        self.happen(PileChanged(room=room, part=part, cards=list(cards)))

    # -- explorers --------------------------------------------------------------------------------------------------

    def put(self, seat: int, room: str, *, part: int = 0) -> None:
        """Put an explorer into a room; before its turn begins, for it counts as a move."""
        self.happen(Moved(figure=seat, room=room, part=part))

    def traits(self, seat: int, **values: int) -> None:
        """Set traits to values that stand on the explorer's tracks, at their lowest space."""
        explorer = self.state.explorers[seat]
        self.clips(seat, **{trait: explorer.tracks[TRAIT_INDEX[trait]].index(value) for trait, value in values.items()})

    def clips(self, seat: int, **spaces: int) -> None:
        """Set clips to spaces of their tracks: 0 is the skull, 8 the top."""
        explorer = self.state.explorers[seat]
        for trait, space in spaces.items():
            by = space - explorer.at[TRAIT_INDEX[trait]]
            self.happen(TraitChanged(seat=seat, trait=trait, to=space, by=by))

    def hold(self, seat: int, *cards: str) -> None:
        """Give cards to an explorer, with what they give while held; as if drawn in an earlier turn."""
        self._take_out(cards)
        for card in cards:
            self._gain(seat, card)

    def bereave(self, seat: int, card: str, to: str = "nowhere") -> None:
        """Take a card from an explorer, with what it gave while held, as a haunt may; it is gone then, or on its `discard` pile."""
        self._run(lambda machine: machine.call("lose-card", seat=seat, card=card, to=to))

    def _gain(self, seat: int, card: str) -> None:
        self._run(lambda machine: machine.call("gain-card", seat=seat, card=card))

    def _take_out(self, cards: Sequence[str]) -> None:
        for card in cards:
            deck = self.rules.pack.deck_of(card)
            if deck:
                assert not self.state.decks[deck].top, "give cards first, arrange stacks last"
                self.happen(CardDrawn(deck=deck, card=card, seat=0))

    def draw(self, seat: int, deck: str, card: str = "") -> list[Told]:
        """Let an effect make an explorer draw a card; this one, if it is named."""
        if card:
            self.stack(deck, card)
        return self._run(lambda machine: machine.call("draw-card", seat=seat, deck=deck))

    def die(self, *seats: int) -> None:
        """Let explorers die of something that does not matter here, all at once."""

        def die(machine: Machine) -> None:
            for seat in reversed(seats):
                machine.call("death", seat=seat)

        self._run(die)

    def remove(self, seat: int) -> None:
        """Let an explorer leave the house for good, alive."""
        self._run(lambda machine: machine.call("removal", seat=seat))

    # -- turns and the haunt ----------------------------------------------------------------------------------------

    def turn(self, seat: int, *, monsters: bool = False) -> None:
        """Begin a turn of this seat, or the monsters' turn played by it."""
        haunt = self.state.haunt
        number = self.state.turn.number + 1
        allowance = self.state.explorers[seat].value("speed") if self.rules.edition.movement.speed_fixed else -1
        started = TurnStarted(
            seat=seat, number=number, monsters=monsters, allowance=allowance, round=haunt.round if haunt else 0
        )
        self.happen(started)

    def haunt(self, haunt: str, *, traitor: int = -1, revealer: int = 0, room: str = "entrance-hall") -> None:
        """Begin a haunt, both sides ready, with none of its Right Now done; then it is the first turn of seat 0."""
        told = self.rules.pack.haunts[haunt]
        hidden = told.kind == "hidden-traitor"
        aloud = self.rules.edition.haunt.reads_aloud
        self.happen(
            HauntBegun(
                haunt=haunt,
                number=0,
                omen="",
                room=room,
                revealer=revealer,
                hidden=hidden,
                counters=starts(told, known_to_all(told, aloud=aloud), self.state.seats),
                maxima=maxima(told, with_known_end(told, known_to_all(told, aloud=aloud)), self.state.seats),
            )
        )
        others = [seat for seat in range(self.state.seats) if seat != traitor]
        for seat in range(self.state.seats):
            token = 0 if not hidden else 1 if seat == traitor else others.index(seat) + 2
            side = own_side(seat) if told.kind == "free-for-all" else "traitor" if seat == traitor else "heroes"
            self._side(seat, side, token)
        bound: Any = {"haunt": haunt}

        def read(machine: Machine) -> None:
            for step in self.rules.edition.haunt.beginning:
                if step in READING:
                    STEPS[step](machine, Frame(self.rules.block("begin-haunt"), bound))

        self._run(read)
        self.turn(0)

    def _side(self, seat: int, side: str, token: int) -> None:
        told = SideTold(seat=seat, side=side, revealed=not token, token=token)
        if not token:
            self.happen(told)
            return
        told.apply(self.state)
        self.commit([Told(seats_mask([seat]), told)])

    def monster(self, name: str, room: str, *, part: int = 0, side: str = "traitor", **traits: int) -> None:
        """Place a monster (`rat-1` is of the kind `rat`), with these traits or those of its kind."""
        kind = name.rpartition("-")[0]
        sheet = self.rules.pack.monster(self.state, kind)
        known: dict[str, int] = {
            trait: value if isinstance(value, int) else (value.players or {})[str(self.state.seats)]
            for trait, value in sheet.traits.items()
        }
        placed = MonsterPlaced(
            monster=MonsterId(name),
            kind=kind,
            room=room,
            part=part,
            side=side,
            traits=known | traits,
            attacks=sheet.attacks,
        )
        self._run(lambda machine: place(machine, placed))

    def stun(self, monster: str) -> None:
        """Stun a monster."""
        self.happen(MonsterStunned(monster=MonsterId(monster)))

    def let_move(self, spaces: int, *monsters: str) -> None:
        """Give monsters their movement for the turn."""
        self.happen(MonstersRolled(kind="", monsters=[MonsterId(name) for name in monsters], spaces=spaces))

    def counter(self, name: str, value: int) -> None:
        """Set a counter of the haunt."""
        self.happen(CounterMoved(counter=name, to=value))
