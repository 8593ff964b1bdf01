"""The house as a picture: an SVG drawn from a role's view and nothing else, so that it can show only what the view says.

It is made to be printed, in black and white as well: whatever a color says, a shape, a letter or a word says too. Text is text, in fonts that
every machine has; nothing is transformed, so that a test can compare every box with every other. The same view is always the same bytes.
"""

from projections.board.beside import boards_of
from projections.board.page import board_of
from projections.board.phone import phone_board_of

__all__ = ["board_of", "boards_of", "phone_board_of"]
