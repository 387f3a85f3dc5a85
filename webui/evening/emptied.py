"""The photo of the empty table, against which bases without a painted rim are found: taken, kept and forgotten."""

from __future__ import annotations

from typing import Any, Literal

from vision.errors import EMPTY_PHOTO
from webui.errors import BadRequest
from webui.evening.bench import Workbench

__all__ = ["EmptyWanted", "change_empty", "empty_view"]

EmptyWanted = Literal["take", "forget"]


def empty_view(bench: Workbench) -> dict[str, Any]:
    """Whether there is one, since when (seconds of the epoch; None for a file that the command line named), and
    what the last look says is wrong with it."""

    def faults(warnings: tuple[str, ...]) -> list[str]:
        return [warning for warning in warnings if EMPTY_PHOTO in warning]

    seen = bench.live.do(lambda desk: desk.observation)
    return {
        "kept": bench.empty is not None,
        "taken_s": bench.files.empty_since_s(),
        "faults": [] if seen is None or bench.empty is None else faults(seen.warnings),
    }


def change_empty(bench: Workbench, wanted: EmptyWanted) -> None:
    """Takes the newest frame for it, or forgets what was taken.

    Raises NotReady where there is no frame, BadRequest where there is nothing to forget.
    """
    with bench.lock:
        if wanted == "forget" and bench.empty is None:
            raise BadRequest(f"there is no {EMPTY_PHOTO} to be forgotten")
        bench.use_empty(bench.frame().image.copy() if wanted == "take" else None)
