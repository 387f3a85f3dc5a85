"""Which bases are there at all, however surely each is known to stand within some millimetres of its place.

Of 420 bases that were held to stand beside others of their kind on 15 drawn tables, every one was of a base within
12 mm; of 116 that stood alone one in ten was none: dice, balls and the like, of which an outline leaves much of the
picture unexplained, or which let the table be seen where a top should hide it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.plain.doubt import LIKELY, Doubt
from vision.plain.fit import Fit

__all__ = ["there"]

Floats = NDArray[np.float64]

_ASIDE_MM = 6.0  # a figure is seen no farther aside of where it may stand …
_RESIDUAL = 3.5  # … on what stands alone, of which so little is left unexplained, in sigmas squared, …
_FILLED = 0.9  # … so much of which has changed …
_OPAQUE = 0.0  # … and whose top hides the table
_STRANGE, _SURE = 3.7, 0.9  # of what is stranger than this nothing is said that is not surely right


def there(now: Fit, doubt: Doubt, filled: Floats) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which (N,) of the bases of a fit are likely right, and which others are there, where bases have figures.

    ``filled`` (N,) is the share of each top that has changed.
    """
    alone = ~doubt.beside.any(axis=1)
    strange = alone & (now.residual > _STRANGE) & (doubt.likely < _SURE)
    plain = (doubt.aside_mm < _ASIDE_MM) & (now.residual < _RESIDUAL) & (filled > _FILLED) & (now.opaque > _OPAQUE)
    likely = (doubt.likely >= LIKELY) & ~strange
    return likely, ~likely & ~doubt.whole & (~alone | plain)
