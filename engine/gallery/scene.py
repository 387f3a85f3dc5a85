"""A scene of the gallery: a small table, what the program works out on it, and one sentence for a player."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.gallery.picture import Picture, svg
from engine.geometry.shapes.bases import Bases, bases_of
from engine.records.game import Base, Rect, Round

__all__ = ["ELEMENT", "FOOT", "HORSE", "Family", "Scene", "box", "figures", "scene"]

FOOT = Round(diameter_mm=20)
HORSE = Rect(width_mm=25, depth_mm=50)
ELEMENT = Rect(width_mm=60, depth_mm=40)


@dataclass(frozen=True)
class Scene:
    """A picture and what it says. ``shows`` names the functions of `engine.geometry` that worked it out."""

    name: str
    title: str
    sentence: str
    shows: tuple[str, ...]
    draw: Callable[[], Picture]

    def svg(self) -> str:
        """The picture as SVG."""
        return svg(self.title, self.draw())


@dataclass(frozen=True)
class Family:
    """Scenes of one kind under one heading."""

    title: str
    scenes: tuple[Scene, ...]


def scene(title: str, *shows: str) -> Callable[[Callable[[], Picture]], Scene]:
    """Makes a scene of a function that draws it: its docstring is the sentence, its name the file's."""

    def made(draw: Callable[[], Picture]) -> Scene:
        sentence = " ".join((draw.__doc__ or "").split())
        return Scene(draw.__name__.replace("_", "-"), title, sentence, shows, draw)

    return made


def figures(
    centres: Sequence[tuple[float, float]], bearing_deg: float = 0.0, base: Base = FOOT, sigma_mm: float = 0.0,
    bearing_sigma_deg: float = 0.0,
) -> Bases:  # fmt: skip
    """Figures on bases of one kind, all facing one way."""
    count = len(centres)
    return bases_of(centres, [base] * count, [bearing_deg] * count, sigma_mm, bearing_sigma_deg)


def box(left: float, near: float, right: float, far: float) -> list[tuple[float, float]]:
    """The outline of an upright rectangle."""
    return [(left, near), (right, near), (right, far), (left, far)]
