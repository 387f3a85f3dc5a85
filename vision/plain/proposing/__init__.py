"""Where bases may stand: changes of a base's shape and size; what can be no base."""
