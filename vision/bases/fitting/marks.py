"""Front marks: which way a base faces, told by the patch of another paint at the middle of its front edge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components

from calibration.camera import CameraModel
from vision.bases.picture.paint import Paint, features_of
from vision.bases.picture.profiles import Group, grouped, pixels_of, terms_of
from vision.bases.pixels import Placed
from vision.bases.shapes import turned
from vision.bases.usual import UsualMarks
from vision.light import Light
from vision.lookups import looked_up

__all__ = ["Facing", "MarkPaint", "facings"]

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

_WIDE_MM, _DEEP_MM = 4.0, 3.0  # the painted patch
_ACROSS = np.linspace(-0.36, 0.36, 5) * _WIDE_MM  # so far to either side a mark is looked for
_STEP_DEG = 3.0
_MARK_PX = 0.085  # how well the middle of the sharpest mark is seen
_WITHIN_MM = (0.17 * _DEEP_MM, 0.5 * _DEEP_MM, 0.8 * _DEEP_MM)  # depths at which a mark is looked for
_BEYOND_MM, _SPILLED = (-1.8, -2.8), 0.8  # what is beyond the edge may be so much like it as the mark itself
_BEHIND_MM = (4.2, 6.0)  # depths at which a mark has ended, and a figure of its colour has not
_CLEAR_ROUND, _CLEAR_RECT = 0.16, 0.24  # by which a mark must beat every other place on the rim
_OTHERS = 0.5  # what other places on a round rim show above the usual, a mark must show so much more
_USUAL_LEAD = 0.1  # of an army's marks, the median: shadows and boots lead by less, now and then by more
_LEAST_SHOWN = 0.09  # how much like a mark an army's clear ones must usually look: what looks like none is none
_OF_USUAL = 0.4  # of what its clear marks usually show
_MORE, _LEAST_MORE = 0.5, 0.2  # of that, and at least: what shows so much more is a figure's, or a tag's
_FIGURE_MM, _LEANS_DEG, _ITS_EDGE_MM = (
    40.0,
    30.0,
    4.0,
)  # figures up to so tall hide the edge towards which they lean
_PLAINLY = 0.75  # of what is usual for marks: what is seen there leads and shows so much, or is a hat
_IN_LINE_MM = 60.0  # … and on a round base, so near to it another faces as it does: a white hat looks like any mark
_DIM = 0.05  # the lead of a mark that those beside the base must bear out
_BESIDE_MM = 12.0  # gap to those who stand beside
_ALIKE_DEG, _OTHERWISE_DEG = 30.0, 60.0
_LIKE_THEM_DEG = 15.0  # what is dim must face as one of a formed line does
_ASTRAY_DEG = 75.0  # from most of a unit; in a mob some face otherwise
_BACKED_BY = 3  # so many of a unit for each that strays from it decide where neighbours stand one against one
_OF_UNIT = 0.2  # the least share of a unit whose marks are clear


@dataclass(frozen=True, eq=False)
class MarkPaint:
    """A mark's paint told from the rim's paint, and from the ground's."""

    from_rim: Paint
    from_ground: Paint

    def likeness(self, features: NDArray[np.float32]) -> Floats:
        """0 where it is either rim or ground, 1 on the mark: the lesser of both likenesses."""
        return np.minimum(self.from_rim.likeness(features), self.from_ground.likeness(features)).astype(np.float64)


@dataclass(frozen=True)
class Facing:
    """A bearing with its sigma, or neither, and how clearly the mark was seen: its lead over the next best place,
    and how much like a mark the best one looks."""

    bearing_deg: float | None
    sigma_deg: float | None
    lead: float
    shown: float = 0.0


def facings(
    bases: Sequence[Placed],
    axis_sigma_deg: Floats,
    mark: MarkPaint,
    frame_bgr: NDArray[np.uint8],
    light: Light,
    camera: CameraModel,
    usual: UsualMarks | None = None,
) -> tuple[list[Facing], UsualMarks]:
    """The facing of each base, None where no mark is clearly seen; and what is usual for these marks, if it is not
    known already.

    ``axis_sigma_deg`` (N,) is how well each rectangle's sides tell its bearing, and how much each round base's
    centre adds to the uncertainty of a mark's direction. A mark that is seen but dimly is believed where those that
    stand beside the base face the same way, and a clear one is not where they, or most of its unit, face another.
    Where an army's marks are mostly not seen, what a few of its bases show is none; nor is what shows much less of
    a mark than the others do. Where a figure's head may be seen over the edge, little less is enough for that, and
    on a round base, whose sides tell nothing, another near it must face as it does.
    """
    own = _alone(bases, axis_sigma_deg, mark, frame_bgr, light, camera)
    clear = np.array([_clear(f, b) for f, b in zip(own, bases, strict=True)], dtype=bool)
    usual = usual or _usual(own, clear)
    shown = np.array([f.shown for f in own])
    clear &= usual.shown is not None and usual.lead >= _USUAL_LEAD and usual.shown >= _LEAST_SHOWN
    clear &= shown > _OF_USUAL * (usual.shown or 0.0)
    clear &= shown < (usual.shown or 0.0) + max(_MORE * (usual.shown or 0.0), _LEAST_MORE)
    lead = np.array([f.lead for f in own])
    plainly = (lead > _PLAINLY * usual.lead) & (shown > _PLAINLY * (usual.shown or 0.0))
    clear &= (plainly & _in_company(bases, own, clear)) | ~_behind_heads(bases, own, camera)
    believed = believable(bases, own, clear)
    told = [f if yes else Facing(None, None, f.lead) for f, yes in zip(own, believed, strict=True)]
    return told, usual


def _behind_heads(bases: Sequence[Placed], own: Sequence[Facing], camera: CameraModel) -> Mask:
    """Over which of the edges (N,) where marks were seen a figure's head may lean, away from the camera's foot."""
    eye = camera.position_mm
    off = np.array([[b.x_mm - eye[0], b.y_mm - eye[1], eye[2] - b.z_mm] for b in bases]).reshape(-1, 3)
    bearing = np.array([f.bearing_deg if f.bearing_deg is not None else np.nan for f in own])
    astray = np.abs((bearing - np.rad2deg(np.arctan2(off[:, 0], off[:, 1])) + 180) % 360 - 180)
    leans_mm = _FIGURE_MM * np.hypot(off[:, 0], off[:, 1]) / off[:, 2]
    edge_mm = np.array([b.outline.half_depth_mm for b in bases]) - _ITS_EDGE_MM
    return np.asarray((astray < _LEANS_DEG) & (leans_mm > edge_mm), dtype=np.bool_)


def _in_company(bases: Sequence[Placed], own: Sequence[Facing], clear: Mask) -> Mask:
    """Which bases (N,) are rectangles, or face as another near them does whose mark is ``clear`` (N,)."""
    rectangles = np.array([not base.outline.round_ for base in bases], dtype=np.bool_)
    like_others = (_near(bases, _IN_LINE_MM) & (_turns_deg(own) < _ALIKE_DEG) & clear).any(axis=1)
    return np.asarray(rectangles | like_others, dtype=np.bool_)


def believable(bases: Sequence[Placed], own: Sequence[Facing], clear: Mask) -> Mask:
    """Which marks (N,) are believed, of which some are ``clear`` (N,): not against those that stand beside the
    base, nor against most of its unit, nor where hardly any of that is seen: what a few of many show are hats.

    Where as many beside it face as it does as face otherwise, its unit decides: it is the others who stray if
    nearly all of that face as it does. A dim one is not believed without such as are believed themselves.
    """
    turn = _turns_deg(own)
    alike = turn < _ALIKE_DEG
    beside, unit = _company(bases)
    agree, against = (np.count_nonzero(beside & which & clear, axis=1) for which in (alike, turn > _OTHERWISE_DEG))
    of_unit, strays = (np.count_nonzero(unit & which & clear, axis=1) for which in (alike, turn > _ASTRAY_DEG))
    of_all = (np.count_nonzero(unit & clear, axis=1) + 1) / (np.count_nonzero(unit, axis=1) + 1)
    backed = (agree >= against) & (of_unit >= _BACKED_BY * np.maximum(strays, 1))
    surely = clear & ((agree >= 2 * against) | backed) & (of_unit >= strays) & (of_all >= _OF_UNIT)
    kin, others = turn < _LIKE_THEM_DEG, turn > _OTHERWISE_DEG
    agree, against = (np.count_nonzero(beside & which & surely, axis=1) for which in (kin, others))
    dimly = np.array([f.lead > _DIM for f in own], dtype=bool) & ~clear & (agree > 2 * against)
    return np.asarray(surely | dimly, dtype=np.bool_)


def _company(bases: Sequence[Placed]) -> tuple[Mask, Mask]:
    """Which of the others (N, N) stand beside each base; and which are of its unit: of its kind, and beside it or
    beside others that are."""
    kinds = list(dict.fromkeys(b.outline for b in bases))
    kind = np.array([kinds.index(b.outline) for b in bases], dtype=np.intp)
    beside = _near(bases, _BESIDE_MM)
    _, unit = connected_components(beside & (kind[:, None] == kind))
    return beside, (unit[:, None] == unit) & ~np.eye(len(bases), dtype=bool)


def _near(bases: Sequence[Placed], gap_mm: float) -> Mask:
    """Which of the others (N, N) stand nearer to each base than such a gap."""
    centre = np.array([[b.x_mm, b.y_mm] for b in bases]).reshape(-1, 2)
    reach = np.array([b.outline.reach_mm for b in bases])
    gap = np.hypot(*(centre[:, None] - centre).transpose(2, 0, 1)) - reach[:, None] - reach
    return np.asarray((gap < gap_mm) & ~np.eye(len(bases), dtype=bool))


def _turns_deg(own: Sequence[Facing]) -> Floats:
    """By how much (N, N) bases face otherwise than each other."""
    bearing = np.array([f.bearing_deg if f.bearing_deg is not None else 0.0 for f in own])
    return np.asarray(np.abs((bearing[:, None] - bearing + 180) % 360 - 180))


def _usual(own: Sequence[Facing], clear: Mask) -> UsualMarks:
    """What is usual for the marks of an army's bases of which these (N,) are clear."""
    shown = [f.shown for f, one in zip(own, clear, strict=True) if one]
    return UsualMarks(
        float(np.median([f.lead for f in own])) if own else 0.0, float(np.median(shown)) if shown else None
    )


def _clear(facing: Facing, base: Placed) -> bool:
    """Whether a mark leads every other place by enough to be believed alone."""
    return facing.lead > (_CLEAR_ROUND if base.outline.round_ else _CLEAR_RECT)


def _alone(
    bases: Sequence[Placed],
    axis_sigma_deg: Floats,
    mark: MarkPaint,
    frame_bgr: NDArray[np.uint8],
    light: Light,
    camera: CameraModel,
) -> list[Facing]:
    """Where each base's best mark is, whatever the others'."""
    own = [Facing(None, None, 0.0)] * len(bases)
    for group in grouped(list(bases)):
        round_ = group.outline.round_
        turns = np.arange(0.0, 360.0, _STEP_DEG if round_ else group.outline.turn_deg)
        scores = _scores(group, turns, mark, frame_bgr, light, camera)
        scales = camera.px_per_mm(np.column_stack([group.x, group.y, group.z]))
        best = (group.bearing + turns[scores.argmax(axis=1)]) % 360
        spilled = _spilled(replace(group, bearing=best), mark, frame_bgr, light, camera)
        sigmas = axis_sigma_deg[group.number]
        if round_:
            told = _round(group, turns, scores, scales, sigmas)
        else:
            told = [
                _rectangle((b + turns) % 360, s, float(o))
                for b, s, o in zip(group.bearing, scores, sigmas, strict=True)
            ]
        for number, facing, spills in zip(group.number, told, spilled, strict=True):
            own[number] = replace(facing, lead=0.0) if spills else facing
    return own


def _round(
    group: Group, turns_deg: Floats, scores: Floats, px_per_mm: Floats, centre_sigma_deg: Floats
) -> list[Facing]:
    """The directions of the marks on round rims (N,): the peaks of their profiles (N, T), and the centres of those.

    Each is as uncertain as the mark's place on the rim, and, seen from the mark, the rim's centre.
    """
    radius, count = group.outline.half_width_mm, len(turns_deg)
    best = scores.argmax(axis=1)
    about = np.take_along_axis(scores, (best[:, None] + np.arange(count)) % count, axis=1)
    off = (turns_deg + 180) % 360 - 180
    wide = float(np.rad2deg(_WIDE_MM / radius))
    near = np.abs(off) <= wide
    rival = about[:, np.abs(off) > 1.6 * wide].max(axis=1)
    top, usual = about[:, 0], np.median(scores, axis=1)
    weight = np.maximum(about[:, near] - np.maximum(top - 0.6 * (top - usual), rival)[:, None], 1e-6)
    bearing = (group.bearing + turns_deg[best] + weight @ off[near] / weight.sum(axis=1)) % 360
    along = np.rad2deg(_MARK_PX / px_per_mm / radius) / np.clip(top - rival, 0.25, 1.0)
    lead = top - rival - _OTHERS * np.maximum(rival - usual, 0.0)
    told = np.column_stack([bearing, np.hypot(along, centre_sigma_deg), lead, top])
    return [Facing(*row) for row in told.tolist()]


def _rectangle(bearings: Floats, scores: Floats, axis_sigma_deg: float) -> Facing:
    """Which of a rectangle's ends is its front."""
    order = np.argsort(-scores)
    best, next_ = float(scores[order[0]]), float(scores[order[1]])
    return Facing(float(bearings[order[0]]), axis_sigma_deg, best - next_, best)


def _scores(
    group: Group,
    turns_deg: Floats,
    mark: MarkPaint,
    frame_bgr: NDArray[np.uint8],
    light: Light,
    camera: CameraModel,
) -> Floats:
    """How much a mark is seen (N, T) at the middle of bases' front edges, turned so far from where they stand."""
    depths = (*_WITHIN_MM, *_BEHIND_MM)
    look = _round_about if group.outline.round_ else _like
    like = look(group, turns_deg, depths, mark, frame_bgr, light, camera)
    front = like[:, :, : len(_WITHIN_MM)].mean(axis=2)
    back = np.maximum(like[:, :, len(_WITHIN_MM) :].mean(axis=2), 0.0)
    return np.asarray(front - 0.5 * back)


def _round_about(
    group: Group,
    turns_deg: Floats,
    depths_mm: Sequence[float],
    mark: MarkPaint,
    frame_bgr: NDArray[np.uint8],
    light: Light,
    camera: CameraModel,
) -> Floats:
    """As `_like`, for turns evenly all round a round base: patches so near to each other share what they show."""
    radius, count = group.outline.half_width_mm, len(turns_deg)
    fine = int(np.ceil(2 * np.pi * radius / count / (_ACROSS[1] - _ACROSS[0])))
    angle = np.arange(count * fine) * (2 * np.pi / (count * fine))
    reach = radius - np.array(depths_mm)
    places = np.stack([np.sin(angle)[:, None] * reach, np.cos(angle)[:, None] * reach], axis=-1).reshape(-1, 2)
    ring = _seen_like(group, places, mark, frame_bgr, light, camera).reshape(len(group), -1, len(depths_mm))
    steps = _ACROSS / radius * (len(angle) / (2 * np.pi))
    low = np.floor(steps).astype(np.intp)
    like = np.zeros((len(group), count, len(depths_mm)))
    for step, share in zip(low, steps - low, strict=True):
        for by, part in ((step, 1 - share), (step + 1, share)):
            like += part / len(_ACROSS) * ring[:, (np.arange(count) * fine + by) % len(angle)]
    return like


def _spilled(
    group: Group, mark: MarkPaint, frame_bgr: NDArray[np.uint8], light: Light, camera: CameraModel
) -> Mask:
    """At which (N,) of the front edges there is as much like a mark beyond the edge: a shadow that lies across it,
    or the mark of the base in front. A mark of its own ends where the base does."""
    like = _like(group, np.zeros(1), (*_WITHIN_MM, *_BEYOND_MM), mark, frame_bgr, light, camera)[:, 0]
    front, beyond = like[:, : len(_WITHIN_MM)].mean(axis=1), like[:, len(_WITHIN_MM) :].mean(axis=1)
    return np.asarray(beyond > _SPILLED * np.maximum(front, 0.0))


def _like(
    group: Group,
    turns_deg: Floats,
    depths_mm: Sequence[float],
    mark: MarkPaint,
    frame_bgr: NDArray[np.uint8],
    light: Light,
    camera: CameraModel,
) -> Floats:
    """How much like a mark (N, T, D) the middle of bases' front edges is, at depths from it, turned so far."""
    side, depth = np.meshgrid(_ACROSS, np.array(depths_mm))
    patch = np.column_stack([side.ravel(), group.outline.half_depth_mm - depth.ravel()])
    places = turned(patch[None], turns_deg[:, None]).reshape(-1, 2)
    like = _seen_like(group, places, mark, frame_bgr, light, camera)
    return np.asarray(like.reshape(len(group), len(turns_deg), len(depths_mm), len(_ACROSS)).mean(axis=3))


def _seen_like(
    group: Group,
    places: Floats,
    mark: MarkPaint,
    frame_bgr: NDArray[np.uint8],
    light: Light,
    camera: CameraModel,
) -> Floats:
    """How much like a mark bases look at places (S, 2) of their own frames: (N, S)."""
    seen = looked_up(frame_bgr, pixels_of(group, camera, terms_of(group.outline, places)))
    middle = camera.project(np.column_stack([group.x, group.y, group.z + group.outline.height_mm]))
    return mark.likeness(features_of(light.reflectance_about(seen, np.nan_to_num(middle))))
