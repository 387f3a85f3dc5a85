"""The errors of ``calibration``: one root, each also the fitting builtin."""

from __future__ import annotations


class CalibrationError(Exception):
    """Anything that ``calibration`` refuses; ``exit_status`` is what the command line ends with."""

    exit_status = 1


class UnusableFile(CalibrationError, ValueError):
    """A file or option that cannot be used; the text names file, key path and what was expected."""

    exit_status = 2


class JobFailed(CalibrationError, RuntimeError):
    """The input was sound, but the job could not be done (too few markers in the picture, say)."""
