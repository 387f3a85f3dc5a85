"""Everything to be printed, as one PDF true to scale: table markers, unit tags, calibration board, ruler."""

from calibration.sheets.book import PAPERS, PARTS, Order, make_sheets

__all__ = ["PAPERS", "PARTS", "Order", "make_sheets"]
