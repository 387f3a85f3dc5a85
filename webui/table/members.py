"""What belongs to a live table beside the game: parts with threads, the hand on a virtual table, who watches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Protocol

from engine.keeping.entry import Entry
from engine.records.game import Game
from webui.serving.requests import FigureAt

if TYPE_CHECKING:
    from calibration.camera import CameraModel
    from vision.frames.records import Image
    from vision.records import Observation


class Part(Protocol):
    """Something with threads of its own that lives as long as the table."""

    def start(self) -> None:
        """Begins its work."""
        ...

    def close(self) -> None:
        """Ends it; returns when its threads have ended."""
        ...


class Closable(Protocol):
    """Something that is held until the table is closed."""

    def close(self) -> None:
        """Lets it go."""
        ...


class Hand(Protocol):
    """The hand over a virtual table: does what players do on a real one."""

    def move(self, figures: Iterable[FigureAt]) -> None:
        """Moves figures to where they are dragged. Raises BadRequest."""
        ...

    def stand(self, game: Game) -> None:
        """Sets the whole table up as a game has it."""
        ...

    def follow(self, entry: Entry, game: Game, entries: Sequence[Entry]) -> None:
        """Does on the table what an entry did in the game (losses taken off, retreats carried out).

        ``entries`` is the whole journal, for what an undo takes back.
        """
        ...


class Eye(Protocol):
    """Whoever watches the table."""

    @property
    def measured(self) -> tuple[Image, CameraModel, Observation] | None:
        """The frame measured last, with where the camera hung and what it saw; None before the first."""
        ...
