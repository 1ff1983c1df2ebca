"""What those who run a server need: its health, its metrics, and games that are compiled before they are played."""
