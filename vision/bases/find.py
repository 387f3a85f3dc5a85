"""All bases with painted rims in one frame: found, told which way they face, and how sure that is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from msgspec import UNSET
from numpy.typing import NDArray

from calibration.camera import CameraModel
from calibration.prints.markers import FoundMarker
from calibration.records import Army, Table
from vision.bases.armies import Claim, divided
from vision.bases.claiming import claims_of, nobody_of
from vision.bases.fitting.doubt import circular
from vision.bases.fitting.marks import Facing, MarkPaint, facings
from vision.bases.glare import in_glare
from vision.bases.picture.in_sight import in_sight
from vision.bases.picture.lamp import Lamp
from vision.bases.picture.paint import Paint, expected_features, paint_of
from vision.bases.picture.plane import Ground
from vision.bases.picture.scene import Scene
from vision.bases.pixels import Placed
from vision.bases.regrouping.beyond import painted_beyond
from vision.bases.regrouping.likewise import Kin, likewise
from vision.bases.regrouping.made_full import made_full
from vision.bases.regrouping.midway import midway
from vision.bases.regrouping.ruled import ruled
from vision.bases.regrouping.solid import solid
from vision.bases.search import Found, usual_of
from vision.bases.usual import UNKNOWN, Known, Section, Usual
from vision.bases.weighing.bordered import but_borderless
from vision.bases.weighing.choose import clear_of
from vision.bases.weighing.confidence import LIKELY, confidence_in_ranks, less_likely, widened
from vision.bases.weighing.judged import fitted_together
from vision.bases.weighing.lamplight import lamp_of
from vision.bases.weighing.like_terrain import beside_what_looks_painted
from vision.bases.weighing.section import section_of
from vision.chroma import chroma_blur_px, with_sharp_chroma
from vision.light import estimate_light
from vision.records import BaseSeen

__all__ = ["find_bases", "look_for_bases"]

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]

_HEIGHT_MM = 0.22  # so well is it known at what height what is seen as the rim lies (measured on drawn tables)
_AXIS = 1.5  # a turn errs more than the places along the sides do: its variance is so many times theirs
_LEAST_AXIS_DEG, _LEAST_MARK_DEG = 0.4, 0.6  # no side is cut, and no mark is painted, straighter than this
_LAMPS, _AGAIN = 2, 6  # so often the lamp is told, the bases being fitted in its light; and rounds of such a fit
_TELL = 6  # bases of an army tell what it looks like from top to mat
_RIVAL_ARMIES_MM = 1.5  # bases of two armies may run into each other by twice this


def find_bases(
    frame_bgr: Image,
    camera: CameraModel,
    table: Table,
    ground: Ground,
    found: Sequence[FoundMarker],
    within: NDArray[np.bool_] | None = None,
) -> list[BaseSeen]:
    """The bases of every army of the table in a frame (H, W, 3), on the ground as ``ground`` knows it.

    ``found`` are the printed markers and tags seen in it: their paper tells the light, and they are no bases.
    Where ``within`` (H, W) is given, only rims that lie there are looked for. What a clear rim is, is told from
    those of its army, so some that stand well in sight must be among them.
    """
    return look_for_bases(frame_bgr, camera, table, ground, found, within)[0]


def look_for_bases(
    frame_bgr: Image,
    camera: CameraModel,
    table: Table,
    ground: Ground,
    found: Sequence[FoundMarker],
    within: NDArray[np.bool_] | None = None,
    known: Known = UNKNOWN,
) -> tuple[list[BaseSeen], Known]:
    """The bases as `find_bases` has them, and what they tell a look at a part of a later frame.

    What is ``known`` by such a look at all of an earlier frame need not be found out again: then any bases at all,
    or none, may lie ``within``.
    """
    light = estimate_light(frame_bgr, found)
    blur_px = chroma_blur_px(frame_bgr) if known.chroma_blur_px is None else known.chroma_blur_px
    sharp = with_sharp_chroma(frame_bgr, blur_px, within)
    scene = Scene(sharp, camera, ground, light, tuple(found), table, within, known.background, known.surfaces)
    armies = [
        (army, _paint(scene, army.name, colour, known))
        for army in table.armies
        if (colour := army.base_colour) is not UNSET and army.bases
    ]
    seen: list[tuple[Placed, BaseSeen]] = []
    usual = dict(known.armies)
    there, lamp = _in_lamplight(scene, _there(scene, armies, known), known)
    standing = _standing(scene, [*there, *in_glare(scene, there, known.armies)])
    standing += _nobody(scene, standing, known)
    sections = _sections(scene, standing, known)
    full = list(_full(scene, _alike(scene, standing, sections)))
    for claim, likely in _bordered(scene, _midway(scene, full, sections)):
        if not claim.fit.placed:
            continue
        name = claim.army.name
        own, usual[name] = _report(scene, claim, likely, usual.get(name), sections.get(name))
        seen += zip(claim.fit.placed, own, strict=True)
    order = sorted(range(len(seen)), key=lambda k: -seen[k][1].confidence)
    kept = clear_of([seen[k][0] for k in order], _RIVAL_ARMIES_MM)
    told = Known(scene.background, scene.surfaces, blur_px, usual, lamp)
    return [seen[k][1] for k in sorted(order[k] for k in kept)], told


def _in_lamplight(scene: Scene, claims: Sequence[Claim], known: Known) -> tuple[list[Claim], Lamp | None]:
    """The claims with their bases fitted once more, with the shadows that they cast beside themselves, and the lamp
    that makes those, where there is one.

    A base's shadow seems to belong to a dark rim, and to cut into a pale one: it would draw the base aside.
    """
    lamp, out = known.lamp, list(claims)
    for _ in range(1 if known.armies else _LAMPS):
        lamp = lamp if known.armies else lamp_of(scene, [claim.fit for claim in out], lamp)
        if lamp is None:
            return list(claims), None
        out = [_refitted(scene, claim, lamp, shared=not known.armies) for claim in out]
    return out, lamp


def _refitted(scene: Scene, claim: Claim, lamp: Lamp, *, shared: bool) -> Claim:
    """A claim with its bases where they are fitted best in a lamp's light.

    What they all share is told anew where it is ``shared``: the few of a part tell it less well than all did.
    """
    old = claim.fit
    now = fitted_together(
        scene, old.placed, old.contrast, claim.paint, old.look, _AGAIN, soft_mm=0.0, shared=shared, lamp=lamp
    )
    return replace(claim, fit=replace(old, placed=now.placed, spread=now.spread, look=now.look))


def _there(scene: Scene, armies: Sequence[tuple[Army, Paint]], known: Known) -> list[Claim]:
    """The bases of those armies that are there, as fitted."""
    claims = claims_of(scene, armies, armies, known)
    there = divided(claims)
    if known.armies:
        return there
    left = [(claim.army, claim.paint) for claim in there]
    away = [paint for army, paint in armies if all(army is not other for other, _ in left)]
    again = [pair for pair in left if any(paint.is_like(pair[1].paint) for paint in away)]
    if again:  # what is not there may have kept some from these
        others = [claim for claim in claims if any(claim.army is army for army, _ in left)]
        others = [claim for claim in others if all(claim.army is not army for army, _ in again)]
        there = divided([*claims_of(scene, again, left, known), *others])
    return there


def _standing(scene: Scene, claims: Sequence[Claim]) -> list[tuple[Claim, Floats]]:
    """The claims, and how likely each base (N,) is, without what lies beside the table or over the edge of a hill,
    what rather stands otherwise and what is no ring: they tell of an army that is not there, but are no bases."""
    kept = []
    for claim in claims:
        likely = less_likely(confidence_in_ranks(claim.fit), painted_beyond(scene, claim.fit, claim.paint))
        on = scene.on_table([[p.x_mm, p.y_mm] for p in claim.fit.placed]) & scene.carries(claim.fit.placed)
        on &= (likely >= LIKELY) & ~solid(scene, claim.fit, claim.paint)
        on &= ~ruled(scene, claim.fit, claim.paint) & in_sight(scene, claim.fit.placed)
        if on.any():
            kept.append((replace(claim, fit=claim.fit.taken(np.flatnonzero(on).tolist())), likely[on]))
    return kept


def _nobody(scene: Scene, standing: Sequence[tuple[Claim, Floats]], known: Known) -> list[tuple[Claim, Floats]]:
    """Claims of nobody for the armies that are known, but of which none stands here: their paint alone may tell
    none of those who were told by the others of their army."""
    there = {claim.army.name for claim, _ in standing}
    claims = []
    for army in scene.table.armies:
        usual = known.armies.get(army.name)
        if army.name not in there and usual is not None and usual.section is not None:
            others = [one.paint for name, one in known.armies.items() if name != army.name]
            claims.append((nobody_of(scene, army, usual, others), np.zeros(0)))
    return claims


def _sections(scene: Scene, standing: Sequence[tuple[Claim, Floats]], known: Known) -> dict[str, Section]:
    """What the usual base of each army shows from top to mat, where so many tell it, or as it is known."""
    told = {name: usual.section for name, usual in known.armies.items() if usual.section is not None}
    for claim, _ in standing:
        off = scene.off_the_mat(claim.fit.placed)
        if claim.army.name not in {*known.armies, *told} and np.count_nonzero(~off) >= _TELL:
            on = [base for base, elsewhere in zip(claim.fit.placed, off.tolist(), strict=True) if not elsewhere]
            told[claim.army.name] = section_of(scene, on, claim.paint, claim.fit.look)
    return told


def _alike(
    scene: Scene, standing: Sequence[tuple[Claim, Floats]], sections: Mapping[str, Section]
) -> list[tuple[Claim, Floats]]:
    """The claims, and how likely each base (N,) is, with those that look as these do from top to mat."""
    kin = [
        Kin(
            claim.paint,
            claim.fit,
            likely,
            sections.get(claim.army.name),
            claim.hopeful,
            beside_what_looks_painted(scene, claim.paint, claim.beside_its_own),
        )
        for claim, likely in standing
    ]
    return [
        (replace(claim, fit=fit), likely)
        for (claim, _), (fit, likely) in zip(standing, likewise(scene, kin), strict=True)
    ]


def _full(scene: Scene, standing: Sequence[tuple[Claim, Floats]]) -> Iterator[tuple[Claim, Floats]]:
    """The claims, and how likely each base (N,) is, with those that only their blocks tell."""
    for claim, likely in standing:
        others = [base for other, _ in standing if other is not claim for base in other.fit.placed]
        fit, likely_too = made_full(scene, claim.fit, likely, claim.paint, others, claim.beside_its_own)
        yield replace(claim, fit=fit), likely_too


def _midway(
    scene: Scene, standing: Sequence[tuple[Claim, Floats]], sections: Mapping[str, Section]
) -> Iterator[tuple[Claim, Floats]]:
    """The claims, and how likely each base (N,) is, with bases between where paint and section have them."""
    for claim, likely in standing:
        section = sections.get(claim.army.name)
        others = [base for other, _ in standing if other is not claim for base in other.fit.placed]
        fit = claim.fit if section is None else midway(scene, claim.fit, claim.paint, section, others)
        yield replace(claim, fit=fit), likely


def _bordered(scene: Scene, standing: Iterable[tuple[Claim, Floats]]) -> Iterator[tuple[Claim, Floats]]:
    """The claims, and how likely each base (N,) is, without those in doubt that show no rim."""
    for claim, likely in standing:
        fit, likely_too = but_borderless(scene, claim.fit, likely, claim.paint)
        yield replace(claim, fit=fit), likely_too


def _paint(scene: Scene, army: str, colour: str, known: Known) -> Paint:
    """What tells the paint of an army, which is of such a colour, from this table."""
    if army in known.armies:
        return known.armies[army].paint
    return paint_of(expected_features(colour), scene.background)


def _report(
    scene: Scene, claim: Claim, likely: Floats, known: Usual | None, section: Section | None
) -> tuple[list[BaseSeen], Usual]:
    """What was fitted and is so ``likely`` (N,), as records, and what is usual for the army, if that is not
    ``known``."""
    army, fit, paint = claim.army, claim.fit, claim.paint
    tops = np.array([[p.x_mm, p.y_mm, p.z_mm + p.outline.height_mm] for p in fit.placed])
    camera_part = scene.camera.plane_covariance(scene.camera.project(tops), tops[:, 2], 0.0)
    sigma = widened(circular(fit.covariance[:, :2, :2] + camera_part + _slanted(scene, tops)), likely)
    axis_sigma = _axis_sigma_deg(fit, sigma)
    marks = None
    if army.front_mark is not UNSET:
        mark = MarkPaint(
            _between(expected_features(army.front_mark), paint.paint, paint),
            _between(expected_features(army.front_mark), paint.ground.astype(np.float64), paint),
        )
        told = None if known is None else known.marks
        faces, marks = facings(fit.placed, axis_sigma, mark, scene.frame, scene.light, scene.camera, told)
    else:
        faces = [
            Facing(None, None, 0.0) if p.outline.round_ else Facing(p.bearing_deg, float(s), 0.0)
            for p, s in zip(fit.placed, axis_sigma, strict=True)
        ]
    usual = known or usual_of(fit, paint, marks, section)
    seen = []
    for k, base in enumerate(fit.placed):
        seen.append(
            BaseSeen(
                army=army.name,
                base=base.outline.name,
                x_mm=base.x_mm,
                y_mm=base.y_mm,
                z_mm=base.z_mm,
                bearing_deg=faces[k].bearing_deg,
                sigma_mm=float(sigma[k]),
                bearing_sigma_deg=faces[k].sigma_deg,
                confidence=float(likely[k]),
                axis_deg=UNSET
                if base.outline.round_ or faces[k].bearing_deg is not None
                else base.bearing_deg % 180.0,
            )
        )
    return seen, usual


def _axis_sigma_deg(fit: Found, sigma_mm: Floats) -> Floats:
    """How well (N,) the sides tell a rectangle's bearing; on a round base, what the direction from the centre to a
    mark owes to the centre, of these ``sigma_mm`` (N,)."""
    round_ = np.array([p.outline.round_ for p in fit.placed], dtype=bool)
    radius = np.array([p.outline.half_width_mm for p in fit.placed])
    turn = np.where(
        round_, np.rad2deg(sigma_mm / radius), np.sqrt(_AXIS * np.maximum(fit.covariance[:, 2, 2], 0.0))
    )
    return np.asarray(np.hypot(turn, np.where(round_, _LEAST_MARK_DEG, _LEAST_AXIS_DEG)), dtype=np.float64)


def _slanted(scene: Scene, tops: Floats) -> Floats:
    """The covariances (N, 2, 2) of the tops' places (N, 3) by what a slanting view makes of heights.

    How the upright side is lit, and what leans over the rim from within, moves the rim up or down a little.
    """
    eye = scene.camera.position_mm
    slant = (eye[:2] - tops[:, :2]) / (eye[2] - tops[:, 2:])
    return np.asarray(_HEIGHT_MM**2 * slant[:, :, None] * slant[:, None, :], dtype=np.float64)


def _between(paint: Floats, ground: Floats, like: Paint) -> Paint:
    """A likeness along the straight line from ``ground`` to ``paint``."""
    line = paint - ground
    weights = line / max(float(line @ line), 1e-6)
    return replace(like, weights=weights.astype(np.float32), ground=ground.astype(np.float32), paint=paint)
