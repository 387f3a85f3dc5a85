"""The actions of raids and of the campaign: their keys, and the functions that begin them."""

from __future__ import annotations

from collections.abc import Mapping

from engine.rulesets.base.forms.keys import Entry, plain
from engine.rulesets.presidio.campaign import map_actions, map_drawing, map_forces, map_setup
from engine.rulesets.presidio.raids import camp_actions, herd_action, pursuit_actions, sentry_action, taking_actions

__all__ = ["RAIDS"]

RAIDS: Mapping[str, Entry] = {
    "camp": Entry(begin=camp_actions.camp, keys=camp_actions.CampKeys, unit=False),
    "villagers": Entry(begin=camp_actions.villagers, keys=camp_actions.VillagersKeys, unit=False),
    "livestock-return": Entry(begin=camp_actions.livestock_return, keys=camp_actions.ReturnKeys, unit=False),
    "victory": Entry(begin=camp_actions.victory, keys=camp_actions.VictoryKeys, unit=False),
    "plunder": Entry(begin=taking_actions.plunder, keys=taking_actions.PlunderKeys),
    "drop": Entry(begin=taking_actions.drop, keys=taking_actions.PlunderKeys),
    "capture": Entry(begin=taking_actions.capture, keys=taking_actions.CaptureKeys, target=True),
    "stampede": Entry(begin=herd_action.stampede, keys=herd_action.StampedeKeys),
    "sentry": plain(sentry_action.sentry, target=True),
    "track": Entry(begin=pursuit_actions.track, keys=pursuit_actions.TrackKeys, unit=False),
    "pursuit-day": Entry(begin=pursuit_actions.pursuit_day, keys=pursuit_actions.DayKeys, unit=False),
    "map-begin": Entry(begin=map_setup.map_begin, keys=map_setup.BeginKeys, unit=False),
    "map-draw": Entry(begin=map_drawing.map_draw, keys=map_drawing.DrawKeys, unit=False),
    "map-allot": Entry(begin=map_forces.map_allot, keys=map_forces.AllotKeys, unit=False),
    "strategic-initiative": plain(map_actions.strategic_initiative, unit=False),
    "map-entry": Entry(begin=map_actions.map_entry, keys=map_actions.EntryKeys, unit=False),
    "map-move": Entry(begin=map_actions.map_move, keys=map_actions.MapMoveKeys, unit=False),
    "map-reinforce": Entry(begin=map_forces.map_reinforce, keys=map_forces.ReinforceKeys, unit=False),
    "map-day": plain(map_actions.map_day, unit=False),
    "contact-time": Entry(begin=map_actions.contact_time, keys=map_actions.TimeKeys, unit=False),
}
