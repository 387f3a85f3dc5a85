"""The workbench of the first evening: table, lens and camera as they stand; they change under a running game."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from msgspec.structs import replace

from calibration.camera import CameraModel
from calibration.poses.pose import solve_pose
from calibration.prints.markers import FoundMarker, find_markers
from calibration.records import Intrinsics, Table
from engine.events import Begin, Event
from engine.records.game import Game, Side, TableArea, game_builtins
from vision.errors import VisionError
from vision.frames.records import Image
from vision.sources import Frame, Mode, Source, SourceStatus, open_source
from webui.errors import BadRequest, NotReady, Refused
from webui.evening.kept import Files, Setup
from webui.table.beginning import empty_game, grid_for
from webui.table.desk import Desk

__all__ = ["Owner", "Stand", "Workbench"]

T = TypeVar("T")

#: Opens a camera by its name.
Opener = Callable[[str, Mode], Source]


def _opened(spec: str, mode: Mode) -> Source:
    return open_source(spec, mode=mode)


class Owner(Protocol):
    """Whoever has the desk: the thread of a live table, or a command that has it to itself."""

    def do(self, task: Callable[[Desk], T]) -> T:
        """Has something done with the desk, and gives back what came of it, or raises it."""
        ...


class Stand(Protocol):
    """Where the table's pictures come from: a camera that is watched, or a photo."""

    @property
    def source(self) -> Source | None:
        """The camera that is watched; None where there is none."""
        ...

    def frame(self) -> Frame | None:
        """The newest picture."""
        ...

    def status(self) -> SourceStatus:
        """How the camera is."""
        ...

    def use(self, source: Source) -> None:
        """Watches another camera from now on; the old one is closed."""
        ...

    def let_go(self) -> None:
        """Closes the camera, so that the same device can be opened anew."""
        ...

    def lay(self, table: Table, lens: Intrinsics | None, empty: Image | None) -> None:
        """Measures by another table, lens or photo of the empty table from now on."""
        ...


class Workbench:
    """What the steps share. Changes come one after another; what is changed is on disk before it counts.

    ``opener`` opens a camera by its name; ``revision`` grows with every change.
    """

    def __init__(
        self,
        live: Owner,
        stand: Stand,
        files: Files,
        table: Table,
        lens: Intrinsics | None,
        setup: Setup,
        empty: Image | None = None,
        opener: Opener = _opened,
    ) -> None:
        self.live, self.stand, self.files, self.empty = live, stand, files, empty
        self.table, self.lens, self.setup = table, lens, setup
        self.lock = threading.RLock()
        self.revision = 1
        self._open = opener
        self._found: tuple[Frame, tuple[FoundMarker, ...]] | None = None
        self._model: tuple[Frame, Table, Intrinsics | None, CameraModel] | None = None

    @property
    def bare(self) -> bool:
        """Whether so little is set up that the page leads here."""
        return self.setup.camera is None or not self.table.markers.at

    def frame(self) -> Frame:
        """The newest frame. Raises NotReady where there is none."""
        frame = self.stand.frame()
        if frame is None:
            status = self.stand.status()
            if status.state == "ended" and status.detail:
                raise NotReady(f"there is no picture: {status.detail}")
            comes = self.setup.camera is not None and status.state in ("starting", "live")
            what = "the camera starts" if comes else "choose a camera first"
            raise NotReady(f"there is no picture yet{f' ({status.detail})' if status.detail else ''}: {what}")
        return frame

    def found(self) -> tuple[FoundMarker, ...]:
        """The markers in the newest frame. Raises NotReady."""
        frame = self.frame()
        with self.lock:
            if self._found is None or self._found[0] is not frame:
                self._found = frame, find_markers(frame.image, self.table.markers.dictionary)
            return self._found[1]

    def model(self) -> CameraModel:
        """How the camera hangs, by the newest frame. Raises NotReady, CalibrationError."""
        with self.lock:
            frame, found = self.frame(), self.found()
            known = self._model
            if known is None or (known[0], known[1], known[2]) != (frame, self.table, self.lens):
                size = frame.image.shape[1], frame.image.shape[0]
                self._model = known = frame, self.table, self.lens, solve_pose(found, self.table, self.lens, size)
            return known[3]

    def use_camera(self, spec: str, mode: Mode) -> None:
        """Watches another camera, or the same otherwise. Raises BadRequest for what is none."""
        with self.lock:
            if self.setup.camera == spec:
                self.stand.let_go()  # a device cannot be opened twice
            try:
                source = self._open(spec, mode)
            except VisionError as error:
                raise BadRequest(str(error)) from error
            self.stand.use(source)
            self.keep(
                camera=spec, width_px=mode.width_px, height_px=mode.height_px, lock_focus=mode.lock_focus,
                lock_exposure=mode.lock_exposure, focus=mode.focus,
            )  # fmt: skip

    def keep(self, **changed: Any) -> None:
        """Changes how the table is used, and keeps it."""
        with self.lock:
            setup = replace(self.setup, **changed)
            self.files.keep_setup(setup)
            self.setup = setup
            self.revision += 1

    def use_lens(self, lens: Intrinsics | None) -> None:
        """Measures through another lens; None: it is guessed from the markers."""
        with self.lock:
            self.files.keep_lens(lens)
            self.lens = lens
            self.measure_anew()
            self.keep(lens="guessed" if lens is None else "calibrated")

    def use_table(self, table: Table) -> None:
        """Plays on another table; the game takes its size and its sides. Raises Refused where it cannot."""
        with self.lock:
            self.live.do(lambda desk: _fit(desk, table))
            self.files.keep_table(table)
            self.table = table
            self.measure_anew()
            self.revision += 1

    def use_empty(self, photo: Image | None) -> None:
        """Finds bases without paint by another photo of the empty table; None: no more."""
        with self.lock:
            self.files.keep_empty(photo)
            self.empty = photo
            self.measure_anew()
            self.revision += 1

    def measure_anew(self) -> None:
        """Has all of the table measured by what is set up now."""
        self.stand.lay(self.table, self.lens, self.empty)

    def use_rules(self, ruleset: str, *, anew: bool = False) -> None:
        """Plays by other rules, with no units yet. Raises Refused where there are units, unless ``anew``,
        BadRequest where there are no such rules or they cannot be played on this table."""
        from engine.errors import EngineError
        from engine.rulesets import find_ruleset

        with self.lock:
            try:
                find_ruleset(ruleset)
                game = empty_game(self.table, ruleset)
            except (EngineError, ValueError) as error:
                raise BadRequest(str(error)) from error

            def begin(desk: Desk) -> None:
                if desk.game.ruleset == ruleset and not anew:
                    return
                if desk.game.units and not anew:
                    raise Refused(
                        f"{len(desk.game.units)} units are mustered by the rules that are played now: a new game"
                        " begins without them"
                    )
                desk.begin(game)

            self.live.do(begin)
            self.revision += 1


def _fit(desk: Desk, table: Table) -> None:
    """Lets the desk's game fit a table: its size, and a side for each army."""
    game = desk.game
    fitted = _fitted(game, table)
    before, desk.table = desk.table, table
    desk.observation, desk.mustered = None, None  # what was seen so far was measured by another table
    if fitted == game:
        desk.changes += 1
        return
    try:
        if not game.units:
            desk.begin(fitted)
            return
        event = Event(
            event="set-up",
            facts={"width_mm": table.table.width_mm, "depth_mm": table.table.depth_mm},
            changes=(Begin(game=game_builtins(fitted)),),
        )
        desk.note("setup", [event])
    except BaseException:
        desk.table = before
        raise


def _fitted(game: Game, table: Table) -> Game:
    """The game on a table; a game without units begins anew with the table's armies for its sides."""
    if not game.units:
        begun = empty_game(table, game.ruleset)
        same = {side.name for side in begun.sides} == {side.name for side in game.sides}
        changed = {} if same else {"sides": begun.sides, "turn": begun.turn}
        return replace(game, table=_area(game, table), **changed)
    named = {side.name.casefold() for side in game.sides}
    new = [army.name for army in table.armies if army.name.casefold() not in named]
    free = [side.name for side in game.sides if not _is_used(game, side.name, table)]
    sides = [replace(side, name=new.pop(0)) if side.name in free and new else side for side in game.sides]
    sides += [Side(name=name, edge="north") for name in new]
    active = game.turn.active_side
    turn = game.turn if active in {side.name for side in sides} else replace(game.turn, active_side=sides[0].name)
    return replace(game, table=_area(game, table), sides=tuple(sides), turn=turn)


def _area(game: Game, table: Table) -> TableArea:
    """The play area of a game on a table; a grid that was fitted to the mat stays as long as its size does."""
    size, own = table.table, game.table
    if (size.width_mm, size.depth_mm) == (own.width_mm, own.depth_mm):
        return own
    grid = grid_for(game.ruleset, table, own.grid)
    return TableArea(width_mm=size.width_mm, depth_mm=size.depth_mm, grid=grid)


def _is_used(game: Game, side: str, table: Table) -> bool:
    """Whether a side has units, or an army of its name."""
    names = {army.name.casefold() for army in table.armies}
    return side.casefold() in names or any(unit.side == side for unit in game.units)
