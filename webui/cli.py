"""The command line ``vedette``, put together from the commands that each package brings.

Nothing is imported until it is asked for: ``vedette --help`` knows every command by its one line here.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from io import TextIOWrapper
from types import MappingProxyType
from typing import Any

import click

__all__ = ["COMMANDS", "LazyGroup", "main"]

#: Command → where it stands, and its one line of help.
COMMANDS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "demo": ("webui.commands.live_cli:demo", "Start the page on a simulated camera and table: no hardware."),
        "serve": ("webui.commands.live_cli:serve", "Start the page on a real camera and table."),
        "sheets": ("calibration.cli:sheets", "Print markers, tags and calibration board to a PDF, true to scale."),
        "calibrate": ("calibration.cli:calibrate", "Work out a lens from photos of the calibration board."),
        "survey": ("calibration.cli:survey", "Work out from photos where the table markers lie."),
        "photo": ("vision.setup_cli:photo", "Take one picture with a camera."),
        "lay": ("vision.setup_cli:lay", "Find where the table markers lie, from one picture."),
        "tape": ("vision.setup_cli:tape", "Check a table with a known length."),
        "point": ("vision.setup_cli:point", "Read a base off a picture: its colour, shape and size."),
        "measure": ("vision.cli:measure", "Measure one photo of the table: bases, tags, terrain."),
        "grid": ("webui.camera.mat:grid", "Find the hexes or squares printed on the mat in a photo."),
        "watch": ("vision.cli:watch", "Watch a video or camera and tell what moves."),
        "ask": ("engine.cli:ask", "Tell what each unit can fire at, charge and reach, and why (not)."),
        "actions": ("engine.cli:actions", "Tell which actions are open to each unit and to the game, and why not."),
        "odds": ("engine.cli:odds", "The exact chances of one action; nothing is played."),
        "resolve": ("engine.cli:resolve", "Play one action by the rules, with your dice or the program's."),
        "options": ("engine.commands.options_cli:options", "Show or change the rulings that a game is played by."),
        "unit": ("engine.commands.unit_cli:unit", "Show or set what a unit's state and stats say, as the umpire."),
        "rule": ("engine.commands.rule_cli:rule", "Tell what a row of a rulebook says, such as MM-98."),
        "rules": ("engine.commands.rules_cli:rules", "List the rulesets, show their tables, check house rules."),
        "turn": ("engine.commands.hand_cli:turn", "Show or say whose turn it is, in a game or a game log."),
        "place": ("engine.commands.hand_cli:place", "Show where figures stand, or put them elsewhere by hand."),
        "swap": (
            "webui.commands.journal_cli:swap",
            "Put right two figures, or units, that were taken for each other.",
        ),
        "officers": (
            "webui.commands.journal_cli:officers",
            "Show or say which player of a side orders which units.",
        ),
        "evening": ("webui.evening.cli:evening", "Set an evening up without the page: armies, units, ground."),
        "campaign": (
            "engine.commands.campaign_cli:campaign",
            "Begin, show and carry on a campaign between evenings.",
        ),
        "roster": ("webui.commands.roster_sheet:roster", "Print the rosters of a game or campaign to a PDF."),
        "mail": (
            "webui.commands.mail_cli:mail",
            "Play a game by mail: one file to and fro, under a key if you like.",
        ),
        "log": ("engine.commands.log_cli:log", "List, verify or replay the game log, undo, redo, branch, export."),
        "report": (
            "webui.reporting.command:report",
            "Write the battle report of a game log: a page, a PDF, a film.",
        ),
    }
)

#: The packages that Vedette is installed with, by the names that Python imports.
PACKAGES = frozenset({
    "click", "cryptography", "cv2", "flask", "msgspec", "numpy", "platformdirs", "reportlab", "rich", "scipy",
    "segno", "shapely", "sqlalchemy", "tomli_w", "waitress", "xstatic",
})  # fmt: skip

#: Shared libraries of the system that opencv-python needs → the Debian package that brings each.
SYSTEM_LIBRARIES: Mapping[str, str] = MappingProxyType(
    {
        "libGL.so.1": "libgl1",
        "libglib-2.0.so.0": "libglib2.0-0",
        "libgthread-2.0.so.0": "libglib2.0-0",
        "libxcb.so.1": "libxcb1",
        "libX11.so.6": "libx11-6",
        "libSM.so.6": "libsm6",
        "libXext.so.6": "libxext6",
        "libXrender.so.1": "libxrender1",
    }
)


class Failure(click.ClickException):
    """What a command ended with: one line on standard error, and its exit status."""

    def __init__(self, message: str, exit_status: int) -> None:
        super().__init__(" ".join(message.split()))
        self.__dict__["exit_code"] = exit_status  # a class variable in click

    def show(self, file: Any = None) -> None:
        """Writes the line."""
        click.echo(f"vedette: {self.message}", file=file or sys.stderr)


class LazyGroup(click.Group):
    """A group that imports a command when it is used, and turns errors into one line and an exit status."""

    def __init__(self, *args: Any, lazy: Mapping[str, tuple[str, str]] = COMMANDS, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._lazy = lazy

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order in which they are met, not by the alphabet."""
        return list(self._lazy)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Imports the command of that name."""
        if cmd_name not in self._lazy:
            return None
        module, attribute = self._lazy[cmd_name][0].split(":")
        command = getattr(import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Finds the command; an unknown one is refused with the nearest that there is."""
        if args and args[0] not in self._lazy and not args[0].startswith("-"):
            import difflib

            near = difflib.get_close_matches(args[0], self._lazy, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else f"; there are: {', '.join(self._lazy)}"
            raise click.UsageError(f"there is no command {args[0]!r}{hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Lists the commands by their lines above, so that nothing is imported for the help."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in self._lazy.items()])

    def main(self, *args: Any, **extra: Any) -> Any:
        """Runs the program. A sign that the output's encoding does not have is printed as a question mark."""
        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(errors="replace")
        return super().main(*args, **extra)

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Reads the options before the command; a wrong one becomes a `Failure`."""
        try:
            return super().make_context(info_name, args, parent, **extra)
        except click.UsageError as error:
            raise usage_failure(error) from error
        except OSError as error:  # --help and --version print while the options are read
            failure = failure_of(error)
            if failure is None:
                raise
            raise failure from error

    def invoke(self, ctx: click.Context) -> Any:
        """Runs a command. Raises Failure for what it refuses, and for a KeyboardInterrupt."""
        try:
            return super().invoke(ctx)
        except click.UsageError as error:
            raise usage_failure(error) from error
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except KeyboardInterrupt:
            raise Failure("stopped", 130) from None
        except Exception as error:  # whatever goes wrong, a user is told in one line what, and what to do
            failure = failure_of(error)
            if failure is None or os.environ.get("VEDETTE_TRACEBACK"):
                raise
            raise failure from error


def usage_failure(error: click.UsageError) -> click.ClickException:
    """Wrong options as one line that says where the right ones are told; bare ``vedette`` still shows its help."""
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        return error
    path = error.ctx.command_path if error.ctx else "vedette"
    message = error.format_message().rstrip(".")
    return Failure(f"{message} (see '{path} --help')", error.exit_code)


def failure_of(error: Exception) -> Failure | None:
    """What the command line says for an error, or None where it is not for the user (a closed pipe)."""
    status = getattr(error, "exit_status", None)
    if isinstance(status, int):
        return Failure(str(error), status)
    if isinstance(error, BrokenPipeError):
        return None
    if isinstance(error, ImportError):
        return _missing_library(error)
    if isinstance(error, OSError) and error.filename is not None:
        return Failure(f"{error.filename}: {error.strerror}", 2)
    if isinstance(error, OSError) and error.strerror is not None:
        return Failure(f"what was to be printed cannot be written ({error.strerror})", 1)
    kind = type(error).__name__
    return Failure(
        f"a fault in the program itself ({kind}: {error}); please report it with what VEDETTE_TRACEBACK=1 prints", 1
    )


def _missing_library(error: ImportError) -> Failure:
    text = str(error)
    for library, package in SYSTEM_LIBRARIES.items():
        if library in text:
            return Failure(
                f"the system library {library} is missing, which OpenCV needs; on Debian or Ubuntu install it with:"
                f" sudo apt install {package}",
                1,
            )
    package = (error.name or "").partition(".")[0]
    if package in PACKAGES:
        again = f"{sys.executable} -m pip install ."
        return Failure(f"the package {package} is missing; install Vedette again, in its clone: {again}", 1)
    return Failure(f"a part of the program cannot be loaded: {text}", 1)


@click.group(
    name="vedette",
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Every command has its own --help.",
)
@click.version_option(package_name="vedette", message="vedette %(version)s")
def main() -> None:
    """A companion for the miniature wargame table.

    An overhead camera measures where everything stands; the rules engine tells what each unit can do, and why.
    """


def run(arguments: Sequence[str] | None = None) -> None:
    """Runs the command line with these arguments, or with those of the process."""
    main.main(args=list(arguments) if arguments is not None else None, prog_name="vedette")
