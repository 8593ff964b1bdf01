"""The effect machine: interprets what content says, one instruction at a time, and can be put down at any of them.

`machine` runs blocks of instructions and keeps frames; `compiler` turns the vocabulary into blocks; `verbs` has one function a verb.
A card, room or haunt never gets Python of its own.
"""
