"""What can be set from outside: environment variables that begin with `PYRAMIDION_`."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import platformdirs
from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

if TYPE_CHECKING:
    from pyramidion.web.store import Store

KEY_BYTES = 32


def _user_data_folder() -> Path:
    return platformdirs.user_data_path("pyramidion", appauthor=False)


class Settings(BaseSettings):
    """The server's settings; every one has a default that is right for one machine at home.

    Attributes:
        data_dir: folder of the database and the secret key; made on first use, readable by its owner only.
        database_url: SQLAlchemy URL; the default is `pyramidion.sqlite3` in `data_dir`.
        secret_key: signs cookies; the default is made once and kept in `data_dir`, or in a PostgreSQL database.
        bot_pause: seconds between a bot's turn coming and its move, so that people can follow.
        order_pause: the shortest pause in seconds before an order given in advance is carried out; each is drawn by
            chance, so that it does not tell that there was one.
        order_pause_longest: the longest such pause.
        bot_threads: threads for long thinking, of experts, hints and analyses; quick bots have another one.
        bot_seconds: seconds that an expert or a hint thinks about one decision.
        bot_iterations: iterations of the search for one decision, whatever the level.
        analysis_iterations: iterations of the search for one position of a finished game.
        heartbeat: seconds between signs of life on a quiet event stream.
        tables_in_memory: tables kept ready; others are rebuilt from the database when somebody asks for them.
        warm: compile the games in the background as soon as the server is up.
        log_format: `text`, or `json` for one object on each line.
        log_level: `debug`, `info` (every request), `warning` or `error`.
        metrics_token: what a Prometheus elsewhere sends as a bearer token; without one `/metrics` answers this machine.
        trusted_proxies: addresses of proxies, with commas, whose word about who asks is taken.
        requests_per_second: what one address may ask for, ten seconds' worth at once; then it is refused with 429.
        actions_per_second: what one seat may try, ten seconds' worth at once.
        lines_per_minute: lines of the chat that one seat may write at a table, a third of them at once.
        tables_per_hour: what one address may start.
        attempts_per_minute: passwords and codes that one address may try, and all together for one account's name.
        streams_per_address: event streams that one address may have open.
        streams_per_table: event streams that one table may have open.
        room_days: days after which a table that was never begun, and that nobody has touched since, is deleted.
        limit_loopback: count requests from this machine, too, as behind a proxy that does not say who asks.
        public_url: where people reach this server, `https://games.example.org`, for links in mails and webhooks.
        smtp_host: the mail server; without one, a sender and `public_url` no mail is sent.
        smtp_port, smtp_tls: its port, and `starttls`, `tls` or `none`.
        smtp_user, smtp_password: for signing in there, if it wants that.
        smtp_from: whom mails come from, `Pyramidion <games@example.org>`.
        webhooks_http: allow webhooks that begin with http, too.
        notice_delay: seconds that somebody has to look at their table before they are told that they should.
        secure_cookies: send cookies over https only; set it when the server is reached through https.
    """

    model_config = SettingsConfigDict(env_prefix="PYRAMIDION_", extra="ignore")

    data_dir: Path = Field(default_factory=_user_data_folder)
    database_url: str | None = None
    secret_key: SecretStr | None = None
    bot_pause: float = Field(default=1.2, ge=0, le=60)
    order_pause: float = Field(default=4, ge=0, le=600)
    order_pause_longest: float = Field(default=40, ge=0, le=600)
    bot_threads: int = Field(default=2, ge=1, le=64)
    bot_seconds: float = Field(default=2.0, gt=0, le=60)
    bot_iterations: int = Field(default=200_000, ge=1)
    analysis_iterations: int = Field(default=2_000, ge=1, le=100_000)
    heartbeat: float = Field(default=15.0, gt=0, le=600)
    tables_in_memory: int = Field(default=500, ge=1)
    warm: bool = True
    log_format: Literal["text", "json"] = "text"
    log_level: Literal["debug", "info", "warning", "error"] = "warning"
    metrics_token: SecretStr | None = None
    trusted_proxies: str = "127.0.0.1"
    requests_per_second: float = Field(default=30, gt=0)
    actions_per_second: float = Field(default=20, gt=0)
    attempts_per_minute: int = Field(default=20, ge=1)
    lines_per_minute: float = Field(default=20, gt=0)
    tables_per_hour: int = Field(default=120, ge=1)
    streams_per_address: int = Field(default=100, ge=1)
    streams_per_table: int = Field(default=500, ge=1)
    room_days: int = Field(default=30, ge=1, le=3650)
    limit_loopback: bool = False
    public_url: str | None = None
    smtp_host: str | None = None
    smtp_port: int = Field(default=587, ge=1, le=65535)
    smtp_tls: Literal["starttls", "tls", "none"] = "starttls"
    smtp_user: str | None = None
    smtp_password: SecretStr | None = None
    smtp_from: str | None = None
    webhooks_http: bool = False
    notice_delay: float = Field(default=30, ge=0, le=3600)
    secure_cookies: bool = False

    def database(self) -> str:
        """Return the database's URL; the data folder exists afterwards."""
        if self.database_url:
            return self.database_url
        return f"sqlite:///{self._folder() / 'pyramidion.sqlite3'}"

    def key(self, store: Store | None = None) -> str:
        """Return the secret key, making and keeping one the first time; servers that share `store` share it.

        Raises ValueError where the key that is there is too short to protect anything.
        """
        if self.secret_key is not None:
            return _long_enough(self.secret_key.get_secret_value(), "PYRAMIDION_SECRET_KEY")
        if store is not None and store.shared:
            return store.key(secrets.token_hex(KEY_BYTES))
        path = self._folder() / "secret_key"
        if not path.exists():
            _write_once(path, secrets.token_hex(KEY_BYTES))
        path.chmod(0o600)
        return _long_enough(path.read_text("ascii").strip(), str(path))

    def _folder(self) -> Path:
        self.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        return self.data_dir


def _write_once(path: Path, text: str) -> None:
    """Write a file that only its owner can read, unless another process has just done so; never half a file."""
    draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    try:
        draft.rename(path) if os.name == "nt" else os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink(missing_ok=True)


def _long_enough(key: str, where: str) -> str:
    if len(key) < KEY_BYTES:
        raise ValueError(f"The secret key in {where} is shorter than {KEY_BYTES} characters; use a long random one.")
    return key
