"""What the camera thread hands to the owner of the game: looks at the table, and how the camera is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from msgspec import Struct

from vision.records import Observation

__all__ = ["STALE_S", "CameraView", "Changed", "Look", "Picture", "everywhere"]

#: Whether the picture has changed near a place (x_mm, y_mm) of the table.
Changed = Callable[[float, float], bool]


#: No answer is given from a picture older than this without saying so.
STALE_S = 2.0


class Picture(Struct, frozen=True, kw_only=True):
    """The table plane from above as a JPEG; ``bounds_mm`` are its lower left and upper right corners."""

    revision: int
    jpeg: bytes
    bounds_mm: tuple[tuple[float, float], tuple[float, float]]


def everywhere(x_mm: float, y_mm: float) -> bool:
    """The answer where no earlier picture is there to compare with: anything may have changed."""
    return True


class Look(Struct, frozen=True, kw_only=True):
    """A frame of a settled table, measured.

    ``changed`` tells of a place (x_mm, y_mm) whether the picture there differs from that of the last look.
    """

    frame: int
    observation: Observation
    changed: Changed = everywhere


class CameraView(Struct, frozen=True, kw_only=True):
    """How the camera is: ``seen_at_s`` is when its newest frame came, on the clock of the process (None: never)."""

    state: Literal["starting", "live", "lost", "ended"] = "starting"
    detail: str = ""
    seen_at_s: float | None = None
    disturbed: bool = False
    bumped: bool = False
    trouble: str | None = None
