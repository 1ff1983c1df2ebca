"""Code shared by Upside Down and Downside Up: the pyramid of ten, submissions, ticket claims, and sentences."""
