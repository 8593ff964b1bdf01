"""All procedures: blocks written in Python that content, commands and other procedures call by name."""

from domain.engine.block import Block
from domain.turn.acting import ACT, BREAK_FREE
from domain.turn.attacking import ATTACK, MUST_ATTACK
from domain.turn.belongings import TRADE
from domain.turn.decks import SEE_TOP
from domain.turn.discovered import DISCOVERED
from domain.turn.discovering import EXPLORE, PLACE_TILE
from domain.turn.drawing import DRAW_CARD, DRAW_UNTIL, EVENT, GAIN_CARD, LOSE_CARD
from domain.turn.elevator import MOVE_TILE
from domain.turn.ending import END_TURN, HAUNT_ROLL, MONSTERS_BEGIN, MONSTERS_END, NEXT_TURN
from domain.turn.entering import ENTER, READ_ENTRIES
from domain.turn.harm import DAMAGE, DEATH, ESCAPE, EVENT_ATTACK, REMOVAL
from domain.turn.haunting import BEGIN_HAUNT, REVEAL_TRAITOR
from domain.turn.looking import FETCH, LOOK
from domain.turn.moving import CROSS, RELOCATE, WALK
from domain.turn.rearranging import REARRANGE
from domain.turn.rolling import ROLL
from domain.turn.rulings import COIN
from domain.turn.shifting import SHIFT
from domain.turn.triggers import TRIGGER
from domain.turn.walls import BREAK_WALL

PROCEDURES: dict[str, Block] = {
    block.id: block
    for block in (
        ACT,
        ATTACK,
        BEGIN_HAUNT,
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
"""By name."""
