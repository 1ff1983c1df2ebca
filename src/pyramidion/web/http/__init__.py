"""HTTP: middleware, authentication, dependencies and responses; knows nothing about games."""
