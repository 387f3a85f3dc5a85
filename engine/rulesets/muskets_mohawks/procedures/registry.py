"""Every action of the ruleset: its keys, and the function that begins it."""

from __future__ import annotations

from collections.abc import Mapping

from engine.rulesets.base.forms.keys import Entry, plain
from engine.rulesets.muskets_mohawks.procedures import turn
from engine.rulesets.muskets_mohawks.procedures.buildings import indoors, looting, start_fire
from engine.rulesets.muskets_mohawks.procedures.campaign import campaigning, encounters, ending, months, roster
from engine.rulesets.muskets_mohawks.procedures.charges import break_off, charge, melee, trophies
from engine.rulesets.muskets_mohawks.procedures.firing import artillery, fire, reload
from engine.rulesets.muskets_mohawks.procedures.movement import (
    fast_move,
    leaving,
    marching,
    posture,
    reforming,
    wheeling,
)
from engine.rulesets.muskets_mohawks.procedures.nerve import rally, reaction_action, recover
from engine.rulesets.muskets_mohawks.procedures.setup import agreements, raising, reviewing, terrain_roll
from engine.rulesets.muskets_mohawks.procedures.solo import (
    markers,
    non_players,
    np_play,
    secrets,
    solo_line,
    surveying,
)

__all__ = ["ENTRIES"]

ENTRIES: Mapping[str, Entry] = {
    "fire": Entry(begin=fire.fire, keys=fire.FireKeys, target=True),
    "fire-canister": Entry(begin=artillery.fire_canister, keys=artillery.CanisterKeys, target=None),
    "fire-ball": Entry(begin=artillery.fire_ball, keys=artillery.BallKeys, target=None),
    "reload": plain(reload.reload),
    "fast-move": plain(fast_move.fast_move),
    "charge": Entry(begin=charge.begin_charge, keys=charge.ChargeKeys, target=True),
    "melee": Entry(begin=melee.melee, keys=melee.MeleeKeys),
    "reaction": Entry(begin=reaction_action.reaction, keys=reaction_action.ReactionKeys),
    "rally": Entry(begin=rally.rally, keys=rally.RallyKeys),
    "form-line": Entry(begin=rally.rally, keys=rally.RallyKeys),
    "trophies": plain(trophies.trophies),
    "break-off": Entry(begin=break_off.break_off, keys=break_off.BreakOffKeys),
    "recover": plain(recover.recover),
    "start-fire": Entry(begin=start_fire.start_fire, keys=start_fire.StartFireKeys),
    "enter": Entry(begin=indoors.enter, keys=indoors.BuildingKeys),
    "leave": plain(indoors.leave),
    "change-level": Entry(begin=indoors.change_level, keys=indoors.LevelKeys),
    "loot": plain(looting.loot),
    "douse": Entry(begin=indoors.douse, keys=indoors.DouseKeys),
    **{name: plain(posture.change_posture) for name in posture.POSTURES},
    "leave-field": plain(leaving.leave_field),
    "had-enough": Entry(begin=leaving.had_enough, keys=encounters.SideKeys, unit=False),
    "agree": Entry(begin=agreements.agree, keys=agreements.AgreeKeys, unit=False),
    "hide-under": Entry(begin=secrets.hide_under, keys=secrets.HideKeys),
    "lay-terrain": Entry(begin=surveying.lay_terrain, keys=surveying.LayKeys, unit=False),
    "survey": plain(surveying.survey, unit=False),
    "next-month": plain(months.next_month, unit=False),
    "np-play": Entry(begin=np_play.np_play, keys=np_play.NpPlayKeys),
    "new-turn": plain(turn.new_turn, unit=False),
    "pass-turn": Entry(begin=turn.pass_turn, keys=turn.PassKeys, unit=False),
    "reform": Entry(begin=reforming.reform, keys=reforming.ReformKeys),
    "march": Entry(begin=marching.march, keys=marching.MarchKeys),
    "wheel": Entry(begin=wheeling.wheel, keys=wheeling.WheelKeys),
    "terrain": Entry(begin=terrain_roll.terrain, keys=terrain_roll.TerrainKeys, unit=False),
    "weather": plain(encounters.weather, unit=False),
    "territory": plain(encounters.territory, unit=False),
    "opponent": Entry(begin=encounters.opponent, keys=encounters.SideKeys, unit=False),
    "investment": plain(encounters.investment, unit=False),
    "encounter": Entry(begin=encounters.encounter, keys=encounters.EncounterKeys, unit=False),
    "next-encounter": Entry(begin=encounters.next_encounter, keys=encounters.NextKeys, unit=False),
    "raise": Entry(begin=raising.raise_unit, keys=raising.RaiseKeys, unit=False),
    "review": Entry(begin=reviewing.review, keys=reviewing.ReviewKeys, unit=False),
    "generate-rep": Entry(begin=roster.generate_rep, keys=roster.RepKeys),
    "replace-leader": plain(roster.replace_leader),
    "field-strength": plain(roster.field_strength),
    "after-battle": Entry(begin=roster.after_battle, keys=roster.BattleKeys),
    "rep-change": Entry(begin=roster.rep_change, keys=roster.ChangeKeys),
    "replacements": plain(roster.replacements),
    "desertion": plain(roster.desertion),
    "end-battle": Entry(begin=ending.end_battle, keys=ending.EndKeys, unit=False),
    "afterwards": Entry(begin=ending.afterwards, keys=ending.AfterwardsKeys, unit=False),
    "campaign-start": Entry(begin=campaigning.campaign_start, keys=campaigning.StartKeys, unit=False),
    "after-encounter": Entry(begin=campaigning.after_encounter, keys=campaigning.AfterKeys, unit=False),
    "pef-generate": Entry(begin=markers.pef_generate, keys=encounters.SideKeys, unit=False),
    "pef-move": plain(markers.pef_move),
    "pef-resolve": Entry(begin=markers.pef_resolve, keys=markers.PefResolveKeys),
    "np-move": Entry(begin=non_players.np_move, keys=non_players.NpMoveKeys),
    "np-deploy": plain(solo_line.np_deploy),
    "np-scout": Entry(begin=non_players.np_scout, keys=encounters.SideKeys, unit=False),
}
