"""What stands on a virtual table, and how the camera over it sees: immutable records.

Positions are table millimetres, bearings degrees clockwise from +y (see `calibration.records`).
"""

from __future__ import annotations

from msgspec import Struct

from calibration.records import Army, BaseKind, Table

__all__ = ["PLAIN", "BasePlaced", "Effects", "TagPlaced", "TerrainPlaced", "TreePlaced", "VirtualTable"]


class BasePlaced(Struct, frozen=True, kw_only=True):
    """A base of a kind that the table knows; ``figure`` names the figure on it (see figures.toml), "" for none."""

    id: str
    army: str
    base: str
    x_mm: float
    y_mm: float
    bearing_deg: float
    figure: str = ""


class TerrainPlaced(Struct, frozen=True, kw_only=True):
    """A piece of terrain of a kind that the table knows: the outline of its top, not closed.

    ``slope_mm`` is how much farther its foot reaches on every side than its top.
    """

    kind: str
    polygon_mm: tuple[tuple[float, float], ...]
    slope_mm: float = 0.0


class TagPlaced(Struct, frozen=True, kw_only=True):
    """A unit tag that lies flat: its centre and the bearing of its top edge."""

    id: int
    x_mm: float
    y_mm: float
    bearing_deg: float = 0.0


class TreePlaced(Struct, frozen=True, kw_only=True):
    """A tree that stands on the table."""

    x_mm: float
    y_mm: float
    radius_mm: float = 22.0
    height_mm: float = 70.0


class VirtualTable(Struct, frozen=True, kw_only=True):
    """A table and all that stands on it. ``hand_mm`` is where a player's hand is, if one reaches over the table."""

    table: Table
    bases: tuple[BasePlaced, ...] = ()
    terrain: tuple[TerrainPlaced, ...] = ()
    tags: tuple[TagPlaced, ...] = ()
    trees: tuple[TreePlaced, ...] = ()
    mat: str = "#67773d"
    hand_mm: tuple[float, float] | None = None

    def army(self, name: str) -> Army:
        """An army of the table. Raises KeyError for a name that it has not."""
        for army in self.table.armies:
            if army.name == name:
                return army
        raise KeyError(f"the table has no army {name!r}")

    def base_kind(self, base: BasePlaced) -> BaseKind:
        """The kind of a base. Raises KeyError for one that the table has not."""
        for kind in self.army(base.army).bases:
            if kind.name == base.base:
                return kind
        raise KeyError(f"{base.army} has no base {base.base!r}")

    def height_of(self, kind: str) -> float:
        """The height of a kind of terrain in mm. Raises KeyError for one that the table has not."""
        for known in self.table.terrain_kinds:
            if known.kind == kind:
                return known.height_mm
        raise KeyError(f"the table has no terrain {kind!r}")

    def colour_of(self, kind: str) -> str:
        """The colour of a kind of terrain, as #rrggbb. Raises KeyError for one that the table has not."""
        for known in self.table.terrain_kinds:
            if known.kind == kind:
                return known.colour
        raise KeyError(f"the table has no terrain {kind!r}")


class Effects(Struct, frozen=True, kw_only=True):
    """What a camera and a lamp add to the bare scene; each can be switched off with its zero or False.

    ``lamp`` is how much darker the far corner is, ``vignetting`` the corners, as shares of the light; ``cast`` are
    the gains of blue, green and red that the white balance gets wrong; ``blur_px`` and ``noise`` (of 255) are
    standard deviations; ``jpeg_quality`` 0 means no compression.
    """

    texture: bool = True
    figures: bool = True
    shadows: bool = True
    lamp: float = 0.14
    vignetting: float = 0.12
    cast: tuple[float, float, float] = (0.95, 1.0, 1.04)
    blur_px: float = 0.5
    noise: float = 1.6
    jpeg_quality: int = 92


#: The bare scene, as no camera ever saw it.
PLAIN = Effects(
    texture=False, figures=False, shadows=False, lamp=0.0, vignetting=0.0, cast=(1.0, 1.0, 1.0), blur_px=0.0,
    noise=0.0, jpeg_quality=0,
)  # fmt: skip
