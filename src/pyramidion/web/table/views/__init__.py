"""The viewers of a table: what each may know, their open streams, and what has to be sent to them."""
