"""Finding the painted bases of figures in a frame."""

from vision.bases.find import find_bases, look_for_bases
from vision.bases.picture.plane import Ground
from vision.bases.usual import UNKNOWN, Known

__all__ = ["UNKNOWN", "Ground", "Known", "find_bases", "look_for_bases"]
