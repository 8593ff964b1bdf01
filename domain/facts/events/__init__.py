"""Events: everything that can happen in a game, in the past tense, one file for each topic.

Each event says with `apply` what it changes; `domain.evolve` folds them. Nothing here decides, rolls or reads content.
"""

from typing import get_args

import msgspec

from domain.facts.events.base import Event
from domain.facts.events.cards import (
    BackSeen,
    CardDiscarded,
    CardDrawn,
    CardGained,
    CardLost,
    CardTurned,
    CompanionLeft,
    PileChanged,
    SlotSeen,
    StackReordered,
    StackShuffled,
    TileDrawn,
    TileSearched,
    TileSetAside,
    Used,
)
from domain.facts.events.desk import (
    AmendmentTold,
    ClaimMade,
    DisputeClosed,
    DisputeOpened,
    EvidenceFiled,
    EvidenceGiven,
    ReasonsGiven,
    SpanSeen,
    TakenBack,
    VerdictConsented,
    VerdictDropped,
    VerdictProposed,
)
from domain.facts.events.dice import ChanceAnswered, DiceRerolled, DiceRolled, HauntRolled, OmenOwed, ResultNamed
from domain.facts.events.entries import BookEntered, EntryAgreed, EntryProposed, EntryRefused
from domain.facts.events.haunt import (
    CounterMoved,
    CountersTold,
    ExplorerEscaped,
    ExplorerRemoved,
    HauntBegun,
    HauntRejected,
    MonsterChosen,
    MonsterKilled,
    MonsterParted,
    MonsterPlaced,
    MonsterRecovered,
    MonstersRolled,
    MonsterStunned,
    MonsterTook,
    SecretChosen,
    SideChanged,
    SideTold,
    TextTold,
)
from domain.facts.events.house import (
    Moved,
    MovementSpent,
    Stopped,
    TileMoved,
    TilePlaced,
    TokenPlaced,
    TokenRemoved,
    WayClosed,
    WayOpened,
)
from domain.facts.events.lifecycle import (
    Disclosed,
    ExtraTurnGiven,
    GameArranged,
    GameEnded,
    GameOpened,
    GameStarted,
    Rewound,
    SandboxBegun,
    SeatClaimed,
    StackArranged,
    TurnEnded,
    TurnStarted,
)
from domain.facts.events.rulings import (
    CoinCalled,
    CoinFlipped,
    RulingAgreed,
    RulingConsented,
    RulingProposed,
    RulingRefused,
    RulingWithdrawn,
)
from domain.facts.events.traits import (
    AttackDecided,
    AttackSpent,
    DamageReduced,
    DamageTaken,
    ExplorerAttacked,
    ExplorerDied,
    ExplorerFreed,
    ExplorerHeld,
    HarmIgnored,
    SurplusNoted,
    TraitChanged,
)
from domain.facts.events.waiting import (
    ActionTaken,
    DecisionClosed,
    DecisionOpened,
    Declined,
    Fizzled,
    OptionsTold,
    RuleApplied,
    Suspended,
    TradeProposed,
)

AnyEvent = (
    GameOpened
    | GameArranged
    | StackArranged
    | SeatClaimed
    | GameStarted
    | GameEnded
    | Rewound
    | Disclosed
    | TurnStarted
    | TurnEnded
    | ExtraTurnGiven
    | TilePlaced
    | TileMoved
    | WayOpened
    | WayClosed
    | Moved
    | MovementSpent
    | Stopped
    | TokenPlaced
    | TokenRemoved
    | BackSeen
    | SlotSeen
    | StackShuffled
    | StackReordered
    | TileSetAside
    | TileDrawn
    | TileSearched
    | CardDrawn
    | CardGained
    | CardLost
    | CardDiscarded
    | PileChanged
    | CompanionLeft
    | CardTurned
    | Used
    | ChanceAnswered
    | DiceRolled
    | DiceRerolled
    | ResultNamed
    | HauntRolled
    | OmenOwed
    | TraitChanged
    | SurplusNoted
    | DamageTaken
    | DamageReduced
    | HarmIgnored
    | ExplorerDied
    | ExplorerEscaped
    | ExplorerHeld
    | ExplorerFreed
    | ExplorerAttacked
    | AttackSpent
    | AttackDecided
    | HauntBegun
    | SideTold
    | TextTold
    | MonsterPlaced
    | MonstersRolled
    | MonsterChosen
    | MonsterStunned
    | MonsterRecovered
    | MonsterKilled
    | MonsterTook
    | MonsterParted
    | SideChanged
    | ExplorerRemoved
    | HauntRejected
    | CounterMoved
    | CountersTold
    | EntryProposed
    | EntryAgreed
    | EntryRefused
    | BookEntered
    | SecretChosen
    | DecisionOpened
    | OptionsTold
    | DecisionClosed
    | Suspended
    | RuleApplied
    | Fizzled
    | ActionTaken
    | TradeProposed
    | Declined
    | RulingProposed
    | RulingConsented
    | RulingAgreed
    | RulingRefused
    | RulingWithdrawn
    | CoinCalled
    | CoinFlipped
    | TakenBack
    | SandboxBegun
    | DisputeOpened
    | ClaimMade
    | EvidenceGiven
    | EvidenceFiled
    | VerdictProposed
    | VerdictConsented
    | VerdictDropped
    | ReasonsGiven
    | AmendmentTold
    | DisputeClosed
    | SpanSeen
)
"""Every event. A new one is imported above and named here; there is no other list."""

EVENT_TYPES: tuple[type[Event], ...] = get_args(AnyEvent)


class Told(msgspec.Struct, frozen=True, array_like=True):
    """An event with its audience: who is told, as a mask over principals (see `domain.facts.audience`)."""

    to: int
    event: AnyEvent
