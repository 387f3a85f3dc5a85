"""Pictures of the facts that `engine.geometry` gives, drawn by the program itself: ``python -m engine.gallery``."""
