"""Files that commands write: whole or not at all, and never over what another program has written meanwhile."""

from __future__ import annotations

from pathlib import Path

import click

from calibration.replacing import replace_whole
from engine.clock import stamp
from engine.errors import UnusableFile

__all__ = ["as_it_is", "keep_what_was_there", "write_file", "write_out"]

#: As a file to write to: standard output.
_STANDARD_OUTPUT = Path("-")


def as_it_is(path: Path) -> bytes | None:
    """What a file says before a command works on it, for `write_file`; None where there is none to be read."""
    return path.read_bytes() if path.is_file() else None


def write_file(path: Path, text: bytes, *, over: bytes | None = None) -> None:
    """Writes a file, or standard output for ``-``; where that fails, what was there before is still there.

    ``over`` is what was read from it: where another program has changed the file since, nothing is written.
    Raises UnusableFile for that, and where the disk refuses.
    """
    if path == _STANDARD_OUTPUT:
        write_out(text)
        return
    try:
        if over is not None and path.read_bytes() != over:
            raise UnusableFile(
                f"{path}: another program changed it meanwhile, so nothing was written: do this again"
            )
        if path.exists() and not path.is_file():
            path.write_bytes(text)  # a device or pipe; a folder refuses
        else:
            replace_whole(path.resolve(), text)
    except OSError as error:
        raise UnusableFile(f"{path}: cannot be written ({error.strerror})") from error


def keep_what_was_there(path: Path, source: Path) -> None:
    """Gives the file that is to make room another name, which is said; one that is the very source is left.

    Raises UnusableFile where the disk refuses.
    """
    if not path.is_file() or path.resolve() == source.resolve():
        return
    aside = path.with_name(f"{path.stem}-{stamp()}{path.suffix}")
    try:
        path.rename(aside)
    except OSError as error:
        raise UnusableFile(f"{path}: there already, and cannot be put aside ({error.strerror})") from error
    click.echo(f"what was there is kept as {aside}", err=True)


def write_out(text: bytes) -> None:
    """Writes to standard output, to the byte."""
    click.echo(text, nl=False)
