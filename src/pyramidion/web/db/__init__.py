"""The database: schema, migrations, queries, the writer thread, and changes made by other servers."""
