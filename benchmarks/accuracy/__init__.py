"""How well the measuring does on drawn tables and disturbed pictures: ``python -m benchmarks accuracy --help``."""
