"""What `ask` says of a unit: moves, fire, charges, other actions, and the facts they are told from."""
