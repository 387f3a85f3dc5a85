"""Cover of figures and units (R-08), decided here alone."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from engine.geometry.plane.tolerance import MM
from engine.geometry.shapes.bases import Bases, each_to_segment, to_segments
from engine.geometry.shapes.pieces import Pieces
from engine.geometry.sight.clearance import from_path
from engine.geometry.sight.crossing import stretches_in
from engine.rulesets.muskets_mohawks.seeing.obstacles import touches
from engine.rulesets.muskets_mohawks.table.bodies import Body
from engine.rulesets.muskets_mohawks.table.broken_ground import wading
from engine.rulesets.muskets_mohawks.table.sheet import Sheet
from engine.rulesets.muskets_mohawks.vocabulary import MM_PER_INCH, state_of

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

#: The kinds of cover, in the order in which a tie is broken.
KINDS = ("woods", "prone", "building", "crest", "wall", "fieldworks", "gully", "creek", "ford")

#: The kinds that cover those who stand at them, from lines that cross them (R-08).
LOW = ("wall", "fieldworks")
_WATER = ("creek", "ford")
#: The kinds that cover those who stand in them, whatever the line.
INSIDE = ("woods", "gully", *_WATER)

_LOW_MM = 1 * MM_PER_INCH


def covers(sheet: Sheet, body: Body, origins: Array | None, *, fired_at: bool) -> Mapping[str, Mask]:
    """For each kind of cover, which of the figures (n,) have it.

    ``origins`` (n, 2) is where the line to each figure comes from (None: no line, so no crest or wall counts);
    ``fired_at``: prone figures count (for fire and the tests that it causes, never for charges).
    """
    state = state_of(body.unit)
    whole = np.ones(len(body), dtype=bool)
    found: dict[str, Mask] = {}
    if state.prone and fired_at:
        found["prone"] = whole
    if state.in_building is not None:
        found["building"] = whole
        return found
    for kind in INSIDE:
        inside = standing_in(sheet, body, kind)
        if inside.any():
            found[kind] = inside
    if origins is not None and len(body):
        found |= _against_lines(sheet, body, origins)
    return found


def any_cover(sheet: Sheet, body: Body) -> bool:
    """Whether any of the figures is covered from some line: in cover, or at a crest or a low obstacle."""
    if covers(sheet, body, None, fired_at=False):
        return True
    low = (piece for kind in LOW for piece in sheet.of_kind(kind))
    return any(touches(body.bases, crest).any() for crest in crests(sheet)) or any(
        within_an_inch(piece.shape, body.bases, body.centre).any() for piece in low
    )


def standing_in(sheet: Sheet, body: Body, kind: str) -> Mask:
    """(n,) which of the figures have their centre in terrain of a kind; ``woods`` takes in wooded hills.

    Who is on a bridge is not in the water under it.
    """
    inside = np.zeros(len(body), dtype=bool)
    for piece in sheet.of_kind(kind):
        inside |= wading(sheet, body, piece) if kind in _WATER else sheet.standing_in(body, piece)
    return inside


def _against_lines(sheet: Sheet, body: Body, origins: Array) -> dict[str, Mask]:
    found: dict[str, Mask] = {}
    for crest in crests(sheet):
        _note(found, "crest", over_crest(crest, body, origins) & touches(body.bases, crest))
    for kind in LOW:
        for piece in sheet.of_kind(kind):
            _note(found, kind, behind(piece.shape, body, origins))
    return found


def crests(sheet: Sheet) -> list[Array]:
    """The crest lines (k, 2) of the game's hills, in mm."""
    return [hill.crest for hill in sheet.of_kind("hill") if hill.crest is not None]


def over_crest(crest: Array, body: Body, origins: Array) -> Mask:
    """(n,) where the line from an origin (n, 2) to the figure crosses a crest line."""
    crossed, _ = from_path(crest, origins, body.centre)
    return crossed


def _note(found: dict[str, Mask], kind: str, mask: Mask) -> None:
    if mask.any():
        found[kind] = found.get(kind, np.zeros(len(mask), dtype=bool)) | mask


def within_an_inch(shape: Pieces, bases: Bases, centre: Array) -> Mask:
    """(n,) whose bases lie within an inch of a low obstacle: the only ones that can have cover from it."""
    near: Mask = to_segments(bases, *shape.edges(0)).min(axis=1) <= _LOW_MM + MM
    return near | shape.contains(centre)[:, 0]


def behind(shape: Pieces, body: Body, origins: Array) -> Mask:
    """(n,) where the line from an origin (n, 2) crosses a low obstacle within an inch of the figure's base."""
    covered = np.zeros(len(body), dtype=bool)
    near = np.flatnonzero(within_an_inch(shape, body.bases, body.centre))
    cut = stretches_in(shape, 0, origins[near], body.centre[near])
    some = np.flatnonzero(cut.inside.any(axis=1))
    last = cut.inside.shape[1] - 1 - cut.inside[some, ::-1].argmax(axis=1)
    crossing = near[some]
    start, along = origins[crossing], body.centre[crossing] - origins[crossing]
    ends = (start + cut.share[some, last + step][:, None] * along for step in (0, 1))
    covered[crossing] = each_to_segment(body.bases.pick(crossing), *ends) <= _LOW_MM + MM
    return covered


def kind_of_most(found: Mapping[str, Mask], count: int) -> str | None:
    """The kind that covers most figures, when more than half of ``count`` have cover of any kind; else None."""
    if not found or count == 0:
        return None
    covered = np.logical_or.reduce(list(found.values()))
    if 2 * int(covered.sum()) <= count:
        return None
    return max(KINDS, key=lambda kind: (int(found[kind].sum()) if kind in found else 0, -KINDS.index(kind)))
