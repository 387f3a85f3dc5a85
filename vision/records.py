"""The typed records of ``vedette-observation/1`` and of the ``watch`` events.

Positions are table millimetres (see `calibration.records`); ``sigma_mm`` is one standard deviation per axis.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from calibration.reading import read_json

OBSERVATION_FORMAT = "vedette-observation/1"

Sigma = Annotated[float, Meta(ge=0)]


class _Record(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What all records share: immutable, keyword only, no unknown key."""


class CameraSeen(_Record, frozen=True, kw_only=True):
    """Where the camera hangs, and how well the table markers agree with it."""

    reprojection_rms_px: Annotated[float, Meta(ge=0)]
    position_mm: tuple[float, float, float]
    markers_used: tuple[int, ...]


class BaseSeen(_Record, frozen=True, kw_only=True):
    """A figure's base: the ground point under its centre, and the height of that ground.

    ``army`` is None where no paint told it; ``bearing_deg`` is None where the direction cannot be known. Of a
    rectangle of which it is not, ``axis_deg`` is the bearing, 0 to 180, of its front or of its rear. Where no paint
    told it and two armies' bases of its name are of different shapes, it is as those of ``like_army`` are.
    """

    army: str | None
    base: str | None
    x_mm: float
    y_mm: float
    z_mm: float
    bearing_deg: float | None
    sigma_mm: Sigma
    bearing_sigma_deg: Sigma | None
    confidence: Annotated[float, Meta(ge=0, le=1)]
    axis_deg: float | UnsetType = UNSET
    like_army: str | UnsetType = UNSET

    @property
    def lies_deg(self) -> float | None:
        """The bearing, or that of the axis, along which a base lies; None where neither is known."""
        if self.bearing_deg is not None:
            return self.bearing_deg
        return None if self.axis_deg is UNSET else self.axis_deg


class TagSeen(_Record, frozen=True, kw_only=True):
    """A unit tag that lies flat: its centre and the bearing of its top edge."""

    id: Annotated[int, Meta(ge=0)]
    x_mm: float
    y_mm: float
    bearing_deg: float
    sigma_mm: Sigma


class TerrainSeen(_Record, frozen=True, kw_only=True):
    """A piece of terrain: the outline of its top as a simple polygon, not closed."""

    kind: str
    polygon_mm: tuple[tuple[float, float], ...]
    sigma_mm: Sigma


class Observation(_Record, frozen=True, kw_only=True):
    """All that one frame shows."""

    format: Literal["vedette-observation/1"] = "vedette-observation/1"
    camera: CameraSeen
    bases: tuple[BaseSeen, ...] = ()
    tags: tuple[TagSeen, ...] = ()
    terrain: tuple[TerrainSeen, ...] = ()
    warnings: tuple[str, ...] = ()


class WatchEvent(_Record, frozen=True, kw_only=True, omit_defaults=True):
    """One line of ``vedette watch``; keys that an event does not have are left out."""

    event: Literal["moved", "appeared", "removed", "disturbed", "settled"]
    frame: Annotated[int, Meta(ge=0)]
    t_s: float
    track: int | UnsetType = UNSET
    army: str | UnsetType | None = UNSET
    base: str | UnsetType | None = UNSET
    from_mm: tuple[float, float] | UnsetType = UNSET
    to_mm: tuple[float, float] | UnsetType = UNSET
    distance_mm: float | UnsetType = UNSET
    sigma_mm: float | UnsetType = UNSET


def read_observation(path: Path) -> Observation:
    """The observation in a JSON file. Raises calibration.errors.UnusableFile."""
    return read_json(path, Observation, OBSERVATION_FORMAT)


def observation_json(observation: Observation) -> bytes:
    """An observation as the text of its file, which has no key for an axis alone."""
    bases = tuple(replace(base, axis_deg=UNSET) for base in observation.bases)
    return msgspec.json.format(msgspec.json.encode(replace(observation, bases=bases)), indent=1) + b"\n"
