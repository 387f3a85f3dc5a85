"""A file that is written anew, whole or not at all: the one way in which every room of the program does it."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["replace_whole"]


def replace_whole(path: Path, data: bytes) -> None:
    """Puts a file with this in the place of the old one, which stays as it was where that fails, by itself.

    The new file is on the disk before it takes the place, so that a power cut leaves one of the two. It has the
    rights of the old one, else those of any new file; meanwhile its name is its own, for two may write at once.
    Raises OSError.
    """
    beside = path.with_name(f".{path.name}.{os.urandom(6).hex()}.new")
    try:
        with beside.open("xb") as out:
            if path.exists():
                beside.chmod(path.stat().st_mode & 0o777)
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
