"""What the search for plain bases stands on: the scene, what has changed in it, and the bases that are known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.bases.picture.plane import Ground
from vision.bases.pixels import Placed
from vision.bases.shapes import Outline, turned
from vision.bases.weighing.choose import beside_them, distinct, in_the_way
from vision.plain.block import Block
from vision.plain.picture.changed import Changes
from vision.plain.picture.scene import Scene
from vision.plain.proposing.figures import under_figures
from vision.plain.proposing.proposals import propose

__all__ = ["Stage", "apart_mm", "beside", "beside_each_other", "clear"]

Floats = NDArray[np.float64]

_SHRINK_GAP_MM = 2.2  # two rivals may run into each other by twice this
_ABOUT = 4.5  # half breadths: so near are those whose order a base may share
_ABREAST_MM = 4.0


@dataclass(frozen=True, eq=False)
class Stage:
    """The scene and its ground, the bases ``known`` to stand, what has changed at each height of tops, where on
    the table ``feet`` (N, 2) of figures are, in mm, which pixels (H, W) lie in hard shadows that they ``cast`` and
    which ``way`` (radians, anticlockwise from the table's right; None where that is not sure), and what a base here
    usually gains (0 until that is known). ``drilled`` are those known ones that are bases of lines and blocks."""

    scene: Scene
    ground: Ground
    known: Sequence[Placed]
    levels: Mapping[float, Changes]
    feet: Floats
    cast: NDArray[np.bool_]
    way: float | None = None
    usual: float = 0.0
    drilled: Sequence[Placed] = ()

    def rivals(self, outlines: Sequence[Outline]) -> list[Placed]:
        """All places worth a look at what has changed, clearest first."""
        found: list[tuple[float, Placed]] = []
        for height, seen in self.levels.items():
            some = [o for o in outlines if o.height_mm == height]
            found += propose(seen, some, self.scene.camera, self.ground) if some else []
        return [placed for _, placed in sorted(found, key=lambda pair: -pair[0])]

    def manned(self, outlines: Sequence[Outline]) -> list[Placed]:
        """The places worth a look under figures, likeliest first."""
        found: list[tuple[float, Placed]] = []
        for height, seen in self.levels.items():
            some = [o for o in outlines if o.height_mm == height]
            found += under_figures(seen, some, self.feet, self.scene, self.ground)
        return [placed for _, placed in sorted(found, key=lambda pair: -pair[0])]

    def filled(self, placed: Sequence[Placed]) -> Floats:
        """The share (N,) of each base's top that has changed."""
        shares = np.zeros(len(placed))
        for height, seen in self.levels.items():
            which = [k for k, p in enumerate(placed) if p.outline.height_mm == height]
            if which:
                shares[which] = seen.filled([placed[k] for k in which])
        return shares

    def with_blocks(self, blocks: Sequence[Block]) -> Stage:
        """The stage where lines and blocks are known to stand, too."""
        if not blocks:
            return self
        left = np.ones(len(self.feet), dtype=np.bool_)
        for block in blocks:
            whole = block.whole
            own = turned(self.feet - [whole.x_mm, whole.y_mm], -whole.bearing_deg)
            left &= whole.outline.distance(own[:, 0], own[:, 1]) > 0
        feet = self.feet[left]
        known = [*self.known, *(body for block in blocks for body in block.bodies)]
        drilled = [base for block in blocks for base in block.bases()]
        return replace(self, known=known, feet=feet, scene=replace(self.scene, feet=feet), drilled=drilled)

    def beside(self, held: Sequence[Placed]) -> list[Placed]:
        """Where the next bases beside those held, and those of lines and blocks, would stand."""
        return clear(beside([*held, *self.drilled]), self.known)

    def without_figures(self) -> Stage:
        """The stage of a table whose bases have no figures."""
        scene = replace(self.scene, feet=None, backdrop=replace(self.scene.backdrop, fallen=None))
        return replace(self, feet=np.zeros((0, 2)), scene=scene)

    def out_of_shadows(self) -> Stage:
        """The stage of which what lies in hard shadows of figures tells nothing."""
        return replace(self, scene=self.scene.but_for(self.cast)) if self.cast.any() else self

    def groups(self, placed: Sequence[Placed]) -> NDArray[np.intp]:
        """Which connected piece of what has changed each base (N,) stands on."""
        seen = next(iter(self.levels.values()))
        return seen.piece_at(np.array([[p.x_mm, p.y_mm] for p in placed]).reshape(-1, 2))


def clear(placed: Sequence[Placed], of: Sequence[Placed], shrink_mm: float = _SHRINK_GAP_MM) -> list[Placed]:
    """Those of bases that do not stand in others, but for twice ``shrink_mm``."""
    if not of or not placed:
        return list(placed)
    against = in_the_way(placed, of, shrink_mm)
    return [p for p, own in zip(placed, against, strict=True) if not own.any()]


def beside(held: Sequence[Placed]) -> list[Placed]:
    """Where the next bases of formed lines and blocks would stand: a step on, as their neighbours stand."""
    spots = beside_them(held)
    for one in held:
        near = [p for p in held if p.outline == one.outline and apart_mm(p, one) < _ABOUT * one.outline.reach_mm]
        for p in near if one.outline.round_ else []:
            for q in near:
                if p is not q and beside_each_other(p, q):
                    spots.append(replace(one, x_mm=one.x_mm + p.x_mm - q.x_mm, y_mm=one.y_mm + p.y_mm - q.y_mm))
    return clear([spots[k] for k in distinct(spots, 2.0)], held)


def beside_each_other(one: Placed, other: Placed) -> bool:
    """Whether two bases may stand in one line."""
    return apart_mm(one, other) < one.outline.reach_mm + other.outline.reach_mm + _ABREAST_MM


def apart_mm(one: Placed, other: Placed) -> float:
    """How far apart their centres are."""
    return float(np.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm))
