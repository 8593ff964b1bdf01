"""One plain sentence for every type of event, one module for each topic of `domain.facts.events`, with its name.

Each file has a table from event types to the functions that word them; nothing is folded here, and of a state only names are
read. `history` puts the tables together.
"""
