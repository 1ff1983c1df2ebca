"""What a host can do at a table, what is done for the absent, and taking back: all of it is told to everybody."""
