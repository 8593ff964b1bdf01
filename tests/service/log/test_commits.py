"""The stored commit: fixed bytes, cut for each role without being encoded again."""

import hashlib
import json

import pytest

from domain.facts.audience import EVERYBODY, REFEREE, SPECTATORS, seat_bit
from domain.facts.commands import Move
from domain.facts.events import Moved, SideTold, Suspended, Told
from service.log.chain import FIRST, Broken, Proof, Salts, check_proof, position, prove, seal, told_to, verify
from service.log.commits import Draft, Moment, cut, read_folded, wire

KEY = bytes(range(32))

DRAFT = Draft(
    game="abcdefghijklmnopqrst",
    number=7,
    at="2026-01-02T03:04:05.678Z",
    rules=1,
    pack="sha256:" + "0" * 64,
    actor="seat:1",
    command=Move(decision="turn-3", to="foyer"),
    command_to=seat_bit(1) | REFEREE,
    key="k" * 64,
    decision="turn-3",
    told=(
        Told(EVERYBODY, Moved(rule="2E-MOVE-002", figure=1, room="foyer", spent=1)),
        Told(seat_bit(1) | REFEREE, SideTold(seat=1, side="traitor")),
        Told(REFEREE, Suspended(frames=[])),
    ),
)

GOLDEN = (
    b'{"v":1,"game":"abcdefghijklmnopqrst","number":7,"at":"2026-01-02T03:04:05.678Z","rules":1,'
    b'"pack":"sha256:0000000000000000000000000000000000000000000000000000000000000000",'
    b'"actor":"seat:1","actor_to":255,"key":"kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk",'
    b'"decision":"turn-3","command":{"type":"move","decision":"turn-3","to":"foyer"},"command_to":130,'
    b'"events":[[255,{"type":"Moved","rule":"2E-MOVE-002","figure":1,"room":"foyer","spent":1}],'
    b'[130,{"type":"SideTold","seat":1,"side":"traitor"}],[128,{"type":"Suspended","frames":[]}]],'
    b'"prev":"0000000000000000000000000000000000000000000000000000000000000000",'
    b'"root":"ROOT","hash":"HASH"}'
)


def stored(draft: Draft = DRAFT) -> bytes:
    return seal(draft, FIRST, Salts(KEY)).body


def test_the_bytes_of_a_commit_are_fixed() -> None:
    """Logs outlive the code: whoever changes these bytes changes the version of the layout, and reads both."""
    root, link = json.loads(stored())["root"], json.loads(stored())["hash"]
    assert stored() == GOLDEN.replace(b"ROOT", root.encode()).replace(b"HASH", link.encode())


def test_the_chain_can_be_computed_by_anybody_from_its_description() -> None:
    """The description in `service.log.chain`, followed without its code."""
    commit = json.loads(GOLDEN)
    shake = hashlib.shake_256(KEY + b"7").digest(256)
    header = GOLDEN[: GOLDEN.index(b',"actor":')] + b"}"
    events = [json.dumps(event, separators=(",", ":")).encode() for _, event in commit["events"]]
    public = b"\n".join([header, b'"seat:1"', events[0]])
    own = b"\n".join([header, b'"seat:1"', json.dumps(commit["command"], separators=(",", ":")).encode(), *events[:2]])
    told = [public, own, *[public] * 5, GOLDEN[: GOLDEN.index(b',"root"')]]
    digests = [
        hashlib.sha256(shake[32 * place : 32 * place + 32] + hashlib.sha256(one).digest()).digest()
        for place, one in enumerate(told)
    ]
    root = hashlib.sha256(b"".join(digests)).hexdigest()
    assert json.loads(stored())["root"] == root
    assert json.loads(stored())["hash"] == hashlib.sha256(f"{FIRST}{root}7".encode()).hexdigest()


def test_each_role_gets_its_part_byte_for_byte() -> None:
    seen = {name: json.loads(wire(stored(), bit, Moment(6, 3, 1))) for name, bit in ROLES.items()}
    assert [one["type"] for one in seen["seat:1"]["data"]["events"]] == ["Moved", "SideTold"]
    assert [one["type"] for one in seen["referee"]["data"]["events"]] == ["Moved", "SideTold", "Suspended"]
    assert seen["seat:0"]["data"] == {
        "number": 7,
        "turn": 3,
        "round": 1,
        "actor": "seat:1",
        "events": [{"type": "Moved", "rule": "2E-MOVE-002", "figure": 1, "room": "foyer", "spent": 1}],
    }
    assert seen["spectators"] == seen["seat:0"]
    assert seen["seat:1"]["data"]["command"] == {"type": "move", "decision": "turn-3", "to": "foyer"}
    assert b'{"type":"SideTold","seat":1,"side":"traitor"}' in wire(stored(), seat_bit(1), Moment(6, 3, 1))


ROLES = {"seat:0": seat_bit(0), "seat:1": seat_bit(1), "spectators": SPECTATORS, "referee": REFEREE}


def test_nothing_of_a_commit_that_a_role_was_not_told_reaches_it() -> None:
    secret = Draft(
        **{name: getattr(DRAFT, name) for name in Draft.__struct_fields__ if name != "told"}, told=DRAFT.told[1:]
    )
    for bit in (seat_bit(0), SPECTATORS):
        data = json.loads(wire(stored(secret), bit, Moment()))["data"]
        assert data == {"number": 7, "turn": 0, "round": 0, "actor": "seat:1", "events": []}
    folded = read_folded(stored(secret))
    assert [one.to for one in folded.events] == [130, 128]


def test_a_proof_has_one_size_whatever_is_hidden() -> None:
    """What a role is given to check its part shows neither what nor how much the others were told."""
    few = Draft(
        **{name: getattr(DRAFT, name) for name in Draft.__struct_fields__ if name != "told"}, told=DRAFT.told[:1]
    )
    for draft in (DRAFT, few):
        proof = prove(stored(draft), 0, Salts(KEY))
        assert (len(proof.salt), [len(one) for one in proof.digests], len(proof.root)) == (64, [64] * 8, 64)
    told = [told_to(cut(stored(draft))[1], 0) for draft in (DRAFT, few)]
    assert told[0] == told[1]
    assert prove(stored(few), 0, Salts(KEY)).digests[0] == prove(stored(), 0, Salts(KEY)).digests[0]
    assert len({*prove(stored(few), 0, Salts(KEY)).digests}) == 8, "alike parts have unlike digests"


@pytest.mark.parametrize("principal", range(7))
def test_every_role_can_check_its_own_part(principal: int) -> None:
    proof = prove(stored(), principal, Salts(KEY))
    told = told_to(cut(stored())[1], principal)
    check_proof(told, 7, principal, proof)
    with pytest.raises(Broken):
        check_proof(told + b" ", 7, principal, proof)
    with pytest.raises(Broken):
        check_proof(told, 8, principal, proof)
    with pytest.raises(Broken):
        check_proof(told, 7, (principal + 1) % 7, proof)
    with pytest.raises(Broken, match="malformed"):
        check_proof(told, 7, principal, Proof("zz", proof.digests, proof.prev, proof.root, proof.hash))


@pytest.mark.parametrize("place", range(0, len(GOLDEN), 11))
def test_no_byte_of_a_stored_commit_can_be_changed(place: int) -> None:
    sound = stored()
    verify(sound, FIRST, Salts(KEY))
    changed = bytearray(sound)
    changed[place] ^= 1
    with pytest.raises(Broken):
        verify(bytes(changed), FIRST, Salts(KEY))


def test_a_commit_belongs_behind_one_other_alone() -> None:
    with pytest.raises(Broken, match="another commit"):
        verify(stored(), "1" * 64, Salts(KEY))
    with pytest.raises(Broken):
        verify(stored(), FIRST, Salts(b"another key"))
    with pytest.raises(Broken, match="no commit"):
        verify(b"{}", FIRST, Salts(KEY))


def test_principals_have_their_places_in_the_chain() -> None:
    assert [position(bit) for bit in (seat_bit(0), seat_bit(5), SPECTATORS, REFEREE)] == [0, 5, 6, 7]
