"""All bases of a frame, where there is a picture of the empty table to hold painted ones against, too.

Under a hard lamp a dark paint may be made up of the shadows between the bases of a block, for a whole army. Such
rims are hardly set off from what lies within them. So the table is searched without that army first: where bases
are found that stand in its own, but elsewhere, it is not there.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import UNSET
from numpy.typing import NDArray

from calibration.records import Table
from vision.bases.kinds import Kinds
from vision.bases.picture.paint import expected_features
from vision.bases.weighing.bordered import bordered
from vision.plain.find import look_for_plain_bases
from vision.plain.picture.shade import Lit
from vision.plain.pictures import Pictures
from vision.plain.unchanged import put_down_since
from vision.records import BaseSeen

__all__ = ["contradicted", "look_against_empty"]

Mask = NDArray[np.bool_]

_HARDLY = 0.3  # of the way from top to paint: of 325 armies that were told one in nine usually goes no farther
_SEVERAL = 5  # bases, or an army is no worse than what is in doubt by itself
_THERE_MM, _SIGMAS = 3.5, 3.0  # what is found so near, or within its own sigmas, is the same base …
_INTO_MM = 4.0  # … and what is farther, but reaches so far into it, cannot stand beside it
_MOSTLY, _RATHER = 0.3, 2.0  # of its bases so many must be contradicted, and so many for each that is confirmed


def look_against_empty(
    pictures: Pictures,
    painted: Sequence[BaseSeen],
    kept: Sequence[BaseSeen] = (),
    within: Mask | None = None,
    lit: Lit | None = None,
) -> tuple[list[BaseSeen], Lit | None]:
    """The bases ``painted`` that are there, and with them those that no army's paint told, with what these tell of
    the lamp.

    Arguments and errors are those of `look_for_plain_bases`; the bases ``kept`` are known to stand, and not among
    those that are told.
    """

    painted = put_down_since(pictures, painted)

    def searched(stand: Sequence[BaseSeen]) -> tuple[list[BaseSeen], Lit | None]:
        return look_for_plain_bases(pictures, [*stand, *kept], within, lit)

    doubted = _doubted(pictures, painted) if within is None else set()
    if doubted:
        rest = [base for base in painted if base.army not in doubted]
        plain, told = searched(rest)
        away = {
            name for name in doubted if contradicted([b for b in painted if b.army == name], plain, pictures.table)
        }
        if away == doubted:
            return [*rest, *plain], told
        painted = [base for base in painted if base.army not in away]
    plain, told = searched(painted)
    return [*painted, *plain], told


def contradicted(own: Sequence[BaseSeen], others: Sequence[BaseSeen], table: Table) -> bool:
    """Whether too many of an army's own bases have others standing in them for it to be there."""
    kinds = Kinds(table)
    at, least = _rooms(own, kinds)
    there, room = _rooms(others, kinds)
    away = np.hypot(*(at[:, None] - there).transpose(2, 0, 1))
    confirmed = (away < np.maximum(_THERE_MM, _SIGMAS * np.array([base.sigma_mm for base in others]))).any(axis=1)
    against = ~confirmed & (away < least[:, None] + room - _INTO_MM).any(axis=1)
    return bool(against.mean() >= _MOSTLY and against.sum() >= _RATHER * confirmed.sum())


def _rooms(bases: Sequence[BaseSeen], kinds: Kinds) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Where bases (N, 2) are, and the radii (N,) of the circles within them."""
    outlines = [kinds.of(base) for base in bases]
    at = np.array([(base.x_mm, base.y_mm) for base in bases], dtype=np.float64).reshape(-1, 2)
    return at, np.array([min(o.half_width_mm, o.half_depth_mm) for o in outlines], dtype=np.float64)


def _doubted(pictures: Pictures, painted: Sequence[BaseSeen]) -> set[str]:
    """The armies of several bases whose rims are usually hardly set off from their tops."""
    kinds, told = Kinds(pictures.table), set()
    for army in pictures.table.armies:
        own = [kinds.placed(base) for base in painted if base.army == army.name]
        if army.base_colour is UNSET or len(own) < _SEVERAL:
            continue
        strength = bordered(pictures.about(own), own, expected_features(army.base_colour)).strength
        if np.isfinite(strength).any() and np.nanmedian(strength) < _HARDLY:
            told.add(army.name)
    return told
