"""Guesses at what was decided once and is hidden from a role: one of all that agree with what the role was told.

Guesses (the hidden traitor, secret choices) are tried on the log: every command is decided again with the guess, and must bring what the role
was told. A secret that was chosen several times is guessed as it was chosen last, and tried since then. What was taken back no longer counts:
no state has it, and what was hidden in it (a deal that was dealt anew since) is another fact than the one that is asked for.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from itertools import takewhile

import msgspec

from domain.engine.block import Frame
from domain.engine.machine import Glance
from domain.engine.rules import Rules
from domain.evolve import fold, fold_commit, redact
from domain.facts.audience import REFEREE, Mask
from domain.facts.chance import Chance, Request
from domain.facts.events import DecisionOpened, SecretChosen, SideTold, Told
from domain.facts.events.lifecycle import KEPT, Rewound
from domain.facts.state import State
from domain.queries.conditions import places
from domain.rulebook.desk.talk import of_play
from domain.worlds import Guess, NoWorld, choosing, suspects, unknown_secrets


def is_guessed(role: State) -> bool:
    """Whether something is hidden from the role that was decided once."""
    return bool(suspects(role) or unknown_secrets(role))


class Logged(msgspec.Struct, frozen=True):
    """A commit, as far as it is looked at here."""

    number: int
    told: Sequence[Told]
    decide_again: Callable[[State], list[Told]]
    """Decides its command on another state before it, which is advanced; whatever it raises, the command is not possible there."""


COUNTS = ("chances", "asked", *KEPT)
"""What goes on as it was where play goes back."""

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(State).decode


def standing(commits: Sequence[Logged]) -> list[Logged]:
    """The commits of a game (1, 2, 3, …) that were not taken back, in their order.

    One by which play goes back is kept too, right after the one that it goes back to.
    """
    found, number = [], len(commits)
    while number > 0:
        found.append(commits[number - 1])
        number = _goes_back(commits[number - 1].told) or number - 1
    return found[::-1]


def _goes_back(told: Sequence[Told]) -> int:
    return next((one.event.to for one in told if isinstance(one.event, Rewound)), 0)


def _last_choices(commits: Sequence[Logged]) -> dict[str, int]:
    """By secret: the commit by which it was chosen last. All are told of a choice; without its value, unlike those to whom a secret is told."""
    return {
        one.event.name: commit.number
        for commit in commits
        for one in commit.told
        if isinstance(one.event, SecretChosen) and not one.event.value
    }


class Trial:
    """Tries what could be true on the log of a game."""

    def __init__(
        self, rules: Rules, commits: Sequence[Logged], principal: Mask, role: State, *, older: bool = False
    ) -> None:
        """Try for a role that knows `role` as of the last of the commits 1, 2, 3, …; `older`: some were decided by an older revision of the rules."""
        self._rules = rules
        self._older = older
        self._commits = commits
        self._principal = principal
        self._role = role
        self._standing = standing(commits)
        self._chosen = _last_choices(self._standing)
        self._first = self._begin()
        self._truth = State()
        """Folded on, as far as somebody has asked."""
        self._truths: dict[int, bytes] = {}
        """By commit: the true state after it, encoded, of those that were asked for."""
        self._behind = [one for one in self._standing if one.number > self._first]

    def run(self, chance: Chance) -> Guess:
        """One of all guesses that could be true, each equally likely: they are tried in random order, up to the first that could.

        So a room that somebody searched without success is ruled out. Nobody's reasons count, only what the rules make of them.
        Raises `NoWorld` if nothing could be true.
        """
        seats, names = suspects(self._role) or [-1], unknown_secrets(self._role)
        chosen = itertools.product(*[[(name, value) for value in self._options(name)] for name in names])
        guesses = [Guess(seat, secrets) for seat, secrets in itertools.product(seats, list(chosen))]
        if not self._first or not guesses:
            raise NoWorld(f"{len(guesses)} guesses, and nothing was hidden")
        order, furthest = _shuffled(guesses, chance), 0
        for guess in order:
            failed = self._try(guess)
            if not failed:
                return guess
            furthest = max(furthest, failed)
        if not self._older:
            raise NoWorld(f"none of {len(guesses)} guesses brings what was told up to commit {furthest}")
        return self._left_by_older_rules(order)[0]

    def _begin(self) -> int:
        """The first commit on which something that is guessed could bear; 0 if none could."""
        dealt = (
            commit.number
            for commit in self._standing
            if any(isinstance(one.event, SideTold) and not one.to & self._principal for one in commit.told)
        )
        begun = [self._chosen.get(name, 0) for name in unknown_secrets(self._role)]
        if suspects(self._role):
            begun.append(next(dealt, 0))
        return min(begun, default=0)

    def _options(self, name: str) -> list[str]:
        """What a secret could be: what the role saw offered, or what the step could choose from as far as the role knew then."""
        about = f"secret:{name}"
        for commit in reversed(self._standing):
            for one in commit.told:
                if isinstance(one.event, DecisionOpened) and one.to & self._principal:
                    decision = one.event.decision
                    if decision.about == about and decision.options:
                        return list(decision.options)
        return self._choosable(name)

    def _choosable(self, name: str) -> list[str]:
        then = self._when_chosen(name)
        haunt = then.haunt
        if haunt is None:
            raise NoWorld("a secret was chosen without a haunt")
        rules = self._rules.of(then)
        sheet = rules.pack.haunts[haunt.id]
        found = (choosing(book, name) for book in sheet.books.values())
        step = next((one for one in found if one is not None), None)
        if step is None:
            raise NoWorld("a secret was chosen that no book speaks of")
        if step.words is not None:
            return list(step.words)
        you = haunt.traitor if haunt.traitor >= 0 else haunt.revealer
        frame: Frame = Frame(rules.block("roll"), {"you": you})
        return list(places(Glance(rules, then), frame, step.rooms or "here"))

    def _when_chosen(self, name: str) -> State:
        chosen, state = self._chosen.get(name, 0), State()
        for commit in self._commits[:chosen]:
            told = commit.told
            if commit.number == chosen:
                told = list(
                    takewhile(lambda one: not (isinstance(one.event, SecretChosen) and one.event.name == name), told)
                )
            fold_commit(state, commit.number, told, self._principal)
        return state

    def _try(self, guess: Guess) -> int:
        """0 if every command since something was hidden brings what the role was told, or else the first commit that would be another."""
        state = self._supposed(guess, self._first)
        for logged in self._behind:
            if not self._advance(state, logged, guess):
                return logged.number
        return 0

    def _left_by_older_rules(self, guesses: Sequence[Guess]) -> list[Guess]:
        """What could be true in a game whose commits an older revision of the rules decided.

        Where no guess brings what was told, the commit is such a one: it is taken as it was told, and rules nothing out.
        """
        worlds = [(guess, self._supposed(guess, self._first)) for guess in guesses]
        for logged in self._behind:
            kept = [(guess, state) for guess, state in worlds if self._advance(state, logged, guess)]
            worlds = kept or [(guess, self._supposed(guess, logged.number)) for guess, _ in worlds]
        return [guess for guess, _ in worlds]

    def _advance(self, state: State, logged: Logged, guess: Guess) -> bool:
        """Do a commit again on the state before it; False if the role would be told something else."""
        if _goes_back(logged.told):
            counts = self._true(logged.number)  # what it goes back to is the present state
            for field in COUNTS:
                setattr(state, field, getattr(counts, field))
        elif not of_play(logged.told):
            fold(
                state, [logged.told]
            )  # talk depends on nothing hidden; and a proposal to go back would have to be given the past
        elif not self._same(state, logged):
            return False
        state.commit = logged.number
        self._suppose(state, guess, logged.number)
        return True

    def _supposed(self, guess: Guess, number: int) -> State:
        state = self._true(number)
        self._suppose(state, guess, number)
        return state

    def _suppose(self, state: State, guess: Guess, number: int) -> None:
        """Make a guess true in an engine's state after a commit, as far as what it speaks of has come to be."""
        haunt = state.haunt
        if haunt is None:
            return
        if guess.traitor >= 0 and haunt.hidden and any(one.side for one in state.explorers):
            for mine, known in zip(state.explorers, self._role.explorers, strict=True):
                if not known.side:
                    mine.side = "traitor" if mine.seat == guess.traitor else "heroes"
            haunt.traitor = guess.traitor
            _give_first_token(state, guess.traitor)
        for name, value in guess.secrets:
            if name in haunt.secrets and number >= self._chosen[name]:
                haunt.secrets[name] = value

    def _true(self, number: int) -> State:
        """The true state after a commit, for whoever keeps it; of those that are asked for each is folded once."""
        if number not in self._truths:
            if self._truth.commit > number:
                self._truth = State()
            # As the referee, who is told everything: of a rewind once, and not each role's own state as well.
            fold(self._truth, [one.told for one in self._commits[self._truth.commit : number]], REFEREE)
            self._truths[number] = _encode(self._truth)
        return _decode(self._truths[number])

    def _same(self, state: State, logged: Logged) -> bool:
        try:
            found = logged.decide_again(state)
        except Exception:  # noqa: BLE001 -- whatever is wrong under a guess, the guess is
            return False
        return _encode(redact(found, self._principal)) == _encode(redact(logged.told, self._principal))


def _shuffled(guesses: Sequence[Guess], chance: Chance) -> list[Guess]:
    """In any order, each as likely as any other."""
    left, order = list(guesses), list[Guess]()
    while left:
        names = tuple(str(place) for place in range(len(left)))
        drawn = chance.ask(Request(len(order), "world", options=names))
        if drawn is None:
            raise NoWorld("nothing says which world it is")
        order.append(left.pop(int(drawn.pick)))
    return order


def _give_first_token(state: State, traitor: int) -> None:
    """Let the supposed traitor hold the token 1, and its former holder the other token; games of older services have none."""
    holder = next((one for one in state.explorers if one.token == 1), None)
    if holder is not None:
        other = state.explorers[traitor]
        holder.token, other.token = other.token, 1
