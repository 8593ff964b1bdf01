"""The difference between two moments of a game as one role saw them: as data, in words, as Markdown.

It is made from that role's own views and decisions, and so can't tell what the role was not told. Nothing that a view says is left out:
`things` cuts a view by its members, and a member without a rule of its own is compared like all others.
"""
