"""Who sees whom, past what stands in the way: where sight ends, and by what."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.gallery.picture import Ground, Picture, Troop
from engine.gallery.scene import ELEMENT, HORSE, Family, box, figures, scene
from engine.geometry import sight, swept
from engine.geometry.certainty import Verdict
from engine.geometry.drawing import Drawing, area, line
from engine.geometry.shapes.bases import Bases, concat
from engine.geometry.shapes.pieces import pieces_of
from engine.geometry.showing import show_bases, show_swept
from engine.geometry.sight import ground as heights
from engine.geometry.sight import mutual, stops
from engine.geometry.sight.passing import show_seen_along
from engine.geometry.sight.records import Blocker, Crests, Limit, Opaque, Relief, Standing, Veil
from engine.geometry.sight.visible import show_visible, visible

_WOOD = [(150, 70), (240, 60), (290, 110), (285, 200), (230, 245), (160, 225), (130, 150)]


def _all_drawn(lookers: Bases, targets: Bases, blockers: Sequence[Blocker]) -> Drawing:
    """Every line, with what stops it, each thing once."""
    lines = sight.all_lines(lookers.centre, targets.centre, lookers.sigma_mm, targets.sigma_mm)
    shown: dict[object, None] = {}
    for number in range(len(lines)):
        shown.update(dict.fromkeys(stops.sight_drawing(lines, number, blockers)))
    return tuple(part for part in shown)  # type: ignore[misc]


@scene(
    "Point to point, past a building",
    "sight.stops.sight_drawing", "sight.looking.look", "sight.looking.all_lines",
)  # fmt: skip
def past_a_building() -> Picture:
    """A line that runs through a building is stopped where it enters; one that only touches a corner or runs
    along a wall is free."""
    house = box(170, 110, 250, 190)
    mill = Opaque(pieces_of([house], names=["mill"]))
    one = figures([(60, 110)], 90.0)
    targets = figures([(340, 250), (340, 170), (340, 110), (340, 50)], 270.0)
    shown = _all_drawn(one, targets, [mill])
    return Picture([Troop(one, 0), Troop(targets, 1)], shown, [Ground("building", house)])


@scene(
    "How much of a base is seen",
    "sight.visible.visible", "sight.visible.show_visible", "sight.visible.hidden_intervals",
)  # fmt: skip
def share_seen() -> Picture:
    """The exact share of the directions in which the target stands that nothing hides."""
    house = box(190, 40, 250, 140)
    one, target, friend = figures([(50, 120)], 90.0), figures([(340, 170)], 250.0, ELEMENT), figures([(215, 176)])
    blockers: list[Opaque | Standing] = [Opaque(pieces_of([house], names=["house"])), Standing(friend)]
    lines = sight.all_lines(one.centre, target.centre)
    shown = show_visible(lines, 0, target, blockers)
    return Picture([Troop(one, 0), Troop(target, 1), Troop(friend, 0)], shown, [Ground("building", house, "barn")])


@scene(
    "Any point of one base sees any point of another",
    "sight.mutual.any_sees_any", "sight.mutual.free_line", "sight.mutual.show_free_line",
)  # fmt: skip
def any_point() -> Picture:
    """The line from middle to middle is blocked, yet some point of the one sees some point of the other: the
    program finds that line."""
    houses = [box(170, 130, 230, 270), box(185, 20, 240, 112)]
    blockers = [Opaque(pieces_of(houses, names=["house", "barn"]))]
    one, target = figures([(70, 130)], 90.0, HORSE), figures([(330, 140)], 290.0, ELEMENT)
    lines = sight.all_lines(one.centre, target.centre)
    shown = (*stops.sight_drawing(lines, 0, blockers), *mutual.show_free_line(one, 0, target, 0, blockers))
    return Picture([Troop(one, 0), Troop(target, 1)], shown, [Ground("building", house) for house in houses])


@scene("The whole base is seen", "sight.visible.visible", "sight.visible.show_visible")
def whole_base() -> Picture:
    """All of the upper target is seen, only a part of the lower one."""
    house = box(180, 20, 240, 112)
    blockers = [Opaque(pieces_of([house], names=["house"]))]
    one, targets = figures([(60, 150)], 90.0), figures([(330, 210), (320, 85)], 270.0, HORSE)
    lines = sight.all_lines(one.centre, targets.centre)
    found = visible(lines, targets, blockers)
    shown: Drawing = tuple(part for k in range(2) for part in show_visible(lines, k, targets, blockers))
    whole = show_bases(targets, found.whole, "clear")
    return Picture([Troop(one, 0), Troop(targets, 1)], (*shown, *whole), [Ground("building", house)])


@scene("What stands between an eye and a whole base", "swept.bases_in", "swept.pieces_in", "showing.show_swept")
def swept_view() -> Picture:
    """Where a base must be seen whole, nothing may stand between the eye and either edge of it: the hedge
    and two figures do."""
    hedge = box(195, 20, 207, 127)
    one, target = figures([(60, 130)], 90.0), figures([(330, 150)], 270.0, ELEMENT)
    others = figures([(150, 152), (240, 158), (262, 220)], 90.0)
    lines, pieces = sight.all_lines(one.centre, target.centre), pieces_of([hedge], names=["hedge"])
    met = np.isin(np.arange(len(others)), swept.bases_in(lines, target, others).part) * 2
    hit = [
        area("blocker", ring)
        for number in swept.pieces_in(lines, target, pieces).part
        for ring in pieces.rings[number]
    ]
    shown = (*show_swept(lines, 0, target), *hit, *show_bases(others, met, "blocker"))
    return Picture([Troop(one, 0), Troop(others, 0), Troop(target, 1)], shown, [Ground("wall", hedge)])


@scene("Figures in the way", "sight.records.Standing", "sight.stops.sight_drawing")
def figures_in_the_way() -> Picture:
    """Friends and enemies block as well as houses do. Between them the line is free, be the gap ever so
    narrow."""
    one = figures([(60, 80)], 60.0)
    friends = figures([(150, 100), (150, 122), (150, 151), (150, 173)], 60.0)
    targets = figures([(330, 160), (330, 195), (325, 246), (350, 250)], 250.0)
    shown = _all_drawn(one, targets, [Standing(concat([friends, targets]), target_is=np.arange(4) + len(friends))])
    return Picture([Troop(one, 0), Troop(friends, 0), Troop(targets, 1)], shown)


@scene("Gaps between bases", "sight.ground.narrow_gaps", "sight.stops.sight_drawing")
def narrow_gap() -> Picture:
    """Where the rules want a gap of so much, narrower gaps are closed, and sight ends there."""
    one = figures([(50, 150)], 90.0)
    friends = figures([(180, 85), (180, 115), (180, 175), (180, 205)], 90.0)
    targets = figures([(340, 40), (340, 140)], 270.0)
    shut, *_ = heights.narrow_gaps(friends, 25.4)
    shown = _all_drawn(one, targets, [Standing(friends), shut])
    return Picture([Troop(one, 0), Troop(friends, 0), Troop(targets, 1)], shown)


@scene("Into a wood", "sight.records.Veil", "sight.stops.sight_drawing")
def into_a_wood() -> Picture:
    """One inch deep can be seen into this wood: the one at its edge is seen, the one behind him is not."""
    one, targets = figures([(50, 180)], 90.0), figures([(158, 190), (215, 130)], 270.0)
    veil = Veil(pieces_of([_WOOD], names=["wood"]), into_mm=25.4, out_mm=25.4, inside_mm=304.8, through_mm=0.0)
    shown = _all_drawn(one, targets, [veil])
    return Picture([Troop(one, 0), Troop(targets, 1)], shown, [Ground("woods", _WOOD, "wood")])


@scene("Out of a wood, and through it", "sight.records.Veil", "sight.stops.sight_drawing")
def out_of_a_wood() -> Picture:
    """From near its edge one looks out; from deep inside not; and nobody sees right through."""
    inside, outside, target = (
        figures([(268, 190), (190, 160)], 90.0),
        figures([(60, 70)], 90.0),
        figures([(360, 150)], 270.0),
    )
    veil = Veil(pieces_of([_WOOD], names=["wood"]), into_mm=25.4, out_mm=25.4, inside_mm=304.8, through_mm=0.0)
    shown = (*_all_drawn(inside, target, [veil]), *_all_drawn(outside, target, [veil]))
    return Picture([Troop(inside, 0), Troop(outside, 0), Troop(target, 1)], shown, [Ground("woods", _WOOD, "wood")])


@scene("Inside a wood", "sight.records.Veil", "sight.stops.sight_drawing")
def inside_a_wood() -> Picture:
    """Inside one sees a limited way: 5 in here. The nearer is seen, the farther is not."""
    great = [(30, 40), (370, 30), (385, 200), (330, 270), (60, 265), (20, 150)]
    one, targets = figures([(80, 110)], 70.0), figures([(185, 170), (320, 150)], 250.0)
    veil = Veil(pieces_of([great], names=["wood"]), into_mm=25.4, out_mm=25.4, inside_mm=127.0)
    return Picture([Troop(one, 0), Troop(targets, 1)], _all_drawn(one, targets, [veil]), [Ground("woods", great)])


@scene("Behind a crest", "sight.records.Crests", "sight.stops.sight_drawing")
def crest() -> Picture:
    """Nobody sees over a crest line to the other side; who stands on it sees both."""
    hill = [(130, 50), (250, 40), (300, 120), (270, 240), (170, 260), (120, 160)]
    ridge = np.array([(175, 80), (205, 130), (210, 180), (205, 230)], dtype=float)
    crests = Crests((ridge,))
    lookers, target = figures([(55, 150), (210, 180)], 90.0), figures([(350, 120)], 270.0)
    shown = (line("zone", ridge, "crest"), *_all_drawn(lookers, target, [crests]))
    return Picture([Troop(lookers, 0), Troop(target, 1)], shown, [Ground("hill", hill)])


@scene(
    "Heights, and dead ground",
    "sight.records.Relief", "sight.ground.dead_ground_mm", "sight.ground.show_dead_ground",
)  # fmt: skip
def dead_ground() -> Picture:
    """From a tower 90 mm high one looks over a house of 45 mm; but close behind it the ground is dead: one
    man is hidden there, the other, farther off, is seen."""
    house = box(150, 110, 200, 200)
    pieces = pieces_of([house], [45.0], ["house, 45 mm"])
    one, targets = figures([(50, 150)], 90.0), figures([(240, 165), (370, 140)], 270.0)
    relief = Relief(pieces, np.array([90.0]), np.zeros(2))
    lines = sight.all_lines(one.centre, targets.centre)
    found = sight.look(lines, [relief])
    along = heights.show_dead_ground(lines, pieces, [90.0, 90.0], 1)
    hidden = show_bases(targets, np.where(found.verdict == Verdict.NO, 2, 0), "blocker", ["hidden", ""])
    seen = show_bases(targets, found.verdict, "clear", ["", "seen"])
    return Picture(
        [Troop(one, 0), Troop(targets, 1)], (*along, *hidden, *seen), [Ground("building", house, "house, 45 mm")]
    )


@scene("By night", "sight.records.Limit", "sight.looking.look")
def night() -> Picture:
    """A limit on how far can be seen, whatever else: here 8 in."""
    one, targets = figures([(60, 140)], 90.0), figures([(240, 190), (330, 110)], 270.0)
    shown = _all_drawn(one, targets, [Limit(203.2)])
    return Picture([Troop(one, 0), Troop(targets, 1)], shown)


@scene("Sight that the measurement cannot settle", "sight.looking.look", "sight.stops.sight_drawing")
def borderline_sight() -> Picture:
    """The line passes the corner by less than the error of the places: borderline."""
    house = box(170, 60, 250, 149.5)
    one, targets = figures([(60, 150)], 90.0, sigma_mm=0.6), figures([(340, 225), (340, 150)], 270.0, sigma_mm=0.6)
    shown = _all_drawn(one, targets, [Opaque(pieces_of([house], names=["house"]))])
    return Picture([Troop(one, 0), Troop(targets, 1)], shown, [Ground("building", house)])


@scene("Seen on the way", "sight.passing.seen_along", "sight.passing.show_seen_along")
def on_the_way() -> Picture:
    """From where on a straight march the enemy comes into sight, and where he is lost again."""
    houses = [box(120, 120, 170, 150), box(225, 110, 262, 160)]
    one, march = figures([(200, 50)], 0.0), np.array([(40.0, 220.0), (360.0, 250.0)])
    blockers = [Opaque(pieces_of(houses, names=["mill", "inn"]))]
    shown = show_seen_along(one.centre[0], march[0], march[1], blockers)
    start = figures([(40, 220)], 85.0)
    return Picture([Troop(one, 0), Troop(start, 1)], shown, [Ground("building", house) for house in houses])


@scene("A whole table at once", "sight.tables.watch", "sight.tables.watch_of")
def whole_table() -> Picture:
    """Everyone against everyone, past houses, woods and bases: the free lines."""
    house, wood = box(185, 170, 235, 240), [(170, 40), (230, 30), (250, 90), (200, 110)]
    mine = figures([(50, 60 + 36 * k) for k in range(6)], 90.0)
    theirs = figures([(345, 75 + 38 * k) for k in range(5)], 270.0)
    friends = figures([(120, 130), (120, 152)], 90.0)
    blockers: list[Blocker] = [
        Opaque(pieces_of([house], names=["house"])),
        Veil(pieces_of([wood]), through_mm=0.0),
        Standing(friends),
    ]
    found = sight.watch(sight.watch_of(mine.centre, theirs.centre, blockers), threads=1)
    free = tuple(
        line("clear", [mine.centre[i], theirs.centre[j]]) for i, j in np.argwhere(found.verdict == Verdict.YES)
    )
    return Picture(
        [Troop(mine, 0), Troop(friends, 0), Troop(theirs, 1)],
        free,
        [Ground("building", house), Ground("woods", wood)],
    )


FAMILY = Family(
    "Lines of sight",
    (
        past_a_building, share_seen, any_point, whole_base, swept_view, figures_in_the_way, narrow_gap, into_a_wood,
        out_of_a_wood, inside_a_wood, crest, dead_ground, night, borderline_sight, on_the_way, whole_table,
    ),
)  # fmt: skip
