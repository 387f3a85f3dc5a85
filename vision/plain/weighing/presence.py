"""Which bases are there at all, however surely each is known to stand within some millimetres of its place.

Of 420 bases that were held to stand beside others of their kind on 15 drawn tables, every one was of a base within
12 mm; of 116 that stood alone one in ten was none: dice, balls and the like, of which an outline leaves much of the
picture unexplained, or which let the table be seen where a top should hide it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.plain.fitting.doubt import LIKELY, Doubt
from vision.plain.fitting.fit import Fit

__all__ = ["there"]

Floats = NDArray[np.float64]

_ASIDE_MM = 6.0  # a figure is seen no farther aside of where it may stand …
_FILLED, _OPAQUE = 0.9, 0.0  # … on what stands alone, so much of which has changed, and which hides the table
# Of what stands alone and leaves more than so much unexplained, in sigmas squared, nothing is said that is not
# surely right: that is no base. A very clear outline leaves more, for no blur is known exactly.
_STRANGE, _OF_GAIN, _SURE = 3.7, 0.3, 0.9
# Of 14 that stood alone without a figure on 9 drawn tables 12 were none, and the other two were hardly likely. But
# a figure in the colours of a shadow is not seen: a base may have one if its outline is so clear, and so little is
# left unexplained; what is bare is none anyhow.
_LEAST_ALONE, _LEAST_BESIDE = 0.2, 0.4  # in a row of shadows, too, outlines stand beside each other
_CLEAR, _UNDERSTOOD = 4.0, 2.0
_SEEN_THROUGH = -0.3  # nor is that a base through whose top the table is seen


def there(now: Fit, doubt: Doubt, filled: Floats) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which (N,) of the bases of a fit are likely right, and which others are there, where bases have figures.

    ``filled`` (N,) is the share of each top that has changed.
    """
    alone = ~doubt.beside.any(axis=1)
    strange = (now.residual > np.maximum(_STRANGE, _OF_GAIN * now.gain)) | (now.opaque < _SEEN_THROUGH)
    clear = (now.gain > _CLEAR) & (now.residual < _UNDERSTOOD)
    manned = (doubt.aside_mm < _ASIDE_MM) | clear
    plain = manned & ~strange & (filled > _FILLED) & (now.opaque > _OPAQUE)
    likely = (doubt.likely >= LIKELY) & ~(alone & (strange | ~manned) & (doubt.likely < _SURE))
    least = np.where(alone, _LEAST_ALONE, _LEAST_BESIDE)
    other = ~likely & ~doubt.whole & (doubt.likely > least) & (~alone | plain)
    return likely, other
