"""The demos' tables and armies, from ``demos/``: one file for what the camera sees and for the game's roster."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any

import msgspec
from msgspec import Struct

from calibration.camera import CameraModel
from calibration.records import Table
from vision.simulated.camera import camera_over
from vision.simulated.virtual import BasePlaced, TagPlaced, TerrainPlaced, TreePlaced, VirtualTable

__all__ = ["Demo", "DemoFigure", "DemoUnit", "demo_names", "load_demo"]

_FOLDER = files("vision.simulated").joinpath("demos")


class DemoFigure(Struct, frozen=True, kw_only=True):
    """Where a figure stands at first; ``role`` is what the game calls it, "" for the rank and file."""

    id: str
    x_mm: float
    y_mm: float
    bearing_deg: float
    role: str = ""


class DemoUnit(Struct, frozen=True, kw_only=True):
    """A unit as the game's roster has it; ``base`` is the name of its base kind in its side's army."""

    id: str
    name: str
    side: str
    type: str
    formation: str
    weapon: str
    stats: dict[str, Any]
    state: dict[str, Any]
    base: str
    figures: tuple[DemoFigure, ...]


class Demo(Struct, frozen=True, kw_only=True):
    """A demo: the virtual table, its units, and where the camera hangs.

    ``game`` is the head of the game that is played on it, as the file has it: its ruleset, its sides …
    """

    virtual: VirtualTable
    units: tuple[DemoUnit, ...]
    camera_mm: tuple[float, float, float]
    target_mm: tuple[float, float]
    game: dict[str, Any]

    @property
    def camera(self) -> CameraModel:
        """The camera over the table."""
        return camera_over(self.camera_mm, self.target_mm)


class _Unit(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A unit as the file has it; ``at`` are x, y, bearing of each figure, ``leader`` the number of one, from 1.

    ``roles`` are those of other figures, by their numbers.
    """

    id: str
    name: str
    side: str
    type: str
    formation: str
    weapon: str
    base: str
    figure: str
    leader_figure: str = ""
    leader: int = 0
    roles: dict[str, str] = {}
    stats: dict[str, Any] = {}
    state: dict[str, Any] = {}
    at: tuple[tuple[float, float, float], ...]


class _File(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    camera_mm: tuple[float, float, float]
    target_mm: tuple[float, float]
    mat: str
    terrain: tuple[TerrainPlaced, ...]
    trees: tuple[TreePlaced, ...]
    tags: tuple[TagPlaced, ...] = ()
    units: tuple[_Unit, ...]
    game: dict[str, Any]
    table: dict[str, Any]


def demo_names() -> tuple[str, ...]:
    """The demos that there are: one for each ruleset, by its id."""
    return tuple(sorted(file.name.removesuffix(".toml") for file in _FOLDER.iterdir()))


def load_demo(name: str = "muskets-mohawks") -> Demo:
    """The demo of that name as its file states it."""
    raw = tomllib.loads(_FOLDER.joinpath(f"{name}.toml").read_text("utf-8"))
    file = msgspec.convert(raw, _File)
    bases = tuple(base for unit in file.units for base in _bases(unit))
    virtual = VirtualTable(
        table=msgspec.convert(file.table, Table),
        bases=bases,
        terrain=file.terrain,
        tags=file.tags,
        trees=file.trees,
        mat=file.mat,
    )
    units = tuple(_demo_unit(unit) for unit in file.units)
    return Demo(virtual=virtual, units=units, camera_mm=file.camera_mm, target_mm=file.target_mm, game=file.game)


def _demo_unit(unit: _Unit) -> DemoUnit:
    figures = tuple(
        DemoFigure(
            id=f"{unit.id}-{n}", x_mm=x, y_mm=y, bearing_deg=bearing,
            role=unit.roles.get(str(n), "leader" if n == unit.leader else ""),
        )
        for n, (x, y, bearing) in enumerate(unit.at, start=1)
    )  # fmt: skip
    return DemoUnit(
        id=unit.id, name=unit.name, side=unit.side, type=unit.type, formation=unit.formation, weapon=unit.weapon,
        stats=unit.stats, state=unit.state, base=unit.base, figures=figures,
    )  # fmt: skip


def _bases(unit: _Unit) -> tuple[BasePlaced, ...]:
    return tuple(
        BasePlaced(
            id=f"{unit.id}-{n}", army=unit.side, base=unit.base, x_mm=x, y_mm=y, bearing_deg=bearing,
            figure=unit.leader_figure if n == unit.leader and unit.leader_figure else unit.figure,
        )
        for n, (x, y, bearing) in enumerate(unit.at, start=1)
    )  # fmt: skip
