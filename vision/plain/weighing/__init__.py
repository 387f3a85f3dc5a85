"""How well rivals explain the picture, whether they are there at all, and the lamp that all of them tell."""
