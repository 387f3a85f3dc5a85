"""What is wrong with a value that does not fit its record, in the words of whoever wrote the file."""

from calibration.misfits.telling import misfit

__all__ = ["misfit"]
