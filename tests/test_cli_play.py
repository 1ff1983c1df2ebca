"""Tests of the terminal table, driven by typed lines."""

from __future__ import annotations

import io
import json
import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

import pyramidion
from pyramidion import Match, bots
from pyramidion.cli import main
from pyramidion.terminal.choices import choices
from pyramidion.terminal.drawing import choice_of, draw_anything, drawing_of
from pyramidion.terminal.notation import written
from pyramidion.terminal.table import GameLeft, TerminalTable
from pyramidion.terminal.typed_actions import selected_action

NAMES = ["Ann", "Bob", "Cleo", "Dan"]


def at_random(seed: int) -> Callable[[Match, int], pyramidion.Action]:
    chance = random.Random(seed)
    return lambda match, seat: chance.choice(match.legal(seat))


class Screen:
    """A table of Ponzi Scheme with people in the first seats, who type what `typed` returns, and its printed output."""

    def __init__(self, match: Match, people: int, typed: Callable[[str], str], height: int | None = None) -> None:
        """Make a screen without an end or, with a height, a terminal that is 80 columns wide."""
        self.out = io.StringIO()
        width, terminal = (120, False) if height is None else (80, True)
        console = Console(
            file=self.out, width=width, height=height, force_terminal=terminal, no_color=True, highlight=False
        )
        others = {seat: (f"Bot {seat + 1}", at_random(seat)) for seat in range(people, match.seats)}
        self.match = match
        self.table = TerminalTable(match, dict(enumerate(NAMES[:people])), others, console, self._prompted(typed))

    def _prompted(self, typed: Callable[[str], str]) -> Callable[[str], str]:
        def ask(prompt: str) -> str:
            line = typed(prompt)
            self.out.write(f"{prompt}{line}\n")
            return line

        return ask

    @property
    def text(self) -> str:
        return self.out.getvalue()


def lines(*answers: str) -> Callable[[str], str]:
    """Return an `ask` function that types these lines and then reaches the end of input."""
    left = list(answers)

    def typed(_: str) -> str:
        if not left:
            raise EOFError
        return left.pop(0)

    return typed


def screen_after(*typed: str, seed: int = 7, **options: object) -> str:
    screen = Screen(pyramidion.load("ponzi-scheme").new(4, seed, **options), 1, lines(*typed))
    with pytest.raises(GameLeft):
        screen.table.run()
    return screen.text


@pytest.mark.parametrize("advanced", [False, True])
@pytest.mark.parametrize("game_id", list(pyramidion.all_games()))
def test_a_whole_game_by_numbers_and_notation(game_id: str, advanced: bool) -> None:
    game = pyramidion.load(game_id)
    match = game.new(seed=3, **({"advanced": advanced} if "advanced" in game.options else {}))
    chance = random.Random(5)

    def typed(prompt: str) -> str:
        if "press Enter" in prompt:
            return ""
        seat = match.acting[0]
        listed = choices(match, seat, NAMES)
        if chance.random() < 0.5:
            entry = chance.choice(listed)
            return entry.key if entry.low is None else written(entry.action, game.actions, screen.table.names)
        return written(chance.choice(match.legal(seat)), game.actions, screen.table.names)

    screen = Screen(match, 2, typed)
    screen.table.run()
    assert match.over
    assert match.outcome is not None
    assert match.outcome.rule in screen.text
    again = pyramidion.Match.from_record(match.record())
    assert again.outcome == match.outcome


def test_the_command_plays_to_the_end_from_scripted_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 5000))
    arguments = ["play", "ponzi-scheme", "--seats", "3", "--seed", "11", "--bots", "random", "-o", "round_limit=12"]
    assert main(arguments) == 0
    output = capsys.readouterr().out
    assert re.search(r"won \(PZ (9\.3|10\.6)\)\. \d+ actions; --seed 11 deals this game again\.", output)
    assert "Highest card" in output


def test_the_end_of_input_leaves_the_table(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert main(["play", "ponzi-scheme"]) == 0
    assert "You left the table" in capsys.readouterr().out


@pytest.mark.parametrize(("resumed", "counted"), [(False, "after 1 action."), (True, "after 0 actions.")])
def test_leaving_counts_only_the_actions_of_people_at_this_screen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, resumed: bool, counted: str
) -> None:
    kept = tmp_path / "game.json"
    monkeypatch.setattr("sys.stdin", io.StringIO("pass\n"))
    assert main(["play", "ponzi-scheme", "--seed", "7", "--bots", "policy", "--save", str(kept)]) == 0
    if resumed:
        capsys.readouterr()
        monkeypatch.setattr("sys.stdin", io.StringIO(""))
        assert main(["play", "ponzi-scheme", "--bots", "policy", "--resume", str(kept)]) == 0
    assert counted in capsys.readouterr().out


def test_as_many_seats_as_people_are_there(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("\nboard\n"))
    assert main(["play", "ponzi-scheme", "--people", "5", "--seed", "7"]) == 0
    assert "Player 5" in capsys.readouterr().out


def test_the_help_stays_in_its_column_on_a_narrow_screen() -> None:
    match = pyramidion.load("ponzi-scheme").new(4, 7)
    screen = Screen(match, 1, lines("?"), height=24)
    with pytest.raises(GameLeft):
        screen.table.run()
    (form,) = (line for line in screen.text.splitlines() if "fund INDUSTRY CARD" in line)
    column = form.index("an action in its notation")
    following = screen.text.splitlines()[screen.text.splitlines().index(form) + 1]
    assert following[:column].strip() == ""


@pytest.mark.parametrize(
    ("game", "explained"),
    [
        ("ponzi-scheme", "$80: 144 in 3 = take $80 now"),
        ("pyramis", "B3/1A: a blue card"),
        ("pyramid-scheme", "a Victim with the letter b"),
    ],
)
@pytest.mark.parametrize("height", [None, 24])
def test_the_codes_on_the_screen_are_explained_at_the_beginning_and_in_the_help(
    game: str, explained: str, height: int | None
) -> None:
    screen = Screen(pyramidion.load(game).new(3, 7), 3, lines("", "", "?"), height=height)
    screen.table.introduce()
    with pytest.raises(GameLeft):
        screen.table.run()
    assert " ".join(screen.text.split()).count(explained) == 2


def test_a_refusal_names_the_rule_and_changes_nothing() -> None:
    output = screen_after("fund media 80", "sell", "fund mdia 9", "99", "amount 3", "pass")
    assert "The $80 card is not in the market. (PZ 4.1)" in output
    assert "Not now: fund or pass. (PZ 4.1)" in output
    assert "Did you mean 'media'" in output
    assert "Choose one of these: 1 to" in output


def test_a_question_mark_explains_without_playing() -> None:
    match = pyramidion.load("ponzi-scheme").new(4, 7)
    screen = Screen(match, 1, lines("? pass", "?fund media 80", "? 1", "?"))
    with pytest.raises(GameLeft):
        screen.table.run()
    assert "Yes: Pass." in screen.text
    assert "No: The $80 card is not in the market. (PZ 4.1)" in screen.text
    assert "fund INDUSTRY CARD" in screen.text
    assert match.acting == (0,)


def test_rules_log_board_and_list_can_be_asked_for() -> None:
    output = screen_after("rules 4.3", "rules 99", "log", "board", "list")
    assert "The sections are" in output or "the sections are" in output
    assert output.count("Bot 3 is the start player.") == 2
    assert output.count("Market ") >= 2
    assert output.count("Take media and the") == 6


@pytest.mark.parametrize("word", ["quit", "q", "Q", "exit"])
def test_quit_leaves(word: str) -> None:
    assert screen_after(word).count("Your move") == 1


def test_only_my_own_cash_is_on_the_screen() -> None:
    match = pyramidion.load("ponzi-scheme").new(4, 7)
    while match.acting != (0,) or match.view(0)["players"][0]["cash"] == 0:
        seat = match.acting[0]
        match.play(seat, match.legal(seat)[1] if match.view(0)["phase"] == "funding" else match.legal(seat)[0])
    console = Console(file=io.StringIO(), width=120)
    console.print(drawing_of(match.game)(match.view(0), NAMES))
    console.print(drawing_of(match.game)(match.view(None), NAMES))
    output = console.file.getvalue()  # type: ignore[attr-defined]
    assert output.count("hidden") == 3 + 4


def test_a_spectator_is_not_told_an_envelopes_price() -> None:
    match = pyramidion.load("ponzi-scheme").new(3, 1)
    chance = random.Random(2)
    while match.view(None)["phase"] != "answer" or match.view(match.acting[0])["envelope"]["price"] < 10:
        seat = match.acting[0]
        match.play(seat, chance.choice(match.legal(seat)))
        if match.over:
            match = pyramidion.load("ponzi-scheme").new(3, chance.randrange(1000))
    price = match.view(match.acting[0])["envelope"]["price"]
    for viewer, is_visible in ((match.acting[0], True), (None, False)):
        console = Console(file=io.StringIO(), width=120)
        console.print(drawing_of(match.game)(match.view(viewer), NAMES))
        envelope = next(line for line in console.file.getvalue().splitlines() if "Envelope" in line)  # type: ignore[attr-defined]
        assert (f"${price} " in envelope) is is_visible
        assert ("unknown" in envelope) is not is_visible


def test_several_people_are_parted_by_a_curtain() -> None:
    match = pyramidion.load("ponzi-scheme").new(3, 7)
    prompts: list[str] = []

    def typed(prompt: str) -> str:
        prompts.append(prompt)
        if len(prompts) > 12:
            raise EOFError
        return "" if "press Enter" in prompt else "pass"

    screen = Screen(match, 3, typed)
    with pytest.raises(GameLeft):
        screen.table.run()
    curtains = [prompt for prompt in prompts if "press Enter" in prompt]
    assert [name for prompt in curtains for name in NAMES if name in prompt][:3] == [
        NAMES[seat] for seat in ((match.at(0).acting[0] + turn) % 3 for turn in range(3))
    ]
    assert len(curtains) * 2 >= len(prompts)


def test_names_are_text_and_nothing_else(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("board\n"))
    assert main(["play", "ponzi-scheme", "--name", "[red]Ann", "--seed", "7"]) == 0
    assert "[red]Ann" in capsys.readouterr().out
    assert main(["play", "ponzi-scheme", "--name", "A\x1b[2Jnn"]) == 2
    assert main(["play", "ponzi-scheme", "--name", "Anna", "--name", "Аnna"]) == 2
    assert "what looks the same" in capsys.readouterr().err


def test_a_saved_game_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / "game.json"
    monkeypatch.setattr("sys.stdin", io.StringIO("pass\n" * 3))
    assert main(["play", "ponzi-scheme", "--seed", "7", "--save", str(kept)]) == 0
    record = json.loads(kept.read_text())
    assert record["seed"] == 7
    assert len(record["actions"]) > 3
    monkeypatch.setattr("sys.stdin", io.StringIO("log\n"))
    assert main(["play", "ponzi-scheme", "--resume", str(kept)]) == 0
    assert "Bot 3 is the start player." in capsys.readouterr().out


def test_other_cards_can_be_played_with(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    own = (pyramidion.load("ponzi-scheme").folder / "cards.toml").read_text("utf-8")
    cards = tmp_path / "cards.toml"
    cards.write_text(own.replace("value = 14, period = 4, interest = 11", "value = 14, period = 4, interest = 777"))
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert main(["play", "ponzi-scheme", "--cards", str(cards), "--seed", "7"]) == 0
    assert "777 in 4" in capsys.readouterr().out
    cards.write_text(own.replace("value = 14,", "value = 99,"))
    cards = cards.rename(tmp_path / "mine.toml")
    assert main(["play", "ponzi-scheme", "--cards", str(cards)]) == 2
    assert re.search(r"mine.toml, line \d+, .* field 'value': must be 14, not 99", capsys.readouterr().err)
    cards.write_text(own.replace("wealth = ", "welth = 3\nwealth = "))
    assert main(["play", "ponzi-scheme", "--cards", str(cards)]) == 2
    assert "mine.toml: there is no 'welth'; there are fund_cards, industries," in capsys.readouterr().err
    cards.write_text(own.replace("value = 14,", "value = 14, colour = 3,"))
    assert main(["play", "ponzi-scheme", "--cards", str(cards)]) == 2
    sentence = "mine.toml, fund_cards number 6: there is no field 'colour'; there are interest, kind, period, value."
    assert sentence in capsys.readouterr().err
    cards.write_text(own)
    assert main(["play", "upside-down", "--cards", str(cards)]) == 2
    sentence = "mine.toml is a card file of ponzi-scheme, not of upside-down."
    assert sentence in capsys.readouterr().err
    cards.write_bytes(b"\xff")
    assert main(["play", "ponzi-scheme", "--cards", str(cards)]) == 2
    assert capsys.readouterr().err == f"pyramidion: {cards} is not a text in UTF-8 or UTF-16. Save it as UTF-8.\n"
    assert main(["lab", "ponzi-scheme", "--cards", str(cards)]) == 2
    assert capsys.readouterr().err == f"pyramidion: {cards} is not a text in UTF-8 or UTF-16. Save it as UTF-8.\n"


def test_a_tampered_record_names_the_first_ply_that_is_not_legal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    match = pyramidion.load("ponzi-scheme").new(4, 7)
    match.play(2, "pass")
    record = match.record()
    record["actions"].append([3, "fund media 80"])
    kept = tmp_path / "game.json"
    kept.write_text(json.dumps(record))
    assert main(["play", "ponzi-scheme", "--resume", str(kept)]) == 2
    assert "Ply 2, 'fund media 80' by seat 4, is not legal" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["", "{", "[]", '{"game": "ponzi-scheme"}', "[" * 100_000, "\x00"])
def test_what_is_no_record_is_refused_in_one_line(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "game.json"
    kept.write_text(text)
    assert main(["play", "ponzi-scheme", "--resume", str(kept)]) == 2
    output = capsys.readouterr().err
    assert f"{kept} is not a " in output
    assert ("it is not JSON" in output) == (text not in ("[]", '{"game": "ponzi-scheme"}', "\x00"))
    assert output.count("\n") == 1


def test_any_view_can_be_drawn_without_knowing_the_game() -> None:
    for game in pyramidion.all_games().values():
        match = game.new(seed=1)
        console = Console(file=io.StringIO(), width=200)
        console.print(draw_anything(match.view(0), [f"[b]{seat}" for seat in range(match.seats)]))
        output = console.file.getvalue()  # type: ignore[attr-defined]
        assert "[b]1" in output


def test_a_bare_number_is_the_amount_where_nothing_else_is_asked() -> None:
    match = pyramidion.load("ponzi-scheme").new(3, 1)
    chance = random.Random(2)
    while match.view(None)["phase"] != "amount" or len(match.legal(match.acting[0])) < 12:
        seat = match.acting[0]
        match.play(seat, chance.choice(match.legal(seat)))
        if match.over:
            match = pyramidion.load("ponzi-scheme").new(3, chance.randrange(1000))
    listed = choices(match, match.acting[0], NAMES)
    assert len(listed) == 1
    assert listed[0].low == 0
    assert selected_action("11", listed) == "amount 11"
    assert selected_action("pass", listed) is None


def test_simultaneous_secrets_stay_behind_the_curtain(outside: Path) -> None:
    match = pyramidion.load("sealed-bid").new(seed=1)
    typed = iter(["bid 7", "confirm", "2", "bid 3"])
    screen = Screen(match, 3, lambda prompt: "" if "press Enter" in prompt else next(typed, "confirm"))
    screen.table.run()
    for_ann, for_bob = screen.text.split("This is for Bob", 1)
    assert "Ann: saved 7." not in for_bob.split("This is for Cleo")[0]
    assert "Ann: saved 7." in for_ann
    assert re.search("Bid: any number from 0 to 10 +bid N", for_ann)
    assert match.over


def test_a_game_without_a_drawing_of_its_own_can_be_played(
    outside: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 50))
    assert main(["play", "high-card", "--seed", "1"]) == 0
    assert "won (" in capsys.readouterr().out


def test_people_whom_nobody_waits_for_may_trade_and_take_back(outside: Path) -> None:
    game = pyramidion.load("silent-auction")
    # Ann sits this out: she is asked what she would like to do before the bots go on, until she lets it be.
    screen = Screen(game.new(seed=1, sits_out=True), 1, lines("bid 3", "gift 1", "", "", "1", ""))
    screen.table.run()
    assert "You sit this round out. (SA 1.1)" in screen.text
    assert "Nobody waits for " in screen.text
    assert "You: given" in screen.text
    assert screen.match.view(None)["gifts"] >= 2

    # Ann has confirmed, and takes that back while Bob has the screen.
    ask = lines("", "bid 3", "confirm", "", "as 7", "as 3", "as ann", "", "reopen", "", "confirm", "", "?")
    screen = Screen(game.new(seed=1), 2, ask)
    with pytest.raises(GameLeft):
        screen.table.run()
    assert screen.text.count("Type 'as' and the name of another person.") == 2
    assert "Take back" in screen.text
    assert "let another person act first" in screen.text


def test_a_game_kept_at_a_level_can_be_analysed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 5000))
    record = tmp_path / "game.json"
    played = ["play", "ponzi-scheme", "--seats", "3", "--seed", "11", "-o", "round_limit=2", "--save", str(record)]
    assert main([*played, "--bots", "easy"]) == 0
    assert "Bot 2" in capsys.readouterr().out
    assert main(["analyse", str(record), "--iterations", "20"]) == 0
    output = capsys.readouterr().out
    assert re.findall(r"^Seat (\d)  ", output, re.M) == ["1", "2", "3"]
    assert set(re.findall(r"seat (\d)", output, re.I)) <= {"1", "2", "3"}
    assert re.search(r"Of \d+ decisions with a choice, ", output)
    assert main(["analyse", str(record), "--iterations", "5", "--json"]) == 0
    actions = len(json.loads(record.read_text())["actions"])
    assert len(json.loads(capsys.readouterr().out)["curve"]) == actions + 1
    assert main(["analyse", str(tmp_path)]) != 0
    half = json.loads(record.read_text()) | {"actions": []}
    record.write_text(json.dumps(half))
    assert main(["analyse", str(record)]) == 2
    assert "is not over" in capsys.readouterr().err


def test_a_table_speaks_the_language_that_is_asked_for(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    played = ["play", "pyramid-shambo", "--seats", "2", "--seed", "1", "--bots", "random"]
    monkeypatch.setattr("sys.stdin", io.StringIO("?\n99\nthrow stone\n? challenge 2\nquit\n"))
    assert main([*played, "--language", "fr"]) == 0
    output = capsys.readouterr().out
    assert "Joueur 1 (vous)" in output
    assert "Votre coup (" in output
    assert "quitter la table" in output
    assert "Choisissez parmi" in output
    assert "« stone » n’est pas une valeur possible de « throw »" in output.replace("\N{NO-BREAK SPACE}", " ")
    assert "Vous avez quitté la table après" in output
    # The terminal's own language, unless it says otherwise.
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    monkeypatch.setenv("LANG", "pt_BR.UTF-8")
    assert main(played) == 0
    assert "Sua jogada (" in capsys.readouterr().out
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    assert main(played) == 0
    assert "Your move (" in capsys.readouterr().out
    # Elsewhere the language is English again, and the environment says what is spoken where nothing else does.
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    monkeypatch.setenv("PYRAMIDION_LANGUAGE", "zh-hant")
    assert main(played) == 0
    assert "你在" in capsys.readouterr().out
    assert main([*played, "--language", "xx"]) == 2
    assert "There is no language 'xx'; there are en, fr, pt and zh-Hant." in capsys.readouterr().err


SMALL = {"width": 80, "height": 24, "force_terminal": True, "color_system": None}


PAGE = "Press Enter "
PAGES = ("Press Enter to go on. ", "Press Enter for more, or q to skip to the end. ")


def paged(out: io.StringIO) -> Callable[[str], str]:
    """Return an `ask` function that goes on, and writes a prompt on a line of its own."""

    def ask(prompt: str) -> str:
        assert prompt in PAGES
        out.write(PAGE + "\n")
        return ""

    return ask


def screens(out: io.StringIO) -> list[str]:
    """Return what is printed between two prompts."""
    return out.getvalue().split(PAGE + "\n")


@pytest.mark.parametrize("game_id", pyramidion.all_games())
def test_the_end_of_a_game_fits_on_a_small_screen_and_begins_with_the_result(game_id: str) -> None:
    game, chance = pyramidion.load(game_id), random.Random(1)
    options = {"advanced": True} if game_id == "ponzi-scheme" else {}
    match, out = game.new(max(game.seats), seed=3, **options), io.StringIO()
    while not match.over:
        match.play(match.acting[0], chance.choice(match.legal(match.acting[0])))
    others = {seat: (f"Bot {seat}", at_random(seat)) for seat in range(1, match.seats)}
    table = TerminalTable(match, {0: "Ann"}, others, Console(file=out, **SMALL), paged(out))
    table.run()
    *earlier, last = screens(out)
    assert all(len(screen.splitlines()) < 24 for screen in earlier)
    assert len(last.splitlines()) < 23, last
    assert re.search(r" won \(", last)
    assert "Market" not in last
    assert all(name in last for name in table.names)


@pytest.mark.parametrize("game_id", pyramidion.all_games())
def test_every_decision_of_a_game_fits_on_a_small_screen(game_id: str) -> None:
    game = pyramidion.load(game_id)
    options = {"advanced": True} if game_id == "ponzi-scheme" else {}
    match, policy = game.new(max(game.seats), seed=1, **options), bots.load("policy", game, seed=1)
    while not match.over:
        seat, out = match.acting[0], io.StringIO()
        if match.ply % 7 == 0:
            opponents = {other: (f"Bot {other}", policy.move) for other in range(match.seats) if other != seat}
            typed = paged(out)
            table = TerminalTable(match, {seat: f"Player {seat}"}, opponents, Console(file=out, **SMALL), typed)
            table._show_position(seat)
            assert all(len(screen.splitlines()) < 24 for screen in screens(out)), out.getvalue()
            assert "(you) (you)" not in out.getvalue()
        match.play(seat, policy.move(match, seat))


def test_the_whole_table_can_be_shown_on_a_small_screen() -> None:
    match, choose = pyramidion.load("pyramid-scheme").new(4, seed=1), at_random(2)
    seat, out = match.acting[0], io.StringIO()
    opponents = {other: (f"Bot {other}", choose) for other in range(4) if other != seat}
    table = TerminalTable(match, {seat: "Ann"}, opponents, Console(file=out, **SMALL), lines("", "board", ""))
    with pytest.raises(GameLeft):
        table.run()
    assert out.getvalue().count("Founder  12 of 12 free") == 4  # everybody's pyramid


def test_choices_name_the_cards() -> None:
    match = pyramidion.load("pyramis").new(seed=1)
    names = [f"Bot {seat}" for seat in range(match.seats)]
    view = match.view(match.acting[0], names)
    assert re.fullmatch(r"Place [BGPY]\dA*/\dA*\*? on a1", choice_of(match.game)(view, "place 1 a1", NAMES) or "")
    assert choice_of(match.game)(view, "refill left", NAMES) is None
