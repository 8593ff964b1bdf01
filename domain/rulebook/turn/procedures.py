"""All procedures: blocks written in Python that content, commands and other procedures call by name."""

from domain.editions.edition import Edition
from domain.engine.block import Block
from domain.rulebook.cards.belongings import TRADE
from domain.rulebook.cards.decks import SEE_TOP
from domain.rulebook.cards.drawing import DRAW_CARD, DRAW_UNTIL, EVENT, GAIN_CARD, LOSE_CARD
from domain.rulebook.cards.looking import FETCH, LOOK
from domain.rulebook.desk.rulings import COIN
from domain.rulebook.explore.crossing import CROSS
from domain.rulebook.explore.discovered import DISCOVERED
from domain.rulebook.explore.discovering import EXPLORE
from domain.rulebook.explore.elevator import MOVE_TILE
from domain.rulebook.explore.laying import PLACE_TILE
from domain.rulebook.explore.moving import RELOCATE, WALK
from domain.rulebook.explore.rearranging import REARRANGE
from domain.rulebook.explore.shifting import SHIFT
from domain.rulebook.explore.walls import BREAK_WALL
from domain.rulebook.fight.attacking import ATTACK, MUST_ATTACK
from domain.rulebook.fight.harm import DAMAGE, DEATH, ESCAPE, EVENT_ATTACK, REMOVAL
from domain.rulebook.haunt.beginning import begin_haunt
from domain.rulebook.haunt.entering import ENTER, READ_ENTRIES
from domain.rulebook.haunt.traitor import REVEAL_TRAITOR
from domain.rulebook.table.rolling import ROLL
from domain.rulebook.table.triggers import TRIGGER
from domain.rulebook.turn.acting import ACT, BREAK_FREE
from domain.rulebook.turn.ending import END_TURN, HAUNT_ROLL, NEXT_TURN
from domain.rulebook.turn.monsters_turn import MONSTERS_BEGIN, MONSTERS_END

PROCEDURES: dict[str, Block] = {
    block.id: block
    for block in (
        ACT,
        ATTACK,
        BREAK_FREE,
        BREAK_WALL,
        COIN,
        CROSS,
        DAMAGE,
        DEATH,
        DISCOVERED,
        DRAW_CARD,
        DRAW_UNTIL,
        END_TURN,
        ENTER,
        ESCAPE,
        EVENT,
        EVENT_ATTACK,
        EXPLORE,
        FETCH,
        GAIN_CARD,
        HAUNT_ROLL,
        LOOK,
        LOSE_CARD,
        MONSTERS_BEGIN,
        MONSTERS_END,
        MOVE_TILE,
        MUST_ATTACK,
        NEXT_TURN,
        PLACE_TILE,
        READ_ENTRIES,
        REARRANGE,
        RELOCATE,
        REMOVAL,
        REVEAL_TRAITOR,
        ROLL,
        SEE_TOP,
        SHIFT,
        TRADE,
        TRIGGER,
        WALK,
    )
}
"""By name; all but `begin-haunt`, whose steps differ by edition."""


def procedures(edition: Edition) -> dict[str, Block]:
    """All procedures by which an edition is played, by name."""
    return {**PROCEDURES, "begin-haunt": begin_haunt(edition)}
