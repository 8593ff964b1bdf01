"""Who is told: a set of principals as a bit mask, resolved when an event is emitted and never evaluated again.

Principals are the seats (bits 0 to 5), the spectators and the referee. The engine itself folds everything.
"""

from collections.abc import Iterable

Mask = int
"""A set of principals: bit `seat` for each seat, `SPECTATORS`, `REFEREE`."""

MAX_SEATS = 6
"""Explorers in one game at the most (2E-COMP-001)."""
SPECTATORS: Mask = 1 << 6
REFEREE: Mask = 1 << 7
EVERYBODY: Mask = (1 << 8) - 1


def seat_bit(seat: int) -> Mask:
    """The principal of one seat, 0 to 5."""
    return 1 << seat


def seats_mask(seats: Iterable[int]) -> Mask:
    """The principals of these seats together with the referee, who sees everything that any role sees."""
    mask = REFEREE
    for seat in seats:
        mask |= 1 << seat
    return mask


def principal_name(bit: Mask) -> str:
    """`seat:2`, `spectators` or `referee`: the name of a single principal on the wire."""
    if bit == SPECTATORS:
        return "spectators"
    if bit == REFEREE:
        return "referee"
    return f"seat:{bit.bit_length() - 1}"
