"""The acceptance cases of ``ask``, through the Python API."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.rulesets.base.cases import failures
from tests.engine.cases import cases


@pytest.mark.parametrize("case", cases("muskets-mohawks", "ask"))
def test_what_ask_says_is_what_the_case_expects(case: Path) -> None:
    assert failures(case) == []
