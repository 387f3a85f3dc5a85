"""Every action of the ruleset: its keys, and the function that begins it."""

from __future__ import annotations

from collections.abc import Mapping

from engine.rulesets.keys import Entry, plain
from engine.rulesets.muskets_mohawks.procedures import (
    artillery,
    break_off,
    campaigning,
    charge,
    encounters,
    fast_move,
    fire,
    markers,
    melee,
    non_players,
    posture,
    rally,
    reaction_action,
    recover,
    reload,
    roster,
    start_fire,
    terrain_roll,
    trophies,
    turn,
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
    **{name: plain(posture.change_posture) for name in posture.POSTURES},
    "new-turn": plain(turn.new_turn, unit=False),
    "terrain": Entry(begin=terrain_roll.terrain, keys=terrain_roll.TerrainKeys, unit=False),
    "weather": plain(encounters.weather, unit=False),
    "territory": plain(encounters.territory, unit=False),
    "opponent": Entry(begin=encounters.opponent, keys=encounters.SideKeys, unit=False),
    "investment": plain(encounters.investment, unit=False),
    "encounter": Entry(begin=encounters.encounter, keys=encounters.EncounterKeys, unit=False),
    "next-encounter": Entry(begin=encounters.next_encounter, keys=encounters.NextKeys, unit=False),
    "generate-rep": Entry(begin=roster.generate_rep, keys=roster.RepKeys),
    "replace-leader": plain(roster.replace_leader),
    "field-strength": plain(roster.field_strength),
    "after-battle": Entry(begin=roster.after_battle, keys=roster.BattleKeys),
    "rep-change": Entry(begin=roster.rep_change, keys=roster.ChangeKeys),
    "replacements": plain(roster.replacements),
    "desertion": plain(roster.desertion),
    "campaign-start": Entry(begin=campaigning.campaign_start, keys=campaigning.StartKeys, unit=False),
    "after-encounter": Entry(begin=campaigning.after_encounter, keys=campaigning.AfterKeys, unit=False),
    "pef-generate": Entry(begin=markers.pef_generate, keys=encounters.SideKeys, unit=False),
    "pef-move": plain(markers.pef_move),
    "pef-resolve": Entry(begin=markers.pef_resolve, keys=markers.PefResolveKeys),
    "np-move": Entry(begin=non_players.np_move, keys=non_players.NpMoveKeys),
    "np-scout": Entry(begin=non_players.np_scout, keys=encounters.SideKeys, unit=False),
}
