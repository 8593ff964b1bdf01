"""The canonical bytes of a pack, and their digest: what a game pins, keeps and carries in its export."""

import hashlib

import msgspec

from content.vocabulary.pack import Pack

_ENCODER = msgspec.json.Encoder(order="deterministic")
_DECODER = msgspec.json.Decoder(Pack)


def pack_bytes(pack: Pack) -> bytes:
    """Encode a pack as canonical JSON: fields in the order of the vocabulary, keys of mappings sorted, no defaults.

    Keep the bytes that were hashed: another version of the library may encode the same pack differently.
    """
    return _ENCODER.encode(pack)


def decode_pack(data: bytes) -> Pack:
    """Make a pack from its canonical bytes, typed but not checked again: what has a digest was checked when loaded.

    Raises:
        msgspec.DecodeError: the bytes are not a pack.
    """
    return _DECODER.decode(data)


def digest(data: bytes) -> str:
    """Return the digest of some bytes as `sha256:<64 hexadecimal digits>`."""
    return f"sha256:{hashlib.sha256(data).hexdigest()}"
