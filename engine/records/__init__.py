"""The typed records of the engine's public formats, which are also their validators."""
