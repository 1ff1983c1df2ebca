"""The conformance laws by subject; `engine.testing` lists and checks them."""
