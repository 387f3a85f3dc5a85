"""The paints of drawn tables: armies, their bases, and kinds of terrain, of colours that can be told apart."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import UNSET
from numpy.typing import NDArray

from calibration.records import Army, BaseKind, RectBase, RoundBase, TerrainKind

Rng = np.random.Generator

_APART = 26.0  # the least distance in Lab between the paints of two armies
_TERRAIN_APART = 14.0  # the least distance in Lab between two kinds of terrain, and from the mat, if it can be had


def draw_armies(mat: str, rng: Rng, from_mat: float) -> tuple[Army, ...]:
    """Two or three armies whose paints can be told apart, and from the mat by so much in Lab."""
    paints: list[str] = []
    for paint in rng.permutation(palette()["paints"]):
        colour = varied(str(paint), rng)
        if _distance(colour, mat) > from_mat and all(_distance(colour, other) > _APART for other in paints):
            paints.append(colour)
    count = int(rng.integers(2, 4))
    marks = [str(mark) for mark in palette()["marks"]]
    armies = []
    for n, paint in enumerate(paints[:count]):
        fitting = [mark for mark in marks if _distance(mark, paint) > 35]
        mark = str(rng.choice(fitting)) if rng.random() < 0.75 else UNSET
        armies.append(Army(name=f"army-{n + 1}", base_colour=paint, front_mark=mark, bases=_kinds(rng)))
    return tuple(armies)


def _kinds(rng: Rng) -> tuple[BaseKind, ...]:
    """A foot base, perhaps a smaller or larger one, a horse and a gun, or a large element."""
    high = float(rng.choice([2.0, 3.0, 3.0, 4.0]))
    foot = float(rng.choice([20.0, 25.0, 25.0, 30.0, 32.0]))
    kinds: list[BaseKind] = [RoundBase(name="foot", diameter_mm=foot, height_mm=high)]
    if rng.random() < 0.3:
        kinds = [RectBase(name="foot", width_mm=foot, depth_mm=foot, height_mm=high)]
    if rng.random() < 0.5:
        kinds.append(
            RoundBase(name="command", diameter_mm=foot + float(rng.choice([5.0, 8.0, 15.0])), height_mm=high)
        )
    if rng.random() < 0.6:
        kinds.append(RectBase(name="horse", width_mm=25.0, depth_mm=50.0, height_mm=high))
    if rng.random() < 0.4:
        kinds.append(RectBase(name="gun", width_mm=50.0, depth_mm=60.0, height_mm=high))
    if rng.random() < 0.3:
        kinds.append(
            RectBase(name="element", width_mm=60.0, depth_mm=float(rng.choice([30.0, 40.0])), height_mm=high)
        )
    return tuple(kinds)


def draw_terrain_kinds(mat: str, rng: Rng) -> tuple[TerrainKind, ...]:
    """Some kinds of terrain, of colours and heights of their own; of rivers and roads only one."""
    chosen = [one for one in palette()["terrain"] if rng.random() < 0.6]
    chosen.sort(key=lambda one: one["kind"] not in ("river", "road"))  # bands first, while there is room for them
    bands = [one for one in chosen if one["kind"] in ("river", "road")]
    chosen = [one for one in chosen if one not in bands[1:]]
    kinds: list[TerrainKind] = []
    for one in chosen:
        colour = varied(str(rng.choice(one["colours"])), rng, 6)
        others = [mat, *(kind.colour for kind in kinds)]
        if min(_distance(colour, other) for other in others) < _TERRAIN_APART:
            colour = max(one["colours"], key=lambda c: min(_distance(c, other) for other in others))
        height = round(float(rng.uniform(*one["height_mm"])), 1)
        kinds.append(TerrainKind(kind=one["kind"], colour=colour, height_mm=height))
    return tuple(kinds)


def varied(colour: str, rng: Rng, by: float = 10.0) -> str:
    """A colour a little off another."""
    bands = [int(colour[i : i + 2], 16) + rng.normal(0, by) for i in (1, 3, 5)]
    return "#" + "".join(f"{int(np.clip(band, 8, 248)):02x}" for band in bands)


def _distance(a: str, b: str) -> float:
    """How different two colours look (CIE 1976)."""
    return float(np.linalg.norm(_lab(a) - _lab(b)))


@cache
def _lab(colour: str) -> NDArray[np.float64]:
    rgb = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    to_xyz = np.array([(0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505)])
    xyz = to_xyz @ linear / np.array([0.9505, 1.0, 1.089])
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@cache
def palette() -> dict[str, Any]:
    """The colours and names that tables are drawn from."""
    return tomllib.loads((Path(__file__).parent / "palette.toml").read_text("utf-8"))
