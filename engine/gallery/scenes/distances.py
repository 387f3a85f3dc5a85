"""How far it is: the four ways in which rulebooks measure, and what a measurement cannot settle."""

from __future__ import annotations

import numpy as np

from engine.gallery.picture import Picture, Troop
from engine.gallery.scene import ELEMENT, HORSE, Family, figures, scene
from engine.geometry import distances
from engine.geometry.drawing import line
from engine.geometry.shapes.bases import points
from engine.geometry.showing import show_bases, show_doubt, show_limit


@scene("Edge to edge", "distances.edges", "distances.shortest_lines", "distances.show")
def edge_to_edge() -> Picture:
    """The tape runs between the two nearest points of the bases, whatever their shape and however they are
    turned."""
    foot = figures([(70, 70), (120, 225)])
    elements = figures([(270, 130), (295, 235)], -60.0, ELEMENT)
    shown = distances.show(foot, elements, [(0, 0), (1, 0), (1, 1)])
    return Picture([Troop(foot, 0), Troop(elements, 1)], shown)


@scene("Centre to centre", "distances.centres")
def centre_to_centre() -> Picture:
    """Some rules measure between the middles of the bases: always farther than from edge to edge."""
    gun, horse = figures([(80, 110)], 90.0, ELEMENT), figures([(320, 200)], 270.0, HORSE)
    far = distances.centres(gun, horse).value_mm[0, 0]
    shown = line("measure", [gun.centre[0], horse.centre[0]], f"{far:.1f} mm")
    return Picture([Troop(gun, 0), Troop(horse, 1)], (shown,))


@scene("From the middle of the front edge", "distances.front_middles_to_edges")
def from_the_front() -> Picture:
    """A gun's range begins at its muzzle: the middle of its front edge, to the nearest edge of the target."""
    gun, horse = figures([(90, 90)], 40.0, ELEMENT), figures([(290, 190), (330, 130)], 230.0, HORSE)
    muzzle = gun.front_middle
    far = distances.front_middles_to_edges(gun, horse).value_mm[0]
    _, ends = distances.shortest_lines(points(np.repeat(muzzle, 2, axis=0)), horse)
    shown = tuple(line("measure", [muzzle[0], end], f"{mm:.1f} mm") for end, mm in zip(ends, far, strict=True))
    return Picture([Troop(gun, 0), Troop(horse, 1)], shown)


@scene("Unit to unit", "distances.between_units", "distances.show_units", "shapes.units.by_units")
def unit_to_unit() -> Picture:
    """Of all the pairs of figures the nearest one counts, and you see which."""
    mine = figures([(60 + 24 * (k % 4), 70 + 26 * (k // 4)) for k in range(8)], 20.0)
    theirs = figures([(230, 230), (256, 222), (285, 236), (312, 220), (338, 232)], 200.0)
    table = distances.edges(mine, theirs)
    nearest = distances.between_units(table, [0] * len(mine), [0] * len(theirs), (1, 1))
    return Picture([Troop(mine, 0), Troop(theirs, 1)], distances.show_units(mine, theirs, nearest, 0, 0))


@scene("Bases that overlap or touch", "shapes.bases.gaps")
def touching() -> Picture:
    """Bases that touch, or that the camera sees overlapping by a hair, are at 0."""
    left, right = figures([(120, 150), (120, 200)]), figures([(140, 150), (138, 206), (200, 112)], 270.0)
    gap = distances.edges(left, right).value_mm
    met = np.where(gap.min(axis=0) <= 0, 2, 0)
    shown = show_bases(right, met, "hit", [f"{mm:.1f} mm" for mm in gap.min(axis=0)])
    return Picture(
        [Troop(left, 0), Troop(right, 1)],
        (*shown, *distances.show(left, right, [(0, 2)])),
        box_mm=(60, 90, 300, 270),
    )


@scene(
    "A range that the measurement cannot settle",
    "showing.show_limit", "showing.show_doubt", "certainty.at_most",
)  # fmt: skip
def borderline_range() -> Picture:
    """Each figure's place is known only to within a small circle. One target is within the limit, one is
    beyond it, and the middle one is borderline: so the program says, and leaves it to you."""
    shooter = figures([(60, 150)], 90.0, sigma_mm=2.0)
    targets = figures([(310, 235), (337, 150), (347, 60)], 270.0, sigma_mm=2.0)
    shown = show_limit(shooter, targets, [(0, 0), (0, 1), (0, 2)], 256.0)
    return Picture([Troop(shooter, 0), Troop(targets, 1)], (*shown, *show_doubt(shooter), *show_doubt(targets)))


FAMILY = Family(
    "Distances", (edge_to_edge, centre_to_centre, from_the_front, unit_to_unit, touching, borderline_range)
)
