"""Everything that one viewer sees of a table, for pages and for programs."""
