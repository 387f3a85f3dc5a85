"""Fire with small arms and guns, and reloading."""
