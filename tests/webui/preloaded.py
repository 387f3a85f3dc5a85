"""``vedette`` in a process of its own that need not load its modules, nor paint and measure a demo's table first:
one process for each demo has done so, and each new one begins as a copy of it. That takes longer than all else that
a demo does until it is ready.

That the program starts from nothing, as a player starts it, is shown in ``test_demo_process``.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import time
import traceback
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Protocol

import vision.simulated.camera
import webui.commands.demo
from calibration.camera import CameraModel
from calibration.records import Intrinsics, Table
from vision.measure import Measurer
from vision.simulated import Effects, load_demo
from vision.simulated.rendering import Renderer
from webui.cli import run

#: Where processes are not copied, each loads its modules itself: Windows has no such thing, and on macOS threads
#: that a library has begun do not live on in a copy.
_COPIED = sys.platform == "linux"
_PROCESSES = multiprocessing.get_context("forkserver" if _COPIED else "spawn")
_PROCESSES.set_forkserver_preload(["webui.commands.live_cli", "webui.commands.demo", "webui.server"])
#: The seed of a demo's camera where a player names none.
_SEED = 1


class Running(Protocol):
    """A process that can be asked and ended, as those of `multiprocessing` can."""

    @property
    def pid(self) -> int | None: ...
    def is_alive(self) -> bool: ...
    def terminate(self) -> None: ...
    def kill(self) -> None: ...
    def join(self, timeout: float | None = None) -> None: ...


def demo(ruleset: str, options: Sequence[str], output: Path) -> Running:
    """Begins ``vedette demo`` of a ruleset with these options; all that it says is written to a file."""
    output.write_bytes(b"")
    arguments = ("demo", "--ruleset", ruleset, *options)
    if _COPIED:
        ready = _ready(ruleset)
        ready.send((arguments, output))
        return _Copy(ready.recv())
    process = _PROCESSES.Process(target=_run, args=(arguments, output))
    process.start()
    return process


class _Copy:
    """A copy of a process, by its number. The one that it was copied from waits for its end."""

    def __init__(self, pid: int) -> None:
        self.pid = pid

    def is_alive(self) -> bool:
        return self._send(0)

    def terminate(self) -> None:
        self._send(signal.SIGTERM)

    def kill(self) -> None:
        self._send(signal.SIGKILL)

    def join(self, timeout: float | None = None) -> None:
        end = time.monotonic() + (float("inf") if timeout is None else timeout)
        while self.is_alive() and time.monotonic() < end:
            time.sleep(0.01)

    def _send(self, number: int) -> bool:
        with suppress(ProcessLookupError):
            os.kill(self.pid, number)
            return True
        return False


@cache
def _ready(ruleset: str) -> Connection:
    """The way to the process whose copies play the demo of a ruleset. It ends when nobody can ask it any more."""
    ours, theirs = _PROCESSES.Pipe()
    process = _PROCESSES.Process(target=_copies, args=(theirs, ruleset), daemon=True)
    process.start()
    theirs.close()
    return ours


def _copies(asked: Connection, ruleset: str) -> None:
    """Gets the demo of a ruleset ready, and plays it in a copy of this process whenever one is asked for."""
    _look_at(ruleset)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody need ask how a copy ended
    while True:
        try:
            arguments, output = asked.recv()
        except EOFError:
            return
        pid = os.fork()
        if not pid:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            asked.close()
            try:
                _run(arguments, output)
            except Exception:
                traceback.print_exc()  # a copy goes no way back into what it was copied from
            finally:
                sys.stdout.flush()
                os._exit(0)
        asked.send(pid)


def _look_at(ruleset: str) -> None:
    """Paints and measures a demo's table, and has the demo that is played here go on from there."""
    begun = load_demo(ruleset)
    painted = [Renderer(begun.camera, None, _SEED)]
    measured = [Measurer(begun.virtual.table, begun.camera.intrinsics)]
    measured[0].measure(painted[0].film(begun.virtual))

    def renderer(camera: CameraModel, effects: Effects | None = None, seed: int = _SEED) -> Renderer:
        first = painted and (effects, seed) == (None, _SEED)
        return painted.pop() if first else Renderer(camera, effects, seed)

    def measurer(table: Table, intrinsics: Intrinsics | None = None) -> Measurer:
        first = measured and (table, intrinsics) == (measured[0].table, measured[0].intrinsics)
        return measured.pop() if first else Measurer(table, intrinsics)

    vision.simulated.camera.Renderer = renderer  # type: ignore[misc, assignment]
    webui.commands.demo.Measurer = measurer  # type: ignore[misc, assignment]


def _run(arguments: Sequence[str], output: Path) -> None:
    with output.open("wb") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    run(arguments)
