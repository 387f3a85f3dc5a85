"""Which of what was fitted stands there: rivals, ranks, packings, terrain of their colour, how sure that is."""
