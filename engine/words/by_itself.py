"""What an answer says of a unit beside its options, as printed lines: what it does by itself, whom it commands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any

__all__ = ["command_lines", "will_lines"]

Facts = Mapping[str, Any]


def will_lines(risk: Facts) -> Iterator[str]:
    """The factor that a unit tests on where nobody commands it, what makes it up, and what each die makes it do.

    >>> one = {"result": "halt", "charge": False, "binding": False, "obeyed": True}
    >>> list(will_lines({"rf": 0, "factors": [], "results": [{"die": 1, **one}, {"die": 2, **one}]}))
    ['left to itself, at risk 0', '  1-2: halt, unless it is commanded']
    """
    terms = ", ".join(f"{one['name']} {one['effect']} [{one['rule']}]" for one in risk["factors"])
    yield f"left to itself, at risk {risk['rf']}" + (f": {terms}" if terms else "")
    for said, ones in groupby(risk["results"], key=_result):
        dice = [one["die"] for one in ones]
        yield f"  {dice[0]}{f'-{dice[-1]}' if len(dice) > 1 else ''}: {said}"


def _result(one: Facts) -> str:
    charge = ", may charge" if one["charge"] else ""
    if one["binding"]:
        return f"{one['result']}{charge}"
    return f"{one['result']}{charge}, {'unless it is commanded' if one['obeyed'] else 'if it likes'}"


def command_lines(command: Facts) -> Iterator[str]:
    """The dice that a leader throws for command, and for each group what it costs and through whom, or why not.

    >>> far = {"group": "them", "reached": False, "why_not": "beyond command distance", "rule": "TY-13"}
    >>> near = {"group": "us", "reached": True, "cost": 9, "dice": 5, "via": ["nco"]}
    >>> for line in command_lines({"dice": 3, "die": "d6", "groups": [near, far]}): print(line)
    commands with 3d6
      us: 9 points, with 5d6, through nco
      them: beyond command distance [TY-13]
    """
    yield f"commands with {command['dice']}{command['die']}"
    for group in command["groups"]:
        if not group["reached"]:
            yield f"  {group['group']}: {group['why_not']} [{group['rule']}]"
            continue
        through = f", through {' and '.join(group['via'])}" if group["via"] else ""
        dice = f"{group['dice']}{command['die']}"
        yield f"  {group['group']}: {group['cost']} point{'' if group['cost'] == 1 else 's'}, with {dice}{through}"
