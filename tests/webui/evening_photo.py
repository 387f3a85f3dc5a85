"""Photos of the demo's table, and where on them its places are, as an evening without the page has them typed."""

from __future__ import annotations

from pathlib import Path

import cv2
from msgspec.structs import replace

from vision.simulated import Renderer, load_demo

__all__ = ["DEMO", "base_of", "pixel", "take"]

DEMO = load_demo("muskets-mohawks")


def pixel(x_mm: float, y_mm: float, z_mm: float = 3.0) -> str:
    """Where a place of the table is in the photo, as it is typed."""
    px = DEMO.camera.project([[x_mm, y_mm, z_mm]])[0]
    return f"{px[0]:.1f},{px[1]:.1f}"


def base_of(army: str) -> str:
    """The pixel of a base of an army."""
    base = next(one for one in DEMO.virtual.bases if one.army == army)
    return pixel(base.x_mm, base.y_mm)


def take(path: Path, *, forward_mm: float = 0.0) -> Path:
    """A photo of the demo's table, the ten british of the line in its middle that much nearer to the enemy."""
    bases = [
        replace(one, y_mm=one.y_mm + forward_mm) if one.army == "british" and 700 < one.x_mm < 1050 else one
        for one in DEMO.virtual.bases
    ]
    image = Renderer(DEMO.camera).render(replace(DEMO.virtual, bases=tuple(bases)))
    assert cv2.imwrite(str(path), image)
    return path
