"""The API's page for people."""

from pyramidion.web.http.field_descriptions import FIELDS, OF_ONE, PARAMETERS
from pyramidion.web.pages.api_docs import operations


def test_the_page_describes_every_address_with_nothing_from_elsewhere(client):
    page = client.get("/api/docs")
    assert page.status_code == 200
    described = client.get("/api/openapi.json").json()
    for path, methods in described["paths"].items():
        for method in methods:
            assert f"{method.upper()} {path}" in page.text
    assert "cdn" not in page.text
    assert "<script>" not in page.text


def test_fields_are_told_with_type_and_need(client):
    [start] = [one for one in operations(client.get("/api/openapi.json").json()) if one.path == "/api/tables"]
    fields = {entry.name: entry for entry in start.body}
    assert fields["game"].needed
    assert not fields["seed"].needed
    assert fields["seats"].type == "list of (kind, name, bot, contribution)"
    assert fields["seed"].type == "whole number or text or nothing"
    assert "tokens" in {entry.name for entry in start.answer}
    assert "422" in dict(start.refusals)


def test_the_action_says_what_it_takes(client):
    told = operations(client.get("/api/openapi.json").json())
    [act] = [one for one in told if one.path.endswith("/actions")]
    assert {entry.name for entry in act.body} == {"action", "version", "seat"}
    assert len({one.anchor for one in told}) == len(told)


def test_every_field_and_parameter_says_what_it_is(server):
    described = server.app.openapi()
    schemas = described["components"]["schemas"]
    fields = [(name, field, about) for name in schemas for field, about in schemas[name].get("properties", {}).items()]
    assert [f"{name}.{field}" for name, field, about in fields if not about.get("description")] == []
    parameters = [
        (path, parameter)
        for path, operations in described["paths"].items()
        for operation in operations.values()
        for parameter in operation.get("parameters", [])
    ]
    assert [(path, given["name"]) for path, given in parameters if not given.get("description")] == []
    # No description is left over from a field that is gone, or that says itself what it is.
    used = {about["description"] for _name, _field, about in fields} | {given["description"] for _, given in parameters}
    assert {*FIELDS.values(), *OF_ONE.values(), *PARAMETERS.values()} <= used
