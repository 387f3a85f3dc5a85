"""In and at buildings: going in and out, stores, shot, fire."""
