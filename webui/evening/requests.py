"""What requests of the first evening carry: typed, strict."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from webui.camera.assigning import Assignment
from webui.evening.emptied import EmptyWanted
from webui.serving.requests import StrictBody

__all__ = [
    "CameraBody", "EmptyBody", "HoldBody", "LayBody", "LensBody", "MusterBody", "PointBody", "RulesBody",
    "SizeBody", "TapeBody",
]  # fmt: skip

Share = Annotated[float, Meta(ge=0, le=1)]
Place = tuple[Share, Share]
Pixels = Annotated[int, Meta(ge=160, le=8192)]


class CameraBody(StrictBody, frozen=True, kw_only=True):
    """``POST /api/evening/camera``: which camera, and how it is to run."""

    source: Annotated[str, Meta(min_length=1, max_length=500)]
    width_px: Pixels = 1920
    height_px: Pixels = 1080
    lock_focus: bool = False
    lock_exposure: bool = False
    focus: Annotated[float, Meta(ge=0, le=1023)] | None = None


class LensBody(StrictBody, frozen=True, kw_only=True):
    """``POST /api/evening/lens``: take a photo, work the lens out, begin without, or forget photos."""

    do: Literal["take", "solve", "guess", "forget"]
    number: int | None = None


class HoldBody(StrictBody, frozen=True, kw_only=True):
    """``POST /api/evening/hold``: the simulated hand holds the board another way, or puts it away."""

    hold: bool


class SizeBody(StrictBody, frozen=True, kw_only=True):
    """``POST /api/evening/size``: the play area and the printed markers."""

    width_mm: float
    depth_mm: float
    marker_mm: float


class LayBody(StrictBody, frozen=True, kw_only=True):
    """``POST /api/evening/lay``: the near left and near right corner of the table in the picture, if touched."""

    near: tuple[Place, Place] | None = None


class TapeBody(StrictBody, frozen=True, kw_only=True):
    """``POST /api/evening/tape``: a length between two markers or two places of the picture, by tape."""

    mm: float
    between: tuple[int, int] | None = None
    places: tuple[Place, Place] | None = None
    scale: bool = False


class PointBody(StrictBody, frozen=True, kw_only=True):
    """``POST /api/evening/point``: what is pointed at in the picture."""

    at: Place
    what: Literal["base", "mark", "ground"] = "base"


class EmptyBody(StrictBody, frozen=True, kw_only=True):
    """``POST /api/evening/empty``: the newest frame is the empty table's photo, or what was taken is forgotten."""

    do: EmptyWanted


class RulesBody(StrictBody, frozen=True, kw_only=True):
    """``POST /api/evening/rules``: which rules are played; ``anew`` begins a game without any units."""

    ruleset: str
    anew: bool = False


class MusterBody(StrictBody, frozen=True, kw_only=True):
    """``POST /api/evening/muster``: bases into a unit, and which way it faces where that is not seen."""

    assign: Assignment
    facing_deg: float | None = None
    facing: Literal["line", "about"] | None = None
