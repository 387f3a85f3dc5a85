"""Where bodies are put, how near they pass, and terrain that has ways through it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.gallery.picture import Ground, Picture, Troop
from engine.gallery.scene import ELEMENT, FOOT, Family, box, figures, scene
from engine.geometry.drawing import area, line, spot
from engine.geometry.moving import approach, deploying, passing
from engine.geometry.reach import openings
from engine.geometry.shapes import breaches
from engine.geometry.shapes.bases import Bases, bases_of
from engine.geometry.shapes.strips import strip_outline
from engine.records.game import Figure, TableArea

_TABLE = TableArea(width_mm=400.0, depth_mm=280.0)


def _put(spots: Sequence[tuple[float, float, float]] | None) -> Bases:
    some = spots or ()
    return bases_of([(x, y) for x, y, _ in some], [FOOT] * len(some), [bearing for _, _, bearing in some])


def _records(spots: Sequence[tuple[float, float, float]] | None, name: str) -> list[Figure]:
    return [
        Figure(id=f"{name}-{k}", x_mm=x, y_mm=y, bearing_deg=bearing, base=FOOT)
        for k, (x, y, bearing) in enumerate(spots or ())
    ]


@scene("At the edge that a side comes from", "moving.deploying.laid_out")
def at_the_edge() -> Picture:
    """A unit that joins the game is laid out where there is room, nearest to its edge and from the left: a line
    base to base, loose troops a base apart."""
    first = deploying.laid_out(5, FOOT, "south", _TABLE, [])
    second = deploying.laid_out(6, FOOT, "south", _TABLE, _records(first, "a"), gap_mm=25.0, ranks=2)
    return Picture(
        [Troop(_put(first), 0, "line"), Troop(_put(second), 1, "loose")], (), box_mm=(-20, -45, 380, 150)
    )


@scene("On a flank of a line, or behind it", "moving.deploying.beside")
def on_a_flank() -> Picture:
    """A further unit carries on the front on one flank, or stands behind, facing as the line does."""
    line_up = [(150.0 + 24 * k, 140.0, 0.0) for k in range(4)]
    taken = _records(line_up, "line")
    left = deploying.beside(taken, "left", 3, FOOT, _TABLE, taken)
    behind = deploying.beside(taken, "behind", 4, FOOT, _TABLE, taken, ranks=2)
    troops = [Troop(_put(line_up), 0, "line"), Troop(_put(left), 1, "left"), Troop(_put(behind), 1, "behind")]
    return Picture(troops, (), box_mm=(20, 40, 380, 200))


@scene("How near a way passes", "moving.approach.nearest_approach", "moving.approach.front_zone")
def how_near() -> Picture:
    """A body that goes past: how near its bases come, and how near while it is before the others' front."""
    movers, gun = figures([(40, 70), (40, 96)], 90.0), figures([(235, 185)], 240.0, ELEMENT)
    way = np.array([320.0, 0.0])
    zone = approach.front_zone(gun, 0, 45.0, 150.0)
    anywhere = approach.nearest_approach(movers, way, gun)
    before = approach.nearest_approach(movers, way, gun, zone)
    words = f"{anywhere:.0f} mm at the nearest, {before:.0f} mm before the front"
    ways = [line("path", [at, at + way]) for at in movers.centre]
    return Picture([Troop(movers, 0, words), Troop(gun, 1)], (area("zone", zone), *ways))


@scene(
    "A way over others, and past them",
    "moving.passing.overlap",
    "moving.passing.runs_into",
    "moving.passing.clear_of",
)
def over_others() -> Picture:
    """A body that goes back meets men who stand apart: the ground that they span is in its way, and it goes on
    until it is past them."""
    back = _records([(60.0, 100.0 + 25 * k, 270.0) for k in range(4)], "back")
    still = _records([(170.0, 90.0, 90.0), (170.0, 140.0, 90.0), (205.0, 115.0, 90.0)], "still")
    way = (1.0, 0.0)
    meets = passing.runs_into(back, still, way, 150.0) or 0.0
    start, end = passing.overlap(back, still, way) or (0.0, 0.0)
    past = passing.clear_of(back, [still], way, 120.0)
    ends = [(one.x_mm + past, one.y_mm, 270.0) for one in back]
    told = f"meets them after {meets:.0f} mm, is past them after {past:.0f} mm"
    lines = [
        line("path", [(60.0, 100.0), (60.0 + past, 100.0)]),
        line("stopped", [(60.0 + start, 175.0), (60.0 + end, 175.0)], "upon them"),
    ]
    troops = [Troop(_put([(one.x_mm, one.y_mm, 270.0) for one in back]), 0, told)]
    troops += [Troop(_put(ends), 0), Troop(_put([(one.x_mm, one.y_mm, 90.0) for one in still]), 1)]
    return Picture(troops, tuple(lines), box_mm=(20, 50, 380, 230))


@scene("A gap where a wall was hit", "shapes.breaches.breached")
def gap_in_a_wall() -> Picture:
    """The wall stands beside a gap so wide, cut square through where the shot met it."""
    wall = np.array(strip_outline([(60, 150), (340, 170)], 12.0))
    hit = (210.0, 150.0)
    parts = breaches.breached(wall, hit, 60.0)
    left = [Ground("wall", [(x, y) for x, y in part.tolist()], "") for part in parts]
    return Picture([], (spot("hit", hit, 6.0, "hit"), area("doubt", wall)), left, box_mm=(30, 90, 370, 230))


@scene("Terrain beside its ways through", "reach.openings.left_beside", "reach.openings.rim_beside",
       "reach.openings.wholly_on")  # fmt: skip
def ways_through() -> Picture:
    """A river bars the way but at its bridge; a fort's rim is open at its gate; a way is by road if it never
    leaves it."""
    river, bridge = box(40, 150, 380, 185), box(180, 140, 215, 195)
    parts = openings.left_beside((np.array(river),), [(np.array(bridge),)])
    bars = [Ground("water", [(x, y) for x, y in rings[0].tolist()], "") for rings in parts]
    fort, gate = box(250, 40, 360, 110), box(295, 100, 320, 120)
    rim = [area("stopped", rings[0]) for rings in openings.rim_beside((np.array(fort),), [(np.array(gate),)])]
    road = box(170, 20, 225, 260)
    ways = [[(185.0, 40.0), (208.0, 240.0)], [(190.0, 60.0), (290.0, 125.0)]]
    told = [
        line("clear" if on else "stopped", way, "by road" if on else "off the road")
        for way in ways for on in [openings.wholly_on(way[0], way[1], [(np.array(road),)])]
    ]  # fmt: skip
    return Picture([], (*rim, *told), [Ground("road", road, "road"), *bars], box_mm=(30, 20, 390, 250))


FAMILY = Family(
    "Placing, passing and openings", (at_the_edge, on_a_flank, how_near, over_others, gap_in_a_wall, ways_through)
)
