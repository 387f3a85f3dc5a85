"""What bases without a painted rim are called: no army's paint tells them, only their shape and size."""

from __future__ import annotations

from collections.abc import Container, Iterable
from itertools import chain, count

from msgspec import UNSET
from msgspec.structs import replace

from calibration.records import Army, BaseKind, RectBase, RoundBase, Table
from vision.records import BaseSeen

__all__ = ["as_of", "kind_of", "kinds_without_paint", "like"]


def kinds_without_paint(table: Table) -> dict[str, BaseKind]:
    """The shapes of a table's bases, each once, by the name that a base of no army bears: the first kind's.

    Where two armies call different shapes by one name, the later bears its army's name before its own. Heights
    differ by too little to tell kinds apart.

    >>> from calibration.records import Markers, TableSize
    >>> foot, pike = (RoundBase(name="foot", diameter_mm=mm, height_mm=3) for mm in (25, 20))
    >>> table = Table(format="vedette-table/1", table=TableSize(width_mm=1200, depth_mm=1200),
    ...               markers=Markers(dictionary="DICT_4X4_100", size_mm=80),
    ...               armies=(Army(name="red", bases=(foot,)), Army(name="blue", bases=(foot, pike))))
    >>> list(kinds_without_paint(table))
    ['foot', 'blue foot']
    """
    kinds: dict[str, BaseKind] = {}
    for army in table.armies:
        for kind in army.bases:
            if not any(_shape(kind) == _shape(known) for known in kinds.values()):
                kinds[_free(kinds, army.name, kind.name)] = kind
    return kinds


def kind_of(army: str | None, name: str | None, table: Table) -> BaseKind | None:
    """The kind of a base that was seen as one of an army, or of none; None where the table has no such kind."""
    if army is None:
        return kinds_without_paint(table).get(name or "")
    return next((k for one in table.armies if one.name == army for k in one.bases if k.name == name), None)


def like(kind: BaseKind, kinds: Iterable[BaseKind]) -> BaseKind | None:
    """The first of some kinds that has a base's shape, lengthwise or across; None where none has."""
    return next((one for one in kinds if _shape(one) == _shape(kind)), None)


def as_of(base: BaseSeen, army: Army, table: Table) -> BaseSeen | None:
    """A base of no army as one of this army's own kinds; None where the army has none of its shape.

    It lies as before, but what one army calls its front may be the other's side.
    """
    shown = kinds_without_paint(table).get(base.base or "")
    own = None if shown is None else like(shown, army.bases)
    if own is None:
        return None
    seen = replace(base, army=army.name, base=own.name)
    if not (isinstance(own, RectBase) and isinstance(shown, RectBase)) or own.width_mm == shown.width_mm:
        return seen
    if base.bearing_deg is not None:  # which of the two ways across is its front is not known
        return replace(seen, bearing_deg=None, bearing_sigma_deg=None, axis_deg=(base.bearing_deg + 90.0) % 180.0)
    return seen if base.axis_deg is UNSET else replace(seen, axis_deg=(base.axis_deg + 90.0) % 180.0)


def _shape(kind: BaseKind) -> tuple[float, ...]:
    if isinstance(kind, RoundBase):
        return (kind.diameter_mm,)
    return tuple(sorted((kind.width_mm, kind.depth_mm)))


def _free(taken: Container[str], army: str, name: str) -> str:
    names = chain((name, f"{army} {name}"), (f"{army} {name} {number}" for number in count(2)))
    return next(one for one in names if one not in taken)
