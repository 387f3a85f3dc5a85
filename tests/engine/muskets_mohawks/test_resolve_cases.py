"""The acceptance cases of ``resolve``, through the Python API."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.rulesets.base.cases import failures
from tests.engine.cases import cases


@pytest.mark.parametrize("case", cases("muskets-mohawks", "resolve"))
def test_what_resolve_does_is_what_the_case_expects(case: Path) -> None:
    assert failures(case) == []
