"""An authenticator in software, which makes passkeys and signs with them; it verifies its user, or does not."""

import hashlib
import json
import secrets

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from webauthn.helpers import bytes_to_base64url

PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40


class Authenticator:
    """One passkey for one origin."""

    def __init__(self, origin):
        self.origin = origin
        self.key, self.id, self.uses = ec.generate_private_key(ec.SECP256R1()), secrets.token_bytes(16), 0

    def make(self, options, *, verified):
        """Return the credential that a browser sends after `navigator.credentials.create`."""
        point = self.key.public_key().public_numbers()
        public = {1: 2, 3: -7, -1: 1, -2: point.x.to_bytes(32, "big"), -3: point.y.to_bytes(32, "big")}
        attested = bytes(16) + len(self.id).to_bytes(2, "big") + self.id + cbor2.dumps(public)
        data = self._data(options["rp"]["id"], verified, ATTESTED) + attested
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        client = self._client("webauthn.create", options)
        return self._credential(clientDataJSON=client, attestationObject=attestation)

    def use(self, options, *, verified):
        """Return the credential that a browser sends after `navigator.credentials.get`."""
        self.uses += 1
        data, client = self._data(options["rpId"], verified), self._client("webauthn.get", options)
        signature = self.key.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(hashes.SHA256()))
        return self._credential(clientDataJSON=client, authenticatorData=data, signature=signature)

    def _data(self, site, verified, more=0):
        flags = PRESENT | (VERIFIED if verified else 0) | more
        return hashlib.sha256(site.encode()).digest() + bytes([flags]) + self.uses.to_bytes(4, "big")

    def _client(self, kind, options):
        return json.dumps({"type": kind, "challenge": options["challenge"], "origin": self.origin}).encode()

    def _credential(self, **response):
        named = bytes_to_base64url(self.id)
        response = {name: bytes_to_base64url(value) for name, value in response.items()}
        return {"id": named, "rawId": named, "type": "public-key", "response": response, "clientExtensionResults": {}}
