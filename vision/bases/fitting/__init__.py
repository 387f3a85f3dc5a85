"""Known shapes laid on the rims seen, to a fraction of a pixel, and how far off that may be."""
