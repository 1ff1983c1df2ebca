"""The web server: tables in the browser, the JSON API, and the features around them."""
