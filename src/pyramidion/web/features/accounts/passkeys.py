"""Passkeys: the two WebAuthn ceremonies, registration and authentication.

A passkey is the only proof of who signs in, so the device has to verify its user in both, by a PIN for example.

Each begins with options that contain a challenge, and a state to send back with the browser's response: the same
challenge, signed, valid for five minutes and for the same visitor. The server stores nothing in between, so any server
can complete a ceremony begun on another.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from itsdangerous import BadData, URLSafeTimedSerializer
from webauthn import (
    generate_authentication_options,
    generate_registration_options,
    options_to_json,
    verify_authentication_response,
    verify_registration_response,
)
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url, generate_challenge
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from pyramidion.translation import _
from pyramidion.web.db.store import now
from pyramidion.web.features.accounts.names import BadAccount, account_name
from pyramidion.web.features.accounts.service import Account, Accounts, NoAccount, Passkey
from pyramidion.web.names import clean_name
from pyramidion.web.tokens import new_id

SECONDS = 300
LONGEST_ID = 1400


@dataclass(frozen=True, slots=True)
class RelyingParty:
    """The site that a passkey is bound to: its host name, and the origin of its pages as the browser sees it."""

    name: str
    origin: str

    @staticmethod
    def of(address: str) -> RelyingParty:
        """Return the site of a page's address. Raises BadAccount for an IP address, for which there are no passkeys."""
        url = urlsplit(address)
        name = url.hostname or ""
        try:
            ip_address(name)
        except ValueError:
            return RelyingParty(name, f"{url.scheme}://{url.netloc}")
        raise BadAccount(
            _("Passkeys need a domain name, and this server is reached by IP address. Use a password instead.")
        )


def missing_for_passkeys(scheme: str, name: str) -> str | None:
    """Return what a page's address lacks for passkeys: `https`, a host `name`, or None if it lacks nothing."""
    try:
        address = ip_address(name)
    except ValueError:
        address = None
    local = address.is_loopback if address is not None else name == "localhost" or name.endswith(".localhost")
    if scheme != "https" and not local:
        return "https"
    return "name" if address is not None else None


class Passkeys:
    """Registers passkeys and signs people in with them, by the steps of WebAuthn.

    The server keeps nothing between two steps: the browser returns a state, which is signed with `key`.
    """

    def __init__(self, key: str, accounts: Accounts) -> None:
        self._states = URLSafeTimedSerializer(key, salt="pyramidion.passkey")
        self._accounts = accounts

    def registration_options(
        self, relying_party: RelyingParty, visitor: str | None, account: Account | None, name: str | None
    ) -> dict[str, Any]:
        """Return the options with which the browser makes a passkey, and the state that it returns with the passkey.

        The passkey is for `account`, or for a new account called `name`. Raises BadAccount.
        """
        called = account.name if account is not None else account_name(name or "")
        user, challenge = account.id if account is not None else new_id(), generate_challenge()
        options = generate_registration_options(
            rp_id=relying_party.name,
            rp_name="Pyramidion",
            user_id=user.encode(),
            user_name=called,
            challenge=challenge,
            exclude_credentials=[
                PublicKeyCredentialDescriptor(id=base64url_to_bytes(key.id))
                for key in (account.passkeys if account is not None else ())
            ],
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.REQUIRED,
                user_verification=UserVerificationRequirement.REQUIRED,
            ),
        )
        made = bytes_to_base64url(challenge), user, "" if account is not None else called
        return {"options": json.loads(options_to_json(options)), "state": self._state("make", visitor, *made)}

    async def register(
        self,
        relying_party: RelyingParty,
        visitor: str | None,
        account: Account | None,
        state: str,
        credential: dict[str, Any],
        label: str,
    ) -> Account:
        """Check and store a new passkey; return its account, which is created if nobody was signed in.

        Raises BadAccount with a sentence if the credential does not match the options.
        """
        challenge, user, called = self._read_state("make", visitor, state)
        if (account is None) != bool(called) or (account is not None and account.id != user):
            raise BadAccount(_("This passkey request belongs to another session. Try again."))
        try:
            made = verify_registration_response(
                credential=credential,
                expected_challenge=challenge,
                expected_rp_id=relying_party.name,
                expected_origin=relying_party.origin,
                require_user_verification=True,
            )
        except (WebAuthnException, ValueError, TypeError, KeyError) as error:
            raise BadAccount(_("The passkey could not be verified.")) from error
        named = bytes_to_base64url(made.credential_id)
        if len(named) > LONGEST_ID:
            raise BadAccount(_("The passkey could not be verified."))
        key = Passkey(
            named, user, made.credential_public_key, made.sign_count, clean_name(label) or _("Passkey"), now()
        )
        if account is None:
            return await self._accounts.sign_up(called, None, visitor, key)
        await self._accounts.add_passkey(account, key)
        return await self._accounts.mine(account.holder)

    def authentication_options(self, relying_party: RelyingParty, visitor: str | None) -> dict[str, Any]:
        """Return the options with which a browser signs in by passkey, and the state that it returns with its proof."""
        challenge = generate_challenge()
        options = generate_authentication_options(
            rp_id=relying_party.name, challenge=challenge, user_verification=UserVerificationRequirement.REQUIRED
        )
        state = self._state("use", visitor, bytes_to_base64url(challenge), "", "")
        return {"options": json.loads(options_to_json(options)), "state": state}

    async def authenticate(
        self, relying_party: RelyingParty, visitor: str | None, state: str, credential: dict[str, Any]
    ) -> Account:
        """Check a browser's proof that it has a passkey, and sign in to the passkey's account, which is returned.

        Raises NoAccount with a sentence if the check fails.
        """
        challenge, *_rest = self._read_state("use", visitor, state)
        named = credential.get("id")
        credential_owner = (
            await self._accounts.passkey(named) if isinstance(named, str) and len(named) <= LONGEST_ID else None
        )
        if credential_owner is None:
            raise NoAccount(_("No account uses this passkey."))
        account, key = credential_owner
        try:
            used = verify_authentication_response(
                credential=credential,
                expected_challenge=challenge,
                expected_rp_id=relying_party.name,
                expected_origin=relying_party.origin,
                require_user_verification=True,
                credential_public_key=key.public_key,
                credential_current_sign_count=key.uses,
            )
        except (WebAuthnException, ValueError, TypeError, KeyError) as error:
            raise NoAccount(_("No account uses this passkey.")) from error
        await self._accounts.used_passkey(key, used.new_sign_count)
        return await self._accounts.enter(account, visitor)

    def _state(self, step: str, visitor: str | None, *more: str) -> str:
        """Return a signed state for a step (`make` or `use` a passkey), to be returned by this visitor's browser."""
        return str(self._states.dumps([step, visitor or "", *more]))

    def _read_state(self, step: str, visitor: str | None, state: str) -> tuple[bytes, str, str]:
        """Check a signed state and return its (challenge, account id, name). Raises BadAccount if it is not valid."""
        try:
            purpose, whose, challenge, user, called = self._states.loads(state, max_age=SECONDS)
            if purpose != step or whose != (visitor or ""):
                raise ValueError
        except (BadData, ValueError, TypeError):
            raise BadAccount(_("This request has expired. Try again.")) from None
        return base64url_to_bytes(challenge), user, called
