"""Types for type checkers alone that Python has from 3.13 on, so that the engine runs without a package for them."""

import typing

try:
    from typing_extensions import TypeIs, TypeVar
except ImportError:
    TypeIs = typing.TypeGuard

    def TypeVar(name: str, *, covariant: bool, default: object) -> typing.TypeVar:  # type: ignore[no-redef]  # noqa: ARG001, N802 -- as theirs
        """A variable whose default nobody asks for at run time."""
        return typing.TypeVar(name, covariant=covariant)


__all__ = ["TypeIs", "TypeVar"]
