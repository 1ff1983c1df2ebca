"""What Upside Down and Downside Up have in common: the pyramid of ten, submissions, ticket claims, and their words."""
