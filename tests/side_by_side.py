"""A pytest plugin for ``pytest -n 2``: one process plays all that needs a browser, the others share the rest.

Two browsers at once on a small machine would only wait for each other, and their tests for them.
"""

from __future__ import annotations

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

_BROWSER = "tests/webui/browser/"


class OneBrowser(LoadScopeScheduling):
    """Hands the browser's tests out as one, all others one by one."""

    def _split_scope(self, nodeid: str) -> str:
        return _BROWSER if nodeid.startswith(_BROWSER) else nodeid


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> OneBrowser:
    return OneBrowser(config, log)
