"""Which of what was fitted stands there: rivals, armies, glare, terrain of their colour."""
