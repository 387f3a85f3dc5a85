"""Speeds, as ratios within one run: machines differ and are shared, so nothing here passes or fails."""

import calibration  # noqa: F401  # before numpy is loaded: it keeps numpy from starting threads, as in the program
