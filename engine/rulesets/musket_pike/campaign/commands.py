"""``vedette campaign situations``: a campaign of situations begun, shown, carried on (``vedette-campaign/1``)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from engine.records.game import Game
    from engine.rulesets.musket_pike.campaign.records import Campaign, Opponent, Outcome, Seat

__all__ = ["situations"]

_FILE = click.Path(path_type=Path)
_CAMPAIGN = click.argument("campaign_file", metavar="CAMPAIGN.json", type=_FILE)
_SIDE = click.option("--side", type=click.Choice(["a", "b"]), required=True, help="The side that is meant.")


@click.group()
def situations() -> None:
    """Begins, shows and carries on a campaign of situations and secret choices, each pair leading to a battle."""


@situations.command()
@_CAMPAIGN
@click.option("-o", "output", type=_FILE, required=True, help="The file that the campaign is kept in.")
@click.option("--situation", metavar="ID", help="Begin at this later situation.")
@click.option(
    "--opponent", type=click.Choice(["people", "conservative", "reckless"]), default="people", show_default=True,
    help="Who chooses for the other side: people, or the program at its best or at random.",
)  # fmt: skip
@click.option("--side", type=click.Choice(["a", "b"]), default="a", help="The player's side against the program.")
@click.option("--expected", is_flag=True, help="Take the outcomes to expect instead of playing the battles.")
def begin(
    campaign_file: Path, output: Path, situation: str | None, opponent: Opponent, side: Seat, expected: bool
) -> None:
    """Begins a campaign and shows its overview."""
    from engine.records.files import keep_what_was_there
    from engine.rulesets.musket_pike.campaign.playing import begun
    from engine.rulesets.musket_pike.campaign.reading import read_campaign

    plan = read_campaign(campaign_file)
    started = begun(plan, situation=situation, opponent=opponent, player=side, use_expected=expected)
    _demand_games(started, campaign_file)
    keep_what_was_there(output, campaign_file)
    _keep(output, _seen_from(output, started, campaign_file))
    click.echo(f"{started.title}\n\n{started.overview}\n")
    _tell(started, side if opponent != "people" else None)


@situations.command()
@_CAMPAIGN
@click.option("--side", type=click.Choice(["a", "b"]), help="Show this side's choices as well.")
def show(campaign_file: Path, side: Seat | None) -> None:
    """Shows where a campaign stands: what both sides see, and the choices of one."""
    from engine.rulesets.musket_pike.campaign.reading import read_campaign

    _tell(read_campaign(campaign_file), side)


@situations.command()
@_CAMPAIGN
@_SIDE
@click.argument("choice", metavar="CHOICE")
@click.option("--key", help="Keep the choice under a key of the side's own until it is opened.")
@click.option("--die", "score", type=int, help="The score of the die that a reckless program chooses by.")
def choose(campaign_file: Path, side: Seat, choice: str, key: str | None, score: int | None) -> None:
    """Makes a side's choice; nobody is shown it before both have chosen."""
    import secrets

    from engine.dice import SeededDice, TypedDice
    from engine.records.files import as_it_is
    from engine.rulesets.musket_pike.campaign.playing import chosen
    from engine.rulesets.musket_pike.campaign.reading import read_campaign

    dice = SeededDice(secrets.randbits(32)) if score is None else TypedDice([score])
    before = as_it_is(campaign_file)
    after = chosen(read_campaign(campaign_file), side, choice, dice, key)
    _keep(campaign_file, after, before)
    _tell_battle(after)


@situations.command(name="open")
@_CAMPAIGN
@_SIDE
@click.option("--key", required=True, help="The key that the choice was made under.")
def open_choice(campaign_file: Path, side: Seat, key: str) -> None:
    """Lays open a choice that was made under a key, once both sides have chosen."""
    from engine.records.files import as_it_is
    from engine.rulesets.musket_pike.campaign.playing import opened
    from engine.rulesets.musket_pike.campaign.reading import read_campaign

    before = as_it_is(campaign_file)
    after = opened(read_campaign(campaign_file), side, key)
    _keep(campaign_file, after, before)
    _tell_battle(after)


@situations.command()
@_CAMPAIGN
@click.option("-o", "output", type=_FILE, required=True, help="The game file (vedette-game/1) to write.")
def battle(campaign_file: Path, output: Path) -> None:
    """Writes the game of the battle that both choices led to, with what earlier battles left."""
    from engine.records.files import write_file
    from engine.records.game import game_json
    from engine.rulesets.musket_pike.campaign.playing import prepared
    from engine.rulesets.musket_pike.campaign.reading import read_campaign

    plan = read_campaign(campaign_file)
    write_file(output, game_json(prepared(plan, _scenario(plan, campaign_file))))
    click.echo(f"{output}: ready to be played")


@situations.command()
@_CAMPAIGN
@click.option("--game", "game_file", metavar="GAME.json", type=_FILE, help="The battle as it ended.")
@click.option(
    "--outcome", type=click.Choice(["major-a", "minor-a", "draw", "minor-b", "major-b"]),
    help="The outcome, where the battle was fought without the program.",
)  # fmt: skip
def settle(campaign_file: Path, game_file: Path | None, outcome: Outcome | None) -> None:
    """Ends the battle: by the game that was played, by its outcome, or by the outcome to expect of it."""
    from engine.records.files import as_it_is
    from engine.rulesets.musket_pike.campaign.playing import played, settled
    from engine.rulesets.musket_pike.campaign.reading import read_campaign

    if game_file is not None and outcome is not None:
        raise click.UsageError("--game and --outcome exclude each other")
    before = as_it_is(campaign_file)
    plan = read_campaign(campaign_file)
    if game_file is None:
        after = settled(plan, outcome)
    else:
        after = played(plan, _scenario(plan, campaign_file), _game(game_file))
    _keep(campaign_file, after, before)
    assert after.state is not None
    last = after.state.history[-1]
    click.echo(f"{last.battle}: {last.outcome}{'' if last.played else ' (not played)'}\n")
    _tell(after, None)


def _keep(path: Path, after: Campaign, before: bytes | None = None) -> None:
    from engine.records.files import write_file
    from engine.rulesets.musket_pike.campaign.reading import campaign_json

    write_file(path, campaign_json(after), over=before)


def _game(path: Path) -> Game:
    from engine.rulesets.games import ready

    return ready(path)[0]


def _scenario(plan: Campaign, campaign_file: Path) -> Game:
    """The game file of the battle ahead, which stands beside the campaign's."""
    from engine.rulesets.musket_pike.campaign.playing import battle_ahead

    return _between_its_sides(plan, campaign_file.parent / battle_ahead(plan).game)


def _demand_games(plan: Campaign, campaign_file: Path) -> None:
    """Reads every battle's game once, so that a fault in one is told before the campaign is under way."""
    for one in plan.battles:
        _between_its_sides(plan, campaign_file.parent / one.game)


def _between_its_sides(plan: Campaign, path: Path) -> Game:
    """A game between the campaign's sides, in their order: side a is the first. Raises UnusableFile."""
    from engine.errors import UnusableFile

    game = _game(path)
    names = tuple(side.name for side in game.sides)
    if names != plan.sides:
        wanted, found = " and ".join(plan.sides), " and ".join(names)
        raise UnusableFile(f"{path}: sides: expected those of the campaign in its order, {wanted}, got {found}")
    return game


def _seen_from(output: Path, plan: Campaign, campaign_file: Path) -> Campaign:
    """The plan for another folder: its battles' games are named from there."""
    import os

    from msgspec.structs import replace

    here, there = campaign_file.absolute().parent, output.absolute().parent
    if here.resolve() == there.resolve():
        return plan

    def named(game: str) -> str:
        try:
            return Path(os.path.relpath((here / game).resolve(), there.resolve())).as_posix()
        except ValueError:  # on another drive of Windows there is no way from here
            return (here / game).resolve().as_posix()

    return replace(plan, battles=tuple(replace(one, game=named(one.game)) for one in plan.battles))


def _tell(plan: Campaign, side: Seat | None) -> None:
    from engine.rulesets.musket_pike.campaign.playing import situation_of, standing

    state = standing(plan)
    for fought in state.history:
        click.echo(f"  {fought.situation}: {fought.battle}, {fought.outcome}")
    if state.situation in plan.conclusion_by_id:
        click.echo(f"The campaign is over. {plan.conclusion_by_id[state.situation].text}")
        return
    situation = situation_of(plan)
    click.echo(f"{situation.title}\n\n{situation.text}")
    for seat in ("a", "b"):
        click.echo(f"side {seat} ({plan.sides[seat == 'b']}) has {'' if seat in state.chosen else 'not '}chosen")
    if side is not None:
        click.echo()
        for choice in situation.choices[side]:
            click.echo(f"  {choice.id}: {choice.title}. {choice.text}")


def _tell_battle(plan: Campaign) -> None:
    """Which battle it comes to, once both choices lie open; else who is waited for."""
    from engine.errors import ActionRefused
    from engine.rulesets.musket_pike.campaign.playing import battle_ahead, standing

    try:
        ahead = battle_ahead(plan)
    except ActionRefused as waiting:
        click.echo("; ".join(waiting.reasons))
        return
    click.echo(f"The battle: {ahead.id} ({ahead.game})")
    if standing(plan).use_expected:
        click.echo(f"Its outcome to expect is {ahead.expected}: settle takes it, battle plays it in full")
