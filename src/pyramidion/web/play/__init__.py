"""Playing and watching: the table page, the JSON API, event streams."""
