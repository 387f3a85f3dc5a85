"""The first evening: a table set up from nothing on the page, step by step; every step can be gone back to.

The work of each step is done by `calibration`, `vision`, `webui.camera.assigning` and the desk, as by command.
"""
