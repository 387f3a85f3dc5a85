"""What bases without a painted rim are called: no army's paint tells them, only their shape and size."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from msgspec import UNSET
from msgspec.structs import replace

from calibration.records import Army, BaseKind, RectBase, RoundBase, Table
from vision.records import BaseSeen

__all__ = ["Shape", "ShapeName", "as_of", "called", "kind_of", "like", "shapes_of"]

#: What a base of no army is called, and like whose it is, where not all bases of this name have its shape.
ShapeName = tuple[str | None, str | None]


class Shape(NamedTuple):
    """A shape of base, by the ``kind`` of the first army that has it; by the army as well where another shape of
    the table bears this kind's name."""

    name: ShapeName
    kind: BaseKind


def shapes_of(table: Table) -> tuple[Shape, ...]:
    """The shapes of a table's bases, each once. Heights differ by too little to tell kinds apart.

    >>> from calibration.records import Markers, TableSize
    >>> foot, pike = (RoundBase(name="foot", diameter_mm=mm, height_mm=3) for mm in (25, 20))
    >>> table = Table(format="vedette-table/1", table=TableSize(width_mm=1200, depth_mm=1200),
    ...               markers=Markers(dictionary="DICT_4X4_100", size_mm=80),
    ...               armies=(Army(name="red", bases=(foot,)), Army(name="blue", bases=(foot, pike))))
    >>> [shape.name for shape in shapes_of(table)]
    [('foot', 'red'), ('foot', 'blue')]
    """
    first: list[tuple[str, BaseKind]] = []
    for army in table.armies:
        for kind in army.bases:
            if like(kind, (known for _, known in first)) is None:
                first.append((army.name, kind))
    names = [kind.name for _, kind in first]
    return tuple(Shape((kind.name, army if names.count(kind.name) > 1 else None), kind) for army, kind in first)


def called(base: BaseSeen) -> ShapeName:
    """The name of the shape of a base that no paint told."""
    return base.base, None if base.like_army is UNSET else base.like_army


def kind_of(base: BaseSeen, table: Table) -> BaseKind | None:
    """The kind of a base, of its army or of none; None where the table has no such kind."""
    if base.army is None:
        return next((shape.kind for shape in shapes_of(table) if shape.name == called(base)), None)
    own = (kind for army in table.armies if army.name == base.army for kind in army.bases)
    return next((kind for kind in own if kind.name == base.base), None)


def like(kind: BaseKind, kinds: Iterable[BaseKind]) -> BaseKind | None:
    """The first of some kinds that has a base's shape, lengthwise or across; None where none has."""
    return next((one for one in kinds if _sides(one) == _sides(kind)), None)


def as_of(base: BaseSeen, army: Army, table: Table) -> BaseSeen | None:
    """A base of no army as one of this army's own kinds; None where the army has none of its shape.

    It lies as before, but what one army calls its front may be the other's side.
    """
    shown = kind_of(base, table)
    own = None if shown is None else like(shown, army.bases)
    if own is None:
        return None
    seen = replace(base, army=army.name, base=own.name, like_army=UNSET)
    if not (isinstance(own, RectBase) and isinstance(shown, RectBase)) or own.width_mm == shown.width_mm:
        return seen
    if base.bearing_deg is not None:  # which of the two ways across is its front is not known
        return replace(seen, bearing_deg=None, bearing_sigma_deg=None, axis_deg=(base.bearing_deg + 90.0) % 180.0)
    return seen if base.axis_deg is UNSET else replace(seen, axis_deg=(base.axis_deg + 90.0) % 180.0)


def _sides(kind: BaseKind) -> tuple[float, ...]:
    if isinstance(kind, RoundBase):
        return (kind.diameter_mm,)
    return tuple(sorted((kind.width_mm, kind.depth_mm)))
