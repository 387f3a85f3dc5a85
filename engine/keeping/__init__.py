"""Games kept: the journal and its entries, folders of them, games sent and taken in."""
