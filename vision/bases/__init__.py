"""Finding the painted bases of figures in a frame."""

from vision.bases.find import find_bases
from vision.bases.plane import Ground

__all__ = ["Ground", "find_bases"]
