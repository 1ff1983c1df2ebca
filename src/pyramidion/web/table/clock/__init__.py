"""A table's clock: its state, the countdown of a reveal, and the timekeeper of all deadlines."""
