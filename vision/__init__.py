"""Camera sources, and tags, bases and terrain found in a frame; knows nothing of rules."""
