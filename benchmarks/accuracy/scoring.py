"""An observation held against the truth: what was found, how far off it is, and whether its sigma says so."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import shapely
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from vision.records import BaseSeen, Observation
from vision.simulated.truth import BaseTruth, TerrainTruth, Truth

MATCH_MM = 12.0  # an answer belongs to a base within this of its true place
TAG_MM = 25.0
IN_SIGHT = 0.35  # bases and marks of which less is in sight are neither asked for nor held against the program
WITHIN_SIGMAS = 2.45  # 95 % of places in the plane lie within so many sigma per axis

Floats = NDArray[np.float64]


class _Placed(Protocol):
    @property
    def x_mm(self) -> float: ...
    @property
    def y_mm(self) -> float: ...


@dataclass(frozen=True)
class BaseError:
    """A base that was found: how far its place is off, how many sigma that is, and how far off its bearing.

    ``bearing_deg`` is the error where the front mark shows, ``axis_deg`` where only the shape tells; ``silent`` is
    an answer without a bearing where one can be known.
    """

    truth: BaseTruth
    seen: BaseSeen
    off_mm: float
    sigmas: float
    bearing_deg: float | None = None
    axis_deg: float | None = None
    silent: bool = False


@dataclass(frozen=True)
class Score:
    """The score of one picture, or of several put together with `join`."""

    bases_asked: int = 0
    bases: tuple[BaseError, ...] = ()
    bases_missed: tuple[BaseTruth, ...] = ()
    bases_false: tuple[BaseSeen, ...] = ()
    tags_asked: int = 0
    tags_missed: tuple[int, ...] = ()
    tags_false: tuple[int, ...] = ()
    tags_off_mm: tuple[float, ...] = ()
    tags_off_deg: tuple[float, ...] = ()
    tags_sigmas: tuple[float, ...] = ()
    terrain: tuple[tuple[str, float], ...] = ()
    terrain_false: tuple[str, ...] = ()
    failures: tuple[str, ...] = field(default=())

    @property
    def flips(self) -> int:
        """Bearings that are off by more than a quarter turn although the mark shows."""
        return sum(e.bearing_deg is not None and e.bearing_deg > 90 for e in self.bases)

    @property
    def bases_found(self) -> int:
        """How many of the bases that were asked for were found."""
        return self.bases_asked - len(self.bases_missed)


def join(scores: Sequence[Score]) -> Score:
    """Several scores as one."""
    total = Score()
    for score in scores:
        values = {name: getattr(total, name) + getattr(score, name) for name in Score.__dataclass_fields__}
        total = Score(**values)
    return total


def score(truth: Truth, seen: Observation, only: frozenset[str] = frozenset(("bases", "tags", "terrain"))) -> Score:
    """The score of an observation, of those parts that are asked for."""
    parts = [
        _score_bases(truth, seen) if "bases" in only else Score(),
        _score_tags(truth, seen) if "tags" in only else Score(),
        _score_terrain(truth, seen) if "terrain" in only else Score(),
    ]
    return join(parts)


def _score_bases(truth: Truth, seen: Observation) -> Score:
    same = [
        [t.army == s.army and (t.army is None or s.base is None or t.base == s.base) for s in seen.bases]
        for t in truth.bases
    ]
    distances = _distances(truth.bases, seen.bases)
    pairs = assign(np.where(np.array(same, bool).reshape(distances.shape), distances, np.inf), MATCH_MM)
    paired_t, paired_s = {t for t, _ in pairs}, {s for _, s in pairs}
    asked = [n for n, base in enumerate(truth.bases) if _in_sight(base.visible_rim_fraction)]
    hidden = [n for n in range(len(truth.bases)) if n not in asked and n not in paired_t]
    spare = {
        s for s in range(len(seen.bases)) if s not in paired_s and any(distances[t, s] <= MATCH_MM for t in hidden)
    }
    return Score(
        bases_asked=len(asked),
        bases=tuple(_base_error(truth.bases[t], seen.bases[s], float(distances[t, s])) for t, s in pairs),
        bases_missed=tuple(truth.bases[n] for n in asked if n not in paired_t),
        bases_false=tuple(s for n, s in enumerate(seen.bases) if n not in paired_s and n not in spare),
    )


def _base_error(truth: BaseTruth, seen: BaseSeen, off_mm: float) -> BaseError:
    knowable = truth.bearing_visible
    if knowable == "full" and not _in_sight(truth.visible_mark_fraction):
        knowable = "none"
    error = None if seen.bearing_deg is None else seen.bearing_deg - truth.bearing_deg
    return BaseError(
        truth=truth,
        seen=seen,
        off_mm=off_mm,
        sigmas=off_mm / seen.sigma_mm if seen.sigma_mm > 0 else math.inf,
        bearing_deg=_turned(error, 360.0) if error is not None and knowable == "full" else None,
        axis_deg=_turned(error, 180.0 if knowable == "mod180" else 90.0)
        if error is not None and knowable in ("mod180", "mod90")
        else None,
        silent=error is None and knowable != "none",
    )


def _score_tags(truth: Truth, seen: Observation) -> Score:
    first = {tag.id: tag for tag in reversed(seen.tags)}
    known = {tag.id: tag for tag in truth.tags}
    asked = [t.id for t in truth.tags if t.visible_fraction is None or t.visible_fraction >= 0.98]
    pairs = [(known[n], tag) for n, tag in first.items() if n in known]
    off = [math.hypot(t.x_mm - s.x_mm, t.y_mm - s.y_mm) for t, s in pairs]
    good = [n for n, mm in enumerate(off) if mm <= TAG_MM]
    return Score(
        tags_asked=len(asked),
        tags_missed=tuple(n for n in asked if n not in first),
        tags_false=tuple(n for n in first if n not in known)
        + tuple(pairs[n][0].id for n, mm in enumerate(off) if mm > TAG_MM),
        tags_off_mm=tuple(off[n] for n in good),
        tags_off_deg=tuple(_turned(pairs[n][1].bearing_deg - pairs[n][0].bearing_deg, 360.0) for n in good),
        tags_sigmas=tuple(off[n] / pairs[n][1].sigma_mm for n in good if pairs[n][1].sigma_mm > 0),
    )


def _score_terrain(truth: Truth, seen: Observation) -> Score:
    outlines = [_valid(piece.polygon_mm) for piece in seen.terrain]
    overlap = np.array(
        [
            [
                _overlap(t, outline) if t.kind == s.kind else 0.0
                for s, outline in zip(seen.terrain, outlines, strict=True)
            ]
            for t in truth.terrain
        ]
    ).reshape(len(truth.terrain), len(seen.terrain))
    pairs = assign(1.0 - overlap, 0.9)
    best = {t: float(overlap[t, s]) for t, s in pairs}
    used = {s for _, s in pairs}
    return Score(
        terrain=tuple((piece.kind, best.get(n, 0.0)) for n, piece in enumerate(truth.terrain)),
        terrain_false=tuple(piece.kind for n, piece in enumerate(seen.terrain) if n not in used),
    )


def _overlap(truth: TerrainTruth, outline: shapely.Geometry) -> float:
    """Intersection over union with the outline of its top or of its foot, whichever fits better."""
    shares = []
    for polygon in {truth.polygon_mm, truth.foot_polygon_mm or truth.polygon_mm}:
        true = _valid(polygon)
        union = shapely.area(shapely.union(true, outline))
        shares.append(float(shapely.area(shapely.intersection(true, outline)) / union) if union > 0 else 0.0)
    return max(shares)


def _valid(polygon_mm: Sequence[tuple[float, float]]) -> shapely.Geometry:
    return shapely.make_valid(shapely.Polygon(polygon_mm)) if len(polygon_mm) >= 3 else shapely.Polygon()


def _in_sight(fraction: float | None) -> bool:
    return fraction is None or fraction >= IN_SIGHT


def _turned(degrees: float, period: float) -> float:
    """How far an angle is from a multiple of the period."""
    return abs((degrees + period / 2) % period - period / 2)


def _distances(a: Sequence[_Placed], b: Sequence[_Placed]) -> Floats:
    left, right = (np.array([(p.x_mm, p.y_mm) for p in places]).reshape(-1, 2) for places in (a, b))
    return np.asarray(np.linalg.norm(left[:, None] - right[None], axis=2), dtype=np.float64)


def assign(costs: Floats, limit: float) -> list[tuple[int, int]]:
    """Pairs (row, column) within the limit: as many as there can be, and of those the cheapest."""
    if not costs.size:
        return []
    rows, columns = linear_sum_assignment(np.where(costs <= limit, costs, 1e3 * limit))
    return [(int(r), int(c)) for r, c in zip(rows, columns, strict=True) if costs[r, c] <= limit]


def spread(values: Sequence[float]) -> tuple[float, float, float]:
    """Root mean square, 95th percentile and largest of some values; NaN for none."""
    if not len(values):
        return math.nan, math.nan, math.nan
    array = np.asarray(values, dtype=np.float64)
    return float(np.sqrt(np.mean(array**2))), float(np.percentile(array, 95)), float(array.max())


def share(values: Sequence[float], test: Callable[[float], bool]) -> float:
    """Which share of some values passes a test; NaN for none."""
    return sum(map(test, values)) / len(values) if len(values) else math.nan
