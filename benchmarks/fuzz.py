# pyright: basic
"""Fuzzing with requests generated from the server's OpenAPI document.

    python benchmarks/fuzz.py [--requests 20000] [--seed 1]

Responses must match the document, must never be 5xx, and a refused request must not change anything. Three quarters of
the requests are for a table, season, tournament or club that there is, two thirds of those about tables with the token
of one of its seats. The client has the cookie of the person who hosts all of them. After each refusal the table, and
the number of rows in the database, must be the same as before. The server runs in this process, on loopback, with a
database in a temporary folder.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import requests
import schemathesis
import sqlalchemy as sa
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from pyramidion.web.application import create_app, uvicorn_server
from pyramidion.web.http.uvicorn_server import UvicornServer, address_of, bind
from pyramidion.web.settings import Settings

THREE = {"game": "ponzi-scheme", "seats": [{"kind": "me"}, {"kind": "me"}, {"kind": "open"}], "title": "Fuzz"}
CHECKS = [status_code_conformance, content_type_conformance, response_schema_conformance]
"""Checks of every response: status, media type and body as documented."""
COUNTED = ("matches", "plies", "season_log", "season_talk", "tournament_log", "club_members", "club_posts")
COUNTS = ", ".join(f"(SELECT count(*) FROM {table})" for table in COUNTED) + ", (SELECT count(holder) FROM seats)"
CAST = "Ada,5,1,random\nBo,4,2,random\nCy,3,3,random"


class Fault(AssertionError):
    """The error that the server failed, or carried out a request although it refused it."""


@contextmanager
def serving(folder: Path) -> Iterator[UvicornServer]:
    """Context manager: run the server in a thread of this process, with its database in a folder."""
    sock = bind("127.0.0.1", 0)
    app = create_app(Settings(data_dir=folder, warm=False, bot_pause=60))
    server = uvicorn_server(app, address_of(sock, "127.0.0.1"))
    up = threading.Event()
    server.announce = up.set
    thread = threading.Thread(target=lambda: asyncio.run(server.serve([sock])))
    thread.start()
    up.wait(60)
    try:
        yield server
    finally:
        server.should_exit = True
        thread.join(20)
        sock.close()


def fuzz(server: UvicornServer, count: int, number: int = 1) -> dict[str, Any]:
    """Send `count` generated requests to a server; return how many of each kind got which status.

    Raises Fault if the server answers one of them wrongly. `number` is the seed.
    """
    base = server.address.rstrip("/")
    session = requests.Session()
    document = session.get(f"{base}/api/openapi.json", timeout=30).json()
    # Skip event streams, which never end once opened; other tests cover their refusals.
    document["paths"] = {path: what for path, what in document["paths"].items() if not path.endswith("/stream")}
    schema = schemathesis.openapi.from_dict(document)
    described: list[Any] = list(schema.get_all_operations())
    operations = [described_operation.ok() for described_operation in described]
    table_id, tokens, existing_ids = _begun(session, base)
    answered: Counter[str] = Counter()
    begun = time.perf_counter()

    def state() -> tuple[Any, ...]:
        """Return what a refused request must not change: numbers of rows, and the position of the table."""
        with server.app.server.store.engine.connect() as connection:
            rows = tuple(connection.execute(sa.text(f"SELECT {COUNTS}")).one())
        played = server.app.server.tables.cached(table_id)
        return *rows, played and (played.match.ply, [seat.name for seat in played.seats])

    now, cookies = [state()], session.cookies.copy()

    @seed(number)
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list[Any](HealthCheck),
    )
    @given(st.one_of([operation.as_strategy() for operation in operations]), st.integers(0, 3))
    def send_case(case: Any, how: int) -> None:
        """Send one generated request and check its answer; with `how` above 0, about something that exists."""
        if how and (replaced := existing_ids.keys() & (case.path_parameters or {}).keys()):
            case.path_parameters |= {name: existing_ids[name] for name in replaced}
            if how > 1 and "table_id" in replaced:
                case.headers = {**(case.headers or {}), "Authorization": f"Bearer {tokens[how - 2]}"}
        session.cookies = cookies.copy()  # the last request may have signed out
        answer = case.call(base_url=base, session=session, timeout=30)
        answered[f"{case.method} {case.path} {answer.status_code}"] += 1
        what = f"{case.method} {case.formatted_path} {case.body!r:.300}"
        if answer.status_code >= 500:
            raise Fault(f"{what} was answered with {answer.status_code}: {answer.text[:300]}")
        case.validate_response(answer, checks=CHECKS)
        after = state()
        if answer.status_code >= 400 and after != now[0]:
            raise Fault(f"{what} was refused with {answer.status_code}, and has changed {now[0]} to {after}.")
        now[0] = after

    send_case()
    return {
        "requests": sum(answered.values()),
        "seconds": round(time.perf_counter() - begun, 1),
        "answers": dict(sorted(answered.items())),
    }


def _begun(session: requests.Session, base: str) -> tuple[str, list[str], dict[str, str]]:
    """Make a table, a season, a tournament and a club for requests to be about.

    Returns the table's id, its seat tokens, and the ids of all four by the name of their path parameter.
    """
    # Somebody without a cookie holds seats by tokens, and as many as they like.
    answer = requests.post(f"{base}/api/tables", json=THREE, timeout=30)
    answer.raise_for_status()
    started = answer.json()
    page = session.get(f"{base}/seasons", timeout=30).text
    session.headers["x-csrf"] = page.partition('name="csrf" value="')[2].partition('"')[0]

    def post(path: str, **body: Any) -> Any:
        answer = session.post(f"{base}/api/{path}", json=body, timeout=30)
        answer.raise_for_status()
        return answer.json()

    page = session.post(
        f"{base}/seasons", data={"csrf": session.headers["x-csrf"], "title": "Fuzz", "host": "Hal"}, timeout=30
    )
    season = page.url.rstrip("/").split("/")[-2]
    post(f"seasons/{season}/cast", csv=CAST, apply=True)
    tournament = post("tournaments", title="Fuzz", host="Hal", game="pyramis", bot="random")["id"]
    club = post("clubs", name="Fuzz", member="Hal")["id"]
    existing_ids = {"table_id": started["id"], "season_id": season, "tournament_id": tournament, "club_id": club}
    return started["id"], list(started["tokens"].values()), existing_ids


def main() -> None:
    """Send the requests and print the responses by status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pyramidion-fuzz-") as folder, serving(Path(folder)) as server:
        figures = fuzz(server, asked.requests, asked.seed)
    print(f"{figures['requests']} requests in {figures['seconds']} s: no 5xx, and no refused one has changed anything.")
    for what, times in figures["answers"].items():
        print(f"  {times:6} {what}")


if __name__ == "__main__":
    main()
