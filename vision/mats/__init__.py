"""The grid printed on a mat, found in a picture of the table: its size, place and turn, or why none was found.

`straight` sets the picture straight and brings out thin lines; `periods` finds by its spectrum what repeats over
the table; `sides` follows the sides of a proposed grid through the picture, to accept it or not and to place it;
`fitting` joins them.
"""

from vision.mats.fitting import NoGrid, fit_grid
from vision.mats.records import GridFound

__all__ = ["GridFound", "NoGrid", "fit_grid"]
