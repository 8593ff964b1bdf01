"""One function for each verb: it adds the verb's instructions to the block being compiled.

Verbs by topic: traits, rolls, cards, places, flow, haunt. Whatever is more than a step or two calls a procedure of `domain.rulebook`.
"""
