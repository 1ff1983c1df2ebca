"""Shows: neither the replay of a match nor the page of an episode tells viewers of what comes later."""

import random
import re
from dataclasses import replace

import httpx
import pytest
from tests.every_game import few_seats, limits
from tests.web.conftest import Player
from tests.web.helpers.seasons import Host
from tests.web.helpers.spoilers import early_results, spoilers

import pyramidion
from pyramidion.engine import registry
from pyramidion.engine.game import chance_words
from pyramidion.engine.layout import EVERYTHING, SPECTATOR, seen
from pyramidion.web.application import create_app
from pyramidion.web.features.seasons.pages.show import MOST_TURNING_POINTS, turning_points
from pyramidion.web.play.panels import fragment_of
from pyramidion.web.settings import Settings
from pyramidion.web.table.snapshots.snapshot import snapshot_of, unspoiled

SAME = 12
"""How many actions two matches have in common before they part."""


def finished(client, game, choice):
    """Play a match of two, the first `SAME` actions alike in every world; return it and how many actions it had."""
    table = Player(client, ("me", "me"), game, seed="the same deal", title="Code Red, episode 1")
    number = 0
    while not (seen := table.get("/view"))["over"]:
        assert number < 500
        for seat in range(2):
            legal = table.get("/legal", seat)
            if legal["legal"]:
                action = legal["legal"][0 if number < SAME else choice]
                answer = table.post(seat, action["text"], legal["version"])
                assert answer.status_code == 200, answer.text
                number += 1
                break
        else:
            raise AssertionError(seen)
    return table, number


def told(table, path, **query):
    """Return what a viewer gets at an address, without what differs between any two tables and visits."""
    answer = table.client.get(f"/t/{table.id}{path}", params=query)
    assert answer.status_code == 200, answer.text
    text = answer.text.replace(table.id, "TABLE")
    return re.sub(r'(csrf"|data-csrf=)[^>]*?value="[^"]*"|data-csrf="[^"]*"', "", text)


def test_a_replay_from_the_beginning_tells_nothing_of_what_comes_later(client):
    (one, first), (other, second) = finished(client, "pyramid-scheme", 0), finished(client, "pyramid-scheme", -1)
    assert min(first, second) > SAME
    assert told(one, "") != told(other, "")  # the results differ
    for at in range(0, SAME + 1, 3):
        for path, query in {
            "": {"at": at, "open": 1, "until_here": 1},
            "/fragment": {"version": at, "seat": "all", "until_here": 1},
            "/position.svg": {"at": at, "open": 1},
        }.items():
            assert told(one, path, **query) == told(other, path, **query), (at, path)
        known = re.search(r'data-events="(\d+)"', told(one, "/fragment", version=at, seat="all", until_here=1))
        lines = {"since": 0, "until": known[1], "seat": "all"}
        assert told(one, "/log", **lines) == told(other, "/log", **lines)
    # Once the end is reached nothing is hidden any more.
    end = told(one, "", at=first, open=1, until_here=1)
    assert "data-until-here" not in end
    assert f"{first} of {first}" in end


def slides(client, host, number=1):
    """Return the pages of an episode's slides in order, without what differs between any two seasons and visits."""
    pages = []
    while not pages or f'href="/seasons/SEASON/show/{number}?slide={len(pages) + 1}"' in pages[-1]:
        answer = client.get(f"/seasons/{host.id}/show/{number}", params={"slide": len(pages) + 1})
        assert answer.status_code == 200, answer.text
        page = answer.text.replace(host.id, "SEASON")
        pages.append(re.sub(r'value="[^"]*"|data-version="[^"]*"|data-csrf="[^"]*"', "", page))
    return pages


def leaves(host, loser, opponent, candidate=None, tokens="c3"):
    """Let the host enter an episode that is played elsewhere."""
    host.done("episode-opened")
    host.done("result-entered", candidate=candidate or loser, tokens={tokens: 1})
    host.done("opponent-named", opponent=opponent)
    host.done("duel-entered", loser=loser)
    host.step("elimination")


def four(client, **settings):
    host = Host(client, audience="live", **settings)
    for name in ("Nina", "Felix", "Grace", "Ada"):
        host.done("cast-added", name=name, bot="random")
    return host


def kinds(pages):
    return [re.search(r'data-slide="([\w-]+)"', page)[1] for page in pages]


def test_a_slide_tells_nothing_of_later_ones(client):
    """Two worlds that part at a slide have the same pages before it."""
    worlds = {
        "tokens": {"tokens": "c4"},
        "candidate": {"candidate": "c2", "loser": "c2", "opponent": "c1"},
        "opponent": {"opponent": "c4"},
        "elimination": {"loser": "c2"},
    }
    usual = {"loser": "c1", "opponent": "c2", "candidate": "c1", "tokens": "c3"}
    host = four(client)
    leaves(host, **usual)
    first = slides(client, host)
    assert kinds(first) == [
        "title", "cast", "no-table", "tokens", "candidate", "opponent", "no-table", "elimination", "summary", "end",
    ]  # fmt: skip
    for kind, changes in worlds.items():
        host = four(client)
        leaves(host, **usual | changes)
        at = kinds(first).index(kind)
        second = slides(client, host)
        assert first[:at] == second[:at], kind
        assert first[at] != second[at], kind


def test_a_result_that_hosts_entered_says_so_when_it_is_over(client):
    host = four(client)
    host.done("settings", title="Code Red", audience="phase")
    host.done("episode-opened", game="pyramis", duel="pyramid-shambo")
    host.done("result-entered", candidate="c1", tokens={"c3": 1})
    page = slides(client, host)[2]
    assert "The hosts entered this result." in page
    assert "This appears here when it is over." not in page
    host.done("opponent-named", opponent="c2")
    assert "This appears here when it is over." in slides(client, host)[6]
    host.done("duel-entered", loser="c1")
    assert "The hosts entered this result." in slides(client, host)[6]


def test_a_final_ends_with_the_winner_of_the_season(client):
    host = four(client)
    leaves(host, "c1", "c2")
    leaves(host, "c2", "c3", tokens="c4")
    host.done("episode-opened")
    host.done("duel-entered", loser="c3")
    host.step("elimination")
    pages = slides(client, host, 3)
    assert kinds(pages) == ["title", "cast", "opponent", "no-table", "champion", "summary", "end"]
    assert re.search(r"Winner of the season.*?Ada", pages[4], re.S)
    assert "Grace" not in pages[4].split("<main")[1]


def test_somebody_who_withdraws_after_an_episode_begins_it_with_the_others(client):
    host = four(client)
    leaves(host, "c1", "c2")
    before = slides(client, host)[1]
    host.done("withdrawn", contestant="c4")
    assert slides(client, host)[1] == before
    assert "Ada" in slides(client, host)[1]


VOTE = {
    "name": "Vote",
    "fields": [{"name": "vote", "kind": "contestant", "others": False}],
    "score": "count(vote == me)",
    "highest": "loses",
    "tie": "hosts",
}


def test_votes_and_their_count_are_shown_before_the_candidate(client):
    """Two worlds with the same votes, which hosts decide, are alike up to the slide of the candidate."""

    def world(candidate):
        host = four(client)
        host.done("own-match-set", **VOTE)
        host.done("episode-opened", own="Vote")
        host.done("own-match-opened", form="Vote")
        host.done("own-round-sealed", match="m1")
        assert host.ask("POST", "/reveal", match="m1").status_code == 200
        host.done("result-entered", candidate=candidate)
        return slides(client, host)

    first, second = world("c1"), world("c2")
    assert kinds(first)[:7] == ["title", "cast", "own", "submissions", "scores", "tie", "candidate"]
    assert first[:5] == second[:5]
    assert "Votes received" not in first[3]
    assert "Votes received" in first[4]
    assert early_results(first) == []


def test_scores_are_ranked_with_their_winner_and_a_tie_is_told_before_what_follows(client):
    """Bots who took no part are on no slide of the match."""
    host = Host(client, audience="live")
    for name in ("Nina", "Felix", "Grace", "Ada"):
        host.done("cast-added", name=name)
    host.done("cast-added", name="Rob", garnets=5, priority=3, bot="random")
    bid = {"name": "bid", "kind": "number"}
    host.done("own-match-set", name="Bids", fields=[bid], score="bid", highest="wins", lowest="loses")
    host.done("episode-opened", own="Bids")
    host.done("own-match-opened", form="Bids")
    links = host.ask("GET", "/links").json()
    codes = {link["who"]: link["token"] for link in links}
    for who, value in {"c1": 3, "c2": 9, "c3": 3, "c4": 5}.items():
        token = client.post(f"/api/seasons/{host.id}/join", json={"code": codes[who]}).json()["token"]
        assert host.ask("POST", "/submissions", token, match="m1", values={"bid": value}).status_code == 200
    host.done("own-round-sealed", match="m1")
    assert host.ask("POST", "/reveal", match="m1").status_code == 200
    host.done("result-entered", candidate="c3", tokens={"c2": 1}, tie_reason="A coin said so.")
    shown = slides(client, host)
    assert kinds(shown)[:7] == ["title", "cast", "own", "submissions", "scores", "tie", "tokens"]
    assert not any("Rob" in slide for slide in shown[2:5])
    ranking = re.findall(r'class="name"><bdi>(\w+)</bdi></span>\s*(<b class="small">Winner</b>)?', shown[4])
    names = [contestant["name"] for contestant in host.get()["cast"]]
    assert [name for name, _won in ranking] == [names[1], names[3], names[0], names[2]]
    assert [bool(won) for _name, won in ranking] == [True, False, False, False]
    assert "The contestant with the lowest score becomes the elimination candidate." in shown[4]
    assert f"A tie between {names[0]} and {names[2]}. The hosts decided the tie." in shown[5]
    assert "A coin said so." in shown[5]


@pytest.mark.slow
@pytest.mark.parametrize("game", ["downside-up", "upside-down"])
def test_no_slide_of_an_episode_of_a_shipped_format_tells_what_a_later_one_reveals(client, game):
    """The third shipped format, that of a vote, is the test above."""
    host = Host(client, audience="live")
    host.bots()
    host.episode(game, "pyramid-shambo")
    pages, names = slides(client, host), [one["name"] for one in host.get()["cast"]]
    order = [kind for kind in kinds(pages) if kind in ("tokens", "candidate", "elimination")]
    assert order == ["tokens", "candidate", "elimination"]
    ends = [number for number, page in enumerate(pages) if "How it ended" in page]
    assert [kinds(pages)[number + 1] for number in ends] == ["tokens", "elimination"]
    assert kinds(pages).count("board") <= 2 * (MOST_TURNING_POINTS + 1)
    assert spoilers(pages, names) == []


def test_a_slide_that_tells_too_much_is_noticed():
    def page(kind, text):
        return f'<title>Code Red</title><main data-slide="{kind}"><p>{text}</p></main>'

    candidate = page("candidate", '<span class="name"><bdi>Ana</bdi></span>')
    told = [page("board", "<b>Ana</b> is the elimination\n candidate."), page("title", "Ana plays."), candidate]
    assert spoilers(told, ["Ana", "Ben"]) == [(0, "Ana is the elimination candidate.", 2)]
    assert spoilers([page("board", '<img alt="Ana, candidate">'), candidate], ["Ana"]) != []


def test_a_result_before_the_end_of_its_match_is_noticed():
    def page(kind, part, text=""):
        return f'<main data-slide="{kind}" data-part="{part}"><p>{text}</p></main>'

    ana = '<span class="name"><bdi>Ana</bdi></span>'
    board, end = page("board", "duel"), page("board", "duel", "Ana is out.")
    assert spoilers([board, page("elimination", "duel", ana), end], ["Ana"]) == [(1, "elimination", 2)]
    assert spoilers([board, end, page("elimination", "duel", ana)], ["Ana"]) == []
    assert spoilers([end, board, page("elimination", "duel", ana)], ["Ana"]) == [(0, "Ana is out.", 2)]
    assert spoilers([page("candidate", "main", ana), board, end], ["Ana"]) == []


def test_the_show_skips_a_match_to_its_end(client):
    host = four(client)
    host.step("open", game="pyramid-shambo")
    host.wait("main-playing")
    pages = slides(client, host)
    [end] = [number for number, page in enumerate(pages) if "How it ended" in page]
    assert kinds(pages)[2] == "match"
    for number in range(2, end):
        link = re.search(r'class="skip-match" href="/seasons/SEASON([^"]*)"', pages[number])[1].replace("&amp;", "&")
        assert "How it ended" in client.get(f"/seasons/{host.id}{link}").text
    assert "skip-match" not in pages[end]


def test_turning_points_are_few_and_the_biggest_events_come_first():
    assert turning_points([[7], [3, 5]]) == [3, 5, 7]
    assert turning_points([[], [*range(10, 20)]]) == [11, 13, 16, 18]
    assert turning_points([[4, 9, 8], [1, 2, 3, 4]]) == [2, 4, 8, 9]
    assert turning_points([]) == []


def test_the_progress_of_a_show_tells_nothing_of_later_slides(client):
    """Two worlds, in one of which the death match is over, have the same pages before it."""

    def world(*, over):
        host = four(client)
        host.done("episode-opened")
        host.done("result-entered", candidate="c1", tokens={"c3": 1})
        host.done("opponent-named", opponent="c2")
        if over:
            host.done("duel-entered", loser="c1")
        return slides(client, host)

    unfinished, over = world(over=False), world(over=True)
    at = kinds(over).index("opponent")
    assert unfinished[: at + 1] == over[: at + 1]
    assert re.search(r'<ol class="progress".*?</ol>', over[at], re.S)[0].count("<rect") == 4


def test_the_show_of_an_episode_tells_nothing_of_later_ones(client):
    host = four(client)
    leaves(host, "c1", "c2")
    before = slides(client, host)
    assert "gone" in before[7], "Nina has left."
    host.done("stood-in", contestant="c3", name="Eve", bot="random")
    host.done("posted", text="Grace had to leave.")
    host.done("corrected", "Because.", contestant="c3", currency="garnets", amount=5)
    leaves(host, "c2", "c4")
    after = slides(client, host)
    assert after[:-1] == before[:-1]
    assert "Next episode" in after[-1]
    assert "Eve" in "".join(slides(client, host, 2))


def test_a_confessional_stands_where_it_was_written(client):
    host = four(client)
    host.done("episode-opened")
    host.done("result-entered", candidate="c1", tokens={"c3": 1})
    host.done("cast-changed", contestant="c1", name="Nina")
    link = next(one["token"] for one in host.ask("GET", "/links").json() if one["who"] == "c1")
    own = host.ask("POST", "/join", code=link).json()["token"]
    host.done("confessed", token=own, contestant="c1", text="I am doomed.", publish="episode")
    host.done("opponent-named", opponent="c2")
    host.done("duel-entered", loser="c1")
    host.step("elimination")
    pages = slides(client, host)
    assert kinds(pages)[4:7] == ["candidate", "confession", "opponent"]
    assert [number for number, page in enumerate(pages) if "I am doomed." in page] == [5]


def test_the_recap_has_the_sentences_of_all_episodes_in_order(client):
    host = four(client)
    leaves(host, "c1", "c2")
    leaves(host, "c4", "c4", candidate="c2")
    pages = [client.get(f"/seasons/{host.id}/recap", params={"slide": number}).text for number in range(1, 8)]
    assert kinds(pages)[:6] == ["title", "cast", "recap", "recap", "standing", "end"]
    assert "Nina challenged Felix to the death match and lost." in pages[2]
    assert "After 2 episodes, 2 of 4 contestants are left." in pages[4]
    assert "Nina is out. 3 contestants are left." in pages[2]
    assert "Nina" not in pages[0]


def test_a_season_page_lists_who_met_in_death_matches_and_leaves_out_the_balances_at_the_start(client):
    host = Host(client, audience="live", garnets="public")
    for name in ("Nina", "Felix", "Grace"):
        host.done("cast-added", name=name, garnets=5, bot="random")
    leaves(host, "c1", "c2")
    host.done("corrected", "A prize", contestant="c2", currency="garnets", amount=1)
    host.done("episode-opened")
    host.done("duel-entered", loser="c2")
    host.step("elimination")
    page = re.sub(r"\s+", " ", re.sub(r"</?bdi>", "", client.get(f"/seasons/{host.id}").text))
    assert "Episode 1: Nina → Felix · Winner: Felix" in page
    assert "Final: Felix – Grace · Winner: Grace" in page
    ledger = page[page.index("<summary>Ledger") :]
    assert "A prize" in ledger
    assert "Nina" not in ledger.split("</details>")[0]
    assert "Nina" in client.get(f"/seasons/{host.id}/ledger.csv").text


def test_an_episode_keeps_the_names_of_its_time_and_early_ones_take_one_line(client):
    host = Host(client, audience="live")
    host.bots(("Nina", "Felix", "Grace", "Ada", "Bo", "Cy", "Di"))
    for loser in ("c1", "c2", "c3", "c4", "c5"):
        if loser == "c2":
            host.done("stood-in", contestant="c2", name="Eve", bot="random")
        leaves(host, loser, "c7", tokens="c6")
        if loser == "c1":
            host.done("corrected", "Because.", contestant="c2", currency="garnets", amount=1)
    page = client.get(f"/seasons/{host.id}").text
    cards, lines = re.search(r'id="episodes">(.*?)<ol class="panel earlier">(.*?)</section>', page, re.S).groups()
    assert re.findall(r'id="episode-(\d)"', cards + lines) == ["3", "4", "5", "2", "1"]
    assert "Eve" in lines
    recap = client.get(f"/seasons/{host.id}/recap?slide=3").text
    assert "Nina challenged Di to the death match and lost." in recap


SECRETS = {
    "downside-up": {"bid", "garnets", "tickets"},
    "ponzi-scheme": {"cash", "price"},
    "pyramid-scheme": {"hand"},
    "pyramid-shambo": {"throw"},
    "pyramis": {"stars"},
    "upside-down": {"bid", "garnets", "priority", "tickets"},
}
"""What players of each game hide from others, and a show lays open."""


@pytest.mark.slow
@pytest.mark.parametrize("game_id", registry.own_ids())
async def test_a_show_lays_open_what_the_players_hid(tmp_path, game_id):
    chance, game, drawn = random.Random(game_id), pyramidion.load(game_id), set()
    app = create_app(Settings(data_dir=tmp_path, warm=False))
    async with app.router.lifespan_context(app):
        client = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://test", timeout=300)
        order = {
            "game": game_id,
            "seats": [{"kind": "me"}] * few_seats(game),
            "seed": "a deal",
            "options": limits(game),
        }
        table = await app.server.tables.get((await client.post("/api/tables", json=order)).json()["id"])
        while not table.match.over:
            seat = chance.choice(table.match.acting)
            await table.act(seat, chance.choice(table.visibility.legal_ids(seat)), table.version(seat))
        plies = table.match.positions(EVERYTHING)
        for at in chance.sample(range(1, len(plies) - 1), min(60, len(plies) - 2)):
            position, seen_by_all = table.match.at(plies[at]), snapshot_of(table, None, at, everything=True)
            path = f"/t/{table.id}/fragment?version={at}&seat=all&until_here=1"
            assert (await client.get(path)).text == fragment_of(unspoiled(seen_by_all))
            # Another position that looks the same to spectators: the show draws the difference.
            deal, real = position.redacted_state(None).copy(), position.state_copy()
            game.compiled.redeal(position.box, deal, SPECTATOR, chance_words(chance.getrandbits(63)))
            for name in SECRETS[game_id] - drawn:
                mixed = real.copy()
                mixed[name] = deal[name]
                view = game.view.view(seen(position.box), seen(game.layout.redact(mixed, EVERYTHING)), EVERYTHING)
                if fragment_of(replace(seen_by_all, view=view)) != fragment_of(seen_by_all):
                    drawn.add(name)
        await client.aclose()
    assert drawn == SECRETS[game_id]


def test_viewers_after_each_part_learn_nothing_of_a_table_that_is_played(client):
    host = Host(client, audience="phase", garnets="public")
    for name in ("Nina", "Felix", "Grace"):
        host.done("cast-added", name=name, garnets=5)
    for nth, one in enumerate(host.ask("GET", "/links").json(), 1):
        # They do not play, so the table goes on.
        assert host.ask("POST", "/join", code=one["token"]).json()["who"] == f"c{nth}"

    def told():
        paths = (
            "",
            "/now",
            "/show/1",
            "/recap?slide=3",
            "/season.html",
            "/result/1.png",
            "/cast.csv",
            "/ledger.csv",
            "/episodes.csv",
            "/posts.csv",
        )
        answers = [client.get(f"/seasons/{host.id}{path}") for path in paths] + [client.get(f"/api/seasons/{host.id}")]
        changing = r'value="[^"]*"|data-csrf="[^"]*"|<footer.*?</footer>'
        return [re.sub(changing, "", f"{one.status_code} {one.text}") for one in answers]

    season = host.step("open", game="pyramid-shambo", title="Arrival")
    [table] = season["episodes"][0]["tables"]
    before = told()
    assert "Episode 1 is on: the main match is being played." in before[0]
    for told_of_the_table in ("Sham", "Arrival", table["table"]):
        assert not [page for page in before if told_of_the_table in page]
    host.done("posted", text="Felix leads.")
    host.done("cast-changed", contestant="c3", name="Gloria")
    assert told() == before
    page = client.get(f"/t/{table['table']}").text
    assert f"/seasons/{host.id}/show" not in page


def test_a_file_of_a_season_has_the_names_that_its_reader_knows(client):
    host = Host(client, audience="episode", garnets="public")
    host.bots(("Nina", "Felix"))
    host.done("corrected", "Because.", contestant="c1", currency="garnets", amount=5)
    host.done("episode-opened")
    host.done("stood-in", contestant="c1", name="Eve", bot="random")
    ledger = client.get(f"/seasons/{host.id}/ledger.csv").text
    assert "Nina" in ledger
    assert "Eve" not in ledger
    host.done("corrected", "More.", contestant="c1", currency="garnets", amount=1)
    assert "Eve" in host.ask("GET", "/ledger.csv").text


def test_viewers_see_who_is_left_first_and_only_columns_that_are_open_to_them(client):
    host = Host(client, garnets="hosts", priority="public")
    for name, garnets in (("Nina", 3), ("Felix", 4), ("Grace", 5)):
        host.done("cast-added", name=name, garnets=garnets, priority=7, bot="random")
    page = client.get(f"/seasons/{host.id}").text
    cast = page[page.index('id="cast"') :]
    assert "Priority 7" in cast
    assert "garnets" not in cast
    host.done("episode-opened")
    host.done("result-entered", candidate="c1", tokens={"c3": 1})
    host.done("opponent-named", opponent="c2")
    host.done("duel-entered", loser="c1")
    host.step("elimination")
    page = client.get(f"/seasons/{host.id}").text
    gallery = page[page.index('class="gallery"') :]
    assert re.findall(r'<span class="name"><bdi>(\w+)', gallery)[:3] == ["Felix", "Grace", "Nina"]


def test_the_show_leads_to_a_replay_without_later_positions(client):
    host = Host(client, audience="live")
    for name in ("Nina", "Felix", "Grace"):
        host.done("cast-added", name=name, bot="random")
    host.step("open", game="pyramid-shambo")
    host.wait("main-playing")
    pages = slides(client, host)
    number, board = next((nth, page) for nth, page in enumerate(pages, 1) if 'data-slide="board"' in page)
    assert 'class="board panel"' in board
    link = re.search(r'href="(/t/[^"]*)"', board)[1].replace("&amp;", "&")
    link = re.sub(r"at=\d+", "at=0", link)
    replay = client.get(link).text
    for back in ("season-link", "way-back"):
        assert f'id="{back}" href="/seasons/{host.id}/show/1?slide={number}"' in replay
    for elsewhere in ("//evil.example", "9/../..", "-1", "٣"):
        page = client.get(re.sub(r"slide=\d+", f"slide={elsewhere}", link)).text
        assert f'id="way-back" href="/seasons/{host.id}/show/1"' in page
    assert "data-until-here" in replay
    assert 'max="0"' in replay


def test_the_page_says_what_comes_next(client):
    host = Host(client, audience="live")
    path = f"/seasons/{host.id}"

    def said():
        return re.search(r'id="step">(.*?)</p>', client.get(path).text, re.DOTALL)[1].strip()

    assert said() == "The cast is not complete yet."
    host.bots(("Nina", "Felix", "Grace"))
    assert said() == "The first episode begins when the hosts start it."

    def leaves(loser, opponent):
        host.done("episode-opened")
        host.done("result-entered", candidate=loser)
        host.done("opponent-named", opponent=opponent)
        host.done("duel-entered", loser=loser)
        host.step("elimination")

    host.bots(("Omar",))
    leaves("c1", "c2")
    assert said() == "The next episode begins when the hosts start it."
    leaves("c2", "c3")
    assert said() == "The final begins when the hosts start it."
    # Whether an episode is being played is not for these viewers to know.
    host.done("settings", title="Code Red", audience="episode")
    before = said()
    host.done("episode-opened")
    assert said() == before == "Each episode appears here when it is over."
