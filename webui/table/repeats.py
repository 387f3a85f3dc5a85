"""Orders that pages know by keys of their own: one whose answer was lost on the way is not done a second time."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

from engine.keeping.entry import Entry
from engine.records.action import Action
from webui.people.seats import Seat

__all__ = ["Repeats"]

_KEPT = 200


class Repeats:
    """The last orders that were done, by who gave them and the key that his page gave each.

    Used by the table's owner alone, who does one thing after the other. A program that ends forgets them; then a
    page's revision, which is older, tells that the table has moved on.
    """

    def __init__(self) -> None:
        self._done: OrderedDict[tuple[str, str], tuple[Action, Entry]] = OrderedDict()

    def note(self, seat: Seat, key: str, action: Action, entry: Entry) -> None:
        """Keeps what an order has become."""
        self._done[seat.name, key] = (action, entry)
        while len(self._done) > _KEPT:
            self._done.popitem(last=False)

    def entry(self, seat: Seat, key: str, action: Action, entries: Sequence[Entry]) -> Entry | None:
        """The entry of the log that this order became, if it was done and is still among the ``entries``."""
        known, entry = self._done.get((seat.name, key), (None, None))
        if entry is None or known != action:
            return None
        return entry if entry.number <= len(entries) and entries[entry.number - 1] == entry else None
