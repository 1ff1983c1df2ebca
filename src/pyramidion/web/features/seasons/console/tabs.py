"""The tabs of the host's console: who is offered which, and to which one a form leads back."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from pyramidion.translation import marked

NOW, CAST, MORE = "now", "cast", "more"


@dataclass(frozen=True, slots=True)
class Tab:
    """A tab: `id` is its name in addresses, `words` its marked label.

    `kinds` are the forms that only this tab has: kinds of entries, or names of other forms. `needs` are kinds of
    entries of which the host must be allowed one; without any, all hosts have the tab.
    """

    id: str
    words: str
    kinds: frozenset[str] = frozenset()
    needs: frozenset[str] = frozenset()


TABS = (
    Tab(NOW, marked("Now")),
    Tab(
        CAST,
        marked("Contestants"),
        frozenset({"cast-added", "cast-changed", "stood-in", "corrected", "withdrawn", "struck", "noted", "portrait"}),
    ),
    Tab(
        "timeline",
        marked("Timeline"),
        frozenset({"schedule", "phase-set", "phases-planned", "phase-removed", "holidays-set"}),
    ),
    Tab("posts", marked("Posts and questions"), frozenset({"posted", "answered"})),
    Tab("talk", marked("Conversations")),
    Tab(
        "episodes",
        marked("Episodes"),
        frozenset({"episode-planned", "episode-renamed", "plan-cleared", "format-set", "own-match-set"}),
    ),
    Tab("shop", marked("Shop"), frozenset({"item-set", "item-removed"}), frozenset({"item-set"})),
    Tab("ledger", marked("Ledger")),
    Tab("log", marked("Log"), frozenset({"revoked"})),
    Tab("settings", marked("Settings"), frozenset({"settings"}), frozenset({"settings"})),
    Tab("hosts", marked("Hosts"), frozenset({"host-added", "host-removed"}), frozenset({"episode-opened"})),
    Tab("webhooks", marked("Webhooks"), frozenset({"webhook"}), frozenset({"episode-opened"})),
    Tab("templates", marked("Templates"), frozenset({"template", "plan"}), frozenset({"episode-planned"})),
)
IN_BAR = (NOW, CAST, "timeline", "posts")
"""The tabs in the bar of a phone; the others are on the page `MORE`."""
BY_ID = {tab.id: tab for tab in TABS}


def offered(may: Collection[str], *, talks: bool) -> list[Tab]:
    """Return the tabs of a host who may add entries of these kinds; `talks`: whether anybody has written privately."""
    return [tab for tab in TABS if (not tab.needs or tab.needs & set(may)) and (talks or tab.id != "talk")]


def tab_of_form(form: Mapping[str, str], otherwise: str = NOW) -> str:
    """Return the id of the tab that a form was on: what its field `tab` says, else the one for its kind."""
    given = form.get("tab", "")
    own = (tab.id for tab in TABS if form.get("kind") in tab.kinds)
    return given if given in BY_ID else next(own, otherwise)


def contestant_of_form(form: Mapping[str, str]) -> str:
    """Return the id of the contestant whose row a form was in, or an empty text."""
    return form.get("contestant") or form.get("who", "")


def host_path(form: Mapping[str, str], otherwise: str = NOW) -> str:
    """Return the path, below the season's page, of the tab to which a form leads back, with the same row open."""
    tab = tab_of_form(form, otherwise)
    query = {} if tab == NOW else {"tab": tab}
    if tab == CAST and (who := contestant_of_form(form)):
        query["who"] = who[:10]
    return f"/host?{urlencode(query)}" if query else "/host"
