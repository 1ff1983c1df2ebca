"""Lessons: guided first games, with a coach at the table."""
