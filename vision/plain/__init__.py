"""Bases without painted rims, found by what has changed since the table was empty, by their shape and size."""

from vision.plain.against import look_against_empty
from vision.plain.find import look_for_plain_bases
from vision.plain.pictures import Pictures

__all__ = ["Pictures", "look_against_empty", "look_for_plain_bases"]
