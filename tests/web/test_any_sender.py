"""Everything that changes something over the JSON API, as a browser that is signed in sends it."""

import re

from tests.web.helpers.accounts import Person

CHANGES = ("post", "put", "patch", "delete")
UNSIGNED = {"/api/tables/{table_id}/hint", "/api/tables/{table_id}/analysis"}
"""What changes nothing of anybody's: a hint is for the reader alone, and an analysis is the same for everybody."""
EXAMPLES = {"string": "x", "integer": 1, "boolean": True, "array": [], "object": {}}


def example(schema, parts):
    """Return the shortest body that has everything a schema requires."""
    if "$ref" in schema:
        return example(parts[schema["$ref"].rsplit("/", 1)[-1]], parts)
    if "const" in schema or "enum" in schema:
        return schema.get("const") or schema["enum"][0]
    if "discriminator" in schema:
        tag, choices = schema["discriminator"]["propertyName"], schema["discriminator"]["mapping"]
        kind, place = next(iter(choices.items()))
        return example({"$ref": place}, parts) | {tag: kind}
    for choice in ("anyOf", "oneOf"):
        if choice in schema:
            return example(schema[choice][0], parts)
    if "properties" in schema:
        return {name: example(schema["properties"][name], parts) for name in schema.get("required", ())}
    return EXAMPLES[schema["type"]]


def test_every_change_looks_at_the_browser_that_sends_it(server):
    """A wrong CSRF token is refused wherever a cookie is heeded."""
    person = Person(server, "Ana S")
    season = person.say("/seasons", title="Spring", host="Olga").split("/")[2]
    cup = person.say("/tournaments", title="Cup", host="Olga", game="pyramid-shambo", format="swiss").split("/")[2]
    club = person.say("/clubs", name="Pyramids", member="Olga", door="open").split("/")[2]
    begun, waiting = person.start("me", "open", "bot:random"), person.start("me", "open", start="when-ready")
    ids = {"season_id": season, "tournament_id": cup, "club_id": club}
    described = server.config.app.openapi()
    heedless, asked = set(), 0
    for path, operations in described["paths"].items():
        for method in operations.keys() & set(CHANGES):
            known = ids | {"table_id": waiting if "/room" in path else begun}
            address = path.format_map({name: known.get(name, "1") for name in re.findall(r"\{(\w+)", path)})
            body = operations[method].get("requestBody", {}).get("content", {}).get("application/json")
            sent = {"json": example(body["schema"], described["components"]["schemas"])} if body else {}
            answer = person.request(method, address, headers={"x-csrf": "wrong"}, **sent)
            asked += 1
            if answer.status_code != 403 or answer.json()["error"] != "forged":
                heedless.add(path)
    person.close()
    assert heedless == UNSIGNED
    assert asked > 50
