"""Which bases stand: all ways of packing what has changed, with lines, blocks and crowds of one kind."""
