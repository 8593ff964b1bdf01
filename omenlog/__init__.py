"""Omenlog as a library: games in process, for bots, search and statistics. `docs/bots.md` shows how to use it.

What `__all__` names is stable: it changes only with a new major version, and CHANGELOG.md says how. Fields may be added. Everything else in
this distribution (`domain`, `projections`, `content`, `service`) is the inside and may change at any time; the types that a view, a decision
or an event is made of are those of the HTTP contract, and as stable as that.

Imports the standard library, msgspec, PyYAML, and of ours `projections`, `domain` and `content`; nothing of the service. Only `omenlog.rl`, which
`env` imports when it is called, needs the packages of the extra `omenlog[rl]`.
"""

from domain.facts.state import MODERATOR
from omenlog.actions import Action
from omenlog.errors import Invalid, Refused, Rule
from omenlog.learning import env
from omenlog.packs import EDITIONS, Contents, contents
from omenlog.table import Commit, Role, Table, replay
from projections.choices.decisions import Decisions
from projections.view.game import GameView

__version__ = "0.1.0"

__all__ = [
    "EDITIONS",
    "MODERATOR",
    "Action",
    "Commit",
    "Contents",
    "Decisions",
    "GameView",
    "Invalid",
    "Refused",
    "Role",
    "Rule",
    "Table",
    "__version__",
    "contents",
    "env",
    "replay",
]
