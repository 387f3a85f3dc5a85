"""Where table markers lie that were put down freely: from photos by hand, by bundle adjustment.

The result is in the frame of two markers: origin at the first one's centre, x towards the second's, z up.
`placed` then moves it into the table's frame.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.errors import JobFailed
from calibration.optics import lens_for
from calibration.prints.markers import FoundMarker
from calibration.records import Intrinsics, MarkerAt
from calibration.surveys.bundle import Bundle, View, adjust
from calibration.surveys.flatmap import FlatMap, flat_map, joined, laid_over, turned
from calibration.surveys.frames import in_frame, moved_camera
from calibration.surveys.heights import heights_alone, lifted, unsettled

__all__ = ["Survey", "SurveyPhoto", "placed", "survey_markers"]

Points = NDArray[np.float64]

_FOCAL_SHARES = (0.8, 0.7, 0.95, 0.6, 1.1, 1.35)  # of the width; where one photo tells nothing, the usual one
_ROBUST = 1.4826  # from the median size of what is missed along one axis to the sigma of normal noise
_BADLY = 6e-4  # of the width of the photos, rather more than a pixel of 1920: no lens that fits leaves so much
_AGREES = 3.0  # heights within so many sigmas of a plane agree with it
_UNTOLD_MM = 1.6  # with a larger sigma, heights are as good as unknown
_FAR, _NEAR, _AT_REST = 30.0, 2.0, 1.0  # readings are taken to miss by so many times what is expected of them
#: With a lens that is known most miss by less than is expected: low boxes show as well, if they are held to it.
_LEAST = {"none": 0.3, "bend": 1.0, "all": 1.0}
_ALONE = 4  # of markers that may lie on something, those farthest astray are tried alone as well
_BETTER = 0.9  # another place for a marker is taken for the right one if so much is left of the squared misses
_TELLS_MM = 1.0  # with a larger sigma, photos would not tell a marker on a board from one on the table


@dataclass(frozen=True, eq=False)
class SurveyPhoto:
    """A photo's name, its size (width, height), and the markers found in it."""

    name: str
    size_px: tuple[int, int]
    found: tuple[FoundMarker, ...]


@dataclass(frozen=True, eq=False)
class Survey:
    """Markers in the frame of two of them, with figures.

    ``residual_px`` is the rms distance of corners from where they should be, ``axis_residual_px`` that per axis,
    and ``robust_residual_px`` the noise per axis by the median miss (1.4826 times it);
    ``sigma_mm`` is one standard deviation per axis of each marker's place against the frame, by the fit's own
    residual; ``seen_in`` counts photos by marker. ``flat``: whether all markers were taken to lie in one plane.
    """

    frame: tuple[int, int]
    size_mm: float
    markers: tuple[MarkerAt, ...]
    sigma_mm: Mapping[int, float]
    seen_in: Mapping[int, int]
    residual_px: float
    axis_residual_px: float
    robust_residual_px: float
    flat: bool
    lens: Intrinsics
    warnings: tuple[str, ...]

    @property
    def median_sigma_mm(self) -> float:
        """The median of ``sigma_mm`` over the markers, the frame's origin left out."""
        return float(np.median([sigma for i, sigma in self.sigma_mm.items() if i != self.frame[0]]))

    @property
    def frame_length_mm(self) -> float:
        """The distance of the two frame markers, as the size of the print makes it."""
        return next(m.x_mm for m in self.markers if m.id == self.frame[1])


def survey_markers(
    photos: Sequence[SurveyPhoto],
    size_mm: float,
    lens: Intrinsics | None,
    frame: tuple[int, int] = (0, 1),
    *,
    flat: bool | None = None,
) -> Survey:
    """The places of all markers that the photos tie together.

    Without a lens its focal length and distortion are found from the photos, which must then share one size. All
    markers lie in one plane if ``flat``, each at a height of its own if not; if None, the photos tell.
    Raises JobFailed where a frame marker is missing or the photos do not hang together.
    """
    usable, warnings = _usable(photos)
    _demand_frame(usable, frame)
    free = lens is None
    first_lens = lens if lens is not None else _likely_lens(usable, size_mm)
    views, places, more = _first_guess(usable, first_lens, size_mm, frame)
    start = in_frame(Bundle(frame, size_mm, first_lens, places, views, np.zeros(0), {}))
    bent = lens is not None and any(lens.dist)
    solved, lies_flat = _solved(start, "all" if free else "none" if bent else "bend", flat, more)
    if not free and not bent:
        more.append(
            "the lens file has no distortion: found from the photos with the rest (k1 k2 p1 p2 k3 "
            + " ".join(f"{k:.4f}" for k in solved.lens.dist)
            + ")"
        )
    if free:
        more.append(
            f"no lens file: lens guessed from the photos (focal length {solved.lens.fx:.0f} px); places are surer"
            " with one from `vedette calibrate`"
        )
    return _report(solved, lies_flat, (*warnings, *more, *([] if free else _fits_badly(solved))))


def _fits_badly(solved: Bundle) -> list[str]:
    """That the photos contradict a lens that was given: with its own, most corners fit to a tenth of a pixel."""
    off = _typical_miss_px(solved)
    if off <= _BADLY * solved.lens.width_px:
        return []
    return [
        f"the markers fit the photos to {off:.1f} px only: the lens file may be another camera's or of another"
        " focus, the photos blurred, or markers moved between them; without --intrinsics the lens is guessed from"
        " the photos"
    ]


def _typical_miss_px(solved: Bundle) -> float:
    return float(_ROBUST * np.median(np.abs(solved.misses_px)))


def placed(
    survey: Survey, origin_mm: tuple[float, float, float], bearing_deg: float, length_mm: float | None = None
) -> Survey:
    """The survey moved: its first frame marker to ``origin_mm``, the second in direction ``bearing_deg`` from it.

    With ``length_mm``, the measured distance between both, everything is scaled to it, the prints' size with it.
    """
    scale = 1.0 if length_mm is None else length_mm / survey.frame_length_mm
    turn = bearing_deg - 90.0
    moved = []
    for m in survey.markers:
        x, y = turned(np.array([[m.x_mm, m.y_mm]]) * scale, np.radians(turn))[0]
        moved.append(
            MarkerAt(
                id=m.id,
                x_mm=round(origin_mm[0] + float(x), 4),
                y_mm=round(origin_mm[1] + float(y), 4),
                z_mm=round(origin_mm[2] + m.z_mm * scale, 4),
                rotation_deg=round((m.rotation_deg + turn) % 360.0, 4) % 360.0,
            )
        )
    return replace(survey, markers=tuple(moved), size_mm=round(survey.size_mm * scale, 4))


def _usable(photos: Sequence[SurveyPhoto]) -> tuple[list[SurveyPhoto], list[str]]:
    """Photos with their unmistakable markers; those with fewer than two say nothing."""
    out, said = [], []
    for photo in photos:
        counts = Counter(f.id for f in photo.found)
        twice = sorted(i for i, n in counts.items() if n > 1)
        if twice:
            said.append(f"{photo.name}: {_names(twice)} seen twice, not used")
        clear = tuple(f for f in photo.found if counts[f.id] == 1)
        if len(clear) < 2:
            said.append(f"{photo.name}: not used, shows {_names(f.id for f in clear)}, needs two or more")
            continue
        out.append(replace(photo, found=clear))
    return out, said


def _demand_frame(photos: Sequence[SurveyPhoto], frame: tuple[int, int]) -> None:
    seen = {f.id for photo in photos for f in photo.found}
    missing = [i for i in frame if i not in seen]
    if missing:
        raise JobFailed(
            f"{_names(missing)} of the frame {frame[0]}:{frame[1]} is in no photo that shows two markers or more;"
            f" seen were {_names(seen)}: take photos with it, or name two of these with --frame"
        )


def _first_guess(
    photos: Sequence[SurveyPhoto], lens: Intrinsics, size_mm: float, frame: tuple[int, int]
) -> tuple[tuple[View, ...], dict[int, Points], list[str]]:
    """Cameras and places on the map of the photo that shows most, and what is to be said."""
    maps = {p.name: flat_map(p.found, lens_for(lens, p.size_px), size_mm) for p in photos}
    known: dict[int, Points] = {}
    laid: dict[str, Points] = {}
    ordered = sorted(photos, key=lambda p: (frame[0] not in {f.id for f in p.found}, -len(p.found)))
    while len(laid) < len(ordered):
        rest = [p for p in ordered if p.name not in laid]
        best = max(rest, key=lambda p: len(known.keys() & maps[p.name].places.keys())) if known else rest[0]
        how = laid_over(known, maps[best.name].places) if known else np.zeros(3)
        if how is None:
            break
        known = joined(known, maps[best.name].places, how)
        laid[best.name] = how
    if not set(frame) <= set(known):
        raise JobFailed(
            f"the photos do not tie marker {frame[0]} to marker {frame[1]}: {_names(known)} hang together; take"
            " photos that show both groups"
        )
    said = [f"{p.name}: not used, shares no marker with the others" for p in ordered if p.name not in laid]
    used = [p for p in photos if p.name in laid]
    views = tuple(View(p.name, {f.id: f for f in p.found}, _camera(maps[p.name], laid[p.name])) for p in used)
    return views, {i: np.insert(place, 2, 0.0) for i, place in known.items()}, said


def _camera(photo: FlatMap, laid: Points) -> Points:
    """The camera (6,) of a photo over the map that its own was laid over."""
    return moved_camera(
        np.concatenate([np.ravel(cv2.Rodrigues(photo.rotation)[0]), photo.shift_mm]), np.append(laid, 0.0)
    )


def _likely_lens(photos: Sequence[SurveyPhoto], size_mm: float) -> Intrinsics:
    """The lens, free of distortion, through which markers look most like squares."""
    sizes = {p.size_px for p in photos}
    if len(sizes) > 1:
        raise JobFailed("the photos differ in size, so that one lens cannot be found from them: give --intrinsics")
    width, height = sizes.pop()
    lenses = [
        Intrinsics(
            width_px=width,
            height_px=height,
            fx=share * max(width, height),
            fy=share * max(width, height),
            cx=(width - 1) / 2,
            cy=(height - 1) / 2,
        )
        for share in _FOCAL_SHARES
    ]
    return min(lenses, key=lambda lens: _disagreement([flat_map(p.found, lens, size_mm) for p in photos], size_mm))


def _disagreement(maps: Sequence[FlatMap], size_mm: float) -> float:
    """How much the maps of photos disagree on distances between markers, in sizes of a marker."""
    total = 0.0
    for one, other in combinations(maps, 2):
        for a, b in pairwise(sorted(one.places.keys() & other.places.keys())):
            apart = [float(np.linalg.norm(m.places[a][:2] - m.places[b][:2])) for m in (one, other)]
            total += min(abs(apart[0] - apart[1]) / size_mm, 3.0)
    return total


def _solved(
    start: Bundle, free_lens: Literal["none", "bend", "all"], flat: bool | None, said: list[str]
) -> tuple[Bundle, bool]:
    """The bundle with free heights, or in one plane, where that is asked for or all that the photos tell."""
    sharp = _with_heights(adjust(start, free_lens, noise=(_FAR, _LEAST[free_lens])), free_lens)
    free = adjust(sharp, free_lens, noise=(_AT_REST, 1.0))
    heights = heights_alone(free)
    off = {i: height for i, (height, sigma) in heights.items() if abs(height) > _AGREES * sigma}
    told = all(sigma < _TELLS_MM for _, sigma in heights.values())
    if flat is False or (flat is None and (off or not told)):
        said += _heights_untold(heights)
        return free, False
    if off:
        said.append(
            "the markers are taken to lie flat, but by the photos not all lie in one plane: "
            + ", ".join(f"{_names([i])} at {height:+.1f} mm" for i, height in sorted(off.items()))
        )
    return adjust(
        replace(free, markers={i: p * (1, 1, 0, 1) for i, p in free.markers.items()}), free_lens, flat=True
    ), True


def _with_heights(solved: Bundle, free_lens: Literal["none", "bend", "all"]) -> Bundle:
    """The bundle, with markers that lie on something raised from the table to it, if that fits better.

    Such a marker pulls the cameras along that see it, and these the others: its height is sought from where the
    cameras are without it.
    """
    solved = adjust(in_frame(solved), free_lens, noise=(_NEAR, _LEAST[free_lens]))
    while astray := unsettled(solved):
        alone = [[i] for i in astray] if len(astray) > 1 else []
        tried = [_raised(solved, aside, free_lens) for aside in (astray, *alone[:_ALONE])]
        best = min(tried, key=_squares)
        if _squares(best) > _BETTER * _squares(solved):
            break
        solved = best
    return solved


def _raised(solved: Bundle, aside: Sequence[int], free_lens: Literal["none", "bend", "all"]) -> Bundle:
    noise = _NEAR, _LEAST[free_lens]
    without = adjust(solved, free_lens, aside=aside, noise=noise)
    return adjust(in_frame(lifted(without, aside)), free_lens, noise=noise)


def _squares(bundle: Bundle) -> float:
    return float(np.square(bundle.misses_px).sum())


def _heights_untold(heights: Mapping[int, tuple[float, float]]) -> list[str]:
    """That the photos do not tell heights, of which markers, and what to do."""
    unsure = {i: sigma for i, (_, sigma) in heights.items() if sigma > _UNTOLD_MM}
    if not unsure:
        return []
    by = f" (± {max(unsure.values()):.1f} mm at best)" if np.isfinite(list(unsure.values())).all() else ""
    return [
        f"the photos do not tell how high {_names(unsure)} lie{'s' if len(unsure) == 1 else ''}{by}: they are from"
        " one side, from straight above, or too few, and places may be off with the heights; take photos from all"
        " round the table, with the camera held lower, or say --flat if all markers lie in one plane"
    ]


def _report(solved: Bundle, flat: bool, warnings: Iterable[str]) -> Survey:
    said = list(warnings)
    seen_in = Counter(i for view in solved.views for i in view.found)
    once = sorted(i for i in solved.markers if seen_in[i] == 1)
    if once:
        said.append(f"{_names(once)} seen in one photo only: less sure, and a wrong reading would not show")
    first = solved.markers[solved.frame[0]] * (0, 0, 1, 0)
    places = {i: solved.markers[i] - first for i in sorted(solved.markers)}
    return Survey(
        frame=solved.frame,
        size_mm=solved.size_mm,
        markers=tuple(
            MarkerAt(
                id=i,
                x_mm=float(p[0]),
                y_mm=float(p[1]),
                z_mm=float(p[2]),
                rotation_deg=float(np.degrees(p[3]) % 360.0),
            )
            for i, p in places.items()
        ),
        sigma_mm={i: float(np.sqrt(solved.variances[i][:2].mean())) for i in places},
        seen_in={i: seen_in[i] for i in places},
        residual_px=float(np.sqrt((solved.misses_px**2).sum(axis=1).mean())),
        axis_residual_px=float(np.sqrt((solved.misses_px**2).mean())),
        robust_residual_px=_typical_miss_px(solved),
        flat=flat,
        lens=solved.lens,
        warnings=tuple(said),
    )


def _names(ids: Iterable[int]) -> str:
    listed = [str(i) for i in sorted(set(ids))]
    if not listed:
        return "no markers"
    return f"marker{'s' if len(listed) > 1 else ''} {', '.join(listed)}"
