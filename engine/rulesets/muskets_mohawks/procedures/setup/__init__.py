"""Before the battle: agreements, armies, terrain."""
