"""A pack compiled for play: blocks of instructions, and tables that answer what procedures ask of content.

Built once for each pack digest and never changed: no state of a game lies here. Nothing else of the domain walks the vocabulary's
Structs. `pieces`, `blocks` and what is noted of them (`compiled`) are one object; everything in `domain` and above may ask it.
"""

from domain.pack.compiled import Compiled

__all__ = ["Compiled"]
