"""A gun with its crew, where its targets stand, and what its fire is shown as."""

from __future__ import annotations

from typing import Any

from engine.records.answer import FireOption
from tests.engine.presidio.scene import (
    GUN,
    Json,
    asked,
    figure,
    game,
    inches,
    unit,
)

__all__ = ["fired", "gun", "muzzle_to"]


def gun(
    weapon: str = "cannon-12-smoothbore", name: str = "a", at: tuple[float, float] = (900.0, 130.0), crew: int = 4,
    bearing: float | None = None, **keys: Any,
) -> Json:  # fmt: skip
    """A gun with its crew about it, of no skill unless said; its muzzle is 30 mm before its middle."""
    facing = (0.0 if name.startswith("a") else 180.0) if bearing is None else bearing
    x, y = at
    spots = [(x - 70, y - 20), (x + 70, y - 20), (x - 70, y + 20), (x + 70, y + 20)]
    figures = [{**figure(f"{name}-gun", x, y, facing, role="gun"), "base": GUN}]
    figures += [figure(f"{name}-crew{n}", *spot, facing, role="crew") for n, spot in enumerate(spots[:crew], 1)]
    given = {"type": "artillery", "formation": "unlimbered", "stats": {"ranged": 0}, **keys}
    return unit(name, *figures, weapon=weapon, **given)


def muzzle_to(far: float) -> float:
    """Where a man stands whose near edge is so many inches before the muzzle of the usual gun."""
    return 160 + inches(far) + 12.5


def fired(*units: Json, mode: str = "direct", at: str = "b", **more: Any) -> FireOption:
    """The fire of the gun ``a`` at a target in a mode."""
    return next(one for one in asked(game(*units, **more)).fire if one.target == at and one.mode == mode)
