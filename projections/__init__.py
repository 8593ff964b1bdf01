"""Folds for people: the board, decisions, history and pictures, as one role sees them.

Everything here is computed from a role's own `State` and the `Rules`; no rule of the game, no engine's state, no store.
Imports `domain` and the vocabulary; only `service` and tests import it. A module that reads a state begins with what it shows.

`shapes` has the small types of everything that is published, `naming` the words, `view` what a role sees, `choices` what it
may do, `sentences` what happened. `text`, `board`, `trace` and `diff` are made of these.
"""
