"""Meshes of a virtual table, gathered by what they are made of; all in table millimetres, z up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import shapely
from numpy.typing import NDArray

__all__ = ["Meshes", "Stuff", "bump", "lifted", "ring"]

Points = NDArray[np.float64]

#: How a surface is uneven: mottled like grass or felt, grained like wood, or smooth.
Grain = Literal["smooth", "grass", "felt", "wood", "flock", "leaves"]


@dataclass(frozen=True)
class Stuff:
    """What something is made of: its colour #rrggbb, how uneven, and how rough (0 a mirror, 1 chalk)."""

    colour: str
    grain: Grain = "smooth"
    rough: float = 0.8


@dataclass(eq=False)
class Meshes:
    """Vertices (N, 3) and faces (vertex numbers) of each stuff, and printed squares: picture and corners (4, 3)."""

    vertices: dict[Stuff, list[Points]] = field(default_factory=dict)
    faces: dict[Stuff, list[list[int]]] = field(default_factory=dict)
    prints: list[tuple[NDArray[np.uint8], Points]] = field(default_factory=list)

    def add(self, stuff: Stuff, vertices: Points, faces: Sequence[Sequence[int]]) -> None:
        """Faces, as the numbers of their vertices (N, 3)."""
        begun = sum(len(one) for one in self.vertices.setdefault(stuff, []))
        self.vertices[stuff].append(vertices)
        self.faces.setdefault(stuff, []).extend([[begun + n for n in face] for face in faces])

    def face(self, stuff: Stuff, outline: Points) -> None:
        """One level face (N, 3), seen from above."""
        self.add(stuff, _turning_left(outline), [range(len(outline))])

    def skin(self, stuff: Stuff, rings: Sequence[Points], *, closed: bool = True) -> None:
        """What joins rings (N, 3) of as many points, from low to high; ``closed`` has a face on the last."""
        rings = [_turning_left(one) for one in rings]
        n, last = len(rings[0]), len(rings) - 1
        sides = [
            [low * n + i, low * n + (i + 1) % n, (low + 1) * n + (i + 1) % n, (low + 1) * n + i]
            for low in range(last)
            for i in range(n)
        ]
        self.add(stuff, np.concatenate(rings), [*sides, *([[last * n + i for i in range(n)]] if closed else [])])

    def block(
        self, stuff: Stuff, outline: Points, low_mm: float, high_mm: float, foot: Points | None = None
    ) -> None:
        """What stands upright over an outline (N, 2), or slopes from a ``foot`` (N, 2) up to it."""
        self.skin(stuff, [lifted(outline if foot is None else foot, low_mm), lifted(outline, high_mm)])


def lifted(outline: Points, z_mm: float) -> Points:
    """Points (N, 2) at a height, as (N, 3)."""
    return np.column_stack([outline, np.full(len(outline), z_mm)])


def ring(middle: Points, z_mm: float, radius_mm: float, count: int = 24) -> Points:
    """A level circle (count, 3)."""
    angle = np.linspace(0, 2 * np.pi, count, endpoint=False)
    return lifted(middle[:2] + radius_mm * np.column_stack([np.cos(angle), np.sin(angle)]), z_mm)


def bump(middle: Points, radius_mm: float) -> list[Points]:
    """The rings of a ball about a point (3,)."""
    slopes = np.linspace(-1.5, 1.5, 8)
    return [ring(middle, middle[2] + radius_mm * np.sin(s), radius_mm * np.cos(s), 14) for s in slopes]


def _turning_left(outline: Points) -> Points:
    return outline if shapely.LinearRing(outline[:, :2]).is_ccw else outline[::-1]
