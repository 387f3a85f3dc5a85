"""Bases without painted rims, found by what has changed since the table was empty, by their shape and size."""

from vision.plain.against import look_against_empty
from vision.plain.find import find_plain_bases, look_for_plain_bases

__all__ = ["find_plain_bases", "look_against_empty", "look_for_plain_bases"]
