"""Who sits at the table: the door, seats, officers, what each may know, messages."""
