"""A table set up from the command line alone: a picture taken, markers laid, a tape laid beside, a base read."""

from __future__ import annotations

import json
from pathlib import Path

from calibration.records import read_table
from tests.command_line import vedette

TABLE = """format = "vedette-table/1"
[table]
width_mm = 1828.8
depth_mm = 1219.2
[markers]
dictionary = "DICT_4X4_100"
size_mm = 80.0
"""


def test_the_steps_of_the_first_evening_by_command(tmp_path: Path) -> None:
    photo, bare, laid, armed = (tmp_path / name for name in ("p.png", "bare.toml", "laid.toml", "armed.toml"))
    bare.write_text(TABLE, encoding="utf-8")
    taken = vedette("photo", "simulated", "-o", photo)
    assert taken.exit_code == 0
    lay = vedette("lay", photo, "--table", bare, "-o", laid)
    assert lay.exit_code == 0
    # no line of what was done well has the form of an error
    for line in (taken.stderr + lay.stderr).splitlines():
        assert line.startswith(("warning: ", "simulated: ", f"{photo}: ")), line
    assert [marker.id for marker in read_table(laid).markers.at] == [0, 1, 2, 3, 4, 5]
    agrees = vedette("tape", photo, "--table", laid, "--length", "0:2=2270", "--json")
    assert agrees.exit_code == 0
    assert json.loads(agrees.stdout)["agrees"] is True
    wrong = vedette("tape", photo, "--table", laid, "--length", "0:2=1800")
    assert wrong.exit_code == 1
    assert "no printer is off by so much" in wrong.stderr
    read = vedette("point", photo, "--table", laid, "--at", "845,694", "--army", "british", "-o", armed, "--json")
    assert read.exit_code == 0
    assert json.loads(read.stdout)["kind"]["diameter_mm"] == 25.0
    assert [army.name for army in read_table(armed).armies] == ["british"]
    again = vedette("point", photo, "--table", armed, "--at", "845,694", "--army", "british", "-o", armed)
    assert again.stdout.startswith("a round base of 25")
    assert len(read_table(armed).armies[0].bases) == 1
    nothing = vedette("point", photo, "--table", laid, "--at", "600,594")
    assert nothing.exit_code == 1
    assert "no base under the finger" in nothing.stderr


def test_what_cannot_be_meant_is_refused(tmp_path: Path) -> None:
    (tmp_path / "t.toml").write_text(TABLE, encoding="utf-8")
    for arguments in (
        ("lay", "p.png", "--table", tmp_path / "t.toml", "-o", "x.toml", "--near-left", "1,2"),
        ("point", "p.png", "--table", tmp_path / "t.toml", "--at", "1,2", "--army", "red"),
        ("point", "p.png", "--table", tmp_path / "t.toml", "--at", "one"),
        ("tape", "p.png", "--table", tmp_path / "t.toml", "--length", "0=5"),
        ("photo", "simulated:chess"),
        ("photo", "simulated", "-o", tmp_path / "photo.txt"),
        ("photo", "simulated", "--within", "nan"),
        ("watch", tmp_path, "--table", tmp_path / "t.toml", "--fps", "nan"),
        ("grid", "p.png", "--table", tmp_path / "t.toml", "--size", "nan"),
    ):
        result = vedette(*arguments)
        assert result.exit_code == 2, arguments
        assert result.stderr.count("\n") == 1
