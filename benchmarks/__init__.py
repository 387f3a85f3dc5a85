"""Speeds, as ratios within one run: machines differ and are shared, so nothing here passes or fails."""
