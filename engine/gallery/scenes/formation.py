"""How figures stand together: contact, ranks, the front line, gaps; line, column, mob or loose."""

from __future__ import annotations

import numpy as np

from engine.gallery.picture import Picture, Troop
from engine.gallery.scene import FOOT, Family, figures, scene
from engine.geometry.drawing import Drawing, line, spot
from engine.geometry.formations import contacts, patterns, ranks
from engine.geometry.shapes import units
from engine.geometry.shapes.bases import Bases, concat
from engine.geometry.showing import show_bases, show_gaps, show_rows

_WIDE = FOOT.diameter_mm


@scene("Who is in contact with whom", "formations.contacts.contact_graph", "formations.contacts.show_graph")
def contact_graph() -> Picture:
    """Bases that touch hang together, link by link: here a body of nine, a pair, and one alone. The dashed
    link may be a hair of air or none."""
    body = [(70 + 20.2 * k, 190) for k in range(5)] + [(80 + 20.2 * k, 172.5) for k in range(4)]
    bases = figures([*body, (250, 110), (270.3, 110), (173.2, 190.0), (330, 220)], 0.0, sigma_mm=0.4)
    graph = contacts.contact_graph(bases, 1.5)
    found = graph.parts()
    sizes = np.bincount(found)
    parts = [
        Troop(bases.pick(found == k), 0, f"{sizes[k]} together" if sizes[k] > 1 else "") for k in range(len(sizes))
    ]
    return Picture(parts, contacts.show_graph(bases, graph), box_mm=(40, 60, 360, 270))


@scene("Ranks", "formations.ranks.rows_across", "showing.show_rows")
def counted_ranks() -> Picture:
    """Ranks are counted from the front: figures belong to one rank as long as none stands more than a step
    behind the next."""
    unit = _formed(12, 5, 17.0)
    of = [0] * len(unit)
    rows = ranks.rows_across(unit, of, np.array([17.0]), 13.0)
    return Picture([Troop(unit, 0)], show_rows(unit, rows, of, 0), box_mm=(80, 60, 320, 240))


@scene("Files", "formations.ranks.rows_across", "showing.show_rows")
def files() -> Picture:
    """The same body counted across: files from the left."""
    unit = _formed(12, 4, 0.0)
    of = [0] * len(unit)
    rows = ranks.rows_across(unit, of, np.array([-90.0]), 11.0)
    return Picture([Troop(unit, 0)], show_rows(unit, rows, of, 0, "file"), box_mm=(80, 60, 320, 240))


def _formed(count: int, wide: int, bearing_deg: float) -> Bases:
    """So many figures in ranks, as well as hands put them down."""
    turn = np.radians(bearing_deg)
    right, ahead = np.array([np.cos(turn), -np.sin(turn)]), np.array([np.sin(turn), np.cos(turn)])
    places = []
    for k in range(count):
        across, back = (k % wide - (wide - 1) / 2) * 30.0, (k // wide) * 34.0 + 3 * ((k * 5) % 3 - 1)
        places.append(tuple(np.array([200.0, 195.0]) + across * right - back * ahead))
    return figures(places, bearing_deg)


@scene("The front line and its bearing", "formations.ranks.front_lines", "formations.ranks.show_front_line")
def front_line() -> Picture:
    """The line that fits the leading figures best, moved to their front edges. It faces the way the unit
    faces; its ends are where it can wheel."""
    places = [(90, 120), (114, 127), (139, 130), (163, 138), (187, 141), (212, 149), (236, 152)]
    lead = figures(places, -16.0)
    behind = figures([(x + 8, y - 26) for x, y in places[:5]], -16.0)
    unit = concat([lead, behind])
    leading = np.arange(len(unit)) < len(lead)
    found = ranks.front_lines(unit, [0] * len(unit), np.array([-16.0]), leading)
    middle = (found.left[0] + found.right[0]) / 2
    turn = np.radians(found.bearing_deg[0])
    ahead = middle + 60 * np.array([np.sin(turn), np.cos(turn)])
    shown = (
        *ranks.show_front_line(found, 0),
        line("path", [middle, ahead], f"bearing {found.bearing_deg[0]:.1f}°"),
    )
    return Picture([Troop(unit, 0)], shown, box_mm=(40, 50, 320, 260))


@scene("Gaps between neighbours", "formations.ranks.neighbour_gaps", "showing.show_gaps")
def gaps() -> Picture:
    """In base widths: one gap here is wider than a base."""
    unit = figures([(70, 150), (96, 152), (124, 149), (170, 151), (196, 150)], 0.0)
    of = [0] * len(unit)
    rows = ranks.rows_across(unit, of, np.array([0.0]), 10.0)
    shown = show_gaps(unit, ranks.neighbour_gaps(unit, of, np.array([0.0]), rows))
    return Picture([Troop(unit, 0)], shown, box_mm=(35, 90, 235, 210))


@scene(
    "Line, column, mob or loose",
    "formations.patterns.shapes",
    "formations.patterns.classify",
    "formations.patterns.matches",
)
def line_or_mob() -> Picture:
    """A rulebook says how many ranks and what gaps make a line; the program measures them and says which it
    is, and what else it may be."""
    places = [
        [(40 + 21 * (k % 6), 255 - 21 * (k // 6)) for k in range(12)],
        [(280 + 21 * (k % 2), 265 - 21 * (k // 2)) for k in range(8)],
        [(60, 90), (78, 104), (80, 80), (99, 96), (116, 78), (101, 117), (64, 117), (120, 100)],
        [(215, 60), (265, 75), (310, 50), (350, 80), (240, 110), (320, 115)],
    ]
    bases = concat([figures(each) for each in places])
    of = np.repeat(np.arange(4), [len(each) for each in places])
    shape = patterns.shapes(bases, of, np.zeros(4), 0.5 * _WIDE, 1.5)
    names, open_to = patterns.classify(
        shape,
        {
            "line": patterns.Pattern(ranks=(1, 3), touching=True, wider=True, even=2),
            "column": patterns.Pattern(touching=True, wider=False, even=2),
            "loose": patterns.Pattern(least_spacing_mm=_WIDE),
            "mob": patterns.Pattern(),
        },
    )
    troops = [
        Troop(bases.pick(of == k), k % 2, f"{' or '.join((name, *also))}, {ranks} ranks")
        for k, (name, also, ranks) in enumerate(zip(names, open_to, shape.ranks.count, strict=True))
    ]
    return Picture(troops, ())


@scene("Keeping together", "formations.ranks.coherence", "formations.ranks.spacing")
def keeping_together() -> Picture:
    """Each figure is to stand within 2 in of another of its unit: one does not."""
    unit = figures([(70, 120), (110, 150), (160, 140), (200, 180), (240, 150), (345, 190)], 0.0)
    of = [0] * len(unit)
    each, _, _ = ranks.coherence(unit, of, 1, 50.8)
    apart = ranks.spacing(unit, of)
    words = [f"{mm:.0f} mm" for mm in apart.gap_mm]
    reach: Drawing = tuple(
        spot("zone" if ok else "stopped", at, 10 + 50.8 / 2) for at, ok in zip(unit.centre, each, strict=True)
    )
    far = show_bases(unit, np.where(each == 0, 2, 0), "hit", words)
    return Picture([Troop(unit, 0)], (*reach, *far), box_mm=(20, 40, 400, 280))


@scene("All facing one way", "formations.ranks.bearing_spread", "shapes.units.mean_bearings")
def facing_one_way() -> Picture:
    """How far any figure is off the unit's mean bearing; here one looks aside."""
    bearings = [10.0, 14.0, 6.0, 12.0, 70.0, 9.0]
    unit = concat([figures([(95 + 40 * k, 130)], bearing) for k, bearing in enumerate(bearings)])
    of = [0] * len(unit)
    mean, _ = units.mean_bearings(unit.bearing_deg, of, 1)
    most, _ = ranks.bearing_spread(unit.bearing_deg, of, 1, 45.0)
    turn = np.radians(mean[0])
    way = 70 * np.array([np.sin(turn), np.cos(turn)])
    arrows = [line("path", [at + 0.2 * way, at + 0.6 * way]) for at in unit.centre]
    words = f"mean {mean[0]:.0f}°, at most {most[0]:.0f}° off it"
    return Picture([Troop(unit, 0, words)], tuple(arrows), box_mm=(50, 50, 350, 230))


FAMILY = Family(
    "Formation",
    (contact_graph, counted_ranks, files, front_line, gaps, line_or_mob, keeping_together, facing_one_way),
)
