"""What all tests share: one Hypothesis profile without deadlines, since shared machines stutter."""

from __future__ import annotations

import os

from hypothesis import settings

from tests.long_runs import EXAMPLES

#: The rulebooks' rows that the tests show: ``pytest --rule-report``; tests beside each other: ``pytest -n 3``.
pytest_plugins = ["tests.rule_report", "tests.side_by_side"]

#: The gate tries the same examples each time; everywhere else, and in the long runs, they are new ones.
_GATE = os.environ.get("CI") == "true"

settings.register_profile("vedette", deadline=None, max_examples=EXAMPLES, derandomize=_GATE)
settings.load_profile("vedette")
