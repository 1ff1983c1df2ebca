"""The site of nginx in deploy/: pages, actions and streams pass through it, and clients keep their addresses."""

import os
import re
import shutil
import socket
import subprocess
from pathlib import Path

import httpx
import pytest
from tests.web.conftest import Player, serving

SITE = Path(__file__).parents[2] / "deploy" / "nginx.conf"


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as sock:
        return sock.getsockname()[1]


def nginx_configuration(folder, upstream, port):
    """The configuration of an nginx without rights and certificates that has the documented site."""
    site = re.sub(r"ssl_certificate.*;", "", SITE.read_text("utf-8"))
    for documented, here in (
        ("listen [::]:443 ssl http2;", ""),  # there may be no IPv6 here
        ("listen [::]:80;", ""),
        ("listen 443 ssl http2;", f"listen 127.0.0.1:{port};"),
        ("listen 80;", f"listen 127.0.0.1:{free_port()};"),
        ("server 127.0.0.1:8000;", f"server {upstream};"),
    ):
        assert documented in site
        site = site.replace(documented, here)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    scratch = "".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
    file = folder / "nginx.conf"
    file.write_text(f"pid {folder}/pid; error_log stderr; events {{}} http {{ access_log off; {scratch} {site} }}")
    return file


@pytest.fixture
def nginx(tmp_path):
    """A client of a server behind nginx."""
    program = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    if program is None:
        if os.environ.get("PYRAMIDION_BROWSER_TESTS") == "required":
            pytest.fail("All tests are required, and there is no nginx here.")
        pytest.skip("There is no nginx here.")
    with serving(tmp_path) as server:
        port = free_port()
        file = nginx_configuration(tmp_path, server.address.removeprefix("http://").rstrip("/"), port)
        command = [program, "-e", "stderr", "-c", str(file)]
        subprocess.run([*command, "-t"], check=True, capture_output=True)
        process = subprocess.Popen([*command, "-g", "daemon off;"])
        try:
            transport = httpx.HTTPTransport(retries=10)  # until nginx listens
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60, transport=transport) as client:
                yield client
        finally:
            process.terminate()
            process.wait(60)


def test_the_site_listens_to_both_protocols_and_says_where_its_certificate_comes_from():
    site = SITE.read_text("utf-8")
    for port in ("80", "443 ssl http2"):
        assert f"listen {port};" in site
        assert f"listen [::]:{port};" in site
    assert "certbot certonly" in site.partition("server {")[0]


def test_the_port_is_passed_on_so_that_links_and_forms_work_on_any(nginx):
    port = nginx.base_url.port
    assert port not in (80, 443)
    own = {"Origin": f"http://127.0.0.1:{port}"}
    table = {"game": "pyramis", "seats": [{"kind": "me"}, {"kind": "open"}]}
    made = nginx.post("/api/tables", json=table, headers=own)
    assert made.status_code == 201
    assert f"http://127.0.0.1:{port}/t/{made.json()['id']}" in nginx.get(f"/t/{made.json()['id']}").text
    for other in ("http://127.0.0.1", f"http://127.0.0.1:{port + 1}"):
        assert nginx.post("/api/tables", json=table, headers={"Origin": other}).status_code == 403


def test_a_game_is_played_through_the_documented_site(nginx):
    home = nginx.get("/", headers={"Host": "play.example.org"})
    assert home.status_code == 200
    table = Player(nginx, ("me", "me", "me"))
    with nginx.stream("GET", f"{table.url}/stream") as stream:
        lines = stream.iter_lines()
        assert next(lines)
        table.play("pass")
        # What happened comes while the stream is open: nothing holds it back.
        assert any('"version":1' in line.replace(" ", "") for line in lines)
