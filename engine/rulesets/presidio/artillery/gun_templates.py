"""The shapes on the table of shots and bursts, for the page to draw: before the roll, and of what happened."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from engine.geometry.drawing import Area
from engine.geometry.moving.moves import towards
from engine.geometry.templates import Cone, Lane, show_cone, show_lane
from engine.records.game import Unit
from engine.rulesets.presidio.artillery.blasts import muzzle_of, shot_line
from engine.rulesets.presidio.artillery.gunnery import GunShot
from engine.rulesets.presidio.book import book
from engine.rulesets.presidio.fight_book import fight_book
from engine.rulesets.presidio.small_arms.shooting import Shot
from engine.rulesets.presidio.small_arms.through_fire import units_behind
from engine.rulesets.presidio.table.bodies import body_of
from engine.rulesets.presidio.vocabulary import MM_PER_IN

__all__ = [
    "Template",
    "burst_template",
    "cone_template",
    "lanes_template",
    "template_of",
    "through_template",
    "way_template",
]

Point = tuple[float, float]
#: ``areas_mm`` are outlines, ``rings_mm`` discs (x, y, radius), ``lines_mm`` ways; ``scatter_mm`` is the disc in
#: which a miss may land. What a shape does not have is left out.
Template = dict[str, list[Any]]


def template_of(shot: GunShot) -> Template:
    """The shape of a shot that goes where it is aimed, and how far a miss may stray from there.

    Canister's cone, the line of solid shot with its longest bounces, the lethal part and the radius of a shell
    (PR-910, PR-920 to PR-922, PR-925).
    """
    if shot.aim is None or shot.gun is None:
        return {"areas_mm": [], "rings_mm": []}
    if shot.canister:
        return cone_template(shot)
    stray = _stray(shot)
    if shot.load.radius > 0:
        return {**burst_template(shot.aim, shot.load.radius), **stray}
    start = muzzle_of(shot)
    far = float(np.hypot(shot.aim[0] - start[0], shot.aim[1] - start[1]))
    bounces = {} if shot.piece.bore == "mortar" else {"lines_mm": [_bounces(shot, start, far)]}
    return {**lanes_template(shot_line(shot, shot.bearing_deg, start, [far])), **bounces, **stray}


def _bounces(shot: GunShot, start: Point, far_mm: float) -> list[list[float]]:
    """From where the shot lands to where its second bounce can end: a die and six inches, then a die (PR-922)."""
    way, most = towards(shot.bearing_deg), (2 * 6 + fight_book().gun.bounce_on) * MM_PER_IN
    return [[start[0] + way[0] * along, start[1] + way[1] * along] for along in (far_mm, far_mm + most)]


def _stray(shot: GunShot) -> Template:
    """The disc in which a miss may land: so far for each point of the die under the number (PR-910)."""
    number = shot.number()
    if shot.aim is None or number is None or not shot.scatter_factor:
        return {}
    least = 2 if shot.mode == "blind" else 1
    far = max(number - least, 0) * shot.scatter_factor * MM_PER_IN
    return {"scatter_mm": [*shot.aim, far]} if far else {}


def cone_template(shot: GunShot) -> Template:
    """Canister's cone (PR-921)."""
    reach = book().ranges["pistol"][2] * MM_PER_IN
    shape = Cone(
        apex=muzzle_of(shot), bearing_deg=shot.bearing_deg, half_angle_deg=fight_book().gun.cone_deg,
        length_mm=reach,
    )  # fmt: skip
    return {"areas_mm": _outlines(show_cone(shape)), "rings_mm": []}


def lanes_template(lanes: Sequence[Lane]) -> Template:
    """The stretches of a solid shot's line that it may touch somebody on (PR-920)."""
    return {"areas_mm": [outline for one in lanes for outline in _outlines(show_lane(one))], "rings_mm": []}


def burst_template(at: Point, radius_in: float) -> Template:
    """The lethal part and the radius of a burst (PR-925)."""
    outer = radius_in * MM_PER_IN
    return {"areas_mm": [], "rings_mm": [[*at, outer * fight_book().gun.lethal], [*at, outer]]}


def way_template(*points: Point) -> Template:
    """A way from point to point: where a miss strayed."""
    return {"lines_mm": [[list(point) for point in points]]}


def through_template(shot: Shot, units: Sequence[Unit] | None = None) -> Template:
    """The lines on which shots go through the target to units behind it: all that may be hit, or those (PR-605)."""
    if shot.range is None or shot.into_melee != "no":
        return {}
    behind = units_behind(shot) if units is None else units
    centres = [body_of(shot.game, one).centre[0].round(3).tolist() for one in behind]
    return {"lines_mm": [[list(shot.range.start), centre] for centre in centres]} if centres else {}


def _outlines(drawn: Iterable[object]) -> list[list[list[float]]]:
    return [[list(point) for point in one.outline_mm] for one in drawn if isinstance(one, Area)]
