"""What all tests share: one Hypothesis profile without deadlines, since shared machines stutter."""

from __future__ import annotations

import os

from hypothesis import settings

#: The rulebooks' rows that the tests show: ``pytest --rule-report``; tests beside each other: ``pytest -n 3``.
pytest_plugins = ["tests.rule_report", "tests.side_by_side"]

#: How many examples a property is tried on; the long run takes thousands.
_EXAMPLES = int(os.environ.get("VEDETTE_EXAMPLES", "30"))

#: The gate tries the same examples each time; everywhere else, and in the long runs, they are new ones.
_GATE = os.environ.get("CI") == "true"

settings.register_profile("vedette", deadline=None, max_examples=_EXAMPLES, derandomize=_GATE)
settings.load_profile("vedette")
