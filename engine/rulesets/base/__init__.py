"""What every ruleset is, and what all of them are made of; each of the others in this folder is a set of rules."""
