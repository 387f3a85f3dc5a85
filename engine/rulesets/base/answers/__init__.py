"""What is answered about an option: what speaks against it, its chances, where its fire goes."""
