"""Fixtures of the engine's tests."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest


@pytest.fixture
def repeat_kills() -> Callable[[], range]:
    """How often a writer is killed: twice, or VEDETTE_KILLS times for the long run."""
    return lambda: range(int(os.environ.get("VEDETTE_KILLS", "2")))
