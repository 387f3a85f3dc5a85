"""What frames cost: rendering the demo's table, and watching one on which nothing happens."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from functools import partial

_RUNS = 7


def render_the_demo() -> str:
    """The first frame, a frame of a still table, and one after a unit of ten has moved."""
    from msgspec.structs import replace

    from vision.simulated import Renderer, load_demo

    demo = load_demo()
    moved = tuple(replace(b, y_mm=b.y_mm + 60.0) if n < 10 else b for n, b in enumerate(demo.virtual.bases))
    tables = [replace(demo.virtual, bases=moved), demo.virtual]
    renderer = Renderer(demo.camera)
    first = _seconds(lambda: renderer.render(demo.virtual))
    still = statistics.median(_seconds(lambda: renderer.render(demo.virtual)) for _ in range(_RUNS))
    after = statistics.median(_seconds(partial(renderer.render, tables[n % 2])) for n in range(_RUNS))
    return f"{first:.2f} s the first frame, {1000 * still:.0f} ms a still one, {1000 * after:.0f} ms after a move"


def watch_a_still_table() -> str:
    """One frame of the demo's table, compared with the last settled one and found the same."""
    from vision.following.stillness import Stillness
    from vision.simulated import Renderer, load_demo

    demo = load_demo()
    renderer = Renderer(demo.camera)
    frames = [renderer.render(demo.virtual) for _ in range(_RUNS + 1)]
    stillness = Stillness()
    stillness.update(frames[0])
    stillness.keep()
    each = statistics.median(_seconds(partial(stillness.update, f)) for f in frames[1:])
    return f"{1000 * each:.1f} ms a frame of 1920 x 1080"


def _seconds(job: Callable[[], object]) -> float:
    began_s = time.perf_counter()
    job()
    return time.perf_counter() - began_s
