"""The second edition as a moderator runs it by posts: what its short text restates, and what it changes.

Where the text is silent the second edition's rules apply, and are cited as such (PBP-BASE-001). It is played with that edition's packs.
"""

import msgspec

from domain.editions.citations import Citations
from domain.editions.edition import Dice
from domain.editions.second import SECOND

RESTATED: dict[str, str] = {
    "2E-TRAIT-003": "PBP-TRAIT-002",
    "2E-TRAIT-004": "PBP-TRAIT-003",
    "2E-TRAIT-005": "PBP-TRAIT-004",
    "2E-DEATH-001": "PBP-TRAIT-004",
    "2E-TRAIT-006": "PBP-TRAIT-005",
    "2E-DMG-001": "PBP-DMG-001",
    "2E-DMG-002": "PBP-DMG-002",
    "2E-DMG-003": "PBP-DMG-003",
    "2E-TURN-002": "PBP-TURN-001",
    "2E-MOVE-001": "PBP-MOVE-001",
    "2E-MOVE-003": "PBP-MOVE-002",
    "2E-MOVE-004": "PBP-MOVE-003",
    "2E-DISC-001": "PBP-DISC-001",
    "2E-CARD-002": "PBP-DISC-002",
    "2E-ITEM-013": "PBP-ITEM-001",
    "2E-ROLL-004": "PBP-DICE-002",
    "2E-ROLL-006": "PBP-DICE-003",
    "2E-ROLL-007": "PBP-DICE-003",
    "2E-ROLL-008": "PBP-DICE-003",
    "2E-ATK-001": "PBP-ATK-001",
    "2E-ATK-002": "PBP-ATK-001",
    "2E-ATK-003": "PBP-ATK-002",
    "2E-ATK-005": "PBP-ATK-003",
    "2E-ATK-006": "PBP-ATK-003",
    "2E-ATK-008": "PBP-ATK-004",
    "2E-HROLL-001": "PBP-HROLL-001",
    "2E-HROLL-002": "PBP-HROLL-002",
    "2E-HREV-001": "PBP-HREV-001",
    "2E-HREV-003": "PBP-HREV-002",
    "2E-TPOW-002": "PBP-TPOW-001",
    "2E-TPOW-005": "PBP-TPOW-002",
    "2E-TPOW-008": "PBP-TPOW-003",
    "2E-MON-002": "PBP-MON-001",
    "2E-MON-003": "PBP-MON-002",
    "2E-MON-004": "PBP-MON-003",
    "2E-MON-010": "PBP-MON-004",
    "2E-MON-011": "PBP-MON-005",
    "2E-MON-012": "PBP-MON-006",
    "2E-MON-013": "PBP-MON-007",
    "2E-MON-014": "PBP-MON-007",
    "2E-MON-015": "PBP-MON-008",
    "2E-MON-016": "PBP-MON-009",
    "2E-MON-017": "PBP-MON-010",
    "2E-MON-018": "PBP-MON-011",
    "2E-MON-019": "PBP-MON-012",
    "2E-MON-020": "PBP-MON-012",
    "2E-MON-021": "PBP-MON-013",
    "2E-MON-022": "PBP-MON-013",
}
"""Rules of the second edition to those of this text that say the same or replace them."""

OWN: dict[str, str] = {
    "haunt_roll": "PBP-HROLL-003",
    "omens_counted": "PBP-HROLL-003",
    "body_over_glossary": "PBP-HROLL-003",
    "tile_turned": "PBP-DISC-001",
    "tile_fits": "",
    "several_floors": "",
    "top_back": "",
    "set_aside": "",
    "tiles_renewed": "",
    "moderator_rolls": "PBP-DICE-003",
    "die_roller": "PBP-DICE-002",
}
"""Topics whose citations don't follow rule by rule: no stack and no backs, and all dice are the moderator's."""


def _citations() -> Citations:
    base: dict[str, str] = msgspec.structs.asdict(SECOND.cite)
    return Citations(**{topic: RESTATED.get(rule, rule) for topic, rule in base.items()} | OWN)


PLAY_BY_POST = msgspec.structs.replace(
    SECOND,
    id="play-by-post",
    title="By post, with a moderator",
    ledger="PBP",
    content=SECOND.id,
    exploration=msgspec.structs.replace(SECOND.exploration, stack=False),
    cards=msgspec.structs.replace(SECOND.cards, one_action_for_all=True),
    haunt_roll=msgspec.structs.replace(SECOND.haunt_roll, once_a_turn=True),
    dice=Dice(die_roller=True),
    moderated=True,
    official_rulings=False,
    restated=RESTATED,
    cite=_citations(),
)
