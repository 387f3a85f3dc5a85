"""Reading the reaction tables: the dice of a test (MM-59 to MM-62), and what comes of them (MM-68 to MM-82)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from engine.records.reading import convert
from engine.rulesets.base.data.tables import of_tables, table

__all__ = ["LEADER_DIE", "TESTS", "DiceCounts", "dice_counts", "judge", "needs_leader_die", "rule_of", "worst"]

LEADER_DIE = "leader-die"

#: The tests of a player's action or of fire, and the rows of the tables that they stand for.
TESTS = ("received-fire", "received-casualty", "leader-lost", "rally-or-form-line", "trophies")

_FOOT = ("regulars", "irregulars")


class DiceCounts(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The dice of a test, and what cover, half strength and a higher Leader add to them (MM-59 to MM-62)."""

    base: int
    covered: int
    half: int
    officer: int


@of_tables
def dice_counts() -> DiceCounts:
    """How many dice a test has, and what adds to them."""
    return convert(table(__package__, "test_dice.toml"), DiceCounts, "test_dice")


@of_tables
def reactions() -> Mapping[str, Mapping[str, Any]]:
    """The tests by class of troops."""
    return table(__package__, "reactions.toml")


def _row(troop: str, test: str) -> Mapping[str, Any] | None:
    table = reactions().get(troop, {}).get(test)
    if table is None and troop in _FOOT:
        table = reactions()["infantry"].get(test)
    return table


def rule_of(troop: str, test: str) -> str:
    """The rulebook's row of a test. Raises KeyError where the troop class has no such test."""
    row = _row(troop, test)
    if row is None:
        raise KeyError(f"{troop}: no test {test}")
    return str(row["rule"])


def has_test(troop: str, test: str) -> bool:
    """Whether the troop class knows the test."""
    return _row(troop, test) is not None


def _entry(troop: str, test: str, passed: int, conditions: frozenset[str]) -> str:
    row = _row(troop, test)
    assert row is not None
    entry = row[f"pass-{min(passed, 2)}"]
    if isinstance(entry, str):
        return entry
    return str(next(result for word, result in entry.items() if word in conditions or word == "otherwise"))


def needs_leader_die(troop: str, tests: Sequence[str], passed: int, conditions: frozenset[str]) -> bool:
    """Whether some result asks for a die against the Leader's Reputation."""
    return any(_entry(troop, test, passed, conditions) == LEADER_DIE for test in tests)


def judge(troop: str, test: str, passed: int, leader_passed: bool, conditions: frozenset[str]) -> str:
    """The result of one test; ``leader_passed`` is read only where the table asks for the Leader's die."""
    result = _entry(troop, test, passed, conditions)
    if result == LEADER_DIE:
        return _entry(troop, test, 2 if leader_passed else 0, conditions)
    return result


def worst(results: Sequence[str]) -> str:
    """The worst of several results (MM-68); a result outside that order stands alone."""
    for result in reactions()["worst-first"]["order"]:
        if result in results:
            return str(result)
    return results[0]
