"""The demo: the whole program on a virtual table, seen by a simulated camera through the real vision code."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from calibration.records import Table
from engine.clock import now_text
from engine.keeping.entries import game_of
from engine.keeping.entry import Entry
from engine.keeping.placing import placed_by
from engine.records.game import GAME_FORMAT, Figure, Game, Unit, game_from
from vision.measure import Measurer
from vision.simulated import BasePlaced, Demo, SimulatedCamera, VirtualTable, demo_names, load_demo
from webui.camera.assigning import base_of
from webui.camera.muster import Kind, kinds_of
from webui.camera.watcher import Watcher
from webui.errors import BadRequest, UnusableOption
from webui.live import LiveTable
from webui.serving.requests import FigureAt
from webui.table.beginning import with_campaign
from webui.table.desk import Desk
from webui.table.keeping import Keeping, default_folder, first_revision

__all__ = ["VirtualHand", "demo_game", "open_demo", "stood_up"]

#: Frames a second of the simulated camera while nothing happens, and how soon after one that shows something new
#: the next is taken: as soon as two are alike the table is measured.
_FPS, _SOON_S = 4.0, 0.03
#: A base may stand this far beyond the table's edge, as far as the camera sees the ground well.
_BEYOND_MM = 60.0


def open_demo(
    data: Path | None, *, fresh: bool, seed: int, ruleset: str = "muskets-mohawks", campaign: Path | None = None,
    troops: bool = True, dice_seed: int | None = None,
) -> LiveTable:  # fmt: skip
    """The live table of a ruleset's demo; the journal in ``data`` goes on where it ended, and so do the figures.

    ``campaign`` is a file with a campaign that a game which begins is a part of. Without ``troops`` a new game
    begins on a bare table, for whoever raises armies and rolls terrain himself. With ``dice_seed`` the program's
    own dice fall the same for the same actions. Raises UnusableOption where there is no such demo, or the folder
    holds a game by other rules.
    """
    if ruleset not in demo_names():
        raise UnusableOption(f"--ruleset: expected one of {', '.join(demo_names())}, got {ruleset!r}")
    demo = load_demo(ruleset)
    if not troops:
        bare = replace(demo.virtual, bases=(), terrain=(), trees=(), clutter=())
        demo = replace(demo, units=(), virtual=bare)
    table = demo.virtual.table
    keeping = Keeping(data or default_folder("demo") / ruleset)

    def seed_of_dice() -> int:
        done = sum(entry.kind == "action" for entry in desk.journal.entries)
        return secrets.randbits(32) if dice_seed is None else dice_seed + (done << 16)

    try:
        desk = Desk(keeping.journal(fresh=fresh), table, now_text, seed_of_dice)
        if not desk.begun:
            game = demo_game(demo)
            desk.begin(game if campaign is None else with_campaign(game, campaign))
        elif desk.game.ruleset != ruleset:
            raise UnusableOption(
                f"--data {keeping.folder}: a game of {desk.game.ruleset} is being played in this folder; begin anew"
                " with --fresh, or name another folder"
            )
    except BaseException:
        keeping.close()
        raise
    looks = {base.id: base.figure for base in demo.virtual.bases}
    camera = SimulatedCamera(
        stood_up(desk.game, demo.virtual, looks), demo.camera, seed=seed, fps=_FPS, soon_s=_SOON_S
    )
    live = LiveTable(desk, mode="demo", clock_s=time.monotonic, first_revision=first_revision(), keeping=keeping)
    live.hand = VirtualHand(camera, desk.game, looks)
    live.eye = watcher = Watcher(
        camera, lambda: Measurer(table, demo.camera.intrinsics), table, live, time.monotonic
    )
    live.add(watcher)
    return live


def demo_game(demo: Demo) -> Game:
    """The demo's game as it begins: its units where they are first set up. The terrain is left to the camera."""
    size, head = demo.virtual.table.table, dict(demo.game)
    table: dict[str, Any] = {"width_mm": size.width_mm, "depth_mm": size.depth_mm}
    if "grid" in head:
        table["grid"] = head.pop("grid")
    game = game_from({"format": GAME_FORMAT, **head, "table": table}, "the demo")
    return replace(game, units=tuple(_units(demo)))


def stood_up(game: Game, virtual: VirtualTable, looks: Mapping[str, str]) -> VirtualTable:
    """The virtual table with the figures where a game has them; ``looks`` tells how each is painted."""
    armies = kinds_of(game, virtual.table)
    return replace(
        virtual,
        bases=tuple(
            _base(figure, armies[figure.id], looks)
            for unit in game.units
            for figure in unit.figures
            if figure.id in armies
        ),
    )


class VirtualHand:
    """The hand over the virtual table: moves what players drag, and does there what the rules do in the game."""

    def __init__(self, camera: SimulatedCamera, game: Game, looks: Mapping[str, str]) -> None:
        self._camera = camera
        self._game = game
        self._looks = looks
        self._lock = threading.Lock()
        #: What stood where on the table before an entry changed that, by the entry's number: an undo puts it back
        #: there, and not where it was measured, or the table would drift by the measurement's errors.
        self._stood: dict[int, dict[str, BasePlaced]] = {}

    def move(self, figures: Iterable[FigureAt]) -> None:
        """Moves figures to where they are dragged. Raises BadRequest; then none is moved."""
        with self._lock:
            virtual = self._camera.table
            standing = {base.id: base for base in virtual.bases}
            for figure in figures:
                if figure.id not in standing:
                    raise BadRequest(f"figures: there is no figure {figure.id!r} on the table")
                _demand_on_table(figure, virtual.table)
                base = standing[figure.id]
                bearing = base.bearing_deg if figure.bearing_deg is None else figure.bearing_deg % 360.0
                standing[figure.id] = replace(base, x_mm=figure.x_mm, y_mm=figure.y_mm, bearing_deg=bearing)
            self._camera.replace(replace(virtual, bases=tuple(standing.values())))

    def stand(self, game: Game) -> None:
        """Sets the whole table up as a game has it."""
        with self._lock:
            self._game = game
            self._camera.replace(stood_up(game, self._camera.table, self._looks))

    def follow(self, entry: Entry, game: Game, entries: Sequence[Entry]) -> None:
        """Takes off what the game has lost, puts back what an undo brings back, carries out what the rules moved.

        What the camera saw stands there already; what a person put right on the page is none of the table's. Where
        the game goes on from an earlier point, the table is set up as it was then.
        """
        if entry.follows is not None:
            self.stand(game)
            return
        with self._lock:
            before, self._game = self._game, game
            if entry.kind in ("camera", "place"):
                return
            virtual = self._camera.table
            were = {base.id: base for base in stood_up(before, virtual, self._looks).bases}
            now = {base.id: base for base in stood_up(game, virtual, self._looks).bases}
            standing = {base.id: base for base in virtual.bases if base.id in now}
            standing |= {name: base for name, base in now.items() if were.get(name) != base or name not in standing}
            placed, then = _rewound(entry, entries)
            if then is not None:
                old = {base.id: base for base in stood_up(then, virtual, self._looks).bases}
                standing |= {name: old[name] for name in placed if name in old and name in standing}
            if entry.undoes is not None:
                stood = self._stood.get(entry.undoes, {})
                standing |= {name: base for name, base in stood.items() if name in standing}
            self._stood[entry.number] = {base.id: base for base in virtual.bases if standing.get(base.id) != base}
            self._camera.replace(replace(virtual, bases=tuple(standing.values())))


def _rewound(entry: Entry, entries: Sequence[Entry]) -> tuple[frozenset[str], Game | None]:
    """The figures that an undone (or redone) entry had placed, and the game before (or after) it.

    What the camera has seen since stands in the journal, so the game alone does not tell where to put them.
    """
    if entry.undoes is None:
        return frozenset(), None
    target, again = entries[entry.undoes - 1], False
    while target.undoes is not None:
        target, again = entries[target.undoes - 1], not again
    return placed_by(target), game_of(entries[: target.number if again else target.number - 1])


def _units(demo: Demo) -> Iterable[Unit]:
    for unit in demo.units:
        army = demo.virtual.army(unit.side)
        base = base_of(next(kind for kind in army.bases if kind.name == unit.base))
        figures = tuple(
            Figure(
                id=figure.id,
                x_mm=figure.x_mm,
                y_mm=figure.y_mm,
                bearing_deg=figure.bearing_deg,
                base=base,
                role=figure.role or "rank",
            )
            for figure in unit.figures
        )
        yield Unit(
            id=unit.id, name=unit.name, side=unit.side, type=unit.type, formation=unit.formation,
            weapon=unit.weapon, stats=unit.stats, state=unit.state, figures=figures,
        )  # fmt: skip


def _base(figure: Figure, kind: Kind, looks: Mapping[str, str]) -> BasePlaced:
    return BasePlaced(
        id=figure.id,
        army=kind[0],
        base=kind[1],
        x_mm=figure.x_mm,
        y_mm=figure.y_mm,
        bearing_deg=figure.bearing_deg or 0.0,
        figure=looks.get(figure.id, ""),
    )


def _demand_on_table(figure: FigureAt, table: Table) -> None:
    size = table.table
    across = -_BEYOND_MM <= figure.x_mm <= size.width_mm + _BEYOND_MM
    deep = -_BEYOND_MM <= figure.y_mm <= size.depth_mm + _BEYOND_MM
    if not (across and deep):
        raise BadRequest(
            f"figures: {figure.id}: expected a place on the table, got {figure.x_mm:.0f}, {figure.y_mm:.0f} mm"
        )
