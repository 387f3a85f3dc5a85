"""What somebody points at in a picture: the base under the finger, its colour, its shape and its size."""

from vision.pointing.paints import colour_at
from vision.pointing.reading import HEIGHT_MM, Pointed, read_base
from vision.pointing.sizes import kind_in, with_kind

__all__ = ["HEIGHT_MM", "Pointed", "colour_at", "kind_in", "read_base", "with_kind"]
