"""Verbs that agree with the names of units: ``1st Foot charges``, but ``Hurons charge``."""

from __future__ import annotations

import re
from collections.abc import Iterable

__all__ = ["agreed", "means_several", "of_several"]

_SEVERAL = {"is": "are", "has": "have", "was": "were"}
_SHORT = frozenset({"dies", "lies", "ties", "vies"})  # carries → carry, but lies → lie

#: What ends in s without being a verb.
_NO_VERBS = frozenset({
    "across", "always", "as", "besides", "his", "its", "less", "perhaps", "plus", "theirs", "this", "thus",
    "unless", "us", "yes",
})  # fmt: skip


def means_several(name: str) -> bool:
    """Whether a name means several: one that ends in s (``Hurons``, ``Gorham's Rangers``); not ``1st Foot``.

    A name does not tell whether its s is a plural's (``Hurons``) or a man's (``Villars``). Of a body of men several
    is said in either case: ``Villars pass the test`` is fine for a regiment, ``Hurons passes the test`` for none.
    Who asks of a single person must know that from elsewhere, as from the type of the unit.

    >>> [means_several(name) for name in ("Hurons", "1st Foot", "Weldon's", "Guard of Honour")]
    [True, False, False, False]
    """
    return bool(re.search(r"[^s']s$", name))


def of_several(verb: str) -> str:
    """A verb as it is said of several, from how it is said of one.

    >>> [of_several(verb) for verb in ("charges", "passes", "reaches", "carries", "lies", "goes", "is")]
    ['charge', 'pass', 'reach', 'carry', 'lie', 'go', 'are']
    """
    if verb in _SEVERAL:
        return _SEVERAL[verb]
    if verb in _NO_VERBS or verb.endswith(("ss", "wards")):
        return verb
    if verb.endswith("ies") and verb not in _SHORT:
        return f"{verb[:-3]}y"
    return verb[:-2] if verb.endswith(("sses", "zzes", "ches", "shes", "xes", "oes")) else verb[:-1]


def agreed(text: str, several: Iterable[str]) -> str:
    """A sentence in which the verb after each of these names agrees with it, and so does an ``its`` after the verb.

    A name that a preposition leads in is not what the verb is about: ``the morale of Rangers forces a test``.

    >>> agreed("Hurons charges Blue 1", ["Hurons"]), agreed("Hurons tests its nerve", ["Hurons"])
    ('Hurons charge Blue 1', 'Hurons test their nerve')
    """
    names = "|".join(sorted(map(re.escape, several), key=len, reverse=True))
    if not names:
        return text

    def told(found: re.Match[str]) -> str:
        verb = of_several(found["verb"])
        if found["before"] or verb == found["verb"]:
            return found[0]
        return f"{found['name']} {verb}{found['to']}{found['its'] and ' their'}"

    led_in = r"(?P<before>\b(?:at|behind|by|for|from|in|near|of|on|past|than|to|with) )?"
    spoken = rf"\b(?P<name>{names}) (?P<verb>[a-z]+s)\b(?P<to>(?: to [a-z]+(?= its\b))?)(?P<its>(?: its\b)?)"
    return re.sub(led_in + spoken, told, text)
