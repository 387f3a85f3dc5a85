"""The command line: fast help, one line for every error, and the exit statuses of the formats."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from calibration.errors import JobFailed
from calibration.errors import UnusableFile as UnusableTable
from engine.errors import ActionRefused, DiceError
from webui.cli import COMMANDS, LazyGroup, failure_of, main


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments), prog_name="vedette")


def group_with(error: BaseException) -> LazyGroup:
    """A group whose only command raises ``error``."""

    class One(LazyGroup):
        def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
            def fail() -> None:
                raise error

            return click.Command("fail", callback=fail)

    return One(name="vedette", lazy={"fail": ("nowhere:fail", "Fails.")})


class TestHelp:
    def test_it_lists_every_command(self) -> None:
        text = run("--help").output
        for name in COMMANDS:
            assert f"\n  {name} " in text

    def test_it_imports_nothing_heavy(self) -> None:
        code = (
            "import sys\nfrom webui.cli import main\n"
            "try: main(['--help'])\nexcept SystemExit: pass\n"
            "heavy = {'cv2', 'numpy', 'scipy', 'shapely', 'flask', 'sqlalchemy', 'rich', 'msgspec'}\n"
            "sys.exit(', '.join(sorted(heavy & set(sys.modules))) or 0)"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")

    @pytest.mark.parametrize("name", list(COMMANDS))
    def test_every_command_has_its_own(self, name: str) -> None:
        result = run(name, "--help")
        assert result.exit_code == 0, result.output
        assert "Usage: vedette" in result.output

    def test_python_m_webui_is_the_same_program(self) -> None:
        done = subprocess.run(
            [sys.executable, "-m", "webui", "--version"], capture_output=True, text=True, check=True
        )
        assert done.stdout.startswith("vedette ")


class TestUsage:
    def test_a_slip_of_the_pen_is_answered_with_the_nearest_command(self) -> None:
        result = run("mesure")
        assert result.exit_code == 2
        assert "did you mean 'measure'?" in result.stderr

    def test_an_unknown_command_lists_those_there_are(self) -> None:
        result = run("zzzzzz")
        assert result.exit_code == 2
        assert "sheets" in result.stderr

    @pytest.mark.parametrize(
        ("arguments", "named", "command"),
        [
            (["measure"], "PHOTO", "vedette measure"),
            (["demo", "--port", "99999"], "--port", "vedette demo"),
            (["serve", "--fps", "0"], "--fps", "vedette serve"),
            (["lay", "photo.png"], "--table", "vedette lay"),
            (["tape", "p.png", "--table", "t.toml"], "--length", "vedette tape"),
            (["--nonsense"], "--nonsense", "vedette"),
            (["log", "zzz"], "zzz", "vedette log"),
            (["log", "list"], "JOURNAL", "vedette log list"),
            (["sheets", "--ids", "x"], "--ids", "vedette sheets"),
            (["calibrate", "photo.jpg"], "-o CAM.json", "vedette calibrate"),
        ],
    )
    def test_wrong_options_are_one_line_and_exit_status_2(
        self, arguments: list[str], named: str, command: str
    ) -> None:
        result = run(*arguments)
        assert result.exit_code == 2
        assert result.stdout == ""
        assert result.stderr.startswith("vedette: ")
        assert result.stderr.count("\n") == 1
        assert named in result.stderr
        assert f"(see '{command} --help')" in result.stderr

    @pytest.mark.parametrize("arguments", [[], ["log"]])
    def test_a_group_alone_shows_what_there_is(self, arguments: list[str]) -> None:
        result = run(*arguments)
        assert result.exit_code == 2
        assert "Commands:" in result.stderr

    def test_an_empty_host_does_not_open_the_page_to_everybody(self, tmp_path: Path) -> None:
        result = run("demo", "--no-browser", "--host", "", "--data", str(tmp_path))
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith("vedette: --host: expected an address")


class TestErrors:
    def test_a_package_that_is_missing_is_told_with_what_installs_it_again(self) -> None:
        """From the clone, by the Python that runs it: no registry has a Vedette."""
        project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))[
            "project"
        ]
        wanted = {re.split(r"[<>=]", one)[0].lower() for one in project["dependencies"]}
        names = {name for name, by in packages_distributions().items() if wanted & {one.lower() for one in by}}
        assert {"cv2", "msgspec", "rich", "sqlalchemy"} <= names
        for name in names:
            failure = failure_of(ModuleNotFoundError(f"No module named '{name}.inner'", name=f"{name}.inner"))
            assert failure is not None
            again = f"install Vedette again, in its clone: {sys.executable} -m pip install ."
            assert failure.message == f"the package {name} is missing; {again}"

    @pytest.mark.parametrize(
        ("error", "status"),
        [
            (UnusableTable("t.toml: table.width_mm: expected a number"), 2),
            (JobFailed("no table markers in the picture"), 1),
            (ActionRefused(["it is asleep"]), 1),
            (DiceError("shots: a d6 cannot show 7"), 2),
            (FileNotFoundError(2, "No such file or directory", "nowhere.json"), 2),
            (ImportError("libGL.so.1: cannot open shared object file"), 1),
            (ImportError("No module named 'cv2'", name="cv2"), 1),
            (OSError(28, "No space left on device"), 1),
            (ZeroDivisionError("division by zero"), 1),
            (KeyboardInterrupt(), 130),
        ],
    )
    def test_each_is_one_line_and_a_status(self, error: BaseException, status: int) -> None:
        result = CliRunner().invoke(group_with(error), ["fail"])
        assert result.exit_code == status
        assert result.stdout == ""
        assert result.stderr.startswith("vedette: ")
        assert result.stderr.count("\n") == 1

    def test_a_missing_system_library_is_named_with_its_package(self) -> None:
        failure = failure_of(ImportError("libGL.so.1: cannot open shared object file: No such file or directory"))
        assert failure is not None
        assert "sudo apt install libgl1" in failure.message

    def test_a_message_of_several_lines_becomes_one(self) -> None:
        failure = failure_of(JobFailed("first\n  second"))
        assert failure is not None
        assert failure.message == "first second"

    def test_a_reader_that_leaves_is_no_error(self, tmp_path: Path) -> None:
        script = "import sys\nfrom webui.cli import main\nmain(['--help'])"
        done = subprocess.run(
            f'"{sys.executable}" -c "{script}" | head -c 0', shell=True, capture_output=True, text=True, check=False
        )
        assert done.stderr == ""

    def test_a_fault_can_be_looked_into(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("VEDETTE_TRACEBACK", "1")
        result = CliRunner().invoke(group_with(ZeroDivisionError("oops")), ["fail"])
        assert isinstance(result.exception, ZeroDivisionError)


def test_a_terminal_that_lacks_a_sign_gets_a_question_mark_for_it() -> None:
    game = Path(__file__).parents[2] / "examples" / "first-volley" / "game.json"
    done = subprocess.run(
        [sys.executable, "-m", "webui", "actions", str(game)],
        capture_output=True, env={**os.environ, "PYTHONIOENCODING": "ascii"}, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"?" in done.stdout
