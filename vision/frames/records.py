"""What a camera source gives: frames, and how the source is."""

from __future__ import annotations

from dataclasses import dataclass
from types import TracebackType
from typing import Literal, Protocol, Self, runtime_checkable

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

__all__ = ["Frame", "Image", "Source", "SourceStatus", "State"]

Image = NDArray[np.uint8]
State = Literal["starting", "live", "lost", "ended"]


@dataclass(frozen=True, eq=False)
class Frame:
    """One picture: ``image`` is uint8 BGR (H, W, 3), not to be written to.

    ``number`` counts from 0 and never goes back; ``t_s`` is when it was taken, in seconds since the source began.
    """

    number: int
    t_s: float
    image: Image


class SourceStatus(Struct, frozen=True, kw_only=True):
    """How a source is: ``detail`` is for the user; ``retry_in_s`` is the pause before a lost one is tried again."""

    state: State
    detail: str = ""
    retry_in_s: float | None = None


@runtime_checkable
class Source(Protocol):
    """A camera that is watched live: only its newest frame is kept. A context manager that closes it."""

    def latest(self) -> Frame | None:
        """The newest frame, at once; None before the first."""
        ...

    def wait(self, after: int, timeout_s: float) -> Frame | None:
        """The newest frame with a number above ``after``, waited for at most ``timeout_s``; else None."""
        ...

    @property
    def status(self) -> SourceStatus:
        """How the source is just now."""
        ...

    def age_s(self, frame: Frame) -> float:
        """How many seconds ago a frame of this source was taken."""
        ...

    def close(self) -> None:
        """Ends every thread and process of the source; closing twice does nothing."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
