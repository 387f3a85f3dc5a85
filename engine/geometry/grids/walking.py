"""The cheapest ways over the cells of a grid, each step at a price of its own; exact (Dijkstra's algorithm)."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

__all__ = ["Walk", "walk"]

Node = TypeVar("Node", bound=Hashable)

_SLACK = 1e-9  # sums of fractions of points that are equal on paper


@dataclass(frozen=True)
class Walk(Generic[Node]):
    """What can be reached from ``start``: the least cost of each node, and the node that it is reached from."""

    start: Node
    cost: dict[Node, float]
    came_from: dict[Node, Node]

    def path(self, node: Node) -> list[Node]:
        """A cheapest way to a node, both ends included. Raises KeyError where it cannot be reached."""
        way = [node]
        if node not in self.cost:
            raise KeyError(node)
        while way[-1] != self.start:
            way.append(self.came_from[way[-1]])
        return way[::-1]


def walk(
    start: Node, steps: Callable[[Node, float], Iterable[tuple[Node, float]]], allowance: float = float("inf")
) -> Walk[Node]:
    """All that can be reached within an allowance, at the least cost.

    ``steps(node, spent)`` gives the nodes one step on and what the step costs, 0 or more; a node is a cell, or a
    cell and a facing, or whatever else a rule makes a step depend on. Of equally cheap ways the first found stays.
    Raises ValueError for a step that costs less than 0.

    >>> line = walk(0, lambda n, spent: [(n - 1, 1.0), (n + 1, 2.0)], 3.0)
    >>> sorted(line.cost.items()), line.path(-2)
    ([(-3, 3.0), (-2, 2.0), (-1, 1.0), (0, 0.0), (1, 2.0)], [0, -1, -2])
    """
    cost: dict[Node, float] = {start: 0.0}
    came_from: dict[Node, Node] = {}
    done: set[Node] = set()
    order = 0
    queue: list[tuple[float, int, Node]] = [(0.0, order, start)]
    while queue:
        spent, _, node = heapq.heappop(queue)
        if node in done:
            continue
        done.add(node)
        for other, price in steps(node, spent):
            if price < 0:
                raise ValueError(f"expected steps that cost 0 or more, got {price} from {node!r} to {other!r}")
            total = spent + price
            if total <= allowance + _SLACK and total < cost.get(other, float("inf")) - _SLACK:
                cost[other], came_from[other] = total, node
                order += 1
                heapq.heappush(queue, (total, order, other))
    return Walk(start, cost, came_from)
