"""Where one can get to, how, at what cost, and what stops it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.gallery.picture import Ground, Picture, Troop
from engine.gallery.scene import FOOT, Family, box, figures, scene
from engine.geometry import distances
from engine.geometry.drawing import Line, line, spot
from engine.geometry.moving import moves
from engine.geometry.moving.passing import clear_of, runs_into
from engine.geometry.reach.blockers import bases_as_blockers, joined, outlines_as_blockers
from engine.geometry.reach.closing import way_into_contact
from engine.geometry.reach.going import Going, ground_of
from engine.geometry.reach.graded import graded_region
from engine.geometry.reach.loose import loose_region, obstacles_for
from engine.geometry.reach.regions import Region, Setting, Straight, Wheel, region
from engine.geometry.reach.spokes import spokes_region
from engine.geometry.reach.ways import loose_way, way_to
from engine.geometry.reach.wheels import shifted, turned
from engine.geometry.shapes.bases import Bases, bases_of
from engine.geometry.showing import show_move
from engine.records.game import Figure, TableArea

_LINE = [(140 + 24 * k, 70) for k in range(6)]


def _records(places: Sequence[tuple[float, float]], bearing_deg: float) -> tuple[Figure, ...]:
    """Figures as a game has them."""
    return tuple(
        Figure(id=str(k), x_mm=x, y_mm=y, base=FOOT, bearing_deg=bearing_deg) for k, (x, y) in enumerate(places)
    )


def _bases(records: Sequence[Figure]) -> Bases:
    return bases_of(
        [(f.x_mm, f.y_mm) for f in records], [f.base for f in records], [f.bearing_deg for f in records]
    )


@scene("Straight ahead", "reach.regions.region", "reach.straight.first_contact")
def straight() -> Picture:
    """As far as the allowance goes, and no farther than what stands in the way."""
    unit, house = figures(_LINE), box(225, 190, 300, 250)
    setting = Setting(passing=outlines_as_blockers([house], ["house"]))
    found = region(unit, 0.0, [Straight()], 152.4, setting)
    return Picture([Troop(unit, 0)], found.drawing(), [Ground("building", house, "house")])


@scene("Obliquely, up to an angle", "reach.regions.region", "reach.stars.star")
def oblique() -> Picture:
    """Up to 45° aside without turning; the house casts a shadow that the unit cannot enter as a body."""
    unit, house = figures([(160 + 24 * k, 60) for k in range(4)]), box(175, 165, 215, 205)
    setting = Setting(passing=outlines_as_blockers([house], ["house"]))
    found = region(unit, 0.0, [Straight(half_deg=45.0)], 177.8, setting)
    return Picture([Troop(unit, 0)], found.drawing(), [Ground("building", house, "house")])


@scene("A wheel about an end figure", "reach.regions.region", "reach.wheels.turn_until_contact")
def wheel() -> Picture:
    """Either end stands still and the other swings; what is left of the allowance is marched straight on."""
    unit = figures([(150 + 24 * k, 70) for k in range(5)])
    found = region(unit, 0.0, [Wheel(most_deg=90.0)], 152.4)
    return Picture([Troop(unit, 0)], found.drawing())


@scene("About-face", "reach.regions.region", "reach.regions.Straight")
def about_face() -> Picture:
    """To turn about costs two inches here, and then the unit goes the other way."""
    unit = figures([(140 + 24 * k, 150) for k in range(6)])
    found = region(unit, 0.0, [Straight(), Straight(turn_deg=180.0, cost_mm=50.8)], 114.3)
    return Picture([Troop(unit, 0)], found.drawing())


@scene("Slowed by ground", "reach.graded.graded_region", "reach.going.ground_of")
def slowed() -> Picture:
    """In the wood each inch costs two: the reach bulges where the ground is open."""
    wood = [(120, 120), (260, 110), (290, 200), (210, 245), (110, 210)]
    ground = ground_of([wood], [Going(name="wood", factor=0.5)])
    one = figures([(190, 75)], 0.0)
    places = graded_region(
        one.centre[0], ground, obstacles_for(10.0, Setting().passing, one.centre, None), 139.7, 5.0
    )
    shown = Region(lambda: places, places, (190.0, 75.0)).drawing()
    return Picture([Troop(one, 0)], shown, [Ground("woods", wood, "wood, half speed")], (20, -75, 400, 255))


@scene("Each in one straight line", "reach.spokes.spokes_region")
def spokes() -> Picture:
    """Figures that go straight, each for itself: over the marsh each inch costs three."""
    marsh = [(150, 140), (235, 135), (245, 190), (150, 195)]
    ground = ground_of([marsh], [Going(name="marsh", factor=1 / 3)])
    group = figures([(150, 80), (185, 92), (230, 76)])
    found = spokes_region(group, 127.0, ground)
    looks = [Ground("water", marsh, "marsh, a third of the speed")]
    return Picture([Troop(group, 0)], found.drawing(), looks, (0, -60, 400, 240))


@scene(
    "The cheapest way through ground that slows",
    "reach.graded.cheapest", "reach.ways.loose_way", "reach.going.Going",
)  # fmt: skip
def through_slow_ground() -> Picture:
    """Straight through the wood would cost more; the program bends the way as light bends in glass."""
    wood = [(20, 120), (390, 100), (385, 180), (210, 195), (25, 180)]
    ground = ground_of([wood], [Going(name="wood", factor=0.5)])
    one = figures([(60, 50)], 40.0)
    way = loose_way(one, 600.0, np.array([345.0, 250.0]), Setting(ground=ground))
    direct = way_to(one, 0.0, [Straight(half_deg=180.0)], 600.0, np.array([345.0, 250.0]), Setting(ground=ground))
    straight_line = line("stopped", [one.centre[0], (345.0, 250.0)], f"{direct.cost_mm:.0f} mm straight")
    return Picture([Troop(one, 0)], (straight_line, *way.shapes), [Ground("woods", wood, "wood, half speed")])


@scene("A fixed cost for crossing", "reach.going.Going", "reach.regions.region")
def fixed_cost() -> Picture:
    """To climb the wall costs three inches, wherever it is climbed: so much less far beyond it."""
    wall = box(60, 130, 195, 138)
    ground = ground_of([wall], [Going(name="wall", crossing_mm=76.2)])
    unit = figures([(200, 60)])
    found = region(unit, 0.0, [Straight(half_deg=60.0)], 177.8, Setting(ground=ground))
    return Picture([Troop(unit, 0)], found.drawing(), [Ground("wall", wall, "wall")])


@scene("Free movement round obstacles", "reach.loose.loose_region", "reach.detours.net_of")
def round_obstacles() -> Picture:
    """Skirmishers go any way, round houses and enemies: all the ground within the length of the way that they
    must go."""
    houses = [box(120, 130, 250, 160), box(240, 130, 260, 230)]
    enemy = figures([(110, 215)], 180.0)
    one = figures([(190, 85)], 0.0)
    blocked = joined([
        outlines_as_blockers(houses, ["house", "house"]),
        bases_as_blockers(enemy, ["enemy"], 25.4),
    ])  # fmt: skip
    found = loose_region(one, 165.0, Setting(passing=blocked))
    return Picture(
        [Troop(one, 0), Troop(enemy, 1)], found.drawing(), [Ground("building", house) for house in houses],
        (0, -90, 400, 270),
    )  # fmt: skip


@scene("The shortest way round", "reach.ways.loose_way", "reach.detours.net_of")
def shortest_way() -> Picture:
    """Taut as a string round the corners, as close as the base allows."""
    houses = [box(130, 90, 180, 230), box(230, 60, 270, 200)]
    one, goal = figures([(70, 130)], 0.0), np.array([340.0, 110.0])
    way = loose_way(one, 500.0, goal, Setting(passing=outlines_as_blockers(houses, ["house", "mill"])))
    total = spot("reach", goal, text=f"{way.cost_mm:.0f} mm in all")
    steps = tuple(line("path", part.points_mm) for part in way.shapes if isinstance(part, Line))
    return Picture([Troop(one, 0)], (*steps, total), [Ground("building", house) for house in houses])


@scene("The cheapest way into contact", "reach.closing.way_into_contact", "reach.legs.Way")
def into_contact() -> Picture:
    """A wheel and then straight on until the bases touch, with what each part costs of the allowance."""
    unit, foes = (
        figures([(60 + 24 * k, 70) for k in range(4)]),
        figures([(300, 170), (318, 186), (282, 154)], 225.0),
    )
    way = way_into_contact(unit, 0.0, [Straight(half_deg=22.5), Wheel()], 304.8, foes)
    swing, ahead = way.legs
    there = turned(unit, np.array(swing.centre_mm), np.radians(swing.turn_deg))
    there = shifted(there, np.subtract(ahead.end_mm, ahead.start_mm))
    return Picture([Troop(unit, 0), Troop(there, 0, ghost=True), Troop(foes, 1)], way.shapes)


@scene("Why one does not get there", "reach.ways.way_to", "reach.legs.Way")
def why_not() -> Picture:
    """What is met first, where, and how much the allowance lacks."""
    unit, house = figures([(60 + 24 * k, 60) for k in range(3)]), box(150, 130, 190, 180)
    setting = Setting(passing=outlines_as_blockers([house], ["house"]))
    way = way_to(unit, 0.0, [Straight(half_deg=60.0)], 203.2, np.array([290.0, 225.0]), setting)
    words = spot("stopped", (290.0, 225.0), text="; ".join(way.why_not))
    shown = tuple(part for part in way.shapes if part.part != "stopped")
    return Picture([Troop(unit, 0)], (*shown, words), [Ground("building", house)])


@scene("Near the edge of the table", "moving.moves.room_to_edge", "moving.moves.moved", "showing.show_move")
def to_the_edge() -> Picture:
    """Falling back, a unit stops where the first centre comes to the table's edge."""
    unit = _records([(110, 130), (136, 126), (162, 122), (188, 118)], 10.0)
    table = TableArea(width_mm=400.0, depth_mm=300.0)
    way = moves.towards(215.0)
    room = moves.room_to_edge(unit, way, table)
    before, after = _bases(unit), _bases(moves.moved(unit, way, room))
    mat = Ground("open", box(0, 0, table.width_mm, table.depth_mm), "table")
    return Picture(
        [Troop(before, 0, ghost=True), Troop(after, 0)], show_move(before, after), [mat], (-40, -30, 320, 240)
    )


@scene("Up to a gap", "moving.moves.advance_to_gap", "moving.moves.gap_between", "showing.show_move")
def up_to_a_gap() -> Picture:
    """A charge that is stopped short halts with one inch between the nearest bases."""
    unit = _records([(70, 100), (70, 126), (70, 152)], 90.0)
    foes = _records([(300, 120), (305, 146), (296, 172)], 270.0)
    way = moves.towards(80.0)
    after = moves.moved(unit, way, moves.advance_to_gap(unit, foes, way, 25.4))
    gap = moves.gap_between(after, foes)
    start, there, enemy = _bases(unit), _bases(after), _bases(foes)
    nearest = [] if gap is None else [(int(gap.start.id), int(gap.end.id))]
    shown = (*show_move(start, there), *distances.show(there, enemy, nearest))
    return Picture(
        [Troop(start, 0, ghost=True), Troop(there, 0), Troop(enemy, 1)], shown, box_mm=(30, 40, 360, 230)
    )


@scene(
    "Through friends",
    "moving.passing.overlap",
    "moving.passing.runs_into",
    "moving.passing.clear_of",
    "showing.show_move",
)
def through_friends() -> Picture:
    """Those who run back come upon friends, go through where they may, and stop where they stand upon nobody."""
    unit = _records([(70, 100), (70, 126), (70, 152)], 270.0)
    friends = _records([(190, 96), (190, 122), (190, 148)], 270.0)
    way = moves.towards(90.0)
    onto, clear = runs_into(unit, friends, way, 400.0) or 0.0, clear_of(unit, [friends], way, 110.0)
    start, there, upon = (_bases(moves.moved(unit, way, far)) for far in (0.0, clear, onto))
    shown = (*show_move(start, there), spot("stopped", upon.centre[1], text="comes upon them"))
    troops = [Troop(start, 0, ghost=True), Troop(there, 0), Troop(_bases(friends), 0)]
    return Picture(troops, shown, box_mm=(30, 40, 360, 210))


FAMILY = Family(
    "Reach",
    (
        straight, oblique, wheel, about_face, slowed, spokes, fixed_cost, round_obstacles, shortest_way,
        through_slow_ground, into_contact, why_not, to_the_edge, up_to_a_gap, through_friends,
    ),
)  # fmt: skip
