"""A pytest plugin for ``pytest -n 3``: one process plays what needs a browser, one the rest, and one helps out.

A browser, and a demo of each ruleset, are started in every process that plays the page's tests, and on a small
machine they would mostly wait for each other: the third plays some of them only while more is left of these.
"""

from __future__ import annotations

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling
from xdist.workermanage import WorkerController

_BROWSER = "tests/webui/browser/"
#: What takes long, roughly in seconds of one core: begun first, so that at the end nobody waits for who plays it.
_LONG_S = {
    "vision/test_pointing": 40, "webui/test_evening": 40, "vision/test_plain_lamp": 37,
    "webui/test_evening_cli": 35, "vision/test_plain": 31, "vision/test_plain_formed": 22,
    "calibration/test_survey": 24, "webui/test_demo_process": 24, "vision/test_watching_hard": 21,
    "vision/test_renewal": 18, "vision/test_mats": 18, "vision/test_bases_marks": 18,
    "vision/test_bases_clutter": 17, "vision/test_bases": 17, "engine/muskets_mohawks/test_odds_of_the_chain": 15,
    "vision/test_bases_packing": 15, "vision/test_traced": 14, "vision/test_measure": 14,
    "engine/muskets_mohawks/test_ask_side_by_side": 13, "vision/test_simulated_effects": 13,
    "engine/palouse/test_random_games": 12, "vision/test_hanging": 12, "vision/test_plain_echelon": 5,
    "vision/test_setup_cli": 10, "benchmarks/test_accuracy": 10, "vision/test_bases_absent": 10,
    "vision/test_watching": 10, "webui/browser/test_first_evening": 68, "webui/browser/test_every_page": 66,
    "webui/browser/test_evening_begun": 48, "webui/browser/test_evening": 20, "webui/browser/test_fit": 43,
    "webui/browser/test_plain_words": 42, "webui/browser/test_two_phones": 38, "webui/browser/test_alone": 35,
    "webui/browser/test_campaign": 35, "webui/browser/test_rulesets": 33, "webui/browser/test_keeping_up": 25,
    "webui/browser/test_melee": 25, "webui/browser/test_live": 23, "webui/browser/test_lost_answers": 23,
    "webui/browser/test_seats": 22, "webui/browser/test_at_a_glance": 22, "webui/browser/test_whole": 20,
    "webui/browser/test_reactions": 18, "webui/browser/test_templates": 18, "webui/browser/test_turns": 16,
    "webui/browser/test_touch": 15, "webui/browser/test_unfinished": 15, "webui/browser/test_raid": 15,
    "webui/browser/test_musket_pike": 10,
}  # fmt: skip


class OneBrowser(LoadScopeScheduling):
    """Hands out modules, the longest first: the browser's to the first process, and to the second whenever more is
    left of them than of all others. What is built once for a module is so built in one process alone.
    """

    def _split_scope(self, nodeid: str) -> str:
        return nodeid.partition("::")[0]

    def _assign_work_unit(self, node: WorkerController) -> None:
        browser, others = ([s for s in self.workqueue if _is_browser_s(s) == own] for own in (True, False))
        number = self.nodes.index(node)
        helps = number == 1 and sum(map(_seconds, browser)) > sum(map(_seconds, others))
        own = browser if number == 0 or helps else others
        self.workqueue.move_to_end(max(own or self.workqueue, key=_seconds), last=False)
        super()._assign_work_unit(node)


def _is_browser_s(scope: str) -> bool:
    return scope.startswith(_BROWSER)


def _seconds(scope: str) -> int:
    usual = 5 if _is_browser_s(scope) else 1
    return _LONG_S.get(scope.removeprefix("tests/").removesuffix(".py"), usual)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> OneBrowser:
    return OneBrowser(config, log)
