"""A raid's pursuit over the days: ``track`` and ``pursuit-day`` (PR-804 to PR-806)."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from engine.dice import Roll
from engine.events import Event
from engine.play import Procedure, happen, roll
from engine.records.action import Action
from engine.records.game import Game
from engine.rulesets.base.actions.refusing import allow, overruled
from engine.rulesets.base.answers.reasons import Reasons
from engine.rulesets.presidio.campaign.standing import (
    Campaign,
    Party,
    campaign_of,
    changed,
    next_day,
    party_of,
    with_party,
)
from engine.rulesets.presidio.raid_book import raid_book

__all__ = ["DayKeys", "TrackKeys", "leagues", "pursuit_day", "track"]

Skill = Annotated[int, Meta(ge=0, le=4)]
Column = Literal["pursuer", "fugitive"]


class TrackKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``track``: the scouts' Recon and the raiders' Camou."""

    pursuer_recon: Skill = 2
    raider_camou: Skill = 2


class DayKeys(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The keys of ``pursuit-day``: who marches, by which column (None: by the rule), and on through the night."""

    party: str
    column: Column | None = None
    forced: bool = False


def track(game: Game, action: Action, keys: TrackKeys) -> Procedure[None]:
    """The scouts look for the trail: they find it unless their total is lower, and lose the day then (PR-804)."""
    scouts = (yield from roll(Roll(purpose="the scouts look for the trail", count=1, rule="PR-804"))).total
    raiders = (yield from roll(Roll(purpose="the raiders hide their trail", count=1, rule="PR-804"))).total
    found = scouts + keys.pursuer_recon >= raiders + keys.raider_camou
    campaign = campaign_of(game)
    lost = {} if found else {one.id: campaign.day for one in campaign.parties if one.role == "pursuer"}
    changes = changed(game, replace(campaign, marched={**campaign.marched, **lost})) if lost else ()
    yield from happen(Event(event="trail", facts={"found": found}, changes=changes, rule="PR-804"))


def leagues(total: int, column: Column, *, mounted: bool, forced: bool) -> int:
    """How far a day's 2d6 bring a party (PR-805, PR-806).

    >>> leagues(7, "pursuer", mounted=False, forced=False), leagues(12, "fugitive", mounted=True, forced=False)
    (6, 12)
    >>> leagues(6, "pursuer", mounted=False, forced=True)
    7
    """
    book = raid_book().travel
    table = book.pursuer if column == "pursuer" else book.fugitive
    day = table[min(total + mounted, len(table) + 1) - 2]
    return int(day * book.forced) if forced else day


def pursuit_day(game: Game, action: Action, keys: DayKeys) -> Procedure[None]:
    """A party's march of a day. Raises ActionRefused, UnusableFile for a party that there is not."""
    campaign = campaign_of(game)
    party = party_of(campaign, keys.party)
    reasons = _against(campaign, party, keys)
    return _march(game, campaign, party, keys, action, allow(action, reasons))


def _against(campaign: Campaign, party: Party, keys: DayKeys) -> Reasons:
    book, reasons = raid_book().travel, Reasons()
    on_map = any(marker.hex is not None for marker in campaign.markers)
    text = f"{party.id} has had its march of day {campaign.day}: end the day first"
    reasons.add(on_map and _has_marched(campaign, party), text, "PR-805")
    if keys.forced:
        apart = _apart(campaign, party)
        reasons.add(
            apart is not None and not 1 <= apart <= book.forced_within,
            f"{apart} leagues apart: a forced march needs 1 to {book.forced_within}", "PR-806",
        )  # fmt: skip
        reasons.add(
            party.nights_marched >= book.forced_nights,
            f"{party.id} has marched {party.nights_marched} nights: it must rest a day and a night", "PR-806",
        )  # fmt: skip
    return reasons


def _has_marched(campaign: Campaign, party: Party) -> bool:
    return campaign.marched.get(party.id, 0) >= campaign.day


def _apart(campaign: Campaign, party: Party) -> int | None:
    """How many leagues lie between a party and the nearest of the other role; None where there is none."""
    return min(
        (abs(other.leagues - party.leagues) for other in campaign.parties if other.role != party.role), default=None
    )


def _column(campaign: Campaign, party: Party) -> Column:
    """Raiders flee as pursuers march for three days and when they know of the pursuit (PR-805)."""
    fresh = campaign.day <= raid_book().travel.head_start_days
    return "pursuer" if party.role == "pursuer" or fresh or party.knows_pursued else "fugitive"


def _march(
    game: Game, campaign: Campaign, party: Party, keys: DayKeys, action: Action, against: tuple[str, ...]
) -> Procedure[None]:
    game = yield from overruled(game, action, against)
    if _has_marched(campaign, party):  # its next march is that of another day
        campaign = next_day(game, campaign)
        event = Event(event="map-day", facts={"day": campaign.day}, changes=changed(game, campaign), rule="PR-805")
        game = yield from happen(event)
    book = raid_book().travel
    resting = party.nights_marched >= book.forced_nights and not keys.forced
    total = 0
    if not resting:
        request = Roll(purpose=f"{party.id} marches", count=2, rule="PR-805")
        total = (yield from roll(request)).total
    column = keys.column or _column(campaign, party)
    day = 0 if resting else leagues(total, column, mounted=party.mounted, forced=keys.forced)
    noticed = party.role == "pursuer" and total == book.noticed
    nights = party.nights_marched + 1 if keys.forced else 0
    after = replace(party, leagues=party.leagues + day, nights_marched=nights)
    campaign = with_party(campaign, after)
    campaign = replace(campaign, marched={**campaign.marched, party.id: campaign.day})
    if noticed:
        for other in campaign.parties:
            if other.role == "raider":
                campaign = with_party(campaign, replace(other, knows_pursued=True))
    facts = {
        "party": party.id, "leagues": day, "noticed": noticed, "column": column, "rest": resting,
        "caught": _caught(campaign, after),
    }  # fmt: skip
    yield from happen(Event(event="travel", facts=facts, changes=changed(game, campaign), rule="PR-805"))


def _caught(campaign: Campaign, party: Party) -> bool:
    """Whether pursuers have come up with raiders: then a camp is set up (PR-806)."""
    raiders = [one.leagues for one in campaign.parties if one.role == "raider"]
    pursuers = [one.leagues for one in campaign.parties if one.role == "pursuer"]
    return bool(raiders and pursuers) and max(pursuers) >= min(raiders)
