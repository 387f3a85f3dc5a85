"""The camera's thread with the real measuring: a bump is told before anything rests on it, and then made good."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.vision.small_table import LENS, TABLE, base, camera, table
from tests.webui.test_watcher import Listener, Source
from vision.measure import Measurer
from vision.simulated import Effects, Renderer
from vision.simulated.camera import camera_over
from webui.camera.watcher import Watcher

Image = NDArray[np.uint8]

SET_UP = table(base("b1", 200.0, 150.0), base("f1", 420.0, 300.0, army="french"))
BUMPED = camera_over((306.0, 182.0, 821.0), (303.0, 230.0), LENS)


def test_a_bump_is_told_at_the_next_frame_logged_by_nobody_and_the_table_stands_as_before() -> None:
    before = Renderer(camera(), Effects()).render(SET_UP)
    after = Renderer(BUMPED, Effects()).render(SET_UP)
    heard, feed = Listener(), Source([before])
    told: list[tuple[int, bool]] = []
    heard.camera_is = lambda view: told.append((len(heard.looks), view.bumped))  # type: ignore[method-assign]
    make: Any = lambda: Measurer(TABLE, LENS)  # noqa: E731
    watcher = Watcher(feed, make, TABLE, heard, feed.clock_s)  # type: ignore[arg-type]
    watcher.start()
    end = time.monotonic() + 20.0
    for number, frame in ((1, after), (2, after)):
        while len(heard.looks) < number and time.monotonic() < end:
            time.sleep(0.01)
        feed.frames = [frame]
    watcher.close()
    first, second = (look.observation for look in heard.looks[:2])
    assert (1, True) in told
    assert not told[-1][1]
    assert any("the camera was moved" in warning for warning in second.warnings)
    for was, now in zip(first.bases, second.bases, strict=True):
        assert np.hypot(was.x_mm - now.x_mm, was.y_mm - now.y_mm) < 0.6
