"""Every problem that a caller can meet, in one table: code, status, title. RFC 9457 gives the form.

A problem's `type` is the address of its page, `/v1/problems/<code>`, which says what it means and what to do about it. Title and
status are constant for a type, `detail` speaks of the occurrence, further members are named in `Problem`. Nothing raises a problem that
isn't in the table.
"""

from __future__ import annotations

from typing import Any

import msgspec

from content.ledger import ledger

PAGES = "/v1/problems/"
"""What the types of problems begin with, on whichever host the service is."""


class Kind(msgspec.Struct, frozen=True):
    """A kind of problem."""

    code: str
    status: int
    title: str
    meaning: str
    """What has happened, in a sentence or two."""
    remedy: str
    """What whoever meets it can do."""


KINDS: dict[str, Kind] = {
    kind.code: kind
    for kind in (
        # the request itself
        Kind(
            "invalid-request",
            400,
            "The request can not be read",
            "What arrived is not HTTP/1.1.",
            "Check what sends it: HTTPS to a port that speaks HTTP, blanks in the address, or a header that breaks off.",
        ),
        Kind(
            "invalid-body",
            400,
            "The body is not what this call takes",
            "The body is not JSON, a field is missing, unknown or of the wrong type, or a key stands twice in one object.",
            "Read `errors`: each names the place and what is wrong there. The operation's schema stands in /openapi.json.",
        ),
        Kind(
            "invalid-parameter",
            400,
            "A parameter is not what this call takes",
            "A part of the path or query does not have the form that the operation asks for, or comes twice.",
            "Read `errors`, and correct the parameter that it names.",
        ),
        Kind(
            "invalid-precondition",
            400,
            "The If-Match or If-None-Match header is malformed",
            "The header is neither `*` nor a list of entity tags in double quotes.",
            'Send a tag just as it came in `ETag`, quotes included: "140.x".',
        ),
        Kind(
            "invalid-idempotency-key",
            400,
            "The Idempotency-Key header is malformed",
            "The key is empty, too short or too long, has blanks or quotes in it, or the header came twice.",
            "Send one key of visible ASCII characters, at most 255. Where it protects tokens it needs 16 or more: a random UUID will do.",
        ),
        Kind(
            "too-deep",
            400,
            "The body is nested too deeply",
            "Objects and arrays lie deeper within one another than any body needs.",
            "Check what builds the body. The limit is the setting OMENLOG_DEPTH_LIMIT.",
        ),
        Kind(
            "not-found",
            404,
            "There is nothing here",
            "The path leads nowhere, or to something that does not exist or is not to be known yet.",
            "Check the address and the ids in it.",
        ),
        Kind(
            "method-not-allowed",
            405,
            "This method is not offered here",
            "The path exists, but not for this method.",
            "Use one of the methods in the header `Allow`.",
        ),
        Kind(
            "request-timeout",
            408,
            "The request took too long to arrive",
            "The headers or the body of the request did not arrive in time.",
            "Send the request again, faster or with less in it.",
        ),
        Kind(
            "not-acceptable",
            406,
            "None of the accepted media types is offered here",
            "The header `Accept` leaves none of the media types that the operation can answer.",
            "Accept one of those that `detail` names.",
        ),
        Kind(
            "body-too-large",
            413,
            "The body is too large",
            "The body has more bytes than the service takes.",
            "Send less. The limits are the settings OMENLOG_BODY_LIMIT and, for imports, OMENLOG_IMPORT_LIMIT.",
        ),
        Kind(
            "unsupported-media-type",
            415,
            "The body is not of the media type that is taken here",
            "The body is declared as another media type, as none, or as compressed.",
            "Send the media type that the header `Accept` of the answer names, without `Content-Encoding`.",
        ),
        Kind(
            "too-many-requests",
            429,
            "Too many requests",
            "The token, or the address of a request that shows no valid token, has used up its requests for now.",
            "Wait as many seconds as `Retry-After` says. `RateLimit` on every answer tells how many requests are left.",
        ),
        Kind(
            "too-many-streams",
            429,
            "Too many open streams",
            "The token or account holds as many live streams as it may.",
            "Close one, or follow several games by one stream of an account.",
        ),
        # identity
        Kind(
            "unauthorized",
            401,
            "A valid token is needed",
            "The request shows no token, or one that is unknown, expired, exchanged or revoked.",
            "Send `Authorization: Bearer` with the token that claiming the place answered. A lost one can't be had back: ask the host.",
        ),
        Kind(
            "forbidden",
            403,
            "This token is not good for that",
            "The token holds, but not for this game or not for this deed. Nothing is said about whether the game exists.",
            "Use the token of the role that may do it.",
        ),
        Kind(
            "invite-refused",
            403,
            "This invite is not good for that",
            "The invite is unknown, used already, expired, or for another game or place.",
            "Ask the host for a new invite. If you claimed the place yourself, repeat the request with its idempotency key.",
        ),
        # opening a game
        Kind(
            "unknown-edition",
            422,
            "No such edition",
            "The service knows no edition by this name.",
            "Take an edition from GET /v1/packs.",
        ),
        Kind(
            "unknown-pack",
            422,
            "No such pack",
            "The service offers no pack by this name, or none that fits the edition.",
            "Take a pack from GET /v1/packs.",
        ),
        Kind(
            "unknown-character",
            422,
            "No such character",
            "The pack has no explorer by this id.",
            "Take an id from `characters` of GET /v1/packs/{pack}.",
        ),
        Kind(
            "unfit-options",
            422,
            "An option does not fit the game",
            "An option contradicts the edition, the pack or another option.",
            "Read `errors`: each names the option and what would fit.",
        ),
        Kind(
            "unfit-setup",
            422,
            "The setup does not fit the game",
            "The setup names what the pack does not have, or what can't lie on the table together.",
            "Read `errors`, and correct the places that they name.",
        ),
        Kind(
            "unfit-seats",
            422,
            "The pack does not seat so many",
            "The game has fewer or more seats than the pack is made for.",
            "Take a number that `players` of GET /v1/packs/{pack} allows.",
        ),
        Kind(
            "too-many-games",
            429,
            "Too many games that have not begun",
            "The address or account has opened as many games as may wait for their players at a time.",
            "Start one of them or close it. Games that nobody starts are abandoned after a while and count no longer.",
        ),
        Kind(
            "unfit-tape",
            422,
            "The tape holds no answers of chance",
            "A prepared answer has a form that chance never takes.",
            "Read `errors`: each names an answer of the tape.",
        ),
        # importing a game
        Kind(
            "unfit-export",
            422,
            "This is no export that can be imported",
            "The file is not a full export of a game, or breaks off.",
            "Send the bytes of GET /v1/games/{game}/export as the referee got them, or anybody after the disclosure.",
        ),
        Kind(
            "newer-revision",
            422,
            "A newer revision of the rules decided this game",
            "This service is older than the one that the game was played on, so it can't decide it again.",
            "Import it into a service that is as new as the one it comes from.",
        ),
        Kind(
            "not-disclosed",
            422,
            "The game still has secrets",
            "The game is not over, or its options never disclose it.",
            "Export it again when it is over and disclosed.",
        ),
        Kind(
            "diverged-export",
            422,
            "The export was altered, or the rules decide otherwise",
            "A link of the hash chain does not hold, or a command decided again gives other events.",
            "Run `omenlog verify FILE`: it names the first commit that differs.",
        ),
        Kind(
            "unverified-export",
            422,
            "The export can not be verified",
            "The audit could not decide some commits again, or took too long.",
            "Run `omenlog verify FILE`: it says what could not be verified and why.",
        ),
        Kind(
            "game-exists",
            409,
            "The game is here already",
            "A game with this id is in the store.",
            "Read that one. Nothing is gained by importing it twice.",
        ),
        # the life of a game
        Kind(
            "not-open",
            409,
            "The game has started",
            "Seats are claimed and the game is started while it is open, and it no longer is.",
            "Read the game: its status says what is possible.",
        ),
        Kind(
            "not-started",
            409,
            "The game has not started",
            "Nothing can be played or disputed before the host has started the game.",
            "Wait for the start. Every seat has to be claimed first.",
        ),
        Kind(
            "game-over",
            409,
            "The game is over",
            "The game was finished or abandoned. It can be read, and no longer be played.",
            "Open another game, or make a sandbox from one of its commits while it goes on.",
        ),
        Kind(
            "seat-taken",
            409,
            "The seat is taken",
            "Somebody has claimed this seat.",
            "Claim another one. If it was you, repeat the request with its idempotency key.",
        ),
        Kind(
            "seats-free",
            409,
            "Seats are still free",
            "The game starts when every seat is claimed, and a seat that nobody has claimed has no player to replace.",
            "Send the invites that are left to their players.",
        ),
        Kind(
            "character-taken",
            409,
            "The character is taken",
            "Another seat plays this explorer, or the one on the other side of the card.",
            "Choose another one; the game's public facts tell who is taken.",
        ),
        Kind(
            "name-taken",
            409,
            "Another seat has that name, or one that looks the same",
            "Names in one game differ in more than case, accents, and letters and signs that look alike.",
            "Take another name.",
        ),
        # commands
        Kind(
            "illegal-command",
            409,
            "A rule forbids this",
            "The rules don't allow the command as things stand. `rule` is the rule that forbids it.",
            "Take a command from `legal`, which lists what can be done now.",
        ),
        Kind(
            "decision-closed",
            409,
            "The decision is not open",
            "The decision that the command answers was answered already, or never existed.",
            "Read the decisions again and answer one that is open.",
        ),
        Kind(
            "not-your-decision",
            409,
            "The decision is somebody else's",
            "The game waits for an answer, but not for this seat's.",
            "Wait, or answer one of your own decisions in `legal`.",
        ),
        Kind(
            "not-an-option",
            409,
            "That is none of the options",
            "The decision is open and yours, but does not offer this answer.",
            "Choose among the options that GET …/decisions lists.",
        ),
        Kind(
            "wrong-answer-kind",
            409,
            "The decision takes another kind of answer",
            "The command's type does not fit the decision: it asks for a choice, an allocation, dice or something else.",
            "Post a command that GET …/decisions lists for it.",
        ),
        Kind(
            "chance-misfit",
            409,
            "The answer does not fit what chance was asked",
            "The dice, cards or faces that were told are too many, too few, or impossible.",
            "Read `detail`, and tell what was asked for.",
        ),
        Kind(
            "ruling-open",
            409,
            "Another ruling waits for consent",
            "The table decides on one proposed ruling at a time.",
            "Answer the one that is open, then propose yours.",
        ),
        Kind(
            "chance-open",
            409,
            "Chance is asked already",
            "Dice or cards are awaited, and no coin can be flipped meanwhile.",
            "Wait for the answer, then flip the coin.",
        ),
        Kind(
            "table-limit",
            409,
            "No more rulings and coins in this turn",
            "A turn has room for a few proposed rulings and coins, so that every game ends.",
            "Wait for the next turn.",
        ),
        Kind(
            "take-back-closed",
            409,
            "This can not be taken back",
            "Something was learned since, somebody else has acted, or too much was played.",
            "Take back less. A dispute can go back further, if the referee rules so.",
        ),
        Kind(
            "play-paused",
            409,
            "Play waits for a ruling",
            "A dispute pauses the game until it is ruled, withdrawn or runs out.",
            "Read the disputes, and wait or help to settle them.",
        ),
        Kind(
            "dispute-open",
            409,
            "The seat has an open dispute",
            "A seat has one open dispute at a time.",
            "Withdraw it, or add to it as evidence.",
        ),
        Kind(
            "dispute-closed",
            409,
            "The dispute is closed",
            "It was ruled, withdrawn or ran out. Closed disputes are not reopened.",
            "Open a new one if there is something new to say.",
        ),
        Kind(
            "dispute-limit",
            409,
            "There are disputes enough",
            "The seat, the game or the dispute has as many disputes, proposals or pieces of evidence as it may.",
            "Settle what is open first.",
        ),
        Kind(
            "unfit-span",
            422,
            "The game has no such commits",
            "The first commit lies behind the last one, or one of them does not exist or can't be meant.",
            "Take numbers of commits from GET …/events.",
        ),
        Kind(
            "unfit-evidence",
            422,
            "The evidence names nothing",
            "Evidence has commits, rules or a note, and this has none of them.",
            "Say at least one.",
        ),
        Kind(
            "unfit-ruling",
            422,
            "The ruling does not fit together",
            "A rewind needs the commit to go back to, an amendment its steps; other rulings have neither.",
            "Read `errors`, and give what belongs to the outcome.",
        ),
        Kind(
            "unfit-amendment",
            422,
            "What is amended can't be done",
            "The steps of the amendment contradict the game as it stands. Nothing has changed.",
            "Read `detail`, look at the view, and correct the steps.",
        ),
        Kind(
            "unknown-rule",
            422,
            "No such rule",
            "The ledger has no rule by this id.",
            "Take an id from GET /v1/rules.",
        ),
        Kind(
            "nothing-to-enter",
            409,
            "No haunt is played from a book of your own",
            "Entries are for haunts from the players' own printed books, and this game plays none now.",
            "Open a game with the option `haunt: external`, and enter when its haunt has begun.",
        ),
        Kind(
            "not-your-book",
            409,
            "That book is the other side's",
            "Each side enters from the book that it reads.",
            "Leave it to the other side or to the referee.",
        ),
        Kind(
            "unfit-entry",
            422,
            "What was entered can't be played",
            "The entry uses words that content does not have, refers to what is not there, or triggers itself endlessly.",
            "Read `errors`, and correct the places that they name; content/MANUAL.md explains the words.",
        ),
        Kind(
            "conflict",
            409,
            "Another command came first",
            "Somebody else acted in the game at the same time, and what was asked could not be decided on the new state.",
            "Read the state again, then repeat the request if it still makes sense.",
        ),
        Kind(
            "stale-version",
            412,
            "The game is no longer at that version",
            "`If-Match` names another version than `current_version`.",
            "Read the game again, and decide anew. Without `If-Match` a command is valid as long as its decision is open.",
        ),
        Kind(
            "key-reused",
            422,
            "The idempotency key was used for another request",
            "A key belongs to one request for ever, and this request differs from the first one.",
            "Take a new key for a new request; repeat a request without changing it.",
        ),
        # what if
        Kind(
            "unfit-odds",
            422,
            "These odds can't be told",
            "What was asked for does not fit the game, or hangs on more than one roll.",
            "Read `detail`. Ask for one roll of somebody who is in the house.",
        ),
        Kind(
            "half-done",
            409,
            "Something is half-done that hides what the role does not know",
            "At this commit a sandbox would have to invent what is being decided in secret.",
            "Fork from a commit before it, or wait until it is done.",
        ),
        Kind(
            "is-fork",
            409,
            "The game is a sandbox",
            "Nothing leads out of a sandbox: it is neither forked, followed by accounts nor sent to endpoints.",
            "Do it in the game that it was made from.",
        ),
        Kind(
            "too-many-forks",
            409,
            "The token has too many forks",
            "A token may have a few sandboxes of a game at a time.",
            "Wait until one expires; GET …/forks says when.",
        ),
        Kind(
            "no-world",
            500,
            "No world agrees with what the role knows",
            "The service could not invent hidden facts that fit everything the role was told.",
            "Fork from another commit. Tell the operator: there should always be such a world.",
        ),
        # beside the log
        Kind(
            "no-side",
            409,
            "There is no such side",
            "Before the haunt, and while the traitor is hidden, there are no sides to write to.",
            "Write to the referee, or wait until the sides are known.",
        ),
        Kind(
            "stream-full",
            409,
            "The stream holds no more",
            "The game has as many messages as are kept of it.",
            "Talk elsewhere. Nothing that was sent is lost.",
        ),
        Kind(
            "account-full",
            409,
            "The account follows no more tokens",
            "As many tokens as allowed were bound to the account, those that ended included.",
            "Open another account for further games.",
        ),
        Kind(
            "unfit-orders",
            422,
            "Orders name what the game does not have",
            "A step of the standing orders names a room, card or seat that the game does not have.",
            "Read `errors`, and correct the steps that they name.",
        ),
        # webhooks
        Kind(
            "unfit-subscription",
            422,
            "A subscription can't be for that",
            "The filter, the game or the commits that were named don't fit the token or account.",
            "Read `errors`, and correct what they name.",
        ),
        Kind(
            "endpoint-refused",
            422,
            "The endpoint can't be subscribed",
            "The address is not one that may be sent to, can't be reached, or did not agree.",
            "Give a public https address that answers the handshake; STREAMS.md shows it.",
        ),
        Kind(
            "subscription-exists",
            409,
            "The endpoint is subscribed otherwise",
            "The same token or account has a subscription of this address with another filter.",
            "Keep it, or end it and subscribe again.",
        ),
        Kind(
            "too-many-subscriptions",
            409,
            "The token has too many subscriptions",
            "The token or account has as many subscriptions as it may.",
            "End one that is no longer needed.",
        ),
        # positions
        Kind(
            "ahead-of-log",
            409,
            "The position is ahead of the game",
            "The commit that was named does not exist yet, or not for this caller. If it did before, an older log was put back.",
            "Go on from `current_version`, or begin anew from 0.",
        ),
        Kind(
            "invalid-cursor",
            400,
            "The cursor is not one of this stream",
            "The cursor was not given by this stream, or was changed.",
            "Pass on cursors just as they came. Without one the stream begins at its first event.",
        ),
        # the service
        Kind(
            "internal",
            500,
            "Something went wrong inside",
            "The service failed. The request was done whole or not at all.",
            "Repeat the request with its idempotency key. Tell the operator the `X-Request-Id` of the answer.",
        ),
        Kind(
            "damaged-log",
            500,
            "The stored game is damaged",
            "What the store holds of this game is not what was written. Other games are not touched by it.",
            "Tell the operator, who has backups and the service's log.",
        ),
        Kind(
            "archive-missing",
            503,
            "The archive of this game cannot be read",
            "The game was moved to an archive whose file is not there now.",
            "Try later. The operator finds the file's name in the service's log.",
        ),
        Kind(
            "jobs-unavailable",
            503,
            "Nobody takes jobs now",
            "The queue of jobs can't be reached, or has no room for another audit.",
            "Wait as many seconds as `Retry-After` says, then repeat the request.",
        ),
        Kind(
            "store-unavailable",
            503,
            "The store cannot be reached",
            "The service can neither read nor write games now.",
            "Wait as many seconds as `Retry-After` says, then repeat the request with its idempotency key.",
        ),
        Kind(
            "store-full",
            507,
            "The store is full",
            "There is no room for another commit. Reading works.",
            "Tell the operator, who has to make room. Nothing that was answered is lost.",
        ),
    )
}
"""By code."""


class FieldError(msgspec.Struct, frozen=True):
    """One thing that is wrong in a request."""

    pointer: str
    """JSON pointer into the body, or the name of the parameter."""
    detail: str


class RuleCited(msgspec.Struct, frozen=True):
    """The rule that decided."""

    id: str
    title: str
    text: str


def cited(rule: str) -> RuleCited | None:
    """A rule of the ledger as a problem cites it; None for no rule."""
    found = ledger().get(rule)
    return None if found is None else RuleCited(found.id, found.title, found.text)


class Problem(msgspec.Struct, frozen=True, omit_defaults=True):
    """The body of every answer that is an error (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    errors: list[FieldError] = []
    """Every part of the request that is wrong, as far as known."""
    rule: RuleCited | None = None
    """The rule that forbids it."""
    legal: Any = None
    """What the game waits for, and what the caller could do: the same as `decisions` answers."""
    current_version: int | None = None
    retry_after: int | None = None
    """Seconds, as in `Retry-After`."""


class ProblemError(Exception):
    """Raised anywhere in the service, answered as a problem."""

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        headers: dict[str, str] | None = None,
        **members: Any,  # noqa: ANN401 -- the members of `Problem`, which checks them
    ) -> None:
        """Name the kind of problem.

        Args:
            code: a key of `KINDS`.
            detail: a sentence about this occurrence, from nothing but what the caller may know.
            headers: sent with the answer.
            members: further members of `Problem`.
        """
        super().__init__(detail)
        kind = KINDS[code]
        self.code = code
        self.status = kind.status
        self.headers = headers or {}
        self.problem = Problem(
            type=PAGES + code, title=kind.title, status=kind.status, detail=detail, code=code, **members
        )

    def body(self) -> bytes:
        """The problem as JSON."""
        return msgspec.json.encode(self.problem)
