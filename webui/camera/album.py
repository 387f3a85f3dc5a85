"""The album: the camera's pictures of a game, kept beside its journal, the last look after each entry."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from engine.keeping.shelf import pictures_of

__all__ = ["Album", "pictures_in"]

_ENDING = ".jpg"


class Album:
    """Keeps pictures as they come; ``journal`` tells which journal is played just now.

    A picture that cannot be kept (a full disk) is let go: the game is worth more than its pictures.
    """

    def __init__(self, journal: Callable[[], Path]) -> None:
        self._journal = journal
        self._count: int | None = None

    def keep(self, jpeg: bytes, entry: int) -> None:
        """Keeps the table as it looked while this was the newest entry; the last look counts."""
        folder = pictures_of(self._journal())
        beside = folder / f"{entry:06}.new"
        try:
            folder.mkdir(exist_ok=True)
            beside.write_bytes(jpeg)
            beside.replace(folder / f"{entry:06}{_ENDING}")
        except OSError:
            beside.unlink(missing_ok=True)
        self.look_again()

    def count(self) -> int:
        """How many pictures there are."""
        if self._count is None:
            self._count = len(pictures_in(self._journal()))
        return self._count

    def look_again(self) -> None:
        """Counts anew when it is next asked: pictures have come, or another journal is played."""
        self._count = None


def pictures_in(journal: Path) -> dict[int, Path]:
    """The pictures of a journal's game by the number of the entry that they show the table after; in order."""
    folder = pictures_of(journal)
    found = sorted(folder.glob(f"*{_ENDING}")) if folder.is_dir() else []
    return {int(file.stem): file for file in found if file.stem.isdecimal()}
