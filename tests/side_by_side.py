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
    "vision/test_bases_clutter": 50, "vision/test_bases_marks": 30, "vision/test_plain": 60,
    "vision/test_plain_formed": 45, "vision/test_simulated_effects": 35, "vision/test_mats": 35,
    "vision/test_bases_packing": 30, "vision/test_bases": 30, "vision/test_bases_ranks": 25,
    "vision/test_renewal": 25, "vision/test_measure": 20, "vision/test_watching_hard": 20,
    "webui/test_evening": 70, "webui/test_demo_process": 60, "webui/test_evening_cli": 55,
    "engine/muskets_mohawks/test_odds_of_the_chain": 30, "engine/muskets_mohawks/test_ask_side_by_side": 30,
    "engine/palouse/test_random_games": 20, "calibration/test_boards": 20,
    "webui/browser/test_first_evening": 80, "webui/browser/test_every_page": 95, "webui/browser/test_evening": 85,
    "webui/browser/test_plain_words": 70, "webui/browser/test_two_phones": 70, "webui/browser/test_rulesets": 40,
    "webui/browser/test_play": 55, "webui/browser/test_alone": 50, "webui/browser/test_raid": 50,
    "webui/browser/test_reactions": 50, "webui/browser/test_campaign": 45, "webui/browser/test_fit": 45,
    "webui/browser/test_evening_begun": 40, "webui/browser/test_templates": 40, "webui/browser/test_seats": 35,
    "webui/browser/test_live": 30, "webui/browser/test_lost_answers": 30, "webui/browser/test_keeping_up": 30,
    "webui/browser/test_unfinished": 30, "webui/browser/test_touch": 25, "webui/browser/test_musket_pike": 20,
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
