"""Audits: the chain checked, the commands decided again, and a verdict. docs/proof.md is the scheme as a player needs it.

Besides the bytes of the events an audit holds what `decide` does not see: that a game is opened once, the day that says who begins, the mark
`arranged`, that a seat's command was told to that seat alone, that a seed is there exactly if the game is over. What an older revision of the
rules decided differently ends the decisions, not the chain. Nothing signs an export's header, so all its claims are compared with commit 1.
"""
