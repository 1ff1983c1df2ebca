"""Ways out of the server: e-mail, Web Push and webhooks."""
