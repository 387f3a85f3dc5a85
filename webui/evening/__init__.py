"""The first evening: a table set up from nothing on the page, step by step; every step can be gone back to.

The work of each step is done by `calibration`, `vision`, `webui.assigning` and the desk, as on the command line.
"""
