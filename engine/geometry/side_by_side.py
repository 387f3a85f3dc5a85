"""Work that two threads share: shapely and numpy let both processors of a small machine be used."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Thread
from typing import TypeVar

__all__ = ["in_halves", "meanwhile", "side_by_side"]

T = TypeVar("T")
R = TypeVar("R")
S = TypeVar("S")


def side_by_side(work: Callable[[T], R], things: Sequence[T], threads: int = 2) -> list[R]:
    """What some work gives for each of some things, in their order; raises what the work raises.

    The work may change nothing that other things share, nor use a prepared geometry that they share.

    >>> side_by_side(abs, [-3, 4, -5])
    [3, 4, 5]
    """
    if len(things) < 2 or threads < 2:
        return [work(thing) for thing in things]
    found: dict[int, R] = {}
    faults: list[BaseException] = []
    left = list(reversed(list(enumerate(things))))

    def take() -> None:
        while left and not faults:
            try:
                number, thing = left.pop()
            except IndexError:  # the other thread was quicker
                return
            try:
                found[number] = work(thing)
            except BaseException as fault:  # raised again below, in the thread that asked
                faults.append(fault)

    others = [Thread(target=take) for _ in range(threads - 1)]
    for other in others:
        other.start()
    take()
    for other in others:
        other.join()
    if faults:
        raise faults[0]
    return [found[number] for number in range(len(things))]


def in_halves(work: Callable[[Sequence[T]], list[R]], things: Sequence[T], fewest: int = 4) -> list[R]:
    """What some work gives for things, which it takes several at once, one half in each of two threads.

    ``fewest`` is how many things make a second thread worth its start.

    >>> in_halves(lambda some: [abs(one) for one in some], [-3, 4, -5], 2)
    [3, 4, 5]
    """
    if len(things) < fewest:
        return work(things) if things else []
    parts = side_by_side(work, [things[: len(things) // 2], things[len(things) // 2 :]])
    return [one for part in parts for one in part]


def meanwhile(work: Callable[[], R], other: Callable[[], S]) -> tuple[R, S]:
    """What some work gives, done in a second thread, and what other work gives that is done in the meantime; raises
    what either raises.

    >>> meanwhile(lambda: 3, lambda: "four")
    (3, 'four')
    """
    found: list[R] = []
    faults: list[BaseException] = []

    def do() -> None:
        try:
            found.append(work())
        except BaseException as fault:  # raised again below, in the thread that asked
            faults.append(fault)

    thread = Thread(target=do)
    thread.start()
    try:
        done = other()
    finally:
        thread.join()
    if faults:
        raise faults[0]
    return found[0], done
