"""What verbs take, by topic: traits, rolls, cards, places. The table of all verbs is `content.vocabulary.effects.Effect`.

Here live Structs that hold no steps of their own; those that do (`PlaceTile`, `Option`) stand beside `Effect`.
"""
