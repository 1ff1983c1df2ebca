"""What has happened at a table: actions and host commands, and the log that follows from them for each viewer."""
