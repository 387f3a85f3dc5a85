"""The ranks and files of a formed block, as those that were found of it tell them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.bases.pixels import Placed
from vision.bases.shapes import Outline, turned

__all__ = ["Slots", "formed", "in_ranks", "readings_of", "slots_of"]

Floats = NDArray[np.float64]

_GAP_MM = 0.4  # between bases that are pushed together
_ASTRAY_MM = 4.0  # what was found farther from where the block has it is not of the block
_OTHERS = 0.3  # what one of another kind counts: where it was found is less sure
_ODD_MM = 1.0  # so far off, one counts half
_ROUNDS = 4
_STIFF = 0.5  # of a base: so firmly is the block held to the pitch and the bearing of its bases
_NEAR = 1.6  # of a base's longer side: so far about the first a block is told before the next ones are counted in
_LEAST, _SHARE = 4, 0.5  # so many, and such a share of those that stand together, make a block
_ANCHORS = 8  # of the surest: the block is told from each
_READ, _READINGS = 16, 6  # of the surest that may stand or not each tells a block; and so many are held
_BESIDES, _TOUCHING = 3, 1.12  # so many beside a round one, so near (of its width), may stand in its rank or file
_ALIKE_DEG = 15.0  # one turned farther against it is none of its block
_MANY, _STANDS_MM, _STANDS_DEG = 6, 1.5, 5.0  # so many tell that one so near to its spot stands in the block
_AMID = 2  # of its four neighbours in rank and file: with so many, one is missed rather than made up
_TOGETHER = 0.5  # of a block's bases have one next to them: those of an open order stand on every other spot
_BESIDE = np.array([[1, 0], [-1, 0], [0, 1], [0, -1]])


@dataclass(frozen=True)
class Slots:
    """The spots of a formed block, and which of them are ``amid`` others that stand."""

    spots: tuple[Placed, ...] = ()
    amid: tuple[bool, ...] = ()


@dataclass(frozen=True, eq=False)
class _Block:
    """Where a block has its spots: ``number`` (N, 2) of files and ranks from its first base's on."""

    outline: Outline
    origin: Floats
    bearing_deg: float
    step: Floats
    middle: Floats
    turn: float
    wider: Floats

    def where(self, number: Floats) -> Floats:
        """Where (N, 2) in the block's own frame spots stand."""
        spots = number * self.step
        crosswise = np.column_stack([-spots[:, 1], spots[:, 0]])
        return np.asarray(spots * (1 + self.wider) + crosswise * self.turn + self.middle)

    def number(self, own: Floats) -> Floats:
        """Which spots (N, 2) are nearest to points (N, 2) of its own frame."""
        off = own - self.middle
        crosswise = np.column_stack([-off[:, 1], off[:, 0]])
        return np.asarray(np.rint((off - crosswise * self.turn) / (1 + self.wider) / self.step))

    def placed(self, number: Floats, model: Placed) -> list[Placed]:
        """The bases that stand on spots, at the height of the ``model``."""
        at = self.origin + self.where(number) @ turned(np.eye(2), self.bearing_deg)
        bearing = model.bearing_deg if self.outline.round_ else self.bearing_deg - float(np.rad2deg(self.turn))
        return [
            replace(model, outline=self.outline, x_mm=float(x), y_mm=float(y), bearing_deg=bearing) for x, y in at
        ]


def in_ranks(models: Sequence[Placed], others: Sequence[Placed]) -> list[Placed] | None:
    """Rectangles of one kind and what was found in the same block as another, all where its ranks and files have
    them, in this order; None where they form no block."""
    kind = models[0].outline
    if kind.round_:
        return None
    first = models[0].bearing_deg
    about = [kind.askew_deg(base.bearing_deg - first) for base in models]
    own, block = _begun([*models, *others], 0, first + float(np.median(about)))
    phase = np.angle(np.exp(2j * np.pi * own / block.step).sum(axis=0)) / (2 * np.pi)
    number = np.rint(own / block.step - phase)
    if len(np.unique(number, axis=0)) < len(number):
        return None
    block = _laid(block, own, number, np.repeat([1.0, _OTHERS], [len(models), len(others)]))
    if float(np.hypot(*(block.where(number) - own).T).max()) > _ASTRAY_MM:
        return None
    return block.placed(number, models[0])


def slots_of(placed: Sequence[Placed], sure: Floats) -> Slots:
    """The spots of the blocks that most of each kind of some bases form, those of the surest of them (N,) counting
    most: where they stand in it, and next to these. There are none where they form none."""
    spots, amid = list[Placed](), list[bool]()
    for which, block, held in _blocks(placed, sure):
        slots = _slots(block, held, placed[which[0]])
        spots += slots.spots
        amid += slots.amid
    return Slots(tuple(spots), tuple(amid))


def readings_of(placed: Sequence[Placed], sure: Floats) -> list[Slots]:
    """The spots of the blocks of one kind that some of bases may form, of which many cannot both stand: each as one
    of the surest (N,) tells it that stands in none of those before, those first on which the most do."""
    told = list[tuple[float, Slots]]()
    for kind in dict.fromkeys(base.outline for base in placed):
        which = [k for k, base in enumerate(placed) if base.outline == kind]
        own, surely = [placed[k] for k in which], sure[which]
        on = np.zeros(len(own), dtype=np.bool_)
        for anchor, bearing_deg in _anchors(own, surely, _READ) if len(own) >= _LEAST else []:
            if on[anchor]:
                continue
            block, there, within = _grown(own, surely, anchor, bearing_deg)
            if within.sum() >= _LEAST:
                on |= within
                told.append((float(surely[within].sum()), _slots(block, block.number(there[within]), own[0])))
    return [slots for _, slots in sorted(told, key=lambda pair: -pair[0])[:_READINGS]]


def _slots(block: _Block, held: Floats, model: Placed) -> Slots:
    """The spots of a block on which bases stand (N, 2), and the next ones."""
    beside = (held[:, None] + _BESIDE).reshape(-1, 2)
    number = np.unique(np.concatenate([held, beside]), axis=0)
    return Slots(tuple(block.placed(number, model)), tuple((_mates(number, held) >= _AMID).tolist()))


def _mates(number: Floats, held: Floats) -> NDArray[np.intp]:
    """How many bases that stand on spots (M, 2) of a block each (N,) of some spots (N, 2) has next to it, in its
    rank or file."""
    return np.asarray((np.abs(number[:, None] - held).sum(axis=2) == 1).sum(axis=1), dtype=np.intp)


def formed(placed: Sequence[Placed], sure: Floats) -> NDArray[np.bool_]:
    """Which of bases that stand together (N,) stand in the ranks and files of a block, as many others tell it."""
    stands = np.zeros(len(placed), dtype=np.bool_)
    for which, block, held in _blocks(placed, sure):
        if len(held) < _MANY:
            continue
        own = [placed[k] for k in which]
        at = np.array([[base.x_mm, base.y_mm] for base in own])
        there = (at - block.origin) @ turned(np.eye(2), block.bearing_deg).T
        off = np.hypot(*(block.where(block.number(there)) - there).T)
        askew = _askew_deg(own, block.bearing_deg - float(np.rad2deg(block.turn)))
        stands[which] = (off < _STANDS_MM) & (askew < _STANDS_DEG)
    return stands


def _blocks(placed: Sequence[Placed], sure: Floats) -> Iterator[tuple[list[int], _Block, Floats]]:
    """The bases of each kind of which most form a block, that block, and the spots (N, 2) on which they stand."""
    for kind in dict.fromkeys(base.outline for base in placed):
        which = [k for k, base in enumerate(placed) if base.outline == kind]
        told = _block_of([placed[k] for k in which], sure[which]) if len(which) >= _LEAST else None
        if told is not None:
            yield which, *told


def _block_of(placed: Sequence[Placed], sure: Floats) -> tuple[_Block, Floats] | None:
    """The block that most bases of one kind form, as the best of their anchors tells it, and the spots (N, 2) on
    which they stand."""
    best: tuple[_Block, Floats] | None = None
    most = max(_LEAST, _SHARE * len(placed)) - 1e-9
    for anchor, bearing_deg in _anchors(placed, sure, _ANCHORS):
        block, own, within = _grown(placed, sure, anchor, bearing_deg)
        told = float(sure[within].sum() / sure.mean())
        held = block.number(own[within])
        if len(held) >= _LEAST and told > most and (_mates(held, held) > 0).mean() > _TOGETHER:
            best, most = (block, held), told
        if within.all():  # no other anchor tells more
            break
    return best


def _grown(
    placed: Sequence[Placed], sure: Floats, anchor: int, bearing_deg: float
) -> tuple[_Block, Floats, NDArray[np.bool_]]:
    """The block that one of some bases of one kind tells, with more and more of those about it; where they stand
    (N, 2) in its frame, and which (N,) of them on its spots."""
    own, block = _begun(placed, anchor, bearing_deg)
    away, reach, alike = np.hypot(*own.T), 0.0, _askew_deg(placed, bearing_deg) < _ALIKE_DEG
    while reach <= away.max():
        reach += _NEAR * float(block.step.max())
        within = _of(block, own, alike & (away < reach))
        block = _laid(block, own[within], block.number(own[within]), sure[within])
    return block, own, _of(block, own, alike)


def _anchors(placed: Sequence[Placed], sure: Floats, most: int) -> list[tuple[int, float]]:
    """The surest bases of one kind, so many at ``most``, and the bearing that each gives a block: its own, or, of a
    round one, that of the nearest ones that it touches."""
    order = np.argsort(-sure)[:most].tolist()
    kind = placed[0].outline
    if not kind.round_:
        return [(k, placed[k].bearing_deg) for k in order]
    at = np.array([[base.x_mm, base.y_mm] for base in placed])
    anchors = []
    for k in order:
        off = at - at[k]
        away = np.hypot(*off.T)
        touch = [n for n in np.argsort(away)[1 : _BESIDES + 1] if away[n] < _TOUCHING * 2 * kind.half_width_mm]
        anchors += [(k, float(np.rad2deg(np.arctan2(*off[n])))) for n in touch]
    return anchors


def _askew_deg(placed: Sequence[Placed], bearing_deg: float) -> Floats:
    """By how much (N,) bases are turned against a bearing, up to the turn after which they look the same."""
    if placed[0].outline.round_:
        return np.zeros(len(placed))
    off = np.array([base.bearing_deg - bearing_deg for base in placed])
    return np.abs(placed[0].outline.askew_deg(off))


def _of(block: _Block, own: Floats, near: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which of some bases (N,) that are near stand on spots of a block, each on another."""
    number = block.number(own)
    off = np.hypot(*(block.where(number) - own).T)
    fits = near & (off < _ASTRAY_MM)
    for k in np.argsort(off):
        if fits[k]:
            same = (number == number[k]).all(axis=1)
            same[k] = False
            fits &= ~same
    return np.asarray(fits)


def _begun(placed: Sequence[Placed], anchor: int, bearing_deg: float) -> tuple[Floats, _Block]:
    """Where (N, 2) bases stand in the frame of a block that is told by one of them alone, and that block."""
    kind = placed[anchor].outline
    at = np.array([[base.x_mm, base.y_mm] for base in placed])
    step = np.array([kind.half_width_mm, kind.half_depth_mm]) * 2 + _GAP_MM
    own = (at - at[anchor]) @ turned(np.eye(2), bearing_deg).T
    return own, _Block(kind, at[anchor], bearing_deg, step, np.zeros(2), 0.0, np.zeros(2))


def _laid(block: _Block, own: Floats, number: Floats, count: Floats) -> _Block:
    """A block so moved, turned and widened that its spots (N, 2) lie nearest to what was found (N, 2) on them and
    counts so much (N,)."""
    spots = number * block.step
    one, none = np.ones(len(spots)), np.zeros(len(spots))
    rows = np.concatenate(
        [
            np.column_stack([one, none, -spots[:, 1], spots[:, 0], none]),
            np.column_stack([none, one, spots[:, 0], none, spots[:, 1]]),
        ]
    )
    stiff = (_STIFF * float(block.step.max())) ** 2
    held, weights, now = np.diag([1e-9, 1e-9, stiff, stiff, stiff]), count, block
    for _ in range(_ROUNDS):
        weighted = rows * np.tile(weights, 2)[:, None]
        told = np.linalg.solve(weighted.T @ rows + held, weighted.T @ (own - spots).T.ravel())
        now = replace(block, middle=told[:2], turn=float(told[2]), wider=told[3:])
        off = now.where(number) - own
        weights = count / (1 + (off**2).sum(axis=1) / _ODD_MM**2)
    return now
