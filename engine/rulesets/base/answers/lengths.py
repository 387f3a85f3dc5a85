"""Lengths in the players' own measure, in words."""

from __future__ import annotations

from msgspec import Struct

__all__ = ["LengthUnit"]


class LengthUnit(Struct, frozen=True):
    """A measure of length: its name and how many millimetres it is."""

    name: str
    mm: float

    def said(self, length_mm: float) -> str:
        """A length as the players say it.

        >>> LengthUnit("in", 25.4).said(609.6)
        '24.0 in'
        """
        return f"{length_mm / self.mm:.1f} {self.name}"

    def told_apart(self, one_mm: float, other_mm: float) -> tuple[str, str]:
        """Two lengths with as many decimals as tell them apart, up to three; those that are one are told as one.

        >>> LengthUnit("cm", 10.0).told_apart(1200.3, 1200.0)
        ('120.03 cm', '120.00 cm')
        """
        pairs = [
            tuple(f"{length / self.mm:.{digits}f} {self.name}" for length in (one_mm, other_mm))
            for digits in (1, 2, 3)
        ]
        one, other = next((pair for pair in pairs if pair[0] != pair[1]), pairs[0])
        return one, other

    def compared(self, length_mm: float, sigma_mm: float, limit_mm: float) -> str:
        """A length that the measurement cannot tell from a limit, in words.

        >>> LengthUnit("cm", 10.0).compared(200.5, 0.8, 200.0)
        '20.05 ± 0.08 cm against 20 cm'
        """
        length, sigma, limit = length_mm / self.mm, sigma_mm / self.mm, limit_mm / self.mm
        return f"{length:.2f} ± {sigma:.2f} {self.name} against {limit:g} {self.name}"
