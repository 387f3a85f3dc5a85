"""A pytest plugin: which rows of each rulebook are shown by a test, and which are said not to be built.

Tests name rows with ``@pytest.mark.rule("MM-98")``; a row whose id stands in several rulebooks is named with its
ruleset, ``"palouse R1"``. ``pytest --rule-report`` prints, for every ruleset, how many
rows are shown and how many not built, and fails the run where a row is neither, or both, or where a test names a
row that there is not. It judges the collected tests, so it belongs to a run of the whole suite.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest

from engine.rulesets import BUILT_IN, find_ruleset
from engine.rulesets.base.ruleset import Row

_SHOWN: pytest.StashKey[dict[str, list[str]]] = pytest.StashKey()
_HANDED_OVER = "rows that tests show"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--rule-report", action="store_true", help="report the rows of the rulebooks that tests show; fail on gaps"
    )


def pytest_collection_modifyitems(config: pytest.Config, items: Sequence[pytest.Item]) -> None:
    shown: dict[str, list[str]] = {}
    for item in items:
        for mark in item.iter_markers("rule"):
            for row in mark.args:
                shown.setdefault(row, []).append(item.nodeid)
    config.stash[_SHOWN] = shown


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """A process that ran tests beside others (pytest-xdist) hands over what it collected: all of them do alike."""
    node.config.stash[_SHOWN] = getattr(node, "workeroutput", {}).get(_HANDED_OVER, {})


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    if (handed_over := getattr(session.config, "workeroutput", None)) is not None:
        handed_over[_HANDED_OVER] = session.config.stash.get(_SHOWN, {})
        return
    if session.config.getoption("--rule-report") and any(faults(session.config.stash.get(_SHOWN, {}))):
        session.exitstatus = exitstatus or pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if not config.getoption("--rule-report"):
        return
    shown = config.stash.get(_SHOWN, {})
    terminalreporter.section("rows of the rulebooks")
    for name in BUILT_IN:
        rows = find_ruleset(name).rows()
        tested = [row for row in rows if row in shown_of(name, shown)]
        unbuilt = [row.id for row in rows.values() if row.not_built is not None]
        counts = f"{len(rows)} rows, {len(tested)} shown by tests, {len(unbuilt)} not built"
        terminalreporter.write_line(f"{name}: {counts}")
    for fault in faults(shown):
        terminalreporter.write_line(fault, red=True)


def faults(shown: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """What is wrong between the rows and the tests that name them, one line each."""
    every: set[str] = set()
    for name in BUILT_IN:
        rows = find_ruleset(name).rows()
        every |= rows.keys() | {f"{name} {row}" for row in rows}
        yield from row_faults(name, rows, shown_of(name, shown))
    for row in sorted(shown.keys() - every):
        yield f"{row}: no rulebook has this row, but {shown[row][0]} names it"


def shown_of(name: str, shown: Mapping[str, Sequence[str]]) -> Mapping[str, Sequence[str]]:
    """The rows of one ruleset that tests show, by their ids: those named with it, and those that it alone has."""
    others = {row for other in BUILT_IN if other != name for row in find_ruleset(other).rows()}
    own = {row: tests for row, tests in shown.items() if row not in others}
    return own | {row.removeprefix(f"{name} "): tests for row, tests in shown.items() if row.startswith(f"{name} ")}


def row_faults(name: str, rows: Mapping[str, Row], shown: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """The rows of one ruleset that are neither shown nor said not to be built, or both."""
    for row in rows.values():
        if row.id not in shown and row.not_built is None:
            yield f"{name} {row.id}: no test shows it and it is not listed as not built"
        if row.id in shown and row.not_built is not None:
            yield f"{name} {row.id}: listed as not built, but {shown[row.id][0]} shows it"
