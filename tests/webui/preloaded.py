"""``vedette`` in a process of its own that need not load its modules: one process has loaded them, and each new one
begins as a copy of it. To load them takes longer than all else that a demo does until it is ready.

That the program starts from nothing, as a player starts it, is shown in ``test_demo_process``.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Sequence
from multiprocessing.process import BaseProcess
from pathlib import Path

from webui.cli import run

#: Where processes are not copied, each loads its modules itself.
_COPIES = multiprocessing.get_context("forkserver" if hasattr(os, "fork") else "spawn")
_COPIES.set_forkserver_preload(["webui.commands", "webui.demo", "webui.server"])


def vedette(arguments: Sequence[str], output: Path) -> BaseProcess:
    """Begins ``vedette`` with these arguments; all that it says is written to a file."""
    output.write_bytes(b"")
    process = _COPIES.Process(target=_run, args=(tuple(arguments), output))
    process.start()
    return process


def _run(arguments: Sequence[str], output: Path) -> None:
    with output.open("wb") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    run(arguments)
