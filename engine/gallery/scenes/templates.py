"""Canister, ball and shell: what a template touches, and in what order."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.gallery.picture import Ground, Picture, Troop
from engine.gallery.scene import ELEMENT, Family, box, figures, scene
from engine.geometry import templates
from engine.geometry.certainty import Verdicts
from engine.geometry.drawing import Drawing, line, spot
from engine.geometry.shapes.bases import Bases
from engine.geometry.showing import show_bases

_INCH = 25.4


def _numbered(targets: Bases, order: templates.Index, touched: Verdicts) -> Drawing:
    """What is hit, numbered in the order in which it is met."""
    words = [""] * len(targets)
    for number, k in enumerate(order.tolist(), start=1):
        words[k] = str(number)
    return show_bases(targets, touched, "hit", words)


@scene("A cone of canister", "templates.cone", "templates.show_cone")
def cone() -> Picture:
    """All bases that the cone touches, from the muzzle on; the numbers are the order in which it meets
    them."""
    gun = figures([(60, 150)], 90.0, ELEMENT)
    muzzle = (float(gun.front_middle[0, 0]), float(gun.front_middle[0, 1]))
    shot = templates.Cone(apex=muzzle, bearing_deg=90.0, half_angle_deg=20.0, length_mm=250.0)
    targets = figures([(150, 158), (200, 110), (215, 205), (255, 150), (290, 225), (320, 235), (338, 140)], 270.0)
    found = templates.cone(shot, targets)
    shown = _numbered(targets, found.nearest_first(), found.touched)
    return Picture([Troop(gun, 0), Troop(targets, 1)], (*templates.show_cone(shot), *shown))


@scene("A rectangle of 4 by 18 inches", "templates.lane", "templates.show_lane")
def rectangle() -> Picture:
    """Every base that it touches is hit, even at the edge; rules that want the centre or the whole base in
    are told that too."""
    gun = figures([(60, 120)], 80.0, ELEMENT)
    muzzle = (float(gun.front_middle[0, 0]), float(gun.front_middle[0, 1]))
    shot = templates.Lane(start=muzzle, bearing_deg=80.0, length_mm=18 * _INCH, half_width_mm=2 * _INCH)
    targets = figures([(210, 96), (290, 160), (330, 225), (420, 130), (400, 215), (470, 235), (540, 170)], 260.0)
    found = templates.lane(shot, targets)
    words = [
        "centre in" if centre else "touched" if some else ""
        for centre, some in zip(found.centre, found.touched, strict=True)
    ]
    shown = show_bases(targets, found.touched, "hit", words)
    return Picture(
        [Troop(gun, 0), Troop(targets, 1)], (*templates.show_lane(shot), *shown), box_mm=(10, -10, 590, 330)
    )


@scene("A ball's line, stopped by a wall", "templates.lane", "templates.first_meeting")
def ball() -> Picture:
    """One inch to each side of the line of fire, in the order in which the ball comes to them; a wall ends
    it."""
    gun = figures([(50, 90)], 70.0, ELEMENT)
    muzzle = (float(gun.front_middle[0, 0]), float(gun.front_middle[0, 1]))
    wall = box(295, 110, 303, 250)
    flight = templates.Lane(start=muzzle, bearing_deg=70.0, length_mm=120 * _INCH, half_width_mm=_INCH)
    stop = templates.first_meeting(flight, np.array(wall))
    flight = replace(flight, stop_mm=stop)
    targets = figures([(150, 118), (172, 160), (205, 150), (232, 120), (268, 165), (345, 190)], 250.0)
    found = templates.lane(flight, targets)
    shown = _numbered(targets, found.nearest_first(), found.touched)
    middle = line("measure", [muzzle, flight.at(stop)], f"{stop:.0f} mm to the wall")
    return Picture(
        [Troop(gun, 0), Troop(targets, 1)], (*templates.show_lane(flight), *shown, middle),
        [Ground("wall", wall)],
    )  # fmt: skip


@scene("The blast of a shell", "templates.blast", "templates.show_blast")
def blast() -> Picture:
    """Two rings round the point of impact: who is in the inner one, who only in the outer one, the nearest
    first."""
    targets = figures([(178, 168), (210, 140), (150, 120), (235, 195), (255, 150), (290, 110), (120, 175)], 0.0)
    at = (190.0, 150.0)
    found = templates.blast(at, [30.0, 70.0], targets)
    rings = found.ring()
    shown = show_bases(
        targets,
        found.touched[-1],
        "hit",
        ["inner" if ring == 0 else "outer" if ring == 1 else "" for ring in rings],
    )
    return Picture(
        [Troop(targets, 1)], (*templates.show_blast(at, [70.0, 30.0]), spot("measure", at), *shown),
        box_mm=(60, 40, 340, 250),
    )  # fmt: skip


@scene("How deep behind the wall", "templates.depth_along")
def behind_the_wall() -> Picture:
    """A shell that comes down inside a work is this deep behind the wall that it came over."""
    work = [(190.0, 70.0), (330.0, 90.0), (340.0, 230.0), (200.0, 240.0)]
    at, bearing = np.array([290.0, 165.0]), 75.0
    deep = templates.depth_along(at, bearing, np.array(work))
    turn = np.radians(bearing)
    way = np.array([np.sin(turn), np.cos(turn)])
    shown = (
        line("path", [at - 230 * way, at]),
        line("measure", [at - deep * way, at], f"{deep:.0f} mm"),
        spot("hit", at),
    )
    return Picture([], shown, [Ground("building", work, "redoubt")])


FAMILY = Family("Templates", (cone, rectangle, ball, blast, behind_the_wall))
