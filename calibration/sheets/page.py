"""A page to draw on in millimetres, from its lower left corner; text, cut lines, arrows, and squares from bits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from reportlab.lib.units import mm
from reportlab.lib.utils import simpleSplit

__all__ = ["BODY", "BOLD", "Page", "outlines"]

BODY, BOLD = "Helvetica", "Helvetica-Bold"
_GREY, _BLACK = 0.45, 0.0
_EVEN_ODD = 0


@dataclass(frozen=True)
class Page:
    """One page of a reportlab canvas, ``width_mm`` by ``height_mm``."""

    canvas: Any
    width_mm: float
    height_mm: float

    def text(
        self, x: float, y: float, words: str, *, size: float = 9, font: str = BODY, grey: bool = False
    ) -> None:
        """A line of text from (x, y) on; ``size`` is in points."""
        self.canvas.setFillGray(_GREY if grey else _BLACK)
        self.canvas.setFont(font, size)
        self.canvas.drawString(x * mm, y * mm, words)

    def centred(
        self, x: float, y: float, words: str, *, size: float = 9, font: str = BODY, grey: bool = False
    ) -> None:
        """A line of text about x."""
        self.canvas.setFillGray(_GREY if grey else _BLACK)
        self.canvas.setFont(font, size)
        self.canvas.drawCentredString(x * mm, y * mm, words)

    def paragraph(self, x: float, y: float, width: float, words: str, *, size: float = 10) -> float:
        """Words wrapped to a width, downward from y; answers the y below them."""
        for line in simpleSplit(words, BODY, size, width * mm):
            self.text(x, y, line, size=size)
            y -= size * 0.5
        return y

    def line(self, x0: float, y0: float, x1: float, y1: float, *, wide: float = 0.25) -> None:
        """A black line, ``wide`` mm."""
        self.canvas.setStrokeGray(_BLACK)
        self.canvas.setDash()
        self.canvas.setLineWidth(wide * mm)
        self.canvas.line(x0 * mm, y0 * mm, x1 * mm, y1 * mm)

    def cut(self, x: float, y: float, width: float, height: float) -> None:
        """A rectangle to be cut along: fine grey dashes."""
        self.canvas.setStrokeGray(0.6)
        self.canvas.setLineWidth(0.15 * mm)
        self.canvas.setDash(1.2 * mm, 1.2 * mm)
        self.canvas.rect(x * mm, y * mm, width * mm, height * mm, stroke=1, fill=0)
        self.canvas.setDash()

    def arrow(self, x: float, y: float, height: float) -> None:
        """A grey arrow head that points up, its foot's middle at (x, y)."""
        path = self.canvas.beginPath()
        path.moveTo((x - height * 0.55) * mm, y * mm)
        path.lineTo((x + height * 0.55) * mm, y * mm)
        path.lineTo(x * mm, (y + height) * mm)
        path.close()
        self.canvas.setFillGray(_GREY)
        self.canvas.drawPath(path, stroke=0, fill=1)

    def bits(self, x: float, y: float, size: float, white: NDArray[np.uint8]) -> None:
        """A marker of ``size`` mm, lower left corner at (x, y), from its cells: one shape, so no seams."""
        cell = size / len(white)
        path = self.canvas.beginPath()
        for loop in outlines(white == 0):
            (column, row), *rest = loop
            path.moveTo((x + column * cell) * mm, (y + size - row * cell) * mm)
            for column, row in rest:
                path.lineTo((x + column * cell) * mm, (y + size - row * cell) * mm)
            path.close()
        self._fill(path)

    def squares(self, places: Sequence[tuple[float, float]], size: float) -> None:
        """Black squares of ``size`` mm with their lower left corners at places."""
        path = self.canvas.beginPath()
        for x, y in places:
            path.rect(x * mm, y * mm, size * mm, size * mm)
        self._fill(path)

    def done(self) -> None:
        """Ends the page."""
        self.canvas.showPage()

    def _fill(self, path: Any) -> None:
        self.canvas.setFillGray(_BLACK)
        self.canvas.drawPath(path, stroke=0, fill=1, fillMode=_EVEN_ODD)


def outlines(black: NDArray[np.bool_]) -> list[list[tuple[int, int]]]:
    """The closed outlines of the black cells (R, C), as corners (column, row), rows from the top.

    Filled by the even-odd rule they give the cells and nothing else.
    """
    rows, columns = black.shape
    framed = np.pad(black, 1)
    follow: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for r in range(rows):
        for c in range(columns):
            if not black[r, c]:
                continue
            sides = (  # clockwise, each where the neighbour is white
                (framed[r, c + 1], (c, r), (c + 1, r)),
                (framed[r + 1, c + 2], (c + 1, r), (c + 1, r + 1)),
                (framed[r + 2, c + 1], (c + 1, r + 1), (c, r + 1)),
                (framed[r + 1, c], (c, r + 1), (c, r)),
            )
            for neighbour, start, stop in sides:
                if not neighbour:
                    follow.setdefault(start, []).append(stop)
    loops = []
    while follow:
        start = min(follow)
        loop, here = [start], follow[start][0]
        _take(follow, start, here)
        while here != start:
            loop.append(here)
            ahead = follow[here][0]
            _take(follow, here, ahead)
            here = ahead
        loops.append(_straightened(loop))
    return loops


def _take(
    follow: dict[tuple[int, int], list[tuple[int, int]]], start: tuple[int, int], stop: tuple[int, int]
) -> None:
    follow[start].remove(stop)
    if not follow[start]:
        del follow[start]


def _straightened(loop: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """A loop without corners that lie on straight lines."""
    turning = []
    for i, here in enumerate(loop):
        before, after = loop[i - 1], loop[(i + 1) % len(loop)]
        if (here[0] - before[0]) * (after[1] - here[1]) != (here[1] - before[1]) * (after[0] - here[0]):
            turning.append(here)
    return turning
