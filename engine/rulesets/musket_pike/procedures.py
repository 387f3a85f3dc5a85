"""Every action of the ruleset: its keys, and the function that begins it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from engine.play import Procedure
from engine.records.action import Action
from engine.records.game import Game
from engine.rulesets.base.forms.keys import Entry, plain
from engine.rulesets.musket_pike.campaign import table_actions
from engine.rulesets.musket_pike.fire.fire_action import FireKeys, fire
from engine.rulesets.musket_pike.melee.melee_action import MeleeKeys, melee
from engine.rulesets.musket_pike.movement import detachment_actions, stack_actions
from engine.rulesets.musket_pike.movement.formation_action import FormationKeys, formation
from engine.rulesets.musket_pike.movement.move_action import MoveKeys, charge, move
from engine.rulesets.musket_pike.movement.turn_action import TurnKeys, turn
from engine.rulesets.musket_pike.turns.begin_turn import BeginKeys, SideKey, begin_turn, end_phase, end_turn
from engine.rulesets.musket_pike.turns.repair_action import RepairKeys, repair
from engine.rulesets.musket_pike.turns.upkeep import spotting, upkeep

__all__ = ["ENTRIES"]


def _followed_up(entry: Entry) -> Entry:
    """An action with what follows from where it leaves everybody: owners, crews, who is spotted."""

    def begin(game: Game, action: Action, keys: Any) -> Procedure[None]:
        return _then_upkeep(game, entry.begin(game, action, keys))

    return replace(entry, begin=begin)


def _then_upkeep(game: Game, procedure: Procedure[None]) -> Procedure[None]:
    before = game
    try:
        step = next(procedure)
        while True:
            answer = yield step
            game = answer if isinstance(answer, Game) else game
            step = procedure.send(answer)
    except StopIteration:
        pass
    game = yield from upkeep(game)
    game = yield from spotting(game)
    yield from table_actions.muster_for_battle(before, game)


_ACTIONS: Mapping[str, Entry] = {
    "move": Entry(begin=move, keys=MoveKeys),
    "charge": Entry(begin=charge, keys=MoveKeys),
    "fire": Entry(begin=fire, keys=FireKeys, target=None),
    "melee": Entry(begin=melee, keys=MeleeKeys, target=None),
    "turn": Entry(begin=turn, keys=TurnKeys),
    "formation": Entry(begin=formation, keys=FormationKeys),
    "deploy-skirmishers": plain(detachment_actions.deploy_skirmishers),
    "recall-skirmishers": plain(detachment_actions.recall_skirmishers),
    "deploy-squadron": plain(detachment_actions.deploy_squadron),
    "recall-squadron": plain(detachment_actions.recall_squadron),
    "stack-top": plain(stack_actions.stack_top),
    "stack-bottom": plain(stack_actions.stack_bottom),
    "repair": Entry(begin=repair, keys=RepairKeys),
    "begin-turn": Entry(begin=begin_turn, keys=BeginKeys, unit=False),
    "situation-choose": Entry(begin=table_actions.situation_choose, keys=table_actions.ChooseKeys, unit=False),
    "situation-settle": Entry(begin=table_actions.situation_settle, keys=table_actions.SettleKeys, unit=False),
    "end-phase": Entry(begin=end_phase, keys=SideKey, unit=False),
    "end-turn": Entry(begin=end_turn, keys=SideKey, unit=False),
}

ENTRIES: Mapping[str, Entry] = {name: _followed_up(entry) for name, entry in _ACTIONS.items()}
