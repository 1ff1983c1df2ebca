"""A table's seats: who sits where, who may sit down, who is the host."""
