"""The outlines of bases, in millimetres about their own centre: how far a point is from one, and its template.

A base's own frame: ``u`` to its right, ``v`` to its front. With bearing ``b`` the front points to
``(sin b, cos b)`` of the table and the right to ``(cos b, -sin b)``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from calibration.records import BaseKind, RoundBase

__all__ = ["Outline", "outline_of", "turned"]

Floats = NDArray[np.float64]
_Degrees = TypeVar("_Degrees", float, Floats)


@dataclass(frozen=True)
class Outline:
    """A round base (``round_``: both half sides are its radius) or a rectangular one, and its height."""

    name: str
    round_: bool
    half_width_mm: float
    half_depth_mm: float
    height_mm: float

    @property
    def reach_mm(self) -> float:
        """The distance from the centre to the farthest point of the outline."""
        if self.round_:
            return self.half_width_mm
        return float(np.hypot(self.half_width_mm, self.half_depth_mm))

    @property
    def turn_deg(self) -> float:
        """The turn after which the outline looks the same: 360 stands for a round one, which always does."""
        if self.round_:
            return 360.0
        return 90.0 if self.half_width_mm == self.half_depth_mm else 180.0

    def askew_deg(self, off_deg: _Degrees) -> _Degrees:
        """The least turn, either way, that looks the same as one by so many degrees, of one base or of many.

        >>> Outline("square", False, 10.0, 10.0, 3.0).askew_deg(89.0)
        -1.0
        """
        half = self.turn_deg / 2
        return (off_deg + half) % self.turn_deg - half

    @property
    def perimeter_mm(self) -> float:
        """The length of the outline."""
        if self.round_:
            return float(2 * np.pi * self.half_width_mm)
        return 4 * (self.half_width_mm + self.half_depth_mm)

    @property
    def area_mm2(self) -> float:
        """The ground that it covers."""
        return float((np.pi if self.round_ else 4.0) * self.half_width_mm * self.half_depth_mm)

    def distance(self, u: Floats, v: Floats) -> Floats:
        """Signed distance in mm of points (u, v) of the own frame, in mm, from the outline; negative inside."""
        if self.round_:
            return np.hypot(u, v) - self.half_width_mm
        return box_distance(u, v, self.half_width_mm, self.half_depth_mm)

    def ring(self, depth_mm: float, spacing_mm: float) -> tuple[Floats, Floats]:
        """Points (N, 2) on the line ``depth_mm`` inside the outline, about ``spacing_mm`` apart, and the outward
        normals (N, 2) there; own frame."""
        if self.round_:
            radius = max(self.half_width_mm - depth_mm, 0.1)
            count = max(16, round(2 * np.pi * radius / spacing_mm))
            angle = np.arange(count) * (2 * np.pi / count)
            normal = np.column_stack([np.sin(angle), np.cos(angle)])
            return normal * radius, normal
        points, normals = [], []
        a, b = self.half_width_mm - depth_mm, self.half_depth_mm - depth_mm
        for (nu, nv), half, off in (((0, 1), a, b), ((1, 0), b, a), ((0, -1), a, b), ((-1, 0), b, a)):
            count = max(4, round(2 * half / spacing_mm))
            along = (np.arange(count) + 0.5) / count * 2 * half - half
            side = np.column_stack([nu * off + nv * along, nv * off - nu * along])
            points.append(side)
            normals.append(np.broadcast_to(np.array([nu, nv], dtype=np.float64), side.shape))
        return np.concatenate(points), np.concatenate(normals)


def box_distance(u: Floats, v: Floats, half_u: Floats | float, half_v: Floats | float) -> Floats:
    """Signed distance in mm of points (u, v) from a box about the origin, all in mm; negative inside."""
    du, dv = np.abs(u) - half_u, np.abs(v) - half_v
    outside = np.hypot(np.maximum(du, 0.0), np.maximum(dv, 0.0))
    return np.asarray(outside + np.minimum(np.maximum(du, dv), 0.0))


def outline_of(kind: BaseKind) -> Outline:
    """The outline of a base of the table's file."""
    if isinstance(kind, RoundBase):
        return Outline(kind.name, True, kind.diameter_mm / 2, kind.diameter_mm / 2, kind.height_mm)
    return Outline(kind.name, False, kind.width_mm / 2, kind.depth_mm / 2, kind.height_mm)


def turned(points: Floats, bearing_deg: Floats | float) -> Floats:
    """Points (N, 2) of the own frame as offsets from the centre in the table frame."""
    angle = np.deg2rad(bearing_deg)
    sine, cosine = np.sin(angle), np.cos(angle)
    u, v = points[..., 0], points[..., 1]
    return np.stack([u * cosine + v * sine, v * cosine - u * sine], axis=-1)
