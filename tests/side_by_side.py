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
#: What takes long, roughly in seconds: begun first, so that at the end nobody waits for the one who plays it.
_LONG_S = {
    "vision/test_bases_marks": 75, "vision/test_bases_clutter": 70, "vision/test_bases_packing": 30,
    "vision/test_bases_ranks": 25, "vision/test_plain": 25, "vision/test_bases_doubt": 20,
    "engine/geometry/test_sight_tables": 25, "engine/muskets_mohawks/test_odds_of_the_chain": 25,
    "webui/browser/test_evening": 105, "webui/browser/test_two_phones": 100, "webui/browser/test_every_page": 100,
    "webui/browser/test_first_evening": 90, "webui/browser/test_fit": 70, "webui/browser/test_alone": 65,
    "webui/browser/test_evening_begun": 55, "webui/browser/test_campaign": 55, "webui/browser/test_rulesets": 50,
    "webui/browser/test_seats": 40, "webui/browser/test_reactions": 40, "webui/browser/test_musket_pike": 40,
    "webui/browser/test_raid": 30,
}  # fmt: skip


class OneBrowser(LoadScopeScheduling):
    """Hands out modules, the longest first: the browser's to the first process, as long as the others have other
    work. What is built once for a module is so built in one process alone.
    """

    def _split_scope(self, nodeid: str) -> str:
        return nodeid.partition("::")[0]

    def _assign_work_unit(self, node: WorkerController) -> None:
        first = node is self.nodes[0]
        own = [scope for scope in self.workqueue if scope.startswith(_BROWSER) == first]
        self.workqueue.move_to_end(max(own or self.workqueue, key=_seconds), last=False)
        super()._assign_work_unit(node)


def _seconds(scope: str) -> int:
    return _LONG_S.get(scope.removeprefix("tests/").removesuffix(".py"), 0)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> OneBrowser:
    return OneBrowser(config, log)
