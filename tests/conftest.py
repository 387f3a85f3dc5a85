"""What all tests share: one Hypothesis profile without deadlines, since shared machines stutter."""

from __future__ import annotations

import gc
import os

from hypothesis import settings

import calibration  # noqa: F401  (says how libraries are to be loaded, before a test loads one)
from tests.long_runs import EXAMPLES

#: OpenCV's own threads would take from the tests beside what they spend on waiting for each other. Programs that a
#: test starts read it, too.
os.environ.setdefault("OPENCV_FOR_THREADS_NUM", "1")

#: The rulebooks' rows that the tests show: ``pytest --rule-report``; tests beside each other: ``pytest -n 3``.
pytest_plugins = ["tests.rule_report", "tests.side_by_side"]

#: The gate tries the same examples each time; everywhere else, and in the long runs, they are new ones.
_GATE = os.environ.get("CI") == "true"

settings.register_profile("vedette", deadline=None, max_examples=EXAMPLES, derandomize=_GATE)
settings.load_profile("vedette")


def pytest_collection_finish() -> None:
    """The tests themselves, ten thousand, stay for good: nothing that is thrown away is looked for among them."""
    gc.collect()
    gc.freeze()
