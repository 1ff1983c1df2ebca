"""PostgreSQL goes away under a running server and comes back: it says what is going on, and recovers by itself."""

import time

import httpx
import pytest
from benchmarks.cluster import Cluster
from tests.web.conftest import Player, serving

pytestmark = pytest.mark.postgres


@pytest.fixture
def cluster():
    with Cluster() as cluster:
        yield cluster


def test_while_the_database_is_gone_nothing_is_done_and_afterwards_all_goes_on(tmp_path, cluster):
    url = cluster.new_database()
    with serving(tmp_path, database_url=url) as server, httpx.Client(base_url=server.address, timeout=30) as client:
        table = Player(client)
        seat = table.play("pass")
        with table.stream(seat) as stream:
            assert stream.next()["version"] == 1
            cluster.crash()
            [due] = [other for other in range(3) if other == (seat + 1) % 3]
            refused = table.post(due, "pass", 1)
            assert refused.status_code == 503
            assert "it does not answer" in refused.json()["detail"]
            page = client.get(f"/t/{table.id}")
            assert page.status_code == 503
            assert "it does not answer" in page.text
            assert str(tmp_path) not in page.text
            assert client.get("/ready").status_code == 503
            assert client.get("/health").status_code == 503
            cluster.start()
            end = time.monotonic() + 20
            while table.post(due, "pass", 1).status_code != 200:
                assert time.monotonic() < end
                time.sleep(0.05)
            # The stream was open all the time, and goes on where it was.
            assert stream.next()["version"] == 2
        assert table.get()["version"] == 2
        while {client.get(path).status_code for path in ("/health", "/ready")} != {200}:
            assert time.monotonic() < end
            time.sleep(0.05)
