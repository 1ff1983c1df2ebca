// Passkeys: what the server asks of the browser, and the browser's answer, with bytes written in base64url between them.
import { _ } from "./words.js";

const page = document.getElementById("main").dataset;
const wrong = document.getElementById("passkey-error");

const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
const listed = (keys = []) => keys.map((key) => ({ ...key, id: bytes(key.id) }));

async function post(address, body) {
  const answer = await fetch(address, { method: "POST", headers: { "X-CSRF": page.csrf, "Content-Type": "application/json" }, body: JSON.stringify(body) });
  const data = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(data.detail || _("The server rejected the request."));
  return data;
}

async function make(name, label) {
  const { options, state } = await post("/api/account/passkeys/options", { name });
  const made = await navigator.credentials.create({ publicKey: {
    ...options, challenge: bytes(options.challenge), user: { ...options.user, id: bytes(options.user.id) },
    excludeCredentials: listed(options.excludeCredentials),
  } });
  const { clientDataJSON, attestationObject } = made.response;
  await post("/api/account/passkeys", { state, label, credential: {
    id: made.id, rawId: text(made.rawId), type: made.type, response: { clientDataJSON: text(clientDataJSON), attestationObject: text(attestationObject) },
  } });
}

async function enter() {
  const { options, state } = await post("/api/session/passkey/options", {});
  const used = await navigator.credentials.get({ publicKey: {
    ...options, challenge: bytes(options.challenge), allowCredentials: listed(options.allowCredentials),
  } });
  const { clientDataJSON, authenticatorData, signature, userHandle } = used.response;
  await post("/api/session/passkey", { state, credential: {
    id: used.id, rawId: text(used.rawId), type: used.type,
    response: {
      clientDataJSON: text(clientDataJSON), authenticatorData: text(authenticatorData),
      signature: text(signature), userHandle: userHandle && text(userHandle),
    },
  } });
}

function offer(id, what) {
  const button = document.getElementById(id);
  button?.addEventListener("click", async () => {
    wrong.hidden = true;
    button.disabled = true;
    try {
      if (await what() !== false) location.assign(page.back);
    } catch (error) {
      const words = {
        NotAllowedError: _("The passkey request was cancelled or timed out."),
        InvalidStateError: _("This device already has a passkey for your account."),
      };
      wrong.textContent = words[error.name] || error.message;
      wrong.hidden = false;
    } finally {
      button.disabled = false;
    }
  });
}

// An address that is a number cannot have passkeys.
const numbered = /^[\d.]+$|^\[/.test(location.hostname);
if (window.PublicKeyCredential && isSecureContext && !numbered) document.documentElement.classList.add("passkeys");
offer("enter-passkey", enter);
offer("add-passkey", () => make(null, document.getElementById("passkey-label").value));
offer("make-account", () => {
  const name = document.getElementById("new-name");
  return name.reportValidity() ? make(name.value, "") : false;
});
