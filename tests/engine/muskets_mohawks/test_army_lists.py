"""Raising an army: who is on each list, with what, what dice decide, and what a review of it says."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import ActionRefused, UnknownAction
from engine.records.game import game_from
from engine.rulesets.muskets_mohawks import RULESET
from engine.rulesets.muskets_mohawks.procedures.setup.armies import armies
from engine.rulesets.muskets_mohawks.table.facts import half_strength
from engine.rulesets.muskets_mohawks.vocabulary import state_of
from tests.engine.muskets_mohawks.playing import Plain, event, game, resolve, unit

#: Army: what it fields, as "name Rep"; "L" a light troop of foot, "R" with rifles, "l" a lance, "c" cuirassiers.
NAPOLEONIC = {
    "france": "national-guard 3, line 4, legere 4 L, swiss 4 L, vistula-legion 5/4 L, chasseurs 4, lancers 4 l,"
              " hussars 5, vistula-uhlans 4 l, dragoons 4, cuirassiers 5 c",
    "baden": "line 4, jagers 5 LR, light-dragoons 4, hussars 5",
    "bavaria": "line 4, schutzen 5 LR, light 4 L, chevauleger 4",
    "berg": "line 4, lancers 5 l",
    "confederation-of-the-rhine": "line 4, light 4 L, chevauleger 4",
    "hesse-darmstadt": "line 4, chevauleger 4, hussars 5",
    "grand-duchy-of-warsaw": "line 4, chasseurs 4, uhlans 4 l, hussars 5",
    "italy": "line 4, light 4 L, chasseurs 4, dragoons 4",
    "naples": "line 4, light 4 L, chasseurs 4",
    "saxony": "line 4, light 4 L, chevauleger 4, dragoons 4, hussars 5, cuirassiers 5 c",
    "westphalia": "line 4, light 4 L, chevauleger 4",
    "wurttemberg": "line 4, jagers 5 LR, light 4 L, chevauleger 4",
    "austria": "line 4, jagers 5 LR, grenz 4 L, chevauleger 4, uhlans 4 l, dragoons 4, hussars 5, cuirassiers 5 c",
    "great-britain": "line 4, rifles 5 LR, light 4 L, light-dragoons 4, hussars 5, dragoons 4, guard-dragoons 5",
    "portugal": "militia 3, line 4, cacadores 4 L, light-dragoons 4",
    "prussia": "landwehr 3, line 4, jagers 4 LR, landwehr-cavalry 4 l, uhlans 4 l, dragoons 4, hussars 5,"
               " cuirassiers 5",
    "russia": "line 4, jagers 4, cossacks 4 l, uhlans 4 l, dragoons 4, hussars 5, cuirassiers 5 c",
    "spain": "guerillas 3, militia 3, line 4, light 4 L, chasseurs 4, dragoons 4, hussars 5",
}  # fmt: skip
HORSE = ("cavalry", "mounted-infantry")


def raised(of: Plain, dice: list[int] | None = None, **keys: Any) -> Plain:
    """The unit that is raised."""
    played = resolve(of, dice or [], action="raise", id="new", **keys)
    found: Plain = next(one for one in played["game"]["units"] if one["id"] == "new")
    return found


def armies_of(period: str, british: str | None = None, **conditions: Any) -> Plain:
    campaign = {} if british is None else {"british": {"army": british}}
    return game(period=period, campaign=campaign, **conditions)


def told(name: str, entry: Any) -> str:
    """An entry of a list in the short hand of the tables above."""
    reps = "/".join(str(rep) for rep in dict.fromkeys(entry.reps(None)))
    signs = "L" * (entry.type == "light") + "R" * (entry.weapon == "rifle") + "l" * ("lance" in entry.weapon)
    return f"{name} {reps} {signs}{'c' * ('cuirassier' in entry.special)}".rstrip()


@pytest.mark.rule("MM-249", "MM-250", "MM-251", "MM-252", "MM-253", "MM-244", "R-55", "R-49")
@pytest.mark.parametrize("army", NAPOLEONIC)
def test_the_napoleonic_lists(army: str) -> None:
    units = dict(armies()["napoleonic"][army].units)
    guns = units.pop("artillery")
    assert (guns.type, guns.rep) == ("gunners", 4)
    assert ", ".join(told(name, entry) for name, entry in units.items()) == NAPOLEONIC[army]
    foot = {"guerillas": "irregular"}
    for name, entry in units.items():
        if entry.type not in HORSE and entry.type != "light":
            assert entry.type == foot.get(name, "regular")
        if name == "cossacks":
            assert (entry.type, entry.special) == ("mounted-infantry", ("irregular",))


@pytest.mark.rule("MM-242", "MM-243", "MM-254", "MM-255", "R-49")
@pytest.mark.parametrize(
    ("period", "army", "units"),
    [("revolution", "american", "regulars regular 4, irregulars irregular 4, militia militia 3, cavalry cavalry 4,"
                                " militia-cavalry cavalry 4, artillery gunners 4"),
     ("revolution", "french", "regulars regular 4, cavalry cavalry 5, artillery gunners 4"),
     ("revolution", "british", "regulars regular 4, light light 4, grenadiers grenadier 4, tories irregular 4,"
                               " indians indian 4, dragoons cavalry 4, tory-cavalry cavalry 4,"
                               " artillery gunners 4"),
     ("1812", "american", "infantry regular 3, rangers irregular 4, militia militia 3, volunteers militia 3/4,"
                          " light-dragoons cavalry 4, militia-cavalry cavalry 4, artillery gunners 4"),
     ("1812", "british", "regulars regular 4, light light 4, grenadiers grenadier 4, indians indian 4,"
                         " cavalry cavalry 4, militia-cavalry cavalry 4, artillery gunners 4"),
     ("texas", "texian", "mounted-scouts mounted-infantry 4, trained-volunteers regular 4,"
                         " citizen-volunteers irregular 3, rancheros mounted-infantry 4, regulars regular 4,"
                         " gunners gunners 4"),
     ("texas", "mexican", "cazadores light 4, grenadaros grenadier 4, activo-fusileros regular 3,"
                          " permanente-fusileros regular 4, zapadores regular 5, cavalry cavalry 4,"
                          " rancheros mounted-infantry 4, gunners gunners 4")],
)  # fmt: skip
def test_the_lists_of_other_wars(period: str, army: str, units: str) -> None:
    found = armies()[period][army].units.items()
    reps = {name: "/".join(str(rep) for rep in dict.fromkeys(entry.reps(None))) for name, entry in found}
    assert ", ".join(f"{name} {entry.type} {reps[name]}" for name, entry in found) == units


@pytest.mark.rule("MM-35")
def test_the_armies_of_the_french_and_indian_war() -> None:
    lists = armies()["fiw"]
    whites = {"regular", "light", "grenadier", "guard", "militia", "irregular", "cavalry", "gunners"}
    for army, types in {"british": whites, "french": whites, "british-indians": {"indian"},
                        "french-indians": {"indian"}}.items():  # fmt: skip
        assert {entry.type for entry in lists[army].units.values()} == types


@pytest.mark.rule("MM-23", "MM-40")
@pytest.mark.parametrize(
    ("entry", "type", "formation", "figures", "leaders"),
    [("line", "regular", "formed-line", 10, 1), ("irregulars", "irregular", "unformed", 10, 1),
     ("cavalry", "cavalry", "formed-line", 10, 1), ("artillery", "gunners", "unformed", 6, 1)],
)  # fmt: skip
def test_a_unit_is_raised_at_its_sides_edge(
    entry: str, type: str, formation: str, figures: int, leaders: int
) -> None:
    found = raised(game(unit("br", "british", at=(900, 20))), side="british", entry=entry)
    assert (found["type"], found["formation"], len(found["figures"])) == (type, formation, figures)
    assert [one.get("role") for one in found["figures"]].count("leader") == leaders
    assert all(one["y_mm"] < 400 and one["bearing_deg"] == 0 for one in found["figures"])
    assert [one["id"] for one in found["figures"] if one.get("role") == "gun"] == (
        ["new-gun"] if type == "gunners" else []
    )


@pytest.mark.rule("MM-40")
def test_a_side_has_as_many_men_as_are_asked_for_and_a_name() -> None:
    found = raised(game(), side="french", entry="line", figures=7, name="La Reine")
    assert (len(found["figures"]), found["name"]) == (7, "La Reine")
    assert all(one["bearing_deg"] == 180 for one in found["figures"])


@pytest.mark.rule("MM-40", "MM-61", "R-28")
@pytest.mark.parametrize(("figures", "half"), [(5, False), (None, False), (8, False)])
def test_a_unit_that_is_raised_small_is_at_full_strength(figures: int | None, half: bool) -> None:
    keys = {} if figures is None else {"figures": figures}
    played = resolve(game(), [], action="raise", id="new", side="british", entry="cavalry", **keys)
    horse = game_from(played["game"], "raised").unit("new")
    assert (half_strength(horse), state_of(horse).start_strength) == (half, figures or 10)


@pytest.mark.rule("MM-40", "MM-239")
def test_what_a_small_unit_may_be_filled_up_to_is_what_it_was_raised_with() -> None:
    assert raised(game(), side="british", entry="cavalry", figures=5)["stats"]["paper_strength"] == 5
    assert "paper_strength" not in raised(game(), side="british", entry="cavalry", figures=10)["stats"]


@pytest.mark.rule("MM-199")
@pytest.mark.parametrize(
    ("period", "month", "entry", "refused"),
    [("fiw", 12, "line", True), ("fiw", 2, "cavalry", True), ("fiw", 12, "irregulars", False),
     ("fiw", 3, "line", False), ("fiw", None, "line", False), ("napoleonic", 12, "line", False)],
)  # fmt: skip
def test_only_irregulars_are_raised_in_winter(period: str, month: int | None, entry: str, refused: bool) -> None:
    start = armies_of(period, "great-britain" if period == "napoleonic" else "british", month=month)
    if refused:
        with pytest.raises(ActionRefused, match="from November to February"):
            raised(start, side="british", entry=entry)
    else:
        assert raised(start, side="british", entry=entry)["type"]


@pytest.mark.rule("MM-34")
def test_a_higher_leader_is_one_figure() -> None:
    found = raised(game(), side="british", rank="captain")
    assert (found["type"], found["stats"]["rank"], len(found["figures"])) == ("leader", "captain", 1)


@pytest.mark.rule("MM-249")
@pytest.mark.parametrize(("die", "rep"), [(1, 5), (2, 5), (3, 4), (6, 4)])
def test_a_die_tells_the_rep_of_the_vistula_legion(die: int, rep: int) -> None:
    assert raised(armies_of("napoleonic", "france"), [die], side="british", entry="vistula-legion")["stats"] == {
        "rep": rep
    }


@pytest.mark.rule("MM-249")
@pytest.mark.parametrize(("year", "rep"), [(1813, 4), (1814, 3), (1815, 4)])
def test_the_french_of_1814_are_conscripts(year: int, rep: int) -> None:
    for entry in ("line", "legere"):
        found = raised(armies_of("napoleonic", "france", year=year), side="british", entry=entry)
        assert found["stats"]["rep"] == rep


@pytest.mark.rule("MM-243")
@pytest.mark.parametrize(
    ("year", "entry", "rep", "may"),
    [(1812, "infantry", 4, False), (1813, "infantry", 4, True), (1814, "infantry", 3, True),
     (1812, "volunteers", 4, True), (1812, "militia", 4, False), (1812, "volunteers", 5, False)],
)  # fmt: skip
def test_where_the_list_leaves_the_rep_to_the_players(year: int, entry: str, rep: int, may: bool) -> None:
    of = armies_of("1812", "american", year=year)
    if may:
        assert raised(of, side="british", entry=entry, rep=rep)["stats"]["rep"] == rep
    else:
        with pytest.raises(ActionRefused, match=f"Rep {rep}"):
            raised(of, side="british", entry=entry, rep=rep)


@pytest.mark.rule("MM-254", "MM-255")
@pytest.mark.parametrize(
    ("army", "entry", "dice", "told"),
    [("texian", "mounted-scouts", [4, 3, 3], ("rifle", "Texians", "two pistols")),
     ("texian", "mounted-scouts", [5, 6, 4], ("carbine", "Tejanos", None)),
     ("texian", "trained-volunteers", [4], ("rifle", None, None)),
     ("texian", "citizen-volunteers", [5], ("musket", None, None)),
     ("texian", "rancheros", [2], ("pistol", None, None)), ("mexican", "rancheros", [5], ("lance", None, None)),
     ("mexican", "cazadores", [2], ("rifle", None, None)), ("mexican", "cazadores", [3], ("musket", None, None)),
     ("mexican", "cavalry", [3], ("lance+carbine", "Presidials", None)),
     ("mexican", "cavalry", [4], ("lance+carbine", "lancers", None))],
)  # fmt: skip
def test_dice_arm_the_men_of_texas(army: str, entry: str, dice: list[int], told: tuple[Any, ...]) -> None:
    played = resolve(armies_of("texas", army), dice, action="raise", id="new", side="british", entry=entry)
    facts = event(played, "raised")
    assert (facts["weapon"], facts.get("of"), facts.get("also")) == told
    assert played["game"]["units"][-1]["weapon"] == told[0]


@pytest.mark.rule("MM-254")
def test_mounted_scouts_are_irregular_horse_that_shun_cavalry() -> None:
    found = raised(armies_of("texas", "texian"), [1, 1, 6], side="british", entry="mounted-scouts")
    assert found["stats"]["special"] == ["irregular", "texian-scout"]
    assert (found["state"]["mounted"], found["formation"]) == (True, "unformed")


@pytest.mark.rule("MM-40")
@pytest.mark.parametrize(
    ("keys", "fault"),
    [({"side": "spanish", "entry": "line"}, "side: expected one of british, french"),
     ({"side": "british", "entry": "hussars"}, "entry: expected one of line, light"),
     ({"side": "british", "entry": "line", "list": "prussia"}, "list: expected one of british, french"),
     ({"side": "british"}, "either the key entry"),
     ({"side": "spanish", "rank": "major"}, "side: expected one of")],
)  # fmt: skip
def test_what_no_list_holds_is_said(keys: Plain, fault: str) -> None:
    with pytest.raises(UnknownAction, match=fault):
        resolve(game(), action="raise", id="new", **keys)


@pytest.mark.rule("MM-40")
def test_a_name_is_taken_once() -> None:
    with pytest.raises(ActionRefused, match="there is a unit br already"):
        resolve(game(unit("br", "british")), action="raise", id="br", side="british", entry="line")


def force(*types: str) -> list[Plain]:
    return [
        unit(f"br-{number}", "british", type=type, number=2, at=(100 + 60 * number, 200))
        for number, type in enumerate(types)
    ]


@pytest.mark.rule("MM-34", "MM-36")
@pytest.mark.parametrize(
    ("types", "army", "advice"),
    [(["regular"] * 2, "british", ["lieutenants: 1 for these units, there are 0"]),
     (["regular"] * 4, "british", ["lieutenants: 2 for these units, there are 0",
                                   "captains: 1 for these units, there are 0"]),
     (["indian"] * 4, "french-indians", ["war chiefs: 1 for these units, there are 0"]),
     (["gunners"], "british", ["artillery: 1 of 1 units, at most 10% (MM-36)"]),
     (["militia"], "british", ["militia: 1 of 1 units of infantry, at most 30% (MM-36)"]),
     (["grenadier"], "french",
      ["light infantry, grenadiers and guards: 1 of 1 units of infantry, at most 10% (MM-37)"])],
)  # fmt: skip
def test_a_review_says_what_an_army_lacks_or_has_too_much_of(
    types: list[str], army: str, advice: list[str]
) -> None:
    played = resolve(game(*force(*types)), action="review", side="british", list=army)
    assert event(played, "review")["advice"] == advice


@pytest.mark.rule("MM-36", "MM-37")
@pytest.mark.parametrize(("army", "irregulars", "over"), [("british", 1, False), ("british", 2, True),
                                                          ("french", 5, False), ("french", 6, True)])  # fmt: skip
def test_the_shares_of_an_army(army: str, irregulars: int, over: bool) -> None:
    units = force(*["regular"] * (10 - irregulars), *["irregular"] * irregulars)
    said = event(resolve(game(*units), action="review", side="british", list=army), "review")["advice"]
    assert any(one.startswith("irregular") for one in said) is over


@pytest.mark.rule("MM-36")
@pytest.mark.parametrize(("line", "militia", "guns", "said"), [(7, 3, 0, False), (6, 3, 1, True), (7, 2, 1, False)])
def test_the_militia_s_share_is_of_the_infantry_and_not_of_the_guns_with_it(
    line: int, militia: int, guns: int, said: bool
) -> None:
    units = force(*["regular"] * line, *["militia"] * militia, *["gunners"] * guns)
    advice = event(resolve(game(*units), action="review", side="british", list="british"), "review")["advice"]
    assert ("militia: 3 of 9 units of infantry, at most 30% (MM-36)" in advice) is said
    assert any(one.startswith("militia") for one in advice) is said


@pytest.mark.rule("MM-34")
def test_a_battalion_has_a_major_and_guns_make_batteries() -> None:
    units = force(*["regular"] * 28, *["gunners"] * 3)
    found = event(resolve(game(*units), action="review", side="british"), "review")
    assert (found["platoons"], found["companies"], found["batteries"]) == (14, 7, 1)
    assert "majors: 1 for these units, there are 0" in found["advice"]


def test_an_army_that_is_raised_can_be_played() -> None:
    of = game(period="napoleonic")
    for number, (side, name, entry) in enumerate(
        [("british", "great-britain", "rifles"), ("french", "france", "cuirassiers")]
    ):
        of = resolve(of, action="raise", id=f"new-{number}", side=side, list=name, entry=entry)["game"]
    answer = RULESET.ask(game_from(of, "the army"))
    assert [one.unit for one in answer.units] == ["new-0", "new-1"]
