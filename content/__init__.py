"""Content: packs as data, the rule ledger, the vocabulary they are written in, the loader and the checker.

Here live the typed vocabulary (what a card, room or haunt can say) and the files that speak it; no rule is decided here.
Imports nothing of ours; `domain` compiles what is loaded here, everybody may read it.
"""
