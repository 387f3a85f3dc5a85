"""What a seat is shown of a game: as it is and as it was, made once for all who may see the same."""
