"""A pytest plugin for ``pytest -n 3``: one process plays what needs a browser, the others share the rest.

Two browsers at once on a small machine would mostly wait for each other, and their tests for them: only who has
nothing else left to do takes over some of the browser's modules.
"""

from __future__ import annotations

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling
from xdist.workermanage import WorkerController

_BROWSER = "tests/webui/browser/"


class OneBrowser(LoadScopeScheduling):
    """Hands out the browser's tests by modules: to the first process, as long as the others have other work."""

    def _split_scope(self, nodeid: str) -> str:
        return nodeid.partition("::")[0] if nodeid.startswith(_BROWSER) else nodeid

    def _assign_work_unit(self, node: WorkerController) -> None:
        first = node is self.nodes[0]
        own = next((scope for scope in self.workqueue if scope.startswith(_BROWSER) == first), None)
        if own is not None:
            self.workqueue.move_to_end(own, last=False)
        super()._assign_work_unit(node)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> OneBrowser:
    return OneBrowser(config, log)
