"""Fire with small arms: who may fire at whom, at what range, what he needs, who is hit."""
