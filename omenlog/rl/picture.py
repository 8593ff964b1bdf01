"""The board as pixels, for videos: the SVG that the service draws, on a sheet of fixed size."""

from __future__ import annotations

import io
import re

import numpy as np
import resvg_py
from numpy.typing import NDArray
from PIL import Image

from projections.board import board_of
from projections.view.game import GameView

WIDTH, HEIGHT = 960, 720


def picture_of(view: GameView) -> NDArray[np.uint8]:
    """The board of a view: rows of pixels of red, green and blue. Words need a font of the system, such as DejaVu Sans."""
    drawn = board_of(view)
    size = re.search(r' width="([\d.]+)" height="([\d.]+)"', drawn)
    assert size is not None  # noqa: S101 -- our own picture says how large it is
    scale = min(WIDTH / float(size[1]), HEIGHT / float(size[2]))
    pixels = resvg_py.svg_to_bytes(drawn, width=int(float(size[1]) * scale), height=int(float(size[2]) * scale))
    sheet = Image.new("RGB", (WIDTH, HEIGHT), "white")
    with Image.open(io.BytesIO(pixels)) as board:
        sheet.paste(board, ((WIDTH - board.width) // 2, (HEIGHT - board.height) // 2))
    return np.asarray(sheet, dtype=np.uint8)
