"""Reports by players: a name, a text or a picture that an operator should look at."""
