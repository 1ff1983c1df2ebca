"""The lobby of open tables, and table codes."""
