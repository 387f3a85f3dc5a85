"""Which lines and blocks are believed: one that is not would keep bases that stand there from being found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.plain.block import Block
from vision.plain.choosing.formed import LEAST_OF_ROUNDS, astray
from vision.plain.fitting.doubt import LIKELY, doubted
from vision.plain.fitting.fit import Fit, fit
from vision.plain.fitting.underfoot import beside_feet
from vision.plain.stage import Stage
from vision.plain.weighing.judging import LEAST_GAIN, explaining

__all__ = ["Formed", "aside_of", "formed_of", "holds", "vetted", "wholes"]

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

_ROUNDS = 6


@dataclass(frozen=True, eq=False)
class Formed:
    """A line or block in a fit: which of its bodies are its own, as fitted."""

    block: Block
    which: list[int]


def formed_of(blocks: Sequence[Block], first: int) -> list[Formed]:
    """Lines and blocks whose bodies come one after the other in a fit, from number ``first`` on."""
    formed = []
    for block in blocks:
        formed.append(Formed(block, list(range(first, first + len(block.bodies)))))
        first += len(block.bodies)
    return formed


def wholes(formed: Sequence[Formed], count: int) -> Mask:
    """Which (N,) of so many bodies are each a whole line or block."""
    whole = np.zeros(count, dtype=np.bool_)
    whole[[one.which[0] for one in formed if not one.block.members]] = True
    return whole


def aside_of(now: Fit, formed: Sequence[Formed], feet: Floats | None, eye_mm: Floats) -> Floats:
    """How far the figure of each body (N,), seen from ``eye_mm`` (3,), is aside, in mm; NaN where none are."""
    if feet is None:
        return np.full(len(now.placed), np.nan)
    aside = beside_feet(now.placed, feet, eye_mm)
    for one in formed:
        if not one.block.members:
            aside[one.which] = astray(replace(one.block, whole=now.placed[one.which[0]]), feet)
    return aside


def holds(now: Fit, one: Formed, noise: float) -> bool:
    """Whether a line or block has an outline, all in all, and explains what is about it, in a picture of such noise
    in grey levels."""
    least = LEAST_OF_ROUNDS if one.block.members else LEAST_GAIN
    enough = len(explaining(now, one.which, noise)) > len(one.which) / 2
    return enough and float(np.maximum(now.gain[one.which], 0.0).mean()) > least


def vetted(stage: Stage, blocks: Sequence[Block]) -> list[Block]:
    """The lines and blocks that hold, those of rectangles only if they are likely to stand where they seem to."""
    bodies = [body for block in blocks for body in block.bodies]
    if not bodies:
        return []
    scene = stage.scene
    now = fit(scene, [*bodies, *stage.known], _ROUNDS, free=len(bodies))
    formed = formed_of(blocks, 0)
    whole = wholes(formed, len(bodies))
    doubt = doubted(scene, now, stage.known, aside_of(now, formed, scene.feet, scene.camera.position_mm), whole)
    noise = float(np.median(scene.backdrop.spread))
    likely = (doubt.likely >= LIKELY) | ~whole
    return [one.block for one in formed if holds(now, one, noise) and likely[one.which].all()]
