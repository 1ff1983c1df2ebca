"""Passkeys of an authenticator in software: the device has to verify its user."""

import re

import httpx
import pytest
from tests.web.helpers.authenticator import Authenticator


@pytest.fixture
def clients(server):
    """Return a function that opens browsers at a host name, which passkeys need."""
    opened = []

    def opening():
        client = httpx.Client(base_url=server.address.replace("127.0.0.1", "localhost"), timeout=60)
        opened.append(client)
        client.headers["X-CSRF"] = re.search(r'name="csrf" value="(\w+)"', client.get("/account").text)[1]
        return client

    yield opening
    for client in opened:
        client.close()


def sign_up(client, key, name, *, verified):
    begun = client.post("/api/account/passkeys/options", json={"name": name}).json()
    assert begun["options"]["authenticatorSelection"]["userVerification"] == "required"
    credential = key.make(begun["options"], verified=verified)
    return client.post("/api/account/passkeys", json={"state": begun["state"], "credential": credential})


def sign_in(client, key, *, verified):
    begun = client.post("/api/session/passkey/options").json()
    assert begun["options"]["userVerification"] == "required"
    credential = key.use(begun["options"], verified=verified)
    return client.post("/api/session/passkey", json={"state": begun["state"], "credential": credential})


def test_a_passkey_without_user_verification_neither_signs_up_nor_signs_in(clients):
    first, second = clients(), clients()
    key = Authenticator(str(first.base_url).rstrip("/"))
    refused = sign_up(first, key, "Ines", verified=False)
    assert (refused.status_code, refused.json()["detail"]) == (422, "The passkey could not be verified.")
    assert sign_up(first, key, "Ines", verified=True).status_code == 200
    refused = sign_in(second, key, verified=False)
    assert (refused.status_code, refused.json()["detail"]) == (401, "No account uses this passkey.")
    assert second.get("/api/account").status_code == 401
    entered = sign_in(second, key, verified=True)
    assert (entered.status_code, entered.json()["name"]) == (200, "Ines")
