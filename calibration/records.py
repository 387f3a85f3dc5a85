"""The typed records of ``vedette-table/1`` and ``vedette-camera/1``, which are also their validators.

Lengths are millimetres in the table frame: origin at the near-left corner of the play area, x to the right,
y away from the near edge, z up. Bearings are degrees clockwise from above, 0 towards +y.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import tomli_w
from msgspec import UNSET, Meta, Struct, UnsetType

from calibration.errors import UnusableFile
from calibration.reading import read_json, read_toml, write_whole

TABLE_FORMAT = "vedette-table/1"
CAMERA_FORMAT = "vedette-camera/1"

#: No length or place of a table is larger than this: a kilometre.
MOST_MM = 1e6
#: A table of more than 20 m is a slip in its unit, and would fill the memory with the ground that it might be.
MOST_SPAN_MM = 2e4

PositiveMm = Annotated[float, Meta(gt=0, le=MOST_MM)]
SpanMm = Annotated[float, Meta(gt=0, le=MOST_SPAN_MM)]
PlaceMm = Annotated[float, Meta(ge=-MOST_MM, le=MOST_MM)]
Colour = Annotated[str, Meta(pattern=r"^#[0-9a-fA-F]{6}\Z")]


class _Record(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """What all records share: immutable, keyword only, no unknown key."""


class TableSize(_Record, frozen=True, kw_only=True):
    """The play area."""

    width_mm: SpanMm
    depth_mm: SpanMm


class MarkerAt(_Record, frozen=True, kw_only=True):
    """Where the centre of one printed table marker lies; ``rotation_deg`` is the bearing of its top edge."""

    id: Annotated[int, Meta(ge=0)]
    x_mm: PlaceMm
    y_mm: PlaceMm
    z_mm: PlaceMm = 0.0
    rotation_deg: float = 0.0


class Markers(_Record, frozen=True, kw_only=True):
    """The table markers: black squares of ``size_mm``, outer edge to outer edge."""

    dictionary: str
    size_mm: PositiveMm
    at: tuple[MarkerAt, ...] = ()


class Tags(_Record, frozen=True, kw_only=True):
    """The unit tags: ids 10-99 of the markers' dictionary."""

    size_mm: PositiveMm


class RoundBase(_Record, frozen=True, kw_only=True, tag="round", tag_field="shape"):
    """A round base; ``height_mm`` is the rim's top above the ground it stands on."""

    name: str
    diameter_mm: PositiveMm
    height_mm: Annotated[float, Meta(ge=0)] = 0.0


class RectBase(_Record, frozen=True, kw_only=True, tag="rect", tag_field="shape"):
    """A rectangular base: width across the front, depth front to back."""

    name: str
    width_mm: PositiveMm
    depth_mm: PositiveMm
    height_mm: Annotated[float, Meta(ge=0)] = 0.0


BaseKind = RoundBase | RectBase


class Army(_Record, frozen=True, kw_only=True):
    """An army's paint: the rim's colour and the front mark's, as in good light.

    Bases of an army without a ``base_colour`` have no painted rims.
    """

    name: str
    base_colour: Colour | UnsetType = UNSET
    front_mark: Colour | UnsetType = UNSET
    bases: tuple[BaseKind, ...] = ()


class TerrainKind(_Record, frozen=True, kw_only=True):
    """How one kind of terrain is recognised: a patch or block of one colour with its top at ``height_mm``."""

    kind: str
    colour: Colour
    height_mm: Annotated[float, Meta(ge=0, le=150)] = 0.0


class GridOnMat(_Record, frozen=True, kw_only=True):
    """The squares or hexes of the mat, as a game's ``table.grid`` has them; hexes have flat tops at turn 0.

    ``origin_mm`` is the corner of the first square, or of the box round the first hex; all is turned clockwise
    about it. ``sigma_mm`` is how surely the lines lie there, where they were found in a picture.
    """

    kind: Literal["square", "hex"]
    size_mm: PositiveMm
    columns: Annotated[int, Meta(gt=0)]
    rows: Annotated[int, Meta(gt=0)]
    origin_mm: tuple[PlaceMm, PlaceMm] = (0.0, 0.0)
    turn_deg: Annotated[float, Meta(ge=-360, le=360)] = 0.0
    sigma_mm: Annotated[float, Meta(ge=0)] | UnsetType = UNSET


class Table(_Record, frozen=True, kw_only=True):
    """A whole ``vedette-table/1`` file."""

    format: Literal["vedette-table/1"]
    table: TableSize
    markers: Markers
    tags: Tags | UnsetType = UNSET
    armies: tuple[Army, ...] = ()
    terrain_kinds: tuple[TerrainKind, ...] = ()
    grid: GridOnMat | UnsetType = UNSET


class Intrinsics(_Record, frozen=True, kw_only=True):
    """A ``vedette-camera/1`` file: OpenCV's pinhole lens, pixel centres at integer coordinates."""

    format: Literal["vedette-camera/1"] = "vedette-camera/1"
    width_px: Annotated[int, Meta(gt=0)]
    height_px: Annotated[int, Meta(gt=0)]
    fx: Annotated[float, Meta(gt=0)]
    fy: Annotated[float, Meta(gt=0)]
    cx: float
    cy: float
    dist: tuple[float, float, float, float, float] = (0.0, 0.0, 0.0, 0.0, 0.0)
    rms_px: Annotated[float, Meta(ge=0)] | UnsetType = UNSET


def read_table(path: Path) -> Table:
    """The table in a TOML file. Raises UnusableFile."""
    table = read_toml(path, Table, TABLE_FORMAT)
    for where, fault in _faults(table):
        raise UnusableFile(f"{path}: {where}: {fault}")
    return table


def _faults(table: Table) -> Iterator[tuple[str, str]]:
    """What no single key can tell: an unknown dictionary, ids and names that stand twice."""
    from calibration.dictionaries import marker_dictionary  # here, for it loads OpenCV

    try:
        known = len(marker_dictionary(table.markers.dictionary).bytesList)
    except UnusableFile as error:
        yield "markers.dictionary", str(error)
        return
    for number, marker in enumerate(table.markers.at):
        if marker.id >= known:
            yield f"markers.at[{number}].id", f"expected 0 to {known - 1}, got {marker.id}"
    yield from _twice([marker.id for marker in table.markers.at], "markers.at[{}].id", "id")
    yield from _twice([army.name for army in table.armies], "armies[{}].name", "name")
    for number, army in enumerate(table.armies):
        yield from _twice([base.name for base in army.bases], f"armies[{number}].bases[{{}}].name", "name")


def _twice(values: Sequence[object], where: str, what: str) -> Iterator[tuple[str, str]]:
    for number, value in enumerate(values):
        if value in values[:number]:
            yield (
                where.format(number),
                f"expected {'an' if what == 'id' else 'a'} {what} of its own, got {value!r} again",
            )


def write_table(path: Path, table: Table) -> None:
    """Writes a table as TOML, whole or not at all. Raises UnusableFile."""
    built = {"format": TABLE_FORMAT, **msgspec.to_builtins(table)}
    write_whole(path, "\n".join(_toml(built)).encode())


def _toml(table: dict[str, Any], within: str = "") -> Iterator[str]:
    """TOML as the guide writes it, each inner table under a header of its own.

    tomli_w puts short ones in a line, ``bases = [{…}]``, to which TOML lets nobody add a ``[[armies.bases]]``.
    """
    inner = {key: value for key, value in table.items() if _holds_tables(value)}
    yield tomli_w.dumps({key: value for key, value in table.items() if key not in inner})
    for key, value in inner.items():
        name = f"{within}{key}"
        for one in [value] if isinstance(value, dict) else value:
            yield f"[{name}]" if isinstance(value, dict) else f"[[{name}]]"
            yield from _toml(one, f"{name}.")


def _holds_tables(value: object) -> bool:
    return isinstance(value, dict) or (
        isinstance(value, list | tuple) and any(isinstance(one, dict) for one in value)
    )


def read_intrinsics(path: Path) -> Intrinsics:
    """The lens in a JSON file. Raises UnusableFile."""
    return read_json(path, Intrinsics, CAMERA_FORMAT)


def intrinsics_json(intrinsics: Intrinsics) -> bytes:
    """A lens as the text of its file, every key written."""
    built = {"format": CAMERA_FORMAT, **msgspec.to_builtins(intrinsics)}
    return msgspec.json.format(msgspec.json.encode({**built, "dist": intrinsics.dist}), indent=1) + b"\n"


def write_intrinsics(path: Path, intrinsics: Intrinsics) -> None:
    """Writes a lens as JSON, whole or not at all. Raises UnusableFile."""
    write_whole(path, intrinsics_json(intrinsics))
