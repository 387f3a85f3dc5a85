"""How every step of an evening stands: what the page of the first evening shows."""

from __future__ import annotations

from typing import Any

from webui.evening.armies import armies_view
from webui.evening.bench import Workbench
from webui.evening.cameras import camera_view
from webui.evening.emptied import empty_view
from webui.evening.ground import ground_view
from webui.evening.layout import layout_view
from webui.evening.lenses import BoardBook
from webui.evening.roster import roster_view
from webui.evening.steps import steps_of

__all__ = ["overview"]


def overview(bench: Workbench, book: BoardBook) -> dict[str, Any]:
    """The steps, and all that they are told from; keys as in docs/api.md."""
    told: dict[str, Any] = {
        "camera": camera_view(bench),
        "lens": {"use": bench.setup.lens, **book.view()},
        "table": layout_view(bench),
        "tape": {"mm": bench.setup.tape_mm, "off_mm": bench.setup.tape_off_mm},
        "armies": armies_view(bench),
        "empty": empty_view(bench),
        "roster": roster_view(bench),
        "ground": ground_view(bench),
        "kept_in": str(bench.files.folder),
    }
    return {"revision": bench.revision, "steps": steps_of(told), **told}
