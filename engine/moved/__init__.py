"""What was moved by hand on the table: how far, which way, and whether the rules allowed it."""
