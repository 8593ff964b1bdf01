"""Jump targets within a block."""


class Label:
    """A place in the code that is known later."""

    __slots__ = ("at",)

    def __init__(self) -> None:
        self.at = -1
