"""How figures stand together: who touches whom, ranks and files, lines, columns and mobs."""
