"""Every account has a page, whatever its name is, and every link to it leads there."""

import re
from contextlib import closing
from html import unescape
from pathlib import Path
from urllib.parse import quote

import pytest
from tests.web.helpers.accounts import PASSWORD, Person

import pyramidion
from pyramidion.web.names import profile_path

NAMES = [
    "Ana Lucia", "a/b", "/", "//", "a//b", "..", ".", "...", "../..", "a/../b", "\\", "..\\..", "%", "%2e%2e", "%2F",
    "?", "a?b=c", "#", "a#b", "a&b", "a+b", ";x", "play", "block", "é", "❤\ufe0f", "👩\u200d👧", "علی\u200cرضا", "<b>",
    '"', "{x}", "a b.", "C:",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_an_account_has_a_page_and_can_sign_in(server, name):
    with closing(Person(server, name)) as person, closing(Person(server)) as stranger:
        own = person.get("/people/me").text
        [link] = re.findall(r'<p class="quiet"><a href="([^"]+)"', own)[:1]
        assert unescape(link) == profile_path(name)
        page = stranger.get(unescape(link))
        assert page.status_code == 200
        assert name in unescape(re.search(r"<h1>(.*?)</h1>", page.text, re.DOTALL)[1])
        # Clients resolve names of dots in the path of the API themselves.
        if name.strip("."):
            ratings = stranger.get(f"/api/people/{quote(name, safe='')}/ratings")
            assert (ratings.status_code, ratings.json().get("name")) == (200, name)
        for spelled in (name, name.upper(), f"  {name}\u00a0"):
            answer = stranger.form("/account/sign-in", name=spelled, password=PASSWORD)
            assert answer.status_code == 303, answer.text
            stranger.form("/account/sign-out")
            stranger.csrf = stranger._token()


def test_names_of_people_without_an_account_have_none(server):
    with closing(Person(server)) as stranger:
        assert stranger.get("/people").status_code == 422
        for name in ("Nobody", "../x", ".."):
            assert stranger.get("/people", params={"name": f"{name}!"}).status_code == 404


def test_every_link_to_a_page_is_made_in_one_place():
    sources = Path(pyramidion.__file__).parent
    for path in (*sources.rglob("*.html"), *sources.rglob("*.js")):
        written = re.findall(r"/people/(?!me\b|play\b|block\b|unblock\b).{12}", path.read_text("utf-8"))
        assert written == [], path
