"""What has happened at a table: actions and host commands, and the log that follows from them for each viewer."""

from pyramidion.web.table.log.action_log import ActionLog
from pyramidion.web.table.log.viewer_log import LogEntry

__all__ = [
    "ActionLog",
    "LogEntry",
]
