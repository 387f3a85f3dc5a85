"""Where the camera hangs: its pose from whatever table markers it sees, with those that do not fit refused.

Every three markers propose a pose; the pose that most markers agree with is fitted to those alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import CameraModel, HeldOut
from calibration.errors import JobFailed
from calibration.optics import camera_matrix, lens_for
from calibration.poses.heldout import held_out, moved_markers
from calibration.poses.posefit import Pose, Sighting, fit_pose, misses_mm, misses_px
from calibration.prints.markers import FoundMarker, corners_on_table
from calibration.records import Intrinsics, Table

__all__ = ["LEAST_MARKERS", "sightings", "solve_pose"]

Points = NDArray[np.float64]

LEAST_MARKERS = 3

_AGREE_MM = 6.0  # markers put down with a tape measure are right to this
_AGREE_PX = 3.0
_AGREE_CORNERS = 0.12  # how far corners may stray from where the centre puts them, as a share of the side
_AGREE_CORNERS_OF_THREE = 0.02  # with three markers only the corners can tell that one was moved
_MOST_TRIPLES = 120
_FOCAL_SHARES = (0.55, 0.7, 0.85, 1.05, 1.3, 1.7)  # of the picture's longer side: what lenses are likely to be
_SURE = 4.5  # a marker that is this many times the usual error off is refused
_LEAST_ERROR_PX = 0.3  # no error below this is held against a marker
_CLEARLY = 4.0  # a held-out marker so many sigmas off its place disagrees with the others …
_CLEARLY_MM, _CLEARLY_GUESSED_MM = 1.0, 8.0  # … if it is off by more than this, with a lens file and without
_FAR_MM = 1000.0  # no figure is given for a marker that lies farther off than this


def solve_pose(
    found: Sequence[FoundMarker], table: Table, intrinsics: Intrinsics | None, size_px: tuple[int, int]
) -> CameraModel:
    """The camera, from the table markers among those found in a picture of ``size_px`` (width, height).

    Without intrinsics the focal length, and with four markers or more one coefficient of distortion, are estimated
    from the markers and the lens taken as centred; ``warnings`` of the model says so, and names refused markers.
    Raises JobFailed where fewer than three table markers agree, UnusableFile where the lens is for another shape.
    """
    seen = sightings(found, table)
    if len({s.id for s in seen}) < LEAST_MARKERS:
        raise JobFailed(_too_few(seen, table))
    free = intrinsics is None
    lenses = [lens_for(intrinsics, size_px)] if intrinsics is not None else _likely_lenses(size_px)
    pose = _consensus(seen, lenses)
    used = _agreeing(seen, pose) if pose is not None else []
    for _ in range(len(seen)):
        if pose is None or len(used) < LEAST_MARKERS:
            raise JobFailed(_disagreement(seen, used))
        pose = fit_pose(used, pose.lens, pose.vector, free_lens=free)
        again = _unmoved(_sure(seen, used, pose), pose, free_lens=free)
        if [id(s) for s in again] == [id(s) for s in used]:
            break
        used = again
    assert pose is not None
    if len(used) < LEAST_MARKERS or (len(used) == LEAST_MARKERS and not _three_agree(used, pose)):
        raise JobFailed(_disagreement(seen, used))
    return _camera(pose, seen, used, intrinsics, size_px)


def sightings(found: Iterable[FoundMarker], table: Table) -> list[Sighting]:
    """The markers found that the table lists, with their places."""
    places = {marker.id: corners_on_table(marker, table.markers.size_mm) for marker in table.markers.at}
    return [Sighting(places[f.id], f) for f in found if f.id in places]


def _likely_lenses(size_px: tuple[int, int]) -> list[Intrinsics]:
    width, height = size_px
    return [
        Intrinsics(
            width_px=width,
            height_px=height,
            fx=share * max(size_px),
            fy=share * max(size_px),
            cx=(width - 1) / 2,
            cy=(height - 1) / 2,
        )
        for share in _FOCAL_SHARES
    ]


def _consensus(seen: Sequence[Sighting], lenses: Sequence[Intrinsics]) -> Pose | None:
    """The pose that most markers agree with, nearest on a tie; None where no three have a pose at all."""
    together = max(
        (pose for lens in lenses for pose in _proposals(seen, lens)), key=lambda p: _merit(seen, p), default=None
    )
    if together is not None and len(_agreeing(seen, together)) == len(seen):
        return together
    best = _best_of_triples(seen, lenses)
    if best is None:
        return None
    polished = fit_pose(_agreeing(seen, best) or seen, best.lens, best.vector)
    return max((best, polished), key=lambda pose: _merit(seen, pose))


def _best_of_triples(seen: Sequence[Sighting], lenses: Sequence[Intrinsics]) -> Pose | None:
    triples = [t for t in combinations(seen, LEAST_MARKERS) if len({s.id for s in t}) == LEAST_MARKERS]
    most = max(_MOST_TRIPLES // len(lenses), 1)
    tried = triples[:: -(-len(triples) // most)]
    poses = (pose for lens in lenses for triple in tried for pose in _proposals(triple, lens))
    return max(poses, key=lambda pose: _merit(seen, pose), default=None)


def _proposals(seen: Sequence[Sighting], lens: Intrinsics) -> list[Pose]:
    world = np.concatenate([s.corners_mm for s in seen])
    pixels = np.concatenate([s.found.corners_px for s in seen])
    try:
        count, turns, shifts, _ = cv2.solvePnPGeneric(
            world[:, None, :],
            pixels[:, None, :],
            camera_matrix(lens),
            np.array(lens.dist),
            flags=cv2.SOLVEPNP_SQPNP,
        )
    except cv2.error:
        return []
    vectors = [np.concatenate([np.ravel(turns[i]), np.ravel(shifts[i])]) for i in range(count)]
    return [Pose(lens, v, 0.0, np.zeros((6, 6))) for v in vectors if np.isfinite(v).all()]


def _merit(seen: Sequence[Sighting], pose: Pose) -> tuple[int, float]:
    """How many markers agree with a pose, and how little they are off in all (more is better)."""
    centre, corners = misses_px(seen, pose)
    limit = _limits(seen, pose)
    agree = _agree(seen, centre, corners, limit)
    loss = np.minimum(centre / limit, 1.0) + 0.1 * np.minimum(corners, 3.0)
    return len({s.id for s, ok in zip(seen, agree, strict=True) if ok}), -float(np.nan_to_num(loss, nan=9.0).sum())


def _limits(seen: Sequence[Sighting], pose: Pose) -> Points:
    """How far off, in pixels, each marker may lie and still agree."""
    sides_mm = np.array([np.linalg.norm(s.corners_mm[0] - s.corners_mm[1]) for s in seen])
    sides_px = np.array([s.found.side_px for s in seen])
    return np.asarray(np.maximum(_AGREE_PX, _AGREE_MM * sides_px / sides_mm), dtype=np.float64)


def _agree(seen: Sequence[Sighting], centre: Points, corners: Points, limit: Points) -> NDArray[np.bool_]:
    sides = np.array([s.found.side_px for s in seen])
    return (centre < limit) & (corners < np.maximum(1.5, _AGREE_CORNERS * sides))


def _agreeing(seen: Sequence[Sighting], pose: Pose) -> list[Sighting]:
    """Those that agree with a pose, of two of one id the nearer."""
    centre, corners = misses_px(seen, pose)
    agree = _agree(seen, centre, corners, _limits(seen, pose))
    best: dict[int, tuple[float, Sighting]] = {}
    for s, off, ok in zip(seen, centre, agree, strict=True):
        if ok and (s.id not in best or off < best[s.id][0]):
            best[s.id] = float(off), s
    return [s for _, s in best.values()]


def _sure(seen: Sequence[Sighting], used: Sequence[Sighting], pose: Pose) -> list[Sighting]:
    """Those that agree with a fitted pose, without any whose error stands out from the others'."""
    agreeing = _agreeing(seen, pose)
    if len(agreeing) <= LEAST_MARKERS:
        return agreeing
    centre, _ = misses_px(agreeing, pose)
    usual = max(1.4826 * float(np.median(centre)) / 1.1774, _LEAST_ERROR_PX)
    worst = int(np.argmax(centre))
    if centre[worst] > _SURE * usual and agreeing[worst] in used:
        return [s for i, s in enumerate(agreeing) if i != worst]
    return [s for s, off in zip(agreeing, centre, strict=True) if off <= _SURE * usual]


def _unmoved(used: list[Sighting], pose: Pose, *, free_lens: bool) -> list[Sighting]:
    """Those that agree, without any that lies elsewhere than the others say."""
    moved = moved_markers(used, pose, free_lens=free_lens) if len(used) > LEAST_MARKERS else ()
    return [s for i, s in enumerate(used) if i not in moved]


def _three_agree(used: Sequence[Sighting], pose: Pose) -> bool:
    _, corners = misses_px(used, pose)
    sides = np.array([s.found.side_px for s in used])
    return bool(np.all(corners < np.maximum(0.8, _AGREE_CORNERS_OF_THREE * sides)))


def _camera(
    pose: Pose,
    seen: Sequence[Sighting],
    used: Sequence[Sighting],
    given: Intrinsics | None,
    size_px: tuple[int, int],
) -> CameraModel:
    centre, corners = misses_px(used, pose)
    warnings = []
    if given is None:
        warnings.append(
            f"no lens file: lens guessed from the table markers (focal length {pose.lens.fx:.0f} px);"
            " positions are surer with one from `vedette calibrate`"
        )
    elif (given.width_px, given.height_px) != size_px:
        warnings.append(
            f"the lens was calibrated at {given.width_px} x {given.height_px} and scaled to this picture's"
            f" {size_px[0]} x {size_px[1]}"
        )
    kept = {s.id for s in used}
    warnings += [_elsewhere(s, pose) for s in seen if s.id not in kept]
    checks = held_out(used, pose, free_lens=given is None)
    warnings += _disagreements(checks, guessed=given is None)
    return CameraModel(
        intrinsics=pose.lens,
        rvec=pose.vector[:3],
        tvec_mm=pose.vector[3:],
        pose_covariance=pose.covariance,
        reprojection_rms_px=float(np.sqrt((centre**2 + corners**2).mean())),
        markers_used=tuple(sorted(kept)),
        warnings=tuple(warnings),
        held_out=checks,
    )


def _elsewhere(stray: Sighting, pose: Pose) -> str:
    """That a marker does not lie where the table file says, and how far off the others see it."""
    off = misses_mm(stray, pose)
    by = f" ({off:.1f} mm off by the others)" if off < _FAR_MM else ""
    return f"marker {stray.id} is not where the table file says{by}: not used; it was moved, or the file is wrong"


def _disagreements(checks: Sequence[HeldOut], *, guessed: bool) -> list[str]:
    """What is to be said where markers, each held out in turn, are off by more than chance."""
    if not checks:
        return [f"only {LEAST_MARKERS} table markers in sight: they cannot check each other"]
    clear = _CLEARLY_GUESSED_MM if guessed else _CLEARLY_MM
    off = [c for c in checks if c.off_mm > max(clear, _CLEARLY * c.sigma_mm)]
    if not off:
        return []
    worst = max(off, key=lambda c: c.off_mm)
    wrong = "the table file" if guessed else "the table file or the lens (another camera's, or another focus)"
    each = ", ".join(f"{c.id} by {c.off_mm:.1f}" for c in checks)
    return [
        f"the table markers disagree: held out in turn, marker {worst.id} lies {worst.off_mm:.1f} mm"
        f" (± {worst.sigma_mm:.1f}) from where the others put it ({each}); one was moved, or {wrong} is"
        " wrong, and which one they cannot tell: measure their places again, or run `vedette survey`"
    ]


def _too_few(seen: Sequence[Sighting], table: Table) -> str:
    listed = sorted(marker.id for marker in table.markers.at)
    if len(listed) < LEAST_MARKERS:
        return (
            f"the table file lists {_names(listed)}, and a camera needs three or more: add the others to"
            " [[markers.at]], or let `vedette lay` find them from a photo, `vedette survey` from several"
        )
    return (
        f"too few table markers in the picture: found {_names({s.id for s in seen})} of {_names(listed)}, and three"
        " are needed; uncover or light the others, or turn the camera so that it sees them"
    )


def _disagreement(seen: Sequence[Sighting], agreeing: Sequence[Sighting]) -> str:
    best = f"only {_names({s.id for s in agreeing})} fit together" if len(agreeing) > 1 else "no three fit together"
    return (
        f"the table markers do not agree on where the camera is: found {_names({s.id for s in seen})}, {best};"
        " one was moved, or its place, turn or size in the table file is wrong: measure them again, or run"
        " `vedette survey`"
    )


def _names(ids: Iterable[int]) -> str:
    listed = [str(number) for number in sorted(set(ids))]
    if not listed:
        return "no markers"
    return f"marker{'s' if len(listed) > 1 else ''} {', '.join(listed)}"
