"""The worked cases of the rulebooks, as parameters of tests."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

CASES = Path(__file__).parent.parent / "data" / "cases"


def cases(ruleset: str, kind: str) -> list[ParameterSet]:
    """A ruleset's cases of one kind as parameters of a test, each marked with the rows that it shows."""
    found = []
    for path in sorted((CASES / ruleset).glob("*.json")):
        case = json.loads(path.read_text())
        if case["kind"] == kind:
            found.append(pytest.param(path, id=path.stem, marks=pytest.mark.rule(*case["rule"])))
    return found
