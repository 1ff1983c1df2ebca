"""Server settings: environment variables that begin with `PYRAMIDION_`."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from inspect import cleandoc
from ipaddress import ip_network
from operator import attrgetter
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin
from urllib.parse import urlsplit

import platformdirs
from annotated_types import Ge, Gt, Le
from pydantic import AfterValidator, BeforeValidator, Field, SecretStr, ValidationError
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, SettingsConfigDict

from pyramidion.environment_variables import PREFIX, VARIABLES
from pyramidion.text_files import read_text
from pyramidion.web.db.store import Store
from pyramidion.web.errors import fault_text

KEY_BYTES = 32
GROUPS = {
    "Data": "data_dir",
    "Bots": "bot_pause",
    "Operation": "lease",
    "Logs and metrics": "log_format",
    "Limits": "trusted_proxies",
    "Address": "public_url",
    "E-mail, webhooks and notifications": "smtp_host",
    "Lab": "lab",
}
"""The groups of settings, each with its first field: a group goes on to the next one's first."""
RULES_AND_COMMANDS = "Rules and commands"
"""The group of the variables that are read without a server, too."""
TEST_VARIABLES = {f"{PREFIX}{name}" for name in ("BROWSER_TESTS", "POSTGRES_TESTS", "TEST_SIGN")}
"""Variables that only tests read."""


def _whole_host(address: str | None) -> str | None:
    """Return a public address. Raises ValueError for one with a path: pages, cookies and scripts begin at the root."""
    try:
        parts = urlsplit(address or "")
        path, host = parts.path.strip("/") or parts.query or parts.fragment, parts.hostname
        scheme = parts.scheme
    except ValueError:
        path, host, scheme = "", None, ""
    if address and (host is None or scheme not in ("http", "https")):
        raise ValueError("it must be an address that begins with https://, such as https://games.example.org")
    if path:
        raise ValueError(
            f"Pyramidion cannot run below a path such as /{path}; give it a host name of its own, "
            f"such as https://games.example.org"
        )
    return address


def _named(value: object) -> object:
    """Return the name of a folder. Raises ValueError for an empty one, which would be the current folder."""
    if not str(value).strip():
        raise ValueError("it is empty; name a folder, or leave the setting out")
    return value


def _ports(text: str) -> str:
    """Return a list of ports. Raises ValueError if it has anything else."""
    for port in filter(None, map(str.strip, text.split(","))):
        if not (port.isascii() and port.isdecimal() and 1 <= int(port[:6]) <= 65535):
            raise ValueError(f"{port!r:.80} is not a port from 1 to 65535; separate several with commas")
    return text


def _proxies(text: str) -> str:
    """Return a list of proxies. Raises ValueError for a name: none would ever be looked up, so nobody be trusted."""
    for address in filter(None, map(str.strip, text.split(","))):
        try:
            if address != "*":
                ip_network(address)
        except ValueError:
            raise ValueError(
                f"{address!r:.80} is not an address such as 10.0.0.2, a network such as 10.0.0.0/8, or * for every one"
            ) from None
    return text


def _user_data_folder() -> Path:
    """Return the folder for the data of the user's programs on this system."""
    return platformdirs.user_data_path("pyramidion", appauthor=False)


class Settings(BaseSettings):
    """The server's settings. All have defaults that suit a single machine at home.

    Attributes:
        data_dir: folder for the database; created on first use, readable only by its owner.
        database_url: SQLAlchemy URL; the default is `pyramidion.sqlite3` in `data_dir`.
        secret_key: signs cookies; by default created once and kept in the database.
        bot_pause: seconds between the start of a bot's turn and its move, so that people can follow; for several
            in a row that somebody waits for, less.
        premove_pause: minimum random pause in seconds before a premove is played; the pause hides that there
            was one.
        premove_pause_longest: maximum of that pause, in seconds.
        bot_threads: threads for long searches (experts, hints, analyses); quick bots have a thread of their own.
        bot_seconds: seconds that an expert or a hint searches per decision.
        bot_iterations: maximum number of search iterations per decision, at every level.
        analysis_iterations: search iterations per position when a finished game is analysed.
        lease: seconds after which another server of the same database takes over the work, such as bot moves, of a
            server that has died or frozen.
        heartbeat: seconds between keep-alive messages on an idle event stream.
        tables_in_memory: number of tables kept in memory; others are rebuilt from the database on request.
        warm: compile the games in the background when the server starts.
        log_format: `text`, or `json` for one JSON object per line.
        log_level: `debug`, `info` (every request), `warning` or `error`.
        metrics_token: bearer token for `/metrics`; without one, only this machine can read the metrics.
        trusted_proxies: addresses of trusted proxies, separated by commas, whose forwarded client addresses are used.
        requests_per_second: requests allowed per address, with bursts of ten seconds' worth; further requests get a
            429.
        actions_per_second: actions allowed per seat, with bursts of ten seconds' worth.
        lines_per_minute: chat messages allowed per seat and table, a third of them in one burst.
        tables_per_hour: tables that one address may create.
        attempts_per_minute: passwords and codes that one address may try, and that all may try for one account name.
        streams_per_address: open event streams allowed per address.
        streams_per_table: open event streams allowed per table.
        room_days: days without activity after which a table that never started is deleted.
        limit_loopback: also limit requests from this machine, for example behind a proxy that does not forward
            addresses.
        public_url: public address of the server, `https://games.example.org`, for links in e-mails and webhooks. The
            server needs a host name of its own; a path below one is refused.
        smtp_host: the mail server; e-mail also requires `smtp_from` and `public_url`.
        smtp_port: the mail server's port.
        smtp_tls: how the connection to the mail server is encrypted: `starttls`, `tls` or `none`.
        smtp_user: the account at the mail server, if it requires one.
        smtp_password: the password of that account.
        smtp_from: the sender of e-mails, `Pyramidion <games@example.org>`.
        webhooks_http: also allow webhooks over HTTP.
        webhooks_ports: further ports allowed for webhooks, separated by commas, besides 443 and, if HTTP is allowed,
            80.
        notice_delay: seconds after the start of a turn before a player who has not looked at the table is notified.
        lab: offer the lab at `/lab`; needs `pyramidion[lab]`. Every run is a process of its own.
        lab_workers: runs of the lab at the same time; others wait.
        lab_games: maximum number of games of a run, on each side.
        lab_seconds: maximum duration of a run in seconds; what has been played until then counts.
        lab_runs_per_hour: runs that one address may start.
        secure_cookies: send cookies over HTTPS only; set this if the server is reached over HTTPS.
    """

    model_config = SettingsConfigDict(env_prefix=PREFIX, extra="ignore", allow_inf_nan=False)

    data_dir: Annotated[Path, BeforeValidator(_named)] = Field(default_factory=_user_data_folder)
    database_url: str | None = None
    secret_key: SecretStr | None = None
    bot_pause: float = Field(default=0.9, ge=0, le=60)
    premove_pause: float = Field(default=4, ge=0, le=600)
    premove_pause_longest: float = Field(default=40, ge=0, le=600)
    bot_threads: int = Field(default=2, ge=1, le=64)
    bot_seconds: float = Field(default=2.0, gt=0, le=60)
    bot_iterations: int = Field(default=200_000, ge=1, le=1_000_000_000)
    analysis_iterations: int = Field(default=2_000, ge=1, le=100_000)
    lease: float = Field(default=10.0, ge=0.5, le=600)
    heartbeat: float = Field(default=15.0, gt=0, le=600)
    tables_in_memory: int = Field(default=500, ge=1, le=1_000_000)
    warm: bool = True
    log_format: Literal["text", "json"] = "text"
    log_level: Literal["debug", "info", "warning", "error"] = "warning"
    metrics_token: SecretStr | None = None
    trusted_proxies: Annotated[str, AfterValidator(_proxies)] = "127.0.0.1"
    requests_per_second: float = Field(default=30, gt=0, le=1_000_000)
    actions_per_second: float = Field(default=20, gt=0, le=1_000_000)
    attempts_per_minute: int = Field(default=20, ge=1, le=1_000_000)
    lines_per_minute: float = Field(default=20, gt=0, le=1_000_000)
    tables_per_hour: int = Field(default=120, ge=1, le=1_000_000)
    streams_per_address: int = Field(default=100, ge=1, le=1_000_000)
    streams_per_table: int = Field(default=500, ge=1, le=1_000_000)
    room_days: int = Field(default=30, ge=1, le=3650)
    limit_loopback: bool = False
    public_url: Annotated[str | None, AfterValidator(_whole_host)] = None
    secure_cookies: bool = False
    smtp_host: str | None = None
    smtp_port: int = Field(default=587, ge=1, le=65535)
    smtp_tls: Literal["starttls", "tls", "none"] = "starttls"
    smtp_user: str | None = None
    smtp_password: SecretStr | None = None
    smtp_from: str | None = None
    webhooks_http: bool = False
    webhooks_ports: Annotated[str, AfterValidator(_ports)] = ""
    notice_delay: float = Field(default=30, ge=0, le=3600)
    lab: bool = False
    lab_workers: int = Field(default=1, ge=1, le=64)
    lab_games: int = Field(default=50_000, ge=1_000, le=10_000_000)
    lab_seconds: float = Field(default=120, gt=0, le=3600)
    lab_runs_per_hour: int = Field(default=60, ge=1, le=1_000_000)

    def database(self) -> str:
        """Return the database URL."""
        return self.database_url or f"sqlite:///{self.data_dir / 'pyramidion.sqlite3'}"

    def webhook_ports(self) -> list[int]:
        """Return the further ports allowed for webhooks."""
        return [int(port) for port in self.webhooks_ports.split(",") if port.strip()]

    def key(self, store: Store) -> str:
        """Return the secret key, which the database keeps; created on first use.

        Raises ValueError if the key is too short to be safe.
        """
        if self.secret_key is not None:
            return _long_enough(self.secret_key.get_secret_value(), "PYRAMIDION_SECRET_KEY")
        return _long_enough(self._stored(store, "cookies", "secret_key", lambda: secrets.token_hex(KEY_BYTES)))

    def push_key(self, store: Store, make: Callable[[], str]) -> str:
        """Return the private key of Web Push, which the database keeps; made by `make` on first use."""
        return self._stored(store, "push", "push_key.pem", make)

    def _stored(self, store: Store, name: str, file: str, make: Callable[[], str]) -> str:
        """Return a key from the database, storing one first: that of an older version's file, or a new one."""
        path = self.data_dir / file
        return store.key(read_text(path).strip() if store.sqlite and path.exists() else make(), name)


def _long_enough(key: str, where: str = "the database") -> str:
    """Return a secret key. Raises ValueError if it is too short; `where` says where it was found."""
    if len(key) < KEY_BYTES:
        raise ValueError(f"The secret key in {where} is shorter than {KEY_BYTES} characters; use a long random one.")
    return key


@dataclass(frozen=True, slots=True)
class Described:
    """A setting as commands and documentation list it.

    Attributes:
        default: as text, empty if it depends on the machine.
        allowed: what its value has to be, empty if its description says that.
    """

    group: str
    variable: str
    default: str
    allowed: str
    description: str
    value: Callable[[Settings], object]


def described_settings() -> list[Described]:
    """Return all settings in the order of their groups: those of the server, then those of the package."""
    described = dict(re.findall(r"^    (\w+): (.+(?:\n     .+)*)", cleandoc(Settings.__doc__ or ""), re.MULTILINE))
    firsts = {field: group for group, field in GROUPS.items()}
    rows: list[Described] = []
    group = ""
    for name, field in Settings.model_fields.items():
        group = firsts.get(name, group)
        default = "" if field.default_factory or field.default is None else str(field.default).lower()
        sentence = " ".join(described[name].split())
        sentence = sentence[0].upper() + sentence[1:]
        rows.append(Described(group, variable_of(name), default, _allowed(field), sentence, attrgetter(name)))
    for variable in VARIABLES:
        value = _ignoring_settings(variable.read)
        rows.append(
            Described(
                RULES_AND_COMMANDS, variable.name, variable.default, variable.allowed, variable.description, value
            )
        )
    return rows


def _ignoring_settings(read: Callable[[], object]) -> Callable[[Settings], object]:
    """Return a function of the server's settings that returns what `read` does."""
    return lambda _settings: read()


def variable_of(field: str) -> str:
    """Return the environment variable of one of the server's settings."""
    return f"{PREFIX}{field.upper()}"


def _allowed(field: FieldInfo) -> str:
    """Return what the value of a number, a switch or a choice has to be; empty for other settings."""
    kind: Any = field.annotation
    if kind is bool:
        return "true or false"
    if get_origin(kind) is Literal:
        return ", ".join(get_args(kind))
    if kind not in (int, float):
        return ""
    least, above, most = (
        next((getattr(limit, name) for limit in field.metadata if isinstance(limit, sort)), None)
        for sort, name in ((Ge, "ge"), (Gt, "gt"), (Le, "le"))
    )
    number = "a whole number" if kind is int else "a number"
    return f"{number} {f'from {least}' if above is None else f'above {above}, up'} to {most}"


def wrong_setting(error: ValidationError) -> str:
    """Return a sentence on the first setting with a wrong value, from the error of the model."""
    fault = error.errors()[0]
    name = str(fault["loc"][0])
    allowed = _allowed(Settings.model_fields[name])
    kind = "one of " if get_origin(Settings.model_fields[name].annotation) is Literal else ""
    # Numbers, switches and choices are no secrets, so the value can be shown.
    reason = f"{fault['input']!r:.80} is not {kind}{allowed}" if allowed else fault_text(fault)
    return f"The setting {variable_of(name)} is wrong: {reason}."


def unknown_variables(environment: Mapping[str, str]) -> list[str]:
    """Return a sentence for each variable that looks like a setting and is none, with the nearest name."""
    names = {setting.variable for setting in described_settings()} | TEST_VARIABLES
    sentences: list[str] = []
    for variable in sorted(environment):
        if variable.startswith(PREFIX) and variable not in names:
            near = get_close_matches(variable, names, 1, 0.8)
            hint = f" Did you mean {near[0]}?" if near else " `pyramidion settings` lists all settings."
            sentences.append(f"{variable} is not a setting, so it changes nothing.{hint}")
    return sentences
