"""The bases that figures are sold on, by which a size that was measured is known."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from calibration.records import Army, BaseKind, RectBase, RoundBase

__all__ = ["FIRST", "Size", "halves_of", "kind_in", "kind_of", "size_of", "usual_near", "with_kind"]

#: A diameter, or a width and a depth, in mm.
Size = tuple[float, ...]

ROUND_MM = (15, 20, 25, 28, 30, 32, 35, 40, 45, 50, 60)
RECT_MM = (
    (15, 15), (20, 20), (25, 25), (30, 30), (40, 40), (50, 50), (60, 60), (20, 15), (25, 15), (25, 20), (30, 15),
    (30, 20), (40, 15), (40, 20), (40, 30), (45, 40), (50, 25), (50, 40), (60, 20), (60, 30), (60, 40), (60, 45),
    (60, 50), (80, 40),
)  # fmt: skip

#: The sizes that are tried: no base is far from all of them.
FIRST: tuple[Size, ...] = (
    *((float(d),) for d in (15, 20, 25, 30, 40, 50, 60)),
    *(
        (float(w), float(d))
        for w, d in (
            (20, 20), (25, 25), (30, 30), (40, 40), (50, 50), (30, 15), (30, 20), (40, 20), (40, 30), (50, 25),
            (60, 30), (60, 40), (60, 50),
        )
    ),
)  # fmt: skip

_SNAP_MM = 2.5  # a size as near to a usual one is that: of poor pictures sizes are read up to so much too small
_FITTED_MM = 0.5  # by so much more what was fitted


def size_of(kind: BaseKind) -> Size:
    """A kind's diameter, or its width and depth."""
    if isinstance(kind, RoundBase):
        return (kind.diameter_mm,)
    return kind.width_mm, kind.depth_mm


def kind_of(size: Size, height_mm: float, name: str = "foot") -> BaseKind:
    """The kind of bases of a size, with rims so high above the ground."""
    if len(size) == 1:
        return RoundBase(name=name, diameter_mm=size[0], height_mm=height_mm)
    return RectBase(name=name, width_mm=size[0], depth_mm=size[1], height_mm=height_mm)


def usual_near(measured: Size, tried: Size) -> Size:
    """The usual size that a measured one comes to, rather the one that was ``tried`` and fitted; else itself, to
    half a millimetre."""
    known: list[Size] = (
        [(float(d),) for d in ROUND_MM] if len(measured) == 1 else [(float(w), float(d)) for w, d in RECT_MM]
    )

    def off(size: Size) -> float:
        return max(abs(a - b) for a, b in zip(size, measured, strict=True)) - _FITTED_MM * (size == tried)

    near = min(known, key=off)
    return near if off(near) <= _SNAP_MM else tuple(round(2 * one) / 2 for one in measured)


def halves_of(size: Size) -> list[Size]:
    """The usual sizes of two bases that, side by side, have the outline of one of this size."""
    if len(size) == 1:
        return []
    both = ((size[0] / 2, size[1]), (size[0], size[1] / 2))
    return [one for half in both if (one := (max(half), min(half))) in RECT_MM]


def kind_in(armies: Sequence[Army], army: str, kind: BaseKind) -> BaseKind | None:
    """The kind of an army's bases that has the same outline as one that was pointed at; None where it has none."""
    for one in armies:
        for known in one.bases:
            if one.name == army and type(known) is type(kind) and size_of(known) == size_of(kind):
                return known
    return None


def with_kind(armies: Sequence[Army], name: str, colour: str, kind: BaseKind) -> tuple[Army, ...]:
    """Some armies, of which the one of a name has a kind of bases, too: a new army is of the
    colour, one that is known keeps what it has but for a kind of the same name."""
    known = next((army for army in armies if army.name == name), None)
    if known is None:
        return (*armies, Army(name=name, base_colour=colour, bases=(kind,)))
    if kind_in(armies, name, kind) is not None:
        return tuple(armies)
    kept = tuple(one for one in known.bases if one.name != kind.name)
    return tuple(replace(army, bases=(*kept, kind)) if army is known else army for army in armies)
