"""Bases without painted rims, found by what has changed since the table was empty, by their shape and size."""

from vision.plain.against import look_against_empty
from vision.plain.find import look_for_plain_bases
from vision.plain.left_on import left_on
from vision.plain.pictures import Pictures

__all__ = ["Pictures", "left_on", "look_against_empty", "look_for_plain_bases"]
