"""What seasons and tournaments share: both are series of matches, kept as a log of events."""
