"""What shields a target: terrain between, that it stands in, or that it stands behind."""

from __future__ import annotations

from engine.gallery.picture import Ground, Picture, Troop
from engine.gallery.scene import ELEMENT, Family, box, figures, scene
from engine.geometry import cover, sight
from engine.geometry.certainty import Verdict
from engine.geometry.drawing import Drawing
from engine.geometry.shapes.pieces import pieces_of
from engine.geometry.shapes.shares import area_share_sigma
from engine.geometry.shapes.strips import strip_outline
from engine.geometry.showing import show_bases
from engine.geometry.sight.records import Opaque
from engine.geometry.sight.visible import show_visible


@scene(
    "A wall between, and how near",
    "cover.between", "cover.covered", "cover.show_between",
    "shapes.pieces.pieces_of", "shapes.strips.strip_outline", "shapes.strips.strip_rings",
)  # fmt: skip
def wall_between() -> Picture:
    """The line of fire crosses the wall; the target is behind it by so much. A rule says how near is near
    enough: one inch covers the upper target, not the lower one."""
    wall = strip_outline([(270, 40), (285, 150), (270, 260)], 8.0)
    pieces = pieces_of([wall], names=["wall"])
    one, targets = figures([(60, 140)], 90.0), figures([(306, 195), (345, 80)], 270.0)
    lines = sight.all_lines(one.centre, targets.centre)
    found = cover.between(lines, pieces, one, targets)
    covered = cover.covered(found, 25.4)[:, 0]
    shown: Drawing = tuple(part for k in range(2) for part in cover.show_between(lines, k, pieces, found))
    return Picture(
        [Troop(one, 0), Troop(targets, 1)], (*shown, *show_bases(targets, covered, "clear", ["covered", ""])),
        [Ground("wall", [(x, y) for x, y in wall.tolist()])],
    )  # fmt: skip


@scene("In cover", "cover.standing_in", "cover.area_share", "shapes.shares.area_share_sigma")
def standing_in() -> Picture:
    """A figure is in the wood if its centre is. How much of each base lies in it is told too, with its sigma."""
    wood = [(150, 60), (300, 50), (340, 150), (270, 240), (140, 220), (110, 140)]
    pieces = pieces_of([wood])
    unit = figures([(60, 240), (126, 180), (190, 150), (322, 118), (352, 190)], 20.0, ELEMENT, sigma_mm=0.6)
    inside, share = cover.standing_in(unit, pieces)[:, 0], cover.area_share(unit, pieces)[:, 0]
    sigma = area_share_sigma(unit, pieces)[:, 0]
    words = [
        f"{100 * part:.0f}" + (f" ± {100 * one:.0f} %" if one else " %")
        for part, one in zip(share, sigma, strict=True)
    ]
    troops = [Troop(unit.pick([k]), 0, word) for k, word in enumerate(words)]
    return Picture(troops, show_bases(unit, inside, "clear"), [Ground("woods", wood, "wood")])


@scene("Hidden behind one thing", "cover.hidden_behind", "sight.visible.show_visible")
def hidden_behind() -> Picture:
    """All of the upper base is behind the house as the shooter sees it; the lower one shows."""
    house = box(190, 140, 250, 235)
    pieces = pieces_of([house], names=["house"])
    one, targets = figures([(50, 130)], 90.0), figures([(340, 195), (335, 120)], 270.0, ELEMENT)
    lines = sight.all_lines(one.centre, targets.centre)
    hidden = cover.hidden_behind(lines, targets, pieces)[:, 0]
    shown: Drawing = tuple(part for k in range(2) for part in show_visible(lines, k, targets, [Opaque(pieces)]))
    return Picture(
        [Troop(one, 0), Troop(targets, 1)], (*shown, *show_bases(targets, hidden, "blocker", ["hidden", ""])),
        [Ground("building", house)],
    )  # fmt: skip


@scene("A unit in cover", "cover.unit_share", "cover.standing_in")
def unit_in_cover() -> Picture:
    """More than half of the figures must be in cover: six of twelve are for sure, two stand on the edge, and
    so the unit is borderline."""
    field = box(60, 60, 212.5, 260)
    unit = figures([(130 + 27.5 * (k % 6), 190 - 30 * (k // 6)) for k in range(12)], 0.0, sigma_mm=0.5)
    inside = cover.standing_in(unit, pieces_of([field]), 0.5)[:, 0]
    whole = cover.unit_share(inside, 0.5)
    count = int((inside == Verdict.YES).sum())
    name = f"{count} of {len(unit)} for sure: {whole.name.lower()}"
    return Picture([Troop(unit, 0, name)], show_bases(unit, inside, "clear"), [Ground("open", field, "crops")])


FAMILY = Family("Cover", (wall_between, standing_in, hidden_behind, unit_in_cover))
