"""Tests of translated pages: no English is left over, and each reader gets texts in their own language."""

import re
from contextlib import closing
from html.parser import HTMLParser
from types import SimpleNamespace

import httpx
import pytest

from pyramidion.engine import registry
from pyramidion.translation import LANGUAGES, SOURCE, _, date_and_time, in_language, whole, with_names
from pyramidion.web.durations import duration
from pyramidion.web.features.analysis.service import HEIGHT, WIDTH
from pyramidion.web.pages.renderer import render_page
from pyramidion.web.table.settings.time_controls import moment

OTHERS = [tag for tag in LANGUAGES if tag != SOURCE]
READ_ALOUD = ("aria-label", "title", "placeholder", "alt")
EMPTY = {"area", "br", "hr", "img", "input", "link", "meta"}
THE_SAME = {
    "fr": {
        "1 minute",
        *(f"{n} minutes" for n in (2, 5, 15, 20, 30, 60, 90)),
        "Expert",
        "Options",
        "Position",
        "Contribution",
        "E-mail",
        "Message",
        "Messages",
        "Notifications",
        "Actions",
        "Coach",
        "Normal",
        "Clubs",
    },
    "pt": {"E-mail", "Bots:", "Bot: Normal", "Bot: Expert", "Expert", "Normal", "envelope"},
    "zh-Hant": set(),
}
"""Texts that read in a language as they do in English."""
GAMES = "|".join(re.escape(game.name) for game in registry.all_games().values())
NAMES = re.compile(rf"Pyramidion( ·)?|{GAMES}|Zed|[A-Z]{{2}} \d[.\d]*")


class Texts(HTMLParser):
    """What is read on a page, on the screen or aloud, without what is marked as English."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: set[str] = set()
        self._quiet: list[bool] = [False]
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        english = tag != "html" and given.get("lang") == "en"
        quiet = self._quiet[-1] or english or tag in ("script", "style", "code") or given.get("id") == "language"
        self._read(quiet, given)
        if tag not in EMPTY:
            self._quiet.append(quiet)

    def handle_startendtag(self, tag, attrs):
        self._read(self._quiet[-1], dict(attrs))

    def handle_endtag(self, tag):
        self._quiet.pop()

    def handle_data(self, data):
        self._note(self._quiet[-1], data)

    def _read(self, quiet, given):
        for key in READ_ALOUD:
            self._note(quiet, given.get(key) or "")

    def _note(self, quiet, text):
        text = " ".join(text.split())
        if not quiet and re.search("[A-Za-z]{2}", text) and not NAMES.fullmatch(text):
            self.found.add(text)


def left_over(english: str, other: str, tag: str) -> set[str]:
    """Return what reads on a page as it does on the English one."""
    assert f'<html lang="{tag}">' in other or "<html" not in other
    return (Texts(english).found & Texts(other).found) - THE_SAME[tag]


def newcomer(address: str) -> httpx.Client:
    """Return a browser whose guest name, which is drawn at random, reads differently in every language."""
    while True:
        client = httpx.Client(base_url=address, timeout=60)
        pages = [client.get("/", headers={"accept-language": tag}).text for tag in LANGUAGES]
        names = {re.search(r'id="guest".*?placeholder="([^"]+)"', page, re.DOTALL)[1] for page in pages}
        if len(names) == len(LANGUAGES):
            return client
        client.close()


@pytest.fixture(scope="module")
def table(server):
    """The address of a table, with whoever started it as client."""
    with closing(newcomer(server.address)) as client:
        form = {"csrf": re.search(r'name="csrf" value="([^"]+)"', client.get("/games/ponzi-scheme/new").text)[1]}
        form |= {"game": "ponzi-scheme", "seats": "3", "me": "Zed", "seat-0": "me", "seat-1": "open", "seat-2": "open"}
        started = client.post("/tables", data={**form, "clock": "300", "hints": "on", "seed": "7", "listed": "open"})
        yield client, started.headers["location"]


@pytest.mark.parametrize("tag", OTHERS)
def test_no_page_has_english_left_over(table, tag):
    client, at = table
    pages = ["/", "/lobby", "/account", "/join?code=XXXX", "/nothing", "/t/nothing", "/games/ponzi-scheme/rules"]
    pages += ["/games/ponzi-scheme/new", "/games/upside-down/new", f"{at}/seals", f"{at}/chat", f"{at}/elsewhere"]
    found = {}
    for page in pages:
        read = [client.get(page, headers={"accept": "text/html", "accept-language": one}).text for one in ("en", tag)]
        if left := left_over(*read, tag):
            found[page] = left
    assert found == {}


@pytest.mark.parametrize("tag", OTHERS)
def test_no_analysis_has_english_left_over(tag):
    told = {"x": 1.0, "y": 1.0, "version": 3, "moment": "!", "name": "Zed", "cost": "9 %", "played": "?", "better": "!"}
    judged = SimpleNamespace(ply=3, seat=0, better="!")
    shown = {"chance_played": "1 %", "chance_better": "10 %", "pieces": (), "why": "?"}
    decision = SimpleNamespace(**told, **shown, decision=judged)
    turning_point = SimpleNamespace(version=3, ply=3, name="Zed", action="?", winner="Zed", before="1 %", after="9 %")
    chart = SimpleNamespace(
        plies=9, curves=[SimpleNamespace(seat=0, name="Zed", points="0,0")], positions=[0],
        mistakes=[decision], own=[decision], others=[decision], turning_point=turning_point,
        open_positions=[0], rows=[(0, ["50 %"])], judged=2, iterations=2000,
    )  # fmt: skip
    for state, shown in (("ready", chart), ("running", None), ("failed", None), ("none", None)):
        read = []
        for one in (SOURCE, tag):
            with in_language(one):
                progress = SimpleNamespace(state=state, total=2, done=1)
                given = {
                    "title": "Zed",
                    "table_id": "t",
                    "csrf": "",
                    "me": 0,
                    "names": ["Zed"],
                    "static": "",
                    "form_page": None,
                    "share": "50 %",
                }
                read.append(
                    render_page(
                        "analysis_page.html", **given, progress=progress, chart=shown, width=WIDTH, height=HEIGHT
                    )
                )
        assert left_over(*read, tag) == set()


def test_two_who_ask_the_same_are_answered_in_their_languages(table):
    client, at = table
    said = {}
    for tag in LANGUAGES:
        headers = {"accept-language": tag, "accept": "application/json"}
        answer = client.get(f"{at}/refusal", params={"ids": "nothing"}, headers=headers).json()["reason"]
        missing = client.get("/api/tables/nothing", headers=headers).json()["detail"]
        seats = client.get(f"/api{at.replace('/t/', '/tables/')}", headers=headers).json()["seats"]
        said[tag] = answer, missing, seats[1]["name"]
    assert said["en"][2] == "Open seat 2"
    assert said["fr"][2] == "Siège libre 2"
    assert said["zh-Hant"][0] == "現在不能對它做什麼。"
    for texts in zip(*said.values(), strict=True):
        assert len(set(texts)) == len(LANGUAGES)


def test_a_table_without_a_title_of_its_own_is_called_by_its_game_in_the_readers_language(table):
    client, at = table
    with in_language("zh-Hant"):
        name = _("Ponzi Scheme")
    assert name != "Ponzi Scheme"
    for page in ("/lobby", at, f"{at}/chat", f"{at}/elsewhere"):
        text = client.get(page, headers={"accept-language": "zh-Hant"}).text
        assert name in text
        assert "Ponzi Scheme" not in re.sub(r"<title>.*?</title>", "", text)


def test_a_sentence_names_its_seats_in_every_language():
    for tag in LANGUAGES:
        with in_language(tag):
            sentence = _("There is no seat {seat}; this table has seats {first} to {last}.")
            assert with_names(sentence.format(seat=7, first=0, last=2), ["Ana", "Bo"]) == sentence.format(
                seat=7, first=0, last=2
            )
            named = with_names(sentence.format(seat=1, first=0, last=2), ["Ana", "Bo"])
            assert "Bo" in named
            assert "Ana" not in named


def test_times_and_numbers_are_written_as_a_language_writes_them():
    said = {}
    for tag in LANGUAGES:
        with in_language(tag):
            said[tag] = duration(90061), whole(12345), date_and_time(moment(1_795_255_800_000))
    assert said["en"] == ("1 day 1 hour 1 minute 1 second", "12,345", "21 November, 10:10:00 UTC")
    assert said["fr"] == ("1 jour 1 heure 1 minute 1 seconde", "12\u202f345", "21 novembre, 10:10:00 UTC")
    assert said["pt"][2] == "21 de novembro, 10:10:00 UTC"
    assert said["zh-Hant"] == ("1天 1小時 1分鐘 1秒", "12,345", "11月21日 10:10:00 UTC")
