"""Which way the figures of a unit face where the camera cannot see it: somebody says it, or how they stand suggests
it."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from engine.events import Event, Place, PlaceFigures
from engine.records.game import Figure, Unit
from vision.facing import suggested_facings
from vision.records import BaseSeen
from webui.camera.assigning import as_sides
from webui.camera.memory import base_seen, faced
from webui.table.desk import Desk

__all__ = ["Facing", "face"]

#: Degrees clockwise from the far edge; as the unit's line or sides lie, towards the enemy; or the other way about.
Facing = float | Literal["line", "about"]

_OPPOSITE_DEG = {"south": 0.0, "west": 90.0, "north": 180.0, "east": 270.0}  # from a side's edge to the enemy's


def face(desk: Desk, unit: str, facing: Facing) -> None:
    """Turns a unit's figures; a person's word holds until they really move.

    Rectangles without a front mark face as their sides lie, that way which is nearer to what is said.
    """
    one = desk.game.unit(unit)
    seen = _seen(desk, one)
    if facing == "about":
        told = [figure for figure in one.figures if figure.bearing_deg is not None]
        ways = {figure.id: ((figure.bearing_deg or 0.0) + 180.0, figure.bearing_sigma_deg) for figure in told}
    elif facing == "line":
        ways = _suggested(desk, one, seen)
    else:
        ways = {f.id: (facing, None) for f in one.figures}
    lying = {name: faced(base, ways[name][0]) for name, base in seen.items() if name in ways}
    anchored = {name: base_seen(unit, base) for name, base in lying.items() if _is_told(seen[name], base)}
    places = tuple(
        _turned(figure, *(_bearing(lying[figure.id]) if figure.id in anchored else ways[figure.id]))
        for figure in one.figures
        if figure.id in ways
    )
    if places:
        facts = {"unit": unit, "figures": len(places), "bases": msgspec.to_builtins(anchored)}
        desk.note("setup", [Event(event="mustered", facts=facts, changes=(PlaceFigures(places=places),))])


def _seen(desk: Desk, unit: Unit) -> dict[str, BaseSeen]:
    """The bases that the unit's figures are seen on, as its side's own."""
    if desk.mustered is None or desk.observation is None:
        return {}
    matches, bases = desk.mustered.matches, desk.observation.bases
    own = {figure.id: bases[matches[figure.id]] for figure in unit.figures if figure.id in matches}
    return {name: as_sides(base, unit.side, desk.game, desk.table) for name, base in own.items()}


def _suggested(desk: Desk, unit: Unit, seen: dict[str, BaseSeen]) -> dict[str, tuple[float, float | None]]:
    """How those face that are seen in a line, or on rectangles: towards the enemy, where he stands or whence he
    comes."""
    enemy_mm = [(f.x_mm, f.y_mm) for one in desk.game.units if one.side != unit.side for f in one.figures]
    side = next(side for side in desk.game.sides if side.name == unit.side)
    ways: dict[str, tuple[float, float | None]] = {}
    for army in desk.table.armies:
        own = {name: base for name, base in seen.items() if base.army == army.name and base.bearing_deg is None}
        bare = replace(army, front_mark=UNSET)  # no mark of theirs was seen
        table = replace(desk.table, armies=(bare,))
        told = suggested_facings(list(own.values()), table, army.name, enemy_mm, _OPPOSITE_DEG[side.edge])
        ways |= {list(own)[one.index]: (one.bearing_deg, one.sigma_deg) for one in told}
    return ways


def _is_told(seen: BaseSeen, lying: BaseSeen) -> bool:
    """Whether a base's axis tells more exactly what was said of it."""
    return seen.bearing_deg is None and lying.bearing_deg is not None


def _bearing(base: BaseSeen) -> tuple[float, float | None]:
    assert base.bearing_deg is not None
    return base.bearing_deg, base.bearing_sigma_deg


def _turned(figure: Figure, bearing_deg: float, sigma_deg: float | None) -> Place:
    sigma = None if sigma_deg is None else round(sigma_deg, 2)
    return Place(
        figure=figure.id, x_mm=figure.x_mm, y_mm=figure.y_mm, z_mm=figure.z_mm, sigma_mm=figure.sigma_mm,
        bearing_deg=round(bearing_deg % 360.0, 2), bearing_sigma_deg=sigma,
    )  # fmt: skip
