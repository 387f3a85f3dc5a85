"""The procedures: what is rolled when a unit fires, charges, fights or tests, and what follows."""
