"""The vocabulary of content: every word that a card, room or haunt file may use, as msgspec Structs.

The docstrings and examples here are the source of `content/MANUAL.md` and of the published JSON Schema.
A verb earns its place when the rulebooks or two pieces of content need it; it has one meaning.

`values` asks (numbers, selections, conditions), `effects` does (the table of verbs, with what they take in `verbs`),
`abilities` says when (triggers, actions, attacks, standing adjustments), `cards` and `pack` are the pieces that say it.
"""
