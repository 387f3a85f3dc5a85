"""Bodies of figures moved as rules order it: shifted, turned, past others, up to others, onto the table."""
