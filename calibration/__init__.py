"""Printable sheets, lens calibration, table markers and the camera model; knows nothing of figures."""
