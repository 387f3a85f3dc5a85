"""The known shape laid on the rims seen, to a fraction of a pixel, every base of an army at once.

The picture of a rim is modelled along its normals: a painted ring of known outer size and common width, the upright
side below it where that faces the camera, blurred by the lens, and joined with the rims that touch it. Place, turn
and levels of each base, and what all rims share, are fitted together (Gauss-Newton); what stands before a rim is
outvoted, for its pixels are odd and count little.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from vision.bases.fitting.doubt import Evidence, place_covariance
from vision.bases.picture.lamp import Cast
from vision.bases.picture.profiles import Group, Pattern
from vision.bases.usual import Look

__all__ = ["Fitted", "Seen", "fit"]

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]

_ODD_OF_USUAL, _ODD = 3.0, (0.15, 0.6)  # a sample off by this (share of the paint) counts a quarter
_LENIENT, _FIRMER = 3.5, 0.5  # in the first round it may be off by so much more, and by this less each round
_STEP_MM, _STEP_RAD = 1.0, 0.09  # the longest step of a round
_REST_MM, _REST_RAD = 0.01, 0.001  # what moves by less in a round has come to rest
_WRONG = np.float32(0.25)  # (shares of the paint) squared: no sample is worse than this
_SOFT_ROUNDS = 5  # the model is blurred more at first, that rims farther away are felt
# priors, in square mm of rim that say so
_FAINT_PULL = np.array([0.05, 0.05, 1.0])  # place and turn
_LEVELS_PULL = np.array([100.0, 3.0, 8.0, 8.0, 300.0])
_LEVELS = np.array([0.0, 0.0, 0.0, 0.0, 0.8])
_LOOK_PULL = np.array([20.0, 20.0, 60.0])
_LOOK_STEP = np.array([0.4, 0.25, 0.3])
_LOOK_LEAST, _LOOK_MOST = np.array([1.5, 0.3, 0.0]), np.array([5.0, 2.5, 1.3])


#: Tells, from the steps of each group (N, 3), what pushes bases apart: normal matrices (N, 2, 2) and right sides
#: (N, 2) of each group, in the own frames.
Apart = Callable[[Sequence[Floats]], list[tuple[Floats, Floats]]]

_PLACE = np.array([1.0, 1.0, 0, 0, 0, 0, 0, 0])
_USUAL = np.array([Look.rim_mm, Look.blur_mm, Look.side])


@dataclass(frozen=True, eq=False)
class Seen:
    """What is seen of a group's rims: the ``likeness`` (N, K, M) to the paint of each sample of the pattern.

    ``trust`` (N, K, M) is what each counts, in square mm; ``beside`` (N, K, M) the share of it that is a touching
    base's rim; ``side`` (N, K) how wide the upright side shows, in mm on the plane of the top. What all rims share
    is told by the ``clear`` ones (N,) alone, where that is given: one that is none would blur it. ``cast`` are
    the shadows that they cast beside themselves, where that is known. ``mottle`` is how
    much like the paint the mat's own colours look, one sigma, and ``pixel_mm`` what a pixel covers.
    """

    group: Group
    pattern: Pattern
    likeness: Singles
    trust: Singles
    beside: Singles | None
    side: Singles
    clear: NDArray[np.bool_] | None = None
    cast: Cast | None = None
    mottle: float = 0.2
    pixel_mm: float = 1.5


@dataclass(frozen=True, eq=False)
class Fitted:
    """How bases were fitted.

    ``steps`` (N, 3): right, forward (mm) and turn (radians) from where they were sampled; ``gain`` (N,) the paint's
    strength; ``residual`` (N,) a robust rms; ``support`` (N,) the share of the ring that is seen painted;
    ``contrast`` (N,) how much more paint there is on the ring than beside it; ``relief`` (N,) the same on its barer
    side alone: none where all about it is of one colour.
    """

    steps: Floats
    gain: Floats
    residual: Floats
    support: Floats
    contrast: Floats
    relief: Floats
    proof: Floats
    counted: Floats
    evidence: Callable[[], Evidence] = field(repr=False)

    @cached_property
    def covariance(self) -> Floats:
        """The covariances (N, 3, 3) of ``steps``; worked out when they are asked for."""
        return place_covariance(self.evidence())


@dataclass
class _State:
    """A group under way: steps (N, 3) and levels (N, 5): outside, inside and how that slopes, ring."""

    seen: Seen
    steps: Floats
    levels: Floats
    weights: Singles

    @classmethod
    def of(cls, seen: Seen) -> _State:
        """A group as it is seen, before the first step: every base where it was taken to stand."""
        count = len(seen.group)
        return cls(seen, np.zeros((count, 3)), np.tile(_LEVELS, (count, 1)), seen.trust)

    @property
    def fixed(self) -> Floats:
        """The pulls (8,) of the parameters; a round base has no turn."""
        place = _FAINT_PULL.copy()
        if self.seen.group.outline.round_:
            place[2] = 1e9
        return np.concatenate([place, _LEVELS_PULL])

    def depths(self) -> Singles:
        """How far (N, K, M) outside the outline each sample lies, with the steps so far."""
        pattern = self.seen.pattern
        way = np.column_stack([pattern.normals, pattern.lever]).astype(np.float32)
        outwards = self.steps.astype(np.float32) @ way.T
        return np.asarray(pattern.depths - outwards[..., None], dtype=np.float32)


def fit(
    seen: Sequence[Seen],
    look: Look,
    rounds: int,
    soft_mm: float = 1.0,
    shared: bool = False,
    lenient: float = _LENIENT,
    held: float = 0.0,
    apart: Apart | None = None,
) -> tuple[list[Fitted], Look]:
    """Bases fitted to what is ``seen`` of them, and, if ``shared`` is to be fitted too, the look of them all.

    The model is blurred by ``soft_mm`` more at first. With no rounds they are only looked at. Bases are ``held``
    where they are as firmly as by so many square mm of rim, and kept ``apart`` as that tells.
    """
    if not seen:
        return [], look
    states = [_State.of(s) for s in seen]
    for turn in range(rounds + 1):
        soft = soft_mm * max(0.0, 1 - turn / _SOFT_ROUNDS)
        blur = float(np.hypot(look.blur_mm, soft))
        if turn:
            before, now = look, [state.steps for state in states]
            look = _advance(states, look, blur, shared and turn > 1, held, apart)
            settled = not soft and lenient - _FIRMER * (turn - 1) <= 1 and turn > 1 + shared
            if settled and _rests(states, now) and _is_as(look, before):
                break
        else:
            for state in states:
                _settle(state, replace(look, blur_mm=blur))
        _weigh(states, replace(look, blur_mm=blur), max(1.0, lenient - _FIRMER * turn))
    return [_told(state, look) for state in states], look


def _rests(states: Sequence[_State], before: Sequence[Floats]) -> bool:
    """Whether no base has moved or turned to speak of since its ``before`` (N, 3)."""
    limit = np.array([_REST_MM, _REST_MM, _REST_RAD])
    return all(bool((np.abs(s.steps - old) < limit).all()) for s, old in zip(states, before, strict=True))


def _is_as(look: Look, before: Look) -> bool:
    """Whether what all rims share has hardly changed."""
    changes = (look.rim_mm - before.rim_mm, look.blur_mm - before.blur_mm, look.side - before.side)
    return max(abs(change) for change in changes) < _REST_MM


def _model(state: _State, look: Look) -> tuple[Singles, ...]:
    """At each sample (N, K, M): ground, inside and ring (shares that sum to 1), how the outer edge, the inner edge
    and the lit side change them, and the same for the blur."""
    depth = state.depths()
    blur, lit, rim = np.float32(look.blur_mm), np.float32(look.side), np.float32(look.rim_mm)
    half, scale, bell = np.float32(0.5), np.float32(0.8) / blur, np.float32(0.4) / blur
    beyond = depth - state.seen.side[..., None]
    within = depth + rim
    top, side, inner = np.tanh(depth * scale), np.tanh(beyond * scale), np.tanh(within * scale)
    ground = half + half * ((1 - lit) * top + lit * side)
    inside = half - half * inner
    at_top, at_side = (1 - lit) * bell * (1 - top * top), lit * bell * (1 - side * side)
    at_inner = bell * (1 - inner * inner)
    outer_blur = (at_top * depth + at_side * beyond) / blur
    inner_blur = at_inner * within / blur
    outer = at_top + at_side
    lighter = half * (top - side)
    if state.seen.beside is not None:
        taken = np.minimum(state.seen.beside, ground)
        free = 1 - taken / np.maximum(ground, np.float32(1e-3))
        ground = ground - taken
        outer, outer_blur, lighter = outer * free, outer_blur * free, lighter * free
    return ground, inside, 1 - ground - inside, outer, at_inner, lighter, outer_blur, inner_blur


def _shaded(state: _State, look: Look) -> tuple[Singles | np.float32, Singles | np.float32]:
    """What the bases' own shadows add to the likeness (N, K, M), and how that changes as `_model`'s edges do."""
    cast, none = state.seen.cast, np.float32(0)
    return (none, none) if cast is None else cast.adds(state.depths(), look.blur_mm, state.seen.beside)


def _fitted_to(state: _State, look: Look, ground: Singles, inside: Singles, ring: Singles) -> tuple[Singles, ...]:
    """The model's likeness (N, K, M), and the levels outside (N, 1, 1), inside (N, K, 1) and on the ring."""
    levels = state.levels.astype(np.float32)
    slope = levels[:, 2:4] @ state.seen.pattern.normals.T
    within = (levels[:, 1:2] + slope)[..., None]
    without, paint = levels[:, 0, None, None], levels[:, 4, None, None]
    expected = ground * without + inside * within + ring * paint + _shaded(state, look)[0]
    return expected, without, within, paint


def _weigh(states: Sequence[_State], look: Look, lenient: float) -> None:
    """Counts each sample for less, the odder it is beside what is usual in this picture."""
    shares = []
    for state in states:
        ground, inside, ring, *_ = _model(state, look)
        expected, _, _, paint = _fitted_to(state, look, ground, inside, ring)
        shares.append((state.seen.likeness - expected) / np.maximum(np.abs(paint), np.float32(0.3)))
    usual = np.median(np.abs(np.concatenate([share[:, ::3].ravel() for share in shares])))
    odd = np.float32(np.clip(_ODD_OF_USUAL * usual, *_ODD) * lenient)
    for state, share in zip(states, shares, strict=True):
        share = share / odd
        state.weights = np.asarray(state.seen.trust / np.square(1 + share * share), dtype=np.float32)


def _settle(state: _State, look: Look) -> None:
    """Fits the levels alone."""
    ground, inside, ring, *_ = _model(state, look)
    normals = state.seen.pattern.normals
    across, ahead = normals[:, 0, None], normals[:, 1, None]
    rows = np.stack([ground, inside, inside * across, inside * ahead, ring], axis=1)
    count, terms = rows.shape[:2]
    flat = rows.reshape(count, terms, -1)
    weighted = flat * state.weights.reshape(count, 1, -1)
    normal = weighted @ flat.transpose(0, 2, 1)
    like = state.seen.likeness - _shaded(state, look)[0]
    right = (weighted @ like.reshape(count, -1, 1))[..., 0]
    pulled = normal.astype(np.float64) + np.diag(_LEVELS_PULL)
    state.levels = np.linalg.solve(pulled, (right + _LEVELS_PULL * _LEVELS)[..., None])[..., 0]


def _usual(states: Sequence[_State]) -> Floats:
    """The levels (5,) that bases are taken to have until their samples say otherwise: as painted as the others."""
    paint = np.concatenate([state.levels[:, 4] for state in states])
    usual = _LEVELS.copy()
    usual[4] = np.median(paint[paint >= 0.5 * np.median(paint)])
    return usual


def _normal(state: _State, look: Look) -> tuple[Floats, Floats, Floats, Floats, Floats]:
    """The normal equations: of each base's own parameters (N, 8, 8), (N, 8), of those with the look (N, 8, 3), and
    of the look (N, 3, 3), (N, 3)."""
    ground, inside, ring, outer, inner, lighter, outer_blur, inner_blur = _model(state, look)
    expected, without, within, paint = _fitted_to(state, look, ground, inside, ring)
    up, down = paint - without, paint - within
    edge = outer * up - inner * down + _shaded(state, look)[1]
    pattern = state.seen.pattern
    across, ahead = pattern.normals[:, 0, None], pattern.normals[:, 1, None]
    rows = np.stack(
        [
            edge * across,
            edge * ahead,
            edge * pattern.lever[:, None],
            ground,
            inside,
            inside * across,
            inside * ahead,
            ring,
            inner * down,
            outer_blur * up - inner_blur * down,
            lighter * up,
            state.seen.likeness - expected,
        ],
        axis=1,
    )
    count, terms = rows.shape[:2]
    flat = rows.reshape(count, terms, -1)
    gram = (flat * state.weights.reshape(count, 1, -1)) @ flat.transpose(0, 2, 1)
    gram = gram.astype(np.float64)
    return gram[:, :8, :8], gram[:, :8, 11], gram[:, :8, 8:11], gram[:, 8:11, 8:11], gram[:, 8:11, 11]


def _advance(
    states: Sequence[_State], look: Look, blur_mm: float, shared: bool, held: float, apart: Apart | None
) -> Look:
    """One Gauss-Newton step of all bases, and of what they share."""
    told = [_normal(state, replace(look, blur_mm=blur_mm)) for state in states]
    now = np.array([look.rim_mm, look.blur_mm, look.side])
    common, right = np.diag(_LOOK_PULL), _LOOK_PULL * (_USUAL - now) * [1, 0, 1]
    solved = []
    usual = _usual(states)
    pushes = apart([state.steps for state in states]) if apart is not None else [None] * len(states)
    for state, push, (matrix, own, cross, look_matrix, look_right) in zip(states, pushes, told, strict=True):
        pull = state.fixed + held * _PLACE
        aim = np.concatenate([-state.steps * (held > 0), usual - state.levels], axis=1)
        matrix = matrix + np.diag(pull)
        if push is not None:
            matrix[:, :2, :2] += push[0]
            own[:, :2] += push[1]
        both = np.linalg.solve(matrix, np.concatenate([(own + pull * aim)[..., None], cross], axis=2))
        solved.append(both)
        clear = np.ones(len(own)) if state.seen.clear is None else state.seen.clear.astype(np.float64)
        common = common + np.einsum("n,nij->ij", clear, look_matrix - cross.transpose(0, 2, 1) @ both[..., 1:])
        right = right + np.einsum("n,ni->i", clear, look_right - np.einsum("nai,na->ni", cross, both[..., 0]))
    change = np.linalg.solve(common, right) if shared else np.zeros(3)
    change = np.clip(np.clip(change, -_LOOK_STEP, _LOOK_STEP), _LOOK_LEAST - now, _LOOK_MOST - now)
    limit = np.array([_STEP_MM, _STEP_MM, _STEP_RAD])
    for state, both in zip(states, solved, strict=True):
        steps = both[..., 0] - both[..., 1:] @ change
        state.steps = state.steps + np.clip(steps[:, :3], -limit, limit)
        state.levels = state.levels + steps[:, 3:]
    after = now + change
    return Look(*after.tolist())


def _told(state: _State, look: Look) -> Fitted:
    """What the fit says of itself."""
    seen = state.seen
    ground, inside, ring, *_ = _model(state, look)
    fitted = _fitted_to(state, look, ground, inside, ring)
    off = seen.likeness - fitted[0]
    total = np.maximum(state.weights.sum(axis=(1, 2)), 1e-6).astype(np.float64)
    residual = np.sqrt((state.weights * off * off).sum(axis=(1, 2)) / total)
    depth = state.depths()
    like = np.clip(seen.likeness, -0.2, 1.2)
    looked, rim = seen.trust > 0, np.float32(look.rim_mm)
    on_rim = np.abs(depth + rim / 2) < 0.35 * rim
    core = looked & on_rim
    within = looked & (depth < -rim - 0.7) & (depth > -rim - 3.0)
    away = depth - seen.side[..., None]
    without = looked & (away > 0.7) & (away < 3.0)
    if seen.beside is not None:
        without &= seen.beside < 0.3
    on = _mean(like, core)
    painted = (looked & (seen.likeness > 0.5 * np.maximum(on, 0.3)[:, None, None])).astype(np.float32)
    inner, outer = _mean(like, within), _mean(like, without)
    contrast = on - 0.5 * inner - 0.25 * outer
    proof = _proof(seen, ring, *fitted)
    full = np.maximum(seen.trust.sum(axis=(1, 2)), 1e-6)
    return Fitted(
        state.steps,
        state.levels[:, 4],
        residual,
        _mean(painted, on_rim),
        contrast,
        on - np.minimum(inner, outer),
        proof,
        total / full,
        lambda: _evidence(state, look, residual),
    )


def _evidence(state: _State, look: Look, residual: Floats) -> Evidence:
    """What tells how far off the fit may be."""
    seen = state.seen
    ground, inside, ring, outer, inner, *_ = _model(state, look)
    expected, without, within, paint = _fitted_to(state, look, ground, inside, ring)
    return Evidence(
        edge=outer * (paint - without) - inner * (paint - within) + _shaded(state, look)[1],
        ground=ground,
        inside=inside,
        ring=ring,
        off=seen.likeness - expected,
        weights=state.weights,
        trust=seen.trust,
        normals=seen.pattern.normals,
        lever=seen.pattern.lever,
        slope=state.levels[:, 2:4],
        pulls=state.fixed,
        residual=residual,
        mottle=seen.mottle,
        pixel_mm=seen.pixel_mm,
    )


def _proof(
    seen: Seen, ring: Singles, expected: Singles, without: Singles, within: Singles, paint: Singles
) -> Floats:
    """How much better (N,) the samples are explained with the rim than without it: 1 where every part of a clear
    rim is seen, 0 where it might as well not be there, less where it is in the way."""
    bare = expected - ring * (paint - np.maximum(without, within))
    scale = 1 / np.maximum(paint, np.float32(0.25))
    odd = np.minimum(np.square((seen.likeness - expected) * scale), _WRONG)
    bare_odd = np.minimum(np.square((seen.likeness - bare) * scale), _WRONG)
    better = (seen.trust * (bare_odd - odd)).sum(axis=(1, 2))
    return np.asarray(
        better / (_WRONG * seen.pattern.area_mm2 * np.maximum(ring.sum(axis=(1, 2)), 1.0)), dtype=np.float64
    )


def _mean(values: Singles, where: NDArray[np.bool_]) -> Floats:
    """The mean (N,) of values (N, K, M) where ``where`` holds."""
    number = np.maximum(where.sum(axis=(1, 2)), 1)
    return np.asarray((values * where).sum(axis=(1, 2)) / number, dtype=np.float64)
