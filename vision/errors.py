"""The errors of ``vision``: one root, each also the fitting builtin."""

from __future__ import annotations

#: What is wrong with it is said with these words in it.
EMPTY_PHOTO = "photo of the empty table"


class VisionError(Exception):
    """Anything that ``vision`` refuses; ``exit_status`` is what the command line ends with."""

    exit_status = 1


class UnusableSource(VisionError, ValueError):
    """A camera source or picture that cannot be opened; the text says which and what was expected."""

    exit_status = 2


class StrangeBackdrop(VisionError, ValueError):
    """The picture of the empty table shows another one than the frame does; the text says how much differs."""


class CameraLost(VisionError, RuntimeError):
    """A source that worked gives no more frames."""
