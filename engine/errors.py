"""The errors of ``engine``: one root, each also the fitting builtin."""

from __future__ import annotations

from collections.abc import Sequence


class EngineError(Exception):
    """Anything that ``engine`` refuses; ``exit_status`` is what the command line ends with."""

    exit_status = 1


class UnusableFile(EngineError, ValueError):
    """A file or value that cannot be used; the text names file, key path and what was expected."""

    exit_status = 2


class UnknownRuleset(UnusableFile):
    """A ruleset that is neither built in nor installed; the text lists those that are."""


class UnknownAction(UnusableFile):
    """An action that the ruleset does not have, or whose keys are wrong."""


class ActionRefused(EngineError, RuntimeError):
    """An action that the rules do not allow; carries every reason, in plain words.

    ``rules[i]`` is the row of the rulebook of ``reasons[i]``, empty where none is told.
    """

    def __init__(self, reasons: Sequence[str], rules: Sequence[str] = ()) -> None:
        super().__init__("not allowed: " + "; ".join(reasons))
        self.reasons = tuple(reasons)
        self.rules = (*rules, *[""] * (len(self.reasons) - len(rules)))


class DiceError(EngineError, ValueError):
    """Dice that do not fit what was asked for; the text names the roll."""

    exit_status = 2


class JournalError(EngineError, RuntimeError):
    """A journal that cannot be opened, or that does not hold what was asked of it."""


class UnwritableJournal(JournalError):
    """The file may be a journal, but nothing can be written where it lies."""


class NoJournal(JournalError):
    """A file that is no journal, or one of a later version."""

    exit_status = 2
