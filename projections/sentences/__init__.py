"""One plain sentence for every type of event, one module for each topic of `domain.facts.events`, with its name.

Here live tables from event types to functions that word them; never a fold, and nothing of a state but names. `history`
puts the tables together.
"""
