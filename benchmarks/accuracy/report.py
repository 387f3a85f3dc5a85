"""Scores as lines of a table, and the cases worth looking at again."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from benchmarks.accuracy.scoring import WITHIN_SIGMAS, Score, share, spread

_WIDTHS = {
    "bases": 9, "false": 5, "rms": 5, "p95": 5, "max": 5, "bear": 5, "flip": 4, "null": 4, "in sig": 6,
    "tags": 7, "wrong": 5, "off": 5, "terrain": 7, "least": 5, "extra": 5, "s": 5,
}  # fmt: skip

#: What `line_of` prints: places in mm, bearings in degrees; null are bearings that are known and were not given.
HEADING = " " * 23 + " ".join(f"{name:>{width}s}" for name, width in _WIDTHS.items())


def line_of(name: str, score: Score, seconds: float) -> str:
    """One row under `HEADING`."""
    if score.failures:
        return f"{name:22s} FAILED: {'; '.join(score.failures)}"
    rms, p95, most = spread([e.off_mm for e in score.bases])
    bearings = [e.bearing_deg for e in score.bases if e.bearing_deg is not None and e.bearing_deg <= 90]
    overlaps = [value for _, value in score.terrain] or [math.nan]
    figures: dict[str, float | str] = {
        "bases": f"{score.bases_found}/{score.bases_asked}",
        "false": len(score.bases_false),
        "rms": rms,
        "p95": p95,
        "max": most,
        "bear": float(np.median(bearings)) if bearings else math.nan,
        "flip": score.flips,
        "null": sum(e.silent for e in score.bases),
        "in sig": share([e.sigmas for e in score.bases], lambda s: s <= WITHIN_SIGMAS),
        "tags": f"{score.tags_asked - len(score.tags_missed)}/{score.tags_asked}",
        "wrong": len(score.tags_false),
        "off": spread(score.tags_off_mm)[0],
        "terrain": f"{np.mean(overlaps):.3f}",
        "least": min(overlaps),
        "extra": len(score.terrain_false),
        "s": f"{seconds:.1f}",
    }
    return f"{name:22s} " + " ".join(f"{_text(value):>{_WIDTHS[key]}s}" for key, value in figures.items())


def worst(scores: Sequence[tuple[str, Score]], count: int = 8) -> list[str]:
    """What went most wrong, a line a case: bases missed and false, bases far off, flips, tags, poor terrain."""
    ranked = sorted(((_badness(score), name, score) for name, score in scores), key=lambda row: -row[0])
    return [f"{name}: {faults_of(score)}" for bad, name, score in ranked[:count] if bad > 0]


def sigmas_of(score: Score) -> str:
    """What the sigmas are worth: the shares of places and bearings within 2.45 and 1.96 of theirs."""
    parts = [f"bases within 2.45 sigma: {share([e.sigmas for e in score.bases], lambda s: s <= WITHIN_SIGMAS):.3f}"]
    bearings = [
        e.bearing_deg / e.seen.bearing_sigma_deg
        for e in score.bases
        if e.bearing_deg is not None and e.seen.bearing_sigma_deg
    ]
    parts.append(f"bearings within 1.96 sigma: {share(bearings, lambda s: s <= 1.96):.3f}")
    parts.append(f"tags within 2.45 sigma: {share(score.tags_sigmas, lambda s: s <= WITHIN_SIGMAS):.3f}")
    return "; ".join(parts)


def faults_of(score: Score) -> str:
    """What is wrong with one case, in words."""
    faults = list(score.failures)
    if score.bases_missed:
        faults.append(f"missed {_some([f'{b.army}/{b.base}' for b in score.bases_missed])}")
    if score.bases_false:
        faults.append(f"false {_some([f'{b.army}/{b.base}' for b in score.bases_false])}")
    far = [e for e in score.bases if e.off_mm > 2.0]
    if far:
        faults.append(f"off by up to {max(e.off_mm for e in far):.1f} mm: {len(far)}")
    if score.flips:
        faults.append(f"{score.flips} read back to front")
    if score.tags_missed or score.tags_false:
        faults.append(f"tags missed {list(score.tags_missed)}, false {list(score.tags_false)}")
    poor = [f"{kind} {value:.2f}" for kind, value in score.terrain if value < 0.95]
    if poor:
        faults.append("terrain " + ", ".join(poor))
    if score.terrain_false:
        faults.append(f"false terrain {_some(score.terrain_false)}")
    return "; ".join(faults) or "nothing"


def _badness(score: Score) -> float:
    far = sum(e.off_mm > 2.0 for e in score.bases)
    poor = sum(value < 0.95 for _, value in score.terrain)
    counts = (score.bases_missed, score.bases_false, score.tags_missed, score.tags_false, score.terrain_false)
    return 100.0 * len(score.failures) + sum(map(len, counts)) + far + poor + 3 * score.flips


def _some(names: Sequence[str]) -> str:
    kinds = {name: list(names).count(name) for name in names}
    return ", ".join(f"{count} {name}" for name, count in kinds.items())


def _text(value: float | str) -> str:
    if isinstance(value, str):
        return value.replace("nan", "-")
    return str(value) if isinstance(value, int) else "-" if math.isnan(value) else f"{value:.2f}"
