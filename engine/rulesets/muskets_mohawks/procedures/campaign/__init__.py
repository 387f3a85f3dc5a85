"""Between battles: encounters, months, the roster, reinforcements."""
