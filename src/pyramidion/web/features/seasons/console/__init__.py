"""The host's console of a season: its tabs, what runs now, what waits for the host, contestants and timeline."""
