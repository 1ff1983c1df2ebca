"""What seasons and tournaments share: both are competitions: matches that belong together, kept as a log of events."""
