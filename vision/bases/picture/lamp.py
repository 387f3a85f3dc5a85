"""The lamp over the table, and the shadows that bases cast on the mat beside their own rims."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.bases.picture.profiles import Group, Pattern

__all__ = ["Cast", "Lamp", "slanted"]

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]


@dataclass(frozen=True)
class Lamp:
    """A lamp that casts the shadow of a thing 1 mm high at ``middle_mm`` by ``cast`` (mm right, up the table), and
    by ``spread`` more for each mm that the thing is off there; shadows lose the share ``dark`` of the light.
    """

    cast: tuple[float, float]
    spread: float
    middle_mm: tuple[float, float]
    dark: float

    def casts(self, group: Group) -> Floats:
        """How far (N, 2) the upper edges of bases cast their shadows on the ground, in mm."""
        off = np.stack([group.x - self.middle_mm[0], group.y - self.middle_mm[1]], axis=-1)
        return np.asarray((np.array(self.cast) + self.spread * off) * group.outline.height_mm, dtype=np.float64)


@dataclass(frozen=True, eq=False)
class Cast:
    """The own shadows of a group's bases: along each normal one ``begins`` and ``ends`` (N, K) so many mm outside
    the outline, and adds ``likeness`` (N, K) to the ground's."""

    begins: Singles
    ends: Singles
    likeness: Singles

    @classmethod
    def of(cls, group: Group, pattern: Pattern, eye_mm: Floats, lamp: Lamp) -> Cast:
        """The shadows that a lamp makes of bases, as seen from (3,): of likeness 1."""
        return cls.along(group, pattern, slanted(group, pattern, eye_mm), lamp)

    @classmethod
    def along(cls, group: Group, pattern: Pattern, foot: Singles, lamp: Lamp) -> Cast:
        """The same where the feet (N, K) are known."""
        cast = _across(lamp.casts(group), group, pattern)
        begins = np.maximum(foot, 0)
        return cls(begins, np.maximum(foot + cast, begins), np.ones_like(begins))

    def share(self, depths: Singles, blur_mm: float) -> Singles:
        """How much of each sample (N, K, M), at such depths (..., M), is shaded ground, blurred so."""
        return self._edges(depths, blur_mm)[0]

    def adds(self, depths: Singles, blur_mm: float, beside: Singles | None) -> tuple[Singles, Singles]:
        """What is added to the likeness of samples (N, K, M) at such depths, blurred so, and how that changes where
        the outline moves outwards by a mm. What lies ``beside`` (N, K, M) is no ground."""
        share, more = self._edges(depths, blur_mm)
        level = self.likeness[..., None]
        if beside is not None:
            level = level * (1 - beside)
        return level * share, level * more

    def _edges(self, depths: Singles, blur_mm: float) -> tuple[Singles, Singles]:
        scale, half = np.float32(0.8 / blur_mm), np.float32(0.5)
        near = np.tanh((depths - self.begins[..., None]) * scale)
        far = np.tanh((depths - self.ends[..., None]) * scale)
        return half * (near - far), half * scale * (near * near - far * far)


def slanted(group: Group, pattern: Pattern, eye_mm: Floats) -> Singles:
    """How far (N, K) outside the outline of the tops, on their plane, the feet of bases are seen from (3,)."""
    drop = group.outline.height_mm / (eye_mm[2] - group.z - group.outline.height_mm)
    off = np.stack([(eye_mm[0] - group.x) * drop, (eye_mm[1] - group.y) * drop], axis=-1)
    return _across(off, group, pattern)


def _across(way: Floats, group: Group, pattern: Pattern) -> Singles:
    """How far ways (N, 2) on the table lead outwards (N, K) at each normal of the outline."""
    angle = np.deg2rad(group.bearing)
    x, y = way[:, 0], way[:, 1]
    own = np.column_stack([x * np.cos(angle) - y * np.sin(angle), x * np.sin(angle) + y * np.cos(angle)])
    return np.asarray(own @ pattern.normals.T, dtype=np.float32)
