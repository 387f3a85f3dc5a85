"""Where bases may stand: rings of paint of a known size."""
