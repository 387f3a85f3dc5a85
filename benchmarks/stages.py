"""Where the time goes from a unit lying still on the simulated table to its changed options: stage by stage.

The demo's table is run in this process, without pages. Processor time is told beside the clock's: on a machine that
is busy with others only that can be compared.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

__all__ = ["from_a_move_to_options"]

_MOVES = 8
_STEP_MM = 60.0
_PATIENCE_S = 20.0
_REST_S = 1.5

#: What a stage is called, with the beginning and the end of each time that it ran, and the processor time it took.
_Log = list[tuple[str, float, float, float]]


def from_a_move_to_options() -> str:
    """Median milliseconds of each stage of a move, and of all of it: by the clock, and of processor time."""
    from webui.commands.demo import open_demo
    from webui.live import running

    log: _Log = []
    with tempfile.TemporaryDirectory() as data, _timed(log):
        live = open_demo(Path(data), fresh=True, seed=1)
        with running(live):
            _until(lambda: live.answers > 1)
            time.sleep(_REST_S)
            moves = [_move(live, number, log) for number in range(1, _MOVES + 1)]
    return _told(moves)


@contextmanager
def _timed(log: _Log) -> Iterator[None]:
    """Notes when each stage runs."""
    from vision.following.stillness import Stillness
    from vision.measure import Measurer
    from vision.simulated.rendering import Renderer
    from webui.live import LiveTable
    from webui.table.desk import Desk

    stages: list[tuple[type[Any], str, str]] = [
        (Renderer, "film", "pictures"),
        (Stillness, "update", "stillness"),
        (Measurer, "is_bumped", "bumped?"),
        (Measurer, "measure", "measuring"),
        (Desk, "look", "taking in"),
        (Desk, "answer", "asking"),
        (LiveTable, "_publish", "drawing"),
    ]
    with ExitStack() as patches:
        for kind, method, name in stages:
            patches.enter_context(patch.object(kind, method, _noted(getattr(kind, method), name, log)))
        yield


def _noted(work: Callable[..., Any], name: str, log: _Log) -> Callable[..., Any]:
    def noted(*given: Any, **named: Any) -> Any:
        began_s, worked_s = time.perf_counter(), time.thread_time()
        try:
            return work(*given, **named)
        finally:
            log.append((name, began_s, time.perf_counter(), time.thread_time() - worked_s))

    return noted


def _move(live: Any, number: int, log: _Log) -> dict[str, tuple[float, float]]:
    """Carries the first unit on; by stage the clock's and the processor's seconds until its options are drawn."""
    from webui.serving.requests import FigureAt

    unit = live.do(lambda desk: desk.game.units[0])
    away = _STEP_MM * (1 if number % 2 else -1) + 2.0
    entries = live.do(lambda desk: len(desk.journal.entries))
    log.clear()
    began_s = time.perf_counter()
    live.hand.move(
        [FigureAt(id=f.id, x_mm=f.x_mm, y_mm=f.y_mm + away, bearing_deg=f.bearing_deg) for f in unit.figures]
    )
    _until(lambda: any(name == "drawing" for name, *_ in log))
    drawn_s = max(end_s for name, _, end_s, _ in log if name == "drawing")
    time.sleep(_REST_S)
    if live.do(lambda desk: len(desk.journal.entries)) != entries + 1:
        raise RuntimeError("one move is not one entry in the journal")
    stages: dict[str, tuple[float, float]] = {}
    for name, start_s, end_s, worked_s in log:
        if end_s <= drawn_s:
            clock, processor = stages.get(name, (0.0, 0.0))
            stages[name] = clock + end_s - start_s, processor + worked_s
    # asking is a part of drawing
    busy = sum(worked_s for name, (_, worked_s) in stages.items() if name != "asking")
    return {**stages, "all": (drawn_s - began_s, busy)}


def _until(done: Callable[[], bool]) -> None:
    end = time.monotonic() + _PATIENCE_S
    while not done():
        if time.monotonic() > end:
            raise RuntimeError(f"nothing came of it within {_PATIENCE_S:.0f} s")
        time.sleep(0.005)


def _told(moves: list[dict[str, tuple[float, float]]]) -> str:
    lines = [f"{'':12}{'clock, ms':>12}{'processor':>12}"]
    for name in dict.fromkeys(name for move in moves for name in move):
        clock, processor = (statistics.median(m.get(name, (0.0, 0.0))[k] for m in moves) for k in (0, 1))
        lines.append(f"{name:12}{1e3 * clock:12.0f}{1e3 * processor:12.0f}")
    return "\n".join(lines)
