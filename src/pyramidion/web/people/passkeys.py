"""Passkeys: the two ceremonies of WebAuthn, making one and signing in with one.

Each begins with options that hold a challenge, and a state to be sent back with the browser's answer: the same
challenge, signed, for five minutes, and for the visitor who asked. Nothing is kept between the two, so any server can
end what another one began.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any

from itsdangerous import BadData, URLSafeTimedSerializer
from starlette.requests import HTTPConnection
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

from pyramidion.web.people.accounts import Account, Accounts, BadAccount, NoAccount, Passkey, account_name
from pyramidion.web.seats import clean_name
from pyramidion.web.store import new_id, now
from pyramidion.words import _

SECONDS = 300
LONGEST_ID = 1400


@dataclass(frozen=True, slots=True)
class Site:
    """What a passkey is bound to: the server's name and the address of its pages, as the browser knows them."""

    name: str
    origin: str

    @staticmethod
    def of(request: HTTPConnection) -> Site:
        """Return the site that a request is made to. Raises BadAccount where it cannot have passkeys."""
        name = request.url.hostname or ""
        try:
            ip_address(name)
        except ValueError:
            return Site(name, f"{request.url.scheme}://{request.url.netloc}")
        raise BadAccount(_("Passkeys need a server with a name, and this address is a number; use a password here."))


class Passkeys:
    """The ceremonies. `key` signs what the browser brings back."""

    def __init__(self, key: str, accounts: Accounts) -> None:
        self._states = URLSafeTimedSerializer(key, salt="pyramidion.passkey")
        self._accounts = accounts

    def offer(self, site: Site, visitor: str | None, account: Account | None, name: str | None) -> dict[str, Any]:
        """Return options and state to make a passkey: for an account, or for a new one called `name`."""
        called = account.name if account is not None else account_name(name or "")
        user, challenge = account.id if account is not None else new_id(), generate_challenge()
        options = generate_registration_options(
            rp_id=site.name,
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
                user_verification=UserVerificationRequirement.PREFERRED,
            ),
        )
        made = bytes_to_base64url(challenge), user, "" if account is not None else called
        return {"options": json.loads(options_to_json(options)), "state": self._state("make", visitor, *made)}

    async def accept(
        self,
        site: Site,
        visitor: str | None,
        account: Account | None,
        state: str,
        credential: dict[str, Any],
        label: str,
    ) -> Account:
        """Keep a new passkey and return the account that it is for, a new one where nobody was signed in.

        Raises BadAccount with a sentence for what is no passkey made on these options.
        """
        challenge, user, called = self._opened("make", visitor, state)
        if (account is None) != bool(called) or (account is not None and account.id != user):
            raise BadAccount(_("This passkey was asked for by somebody else; try again."))
        try:
            made = verify_registration_response(
                credential=credential,
                expected_challenge=challenge,
                expected_rp_id=site.name,
                expected_origin=site.origin,
            )
        except (WebAuthnException, ValueError, TypeError, KeyError) as error:
            raise BadAccount(_("This passkey cannot be used: the browser's answer does not fit.")) from error
        named = bytes_to_base64url(made.credential_id)
        if len(named) > LONGEST_ID:
            raise BadAccount(_("This passkey cannot be used: the browser's answer does not fit."))
        key = Passkey(
            named, user, made.credential_public_key, made.sign_count, clean_name(label) or _("Passkey"), now()
        )
        if account is None:
            return await self._accounts.sign_up(called, None, visitor, key)
        await self._accounts.add_passkey(account, key)
        return await self._accounts.mine(account.holder)

    def ask(self, site: Site, visitor: str | None) -> dict[str, Any]:
        """Return options and state to sign in with a passkey; they are the same whoever asks."""
        challenge = generate_challenge()
        options = generate_authentication_options(
            rp_id=site.name, challenge=challenge, user_verification=UserVerificationRequirement.PREFERRED
        )
        state = self._state("use", visitor, bytes_to_base64url(challenge), "", "")
        return {"options": json.loads(options_to_json(options)), "state": state}

    async def enter(self, site: Site, visitor: str | None, state: str, credential: dict[str, Any]) -> Account:
        """Return the account that a passkey opens. Raises NoAccount with a sentence for one that opens none."""
        challenge, *_rest = self._opened("use", visitor, state)
        named = credential.get("id")
        found = await self._accounts.passkey(named) if isinstance(named, str) and len(named) <= LONGEST_ID else None
        if found is None:
            raise NoAccount(_("No account here has this passkey."))
        account, key = found
        try:
            used = verify_authentication_response(
                credential=credential,
                expected_challenge=challenge,
                expected_rp_id=site.name,
                expected_origin=site.origin,
                credential_public_key=key.public_key,
                credential_current_sign_count=key.uses,
            )
        except (WebAuthnException, ValueError, TypeError, KeyError) as error:
            raise NoAccount(_("No account here has this passkey.")) from error
        await self._accounts.used_passkey(key, used.new_sign_count)
        return await self._accounts.enter(account, visitor)

    def _state(self, what: str, visitor: str | None, *more: str) -> str:
        return str(self._states.dumps([what, visitor or "", *more]))

    def _opened(self, what: str, visitor: str | None, state: str) -> tuple[bytes, str, str]:
        """Return (challenge, account, name) of a state. Raises BadAccount."""
        try:
            said, whose, challenge, user, called = self._states.loads(state, max_age=SECONDS)
            if said != what or whose != (visitor or ""):
                raise ValueError
        except (BadData, ValueError, TypeError):
            raise BadAccount(_("That took too long, or began on another page; try again.")) from None
        return base64url_to_bytes(challenge), user, called
