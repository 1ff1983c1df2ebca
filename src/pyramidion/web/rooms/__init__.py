"""Before a table starts: the waiting room, and the seed that comes from everybody."""
