"""What stands on a virtual table, and how the camera over it sees: immutable records.

Positions are table millimetres, bearings degrees clockwise from +y (see `calibration.records`).
"""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, Struct
from msgspec.structs import replace

from calibration.records import Army, BaseKind, Table

__all__ = [
    "PLAIN",
    "BasePlaced",
    "ClutterPlaced",
    "Effects",
    "MatPrint",
    "TagPlaced",
    "TerrainPlaced",
    "TreePlaced",
    "VirtualTable",
    "empty_of",
]


class BasePlaced(Struct, frozen=True, kw_only=True):
    """A base of a kind that the table knows; ``figure`` names the figure on it (see figures.toml), "" for none.

    A ``plain`` base is flocked like the mat all over: no paint tells its army. ``coat`` (#rrggbb) repaints the
    figure's coat, and ``tall`` makes the figure so many times as tall.
    """

    id: str
    army: str
    base: str
    x_mm: float
    y_mm: float
    bearing_deg: float
    figure: str = ""
    plain: bool = False
    coat: str = ""
    tall: float = 1.0


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


class ClutterPlaced(Struct, frozen=True, kw_only=True):
    """Something that is no part of the game: a ``die``, ``cotton`` ball, measuring ``tape``, ``mug``, ``paper``,
    ``book`` or ``box``. ``size_mm`` is its length, ``colour`` that of a die, book or mug; "" has the usual one.
    """

    what: Literal["die", "cotton", "tape", "mug", "paper", "book", "box"]
    x_mm: float
    y_mm: float
    bearing_deg: float = 0.0
    size_mm: float = 0.0
    colour: str = ""


class MatPrint(Struct, frozen=True, kw_only=True):
    """Squares or flat-topped hexes printed on the mat, as lines ``line_mm`` wide; ``opacity`` is the ink's share.

    Hexes are ``size_mm`` from side to side; the box round one of them, or a corner of one square, is at
    ``origin_mm``, and all is turned clockwise about that by ``turn_deg`` (30 makes pointed tops of flat ones).
    """

    kind: Literal["square", "hex"]
    size_mm: float
    origin_mm: tuple[float, float] = (0.0, 0.0)
    turn_deg: float = 0.0
    line_mm: float = 1.5
    colour: str = "#2b2f22"
    opacity: float = 0.6


class VirtualTable(Struct, frozen=True, kw_only=True):
    """A table and all that stands on it.

    ``hand_mm`` is where a player's hand is, if one reaches over the table, and ``arm_deg`` the bearing in which its
    arm reaches. ``mat``, the ``wood`` that it lies on and the ``flock`` within rims are colours; rims are painted
    ``rim_mm`` wide; the mat reaches ``mat_edge_mm`` beyond the play area, and has ``printed`` lines on it; prints
    are ``print_scale`` times as large as the table file says, as printers make them.
    """

    table: Table
    bases: tuple[BasePlaced, ...] = ()
    terrain: tuple[TerrainPlaced, ...] = ()
    tags: tuple[TagPlaced, ...] = ()
    trees: tuple[TreePlaced, ...] = ()
    clutter: tuple[ClutterPlaced, ...] = ()
    mat: str = "#67773d"
    wood: str = "#8a6a49"
    flock: str = "#5d6b38"
    mat_edge_mm: float = 12.0
    printed: MatPrint | None = None
    rim_mm: float = 3.2
    print_scale: float = 1.0
    hand_mm: tuple[float, float] | None = None
    arm_deg: float = 0.0

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

    def is_plain(self, base: BasePlaced) -> bool:
        """Whether a base is flocked like the mat all over; those of an army without paint are."""
        return base.plain or self.army(base.army).base_colour is UNSET

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

    The scene: ``texture`` is the grain of mat and felt, ``flock`` the tufts on each base, ``relief`` shades bevels
    and upright sides facet by facet, ``gloss`` (0-1) is how brightly paint mirrors the lamp. The shadow of a thing
    1 mm high ends at ``lamp_mm``; shadows take away the share ``shadow_depth`` of the light, and are soft over
    ``shadow_soft_mm``. A real lamp's are the softer, the higher what casts them: where they are so ``sharp_low``,
    a base's own is a narrow dark seam beside its rim.

    The lamp: ``lamp`` is how much darker the corner ``lamp_deg`` (in the picture, clockwise from its top) is than
    the one across, ``vignetting`` the corners, as shares of the light; ``cast`` are the gains of blue, green and
    red that the white balance gets wrong; daylight from a ``window`` makes that corner so much bluer and less red,
    and the one across as much the other way; ``exposure`` multiplies the light; ``flicker`` is the share by which a
    lamp on the mains lightens and darkens bands of rows.

    The camera: ``blur_px``, ``sharpen`` and ``noise`` (of 255) are standard deviations, a share and a standard
    deviation again; ``defocus_px`` is the radius of a disc; ``hand_blur_mm`` is how far a hand moves while a
    picture is taken; ``colour`` is how many times as vivid it is set to make colours; ``linear`` mixes light as
    light, so that white blooms into black; ``jpeg_quality`` 0 means no compression.
    """

    texture: bool = True
    figures: bool = True
    flock: int = 0
    relief: bool = False
    gloss: float = 0.0
    shadows: bool = True
    lamp_mm: tuple[float, float] = (0.42, -0.5)
    shadow_depth: float = 0.42
    shadow_soft_mm: float = 2.2
    sharp_low: bool = False
    lamp: float = 0.14
    lamp_deg: float = 130.0
    vignetting: float = 0.12
    cast: tuple[float, float, float] = (0.95, 1.0, 1.04)
    window: float = 0.0
    exposure: float = 1.0
    flicker: float = 0.0
    blur_px: float = 0.5
    defocus_px: float = 0.0
    hand_blur_mm: tuple[float, float] = (0.0, 0.0)
    colour: float = 1.0
    sharpen: float = 0.0
    noise: float = 1.6
    linear: bool = False
    jpeg_quality: int = 92


#: The bare scene, as no camera ever saw it.
PLAIN = Effects(
    texture=False, figures=False, shadows=False, lamp=0.0, vignetting=0.0, cast=(1.0, 1.0, 1.0), blur_px=0.0,
    noise=0.0, jpeg_quality=0,
)  # fmt: skip


def empty_of(table: VirtualTable) -> VirtualTable:
    """The same table before any figure was put down: terrain, trees and prints stay."""
    return replace(table, bases=(), tags=(), clutter=(), hand_mm=None)
