"""What is ahead, beside and behind: arcs, quarters, and where a charge comes from."""

from __future__ import annotations

import numpy as np

from engine.gallery.picture import Picture, Troop
from engine.gallery.scene import ELEMENT, Family, figures, scene
from engine.geometry.certainty import Verdict
from engine.geometry.drawing import Drawing, line, spot
from engine.geometry.facing import arcs, aspects
from engine.geometry.facing.aspects import Aspect
from engine.geometry.formations import contacts, ranks
from engine.geometry.shapes import units
from engine.geometry.shapes.bases import Bases
from engine.geometry.showing import show_bases, show_contact_edges

_ALL_ROUND = [(70, 240), (130, 270), (215, 262), (300, 240), (340, 130), (330, 60), (215, 40), (110, 55), (50, 165)]


def _in_arc(targets: Bases, found: arcs.Arc) -> Drawing:
    """Who is wholly in, partly in, or has its centre in."""
    words = []
    for whole, centre, part in zip(found.wholly[0], found.centre[0], found.partly[0], strict=True):
        words.append("wholly" if whole else "by its centre" if centre else "partly" if part else "")
    return show_bases(targets, found.partly[0], "hit", words)


@scene("An arc of 45° to each side", "facing.arcs.arcs", "facing.arcs.from_front_middles", "facing.arcs.zone")
def arc_of_a_figure() -> Picture:
    """From the middle of the front edge. One target lies wholly in the arc, one by its centre, one only in
    part, one not at all: rules differ in what they ask, and all are told."""
    gun = figures([(190, 60)], 0.0, ELEMENT)
    targets = figures([(190, 200), (305, 188), (96, 188), (40, 120)], 180.0, ELEMENT)
    fronts = arcs.from_front_middles(gun)
    shown = arcs.zone(fronts, 0, 45.0, 190.0)
    return Picture(
        [Troop(gun, 0), Troop(targets, 1)], (*shown, *_in_arc(targets, arcs.arcs(fronts, targets, 45.0)))
    )


@scene(
    "The arc of a whole front line",
    "facing.arcs.from_lines",
    "formations.ranks.front_lines",
    "formations.ranks.show_front_line",
)
def arc_of_a_line() -> Picture:
    """A unit in line fires from anywhere along its front: its arc is the line, and what opens at the half-
    angle off both ends."""
    unit = figures([(120 + 24 * k, 60 + 3 * k) for k in range(6)], -7.0)
    one = np.zeros(len(unit), dtype=np.intp)
    found = ranks.front_lines(unit, one, np.array([-7.0]), np.ones(len(unit), dtype=bool))
    fronts = arcs.from_lines(found.left, found.right, found.bearing_deg)
    targets = figures([(120, 220), (60, 176), (330, 150), (300, 245)], 180.0)
    shown = (*arcs.zone(fronts, 0, 22.5, 200.0), *ranks.show_front_line(found, 0))
    return Picture(
        [Troop(unit, 0), Troop(targets, 1)], (*shown, *_in_arc(targets, arcs.arcs(fronts, targets, 22.5)))
    )


@scene(
    "An arc that the measurement cannot settle",
    "facing.arcs.angles",
    "facing.arcs.from_centres",
    "certainty.at_most",
)
def borderline_arc() -> Picture:
    """The facing is known to a degree and a half. Who stands on the edge of the arc is borderline."""
    one = figures([(200, 50)], 0.0, sigma_mm=0.6, bearing_sigma_deg=1.5)
    targets = figures([(200, 240), (322, 178), (352, 120)], 180.0, sigma_mm=0.6)
    fronts = arcs.from_centres(one)
    found = arcs.angles(fronts, targets)
    words = [f"{off:.1f} ± {sigma:.1f}°" for off, sigma in zip(found.off_deg[0], found.sigma_deg[0], strict=True)]
    verdicts = found.within(45.0)[0]
    lines = tuple(
        line("clear" if verdict == Verdict.YES else "doubt" if verdict else "stopped", [one.centre[0], at])
        for at, verdict in zip(targets.centre, verdicts, strict=True)
    )
    told = tuple(spot("stopped", at, 10.0, word) for at, word in zip(targets.centre, words, strict=True))
    shown = (*arcs.zone(fronts, 0, 45.0, 200.0), *lines, *told, *show_bases(targets, verdicts, "clear"))
    return Picture([Troop(one, 0), Troop(targets, 1)], shown)


@scene(
    "Front, flank and rear by lines",
    "facing.aspects.strips",
    "facing.aspects.show_strip",
    "shapes.units.mean_bearings",
)
def by_lines() -> Picture:
    """The line through the foremost edge and the one through the hindmost cut the table: before the first is
    front, behind the second is rear, between them is flank."""
    unit = figures([(150 + 24 * (k % 5), 130 + 26 * (k // 5)) for k in range(10)], 12.0)
    of = [0] * len(unit)
    bearing, _ = units.mean_bearings(unit.bearing_deg, of, 1)
    strips = aspects.strips(unit, of, 1, bearing)
    return _told(unit, strips.aspects(np.array(_ALL_ROUND)).aspect[:, 0], aspects.show_strip(strips, 0, 185.0))


@scene(
    "Front and rear quarters off the corners",
    "facing.aspects.quarters",
    "facing.aspects.show_quarters",
    "shapes.units.footprints",
)
def by_quarters() -> Picture:
    """Rays at 45° off the corners of the base, or of the unit's outline, cut the quarters."""
    unit = figures([(160 + 24 * (k % 4), 135 + 26 * (k // 4)) for k in range(8)], 12.0)
    whole = units.footprints(unit, [0] * len(unit), 1, 12.0)
    found = aspects.quarters(np.array(_ALL_ROUND), whole, 45.0, 45.0)
    return _told(unit, found.aspect[:, 0], aspects.show_quarters(whole, 0, 45.0, 45.0, 150.0))


@scene("Quarters of 90° and 45°", "facing.aspects.quarters")
def half_the_table() -> Picture:
    """Where the rules say so the front is all that is ahead of the front edge, and only the rear is a
    quarter."""
    one = figures([(200, 150)], 20.0, ELEMENT)
    found = aspects.quarters(np.array(_ALL_ROUND), one, 90.0, 45.0)
    return _told(one, found.aspect[:, 0], aspects.show_quarters(one, 0, 90.0, 45.0, 140.0))


def _told(unit: Bases, kinds: aspects.Kinds, shown: Drawing) -> Picture:
    """Each point with what it is to the unit."""
    words = [Aspect(int(kind)).name.lower() for kind in kinds]
    points = tuple(spot("measure", at, text=word) for at, word in zip(_ALL_ROUND, words, strict=True))
    return Picture([Troop(unit, 0)], (*shown, *points))


@scene("Where a charge began", "facing.aspects.majority", "facing.aspects.strips")
def where_a_charge_began() -> Picture:
    """Most of the chargers started behind the rear line, so this charge is in the rear, though some began
    beside it."""
    target = figures([(130 + 24 * k, 205) for k in range(5)], 0.0)
    chargers = figures([(290 + 24 * (k % 3), 126 + 38 * (k // 3)) for k in range(9)], -60.0)
    strips = aspects.strips(target, [0] * len(target), 1, 0.0)
    each = strips.aspects(chargers.centre)
    whole = aspects.majority(each, [0] * len(chargers), 1)
    behind = show_bases(chargers, each.rear[:, 0])
    verdict = Aspect(int(whole.aspect[0, 0])).name.lower()
    count = int((each.rear[:, 0] == Verdict.YES).sum())
    way = line("path", [chargers.centre.mean(axis=0), target.centre.mean(axis=0)],
               f"{count} of {len(chargers)} behind: {verdict}")  # fmt: skip
    return Picture(
        [Troop(target, 0), Troop(chargers, 1)], (*aspects.show_strip(strips, 0, 135.0), *behind, way),
        box_mm=(30, 80, 370, 300),
    )  # fmt: skip


@scene("Which edge is touched", "formations.contacts.contact_edges", "showing.show_contact_edges")
def which_edge() -> Picture:
    """A base that comes into contact touches an edge; at a corner the quarter in which its middle lies
    decides."""
    body = figures([(180, 150)], 15.0, ELEMENT)
    chargers = figures([(195.5, 176.9), (224.0, 163.5), (141.5, 160.4)], 0.0)
    others = figures([(120, 100)])
    found = contacts.contact_edges(body, chargers, 1.0)
    return Picture(
        [Troop(body, 0), Troop(chargers, 1), Troop(others, 1)], show_contact_edges(body, found),
        box_mm=(80, 60, 300, 225),
    )  # fmt: skip


FAMILY = Family(
    "Arcs and aspects",
    (
        arc_of_a_figure, arc_of_a_line, borderline_arc, by_lines, by_quarters, half_the_table,
        where_a_charge_began, which_edge,
    ),
)  # fmt: skip
