"""What can be typed at a table in a terminal: numbers, notation, labels as they are shown, and names."""

import json
import random
import re

import pytest
from tests.every_game import limits
from tests.terminal_tables import position_with, table_of, typed

import pyramidion
from pyramidion.bots import load as load_bot
from pyramidion.bots.foresight import question_before
from pyramidion.engine import registry
from pyramidion.terminal.choices import LETTERS, choices
from pyramidion.terminal.game_file import GameFile
from pyramidion.terminal.notation import written
from pyramidion.terminal.table import GameLeft
from pyramidion.terminal.typed_actions import read_action
from pyramidion.translation import in_language

LANGUAGES = ("en", "fr", "pt", "zh-Hant")


def test_enter_plays_the_only_action_and_nothing_where_there_are_several():
    match, chance, several = pyramidion.load("ponzi-scheme").new(3, 1), random.Random(1), []
    while match.acting != (0,) or len(match.legal(0)) > 1:
        if match.acting == (0,):
            several.append(match.at(match.ply))
        seat = match.acting[0]
        match.play(seat, chance.choice(match.legal(seat)))
    ply, only = match.ply, match.legal(0)[0]
    assert "Your move (1 or Enter, ? for help)>" in typed(match, [""])
    assert match.history[ply] == (0, only.id)
    ply = several[0].ply
    assert "or Enter" not in typed(several[0], [""])
    assert several[0].ply == ply


def samples(game, seed, every):
    """Yield some decisions of a game that is played at random, among them the first of each kind."""
    seen: set[str] = set()
    match, chance = game.new(max(game.seats), seed, **limits(game, 12)), random.Random(seed)
    while not match.over:
        seat = match.acting[0]
        kinds = {action.family for action in match.legal(seat)}
        if chance.randrange(every) == 0 or not kinds <= seen:
            yield match, seat
        seen |= kinds
        match.play(seat, chance.choice(match.legal(seat)))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", registry.all_games().values(), ids=lambda game: game.id)
def test_every_label_on_the_screen_selects_its_action(game, language):
    checked, chance = set(), random.Random(1)
    for match, seat in samples(game, 3, 20 if max(game.seats) < 10 else 80):
        with in_language(language):
            (table, _out), legal = table_of(match, []), match.legal(seat)
            for table._compact in (False, True):
                listed = table._choices(seat)
                for entry in chance.sample(listed, min(len(listed), 6)):
                    if entry.low is None:
                        for label in (entry.label, entry.label.upper(), entry.notation):
                            assert read_action(match, seat, label, listed, table.names)[0] == entry.action, label
            labels = dict(zip(legal, match.labels(legal, table.names), strict=True))
            for action in chance.sample(legal, min(len(legal), 6)):
                for text in (labels[action], labels[action] + ".", written(action, game.actions, table.names)):
                    assert read_action(match, seat, text, listed, table.names)[0] == action, text
                checked.add(action.family)
    assert len(checked) > 1


@pytest.mark.parametrize(
    ("line", "played"),
    [
        ("Grain $13", "fund grain 13"),
        ("grain $13", "fund grain 13"),
        ("take grain and the $13", "fund grain 13"),
        ("fund estate 13", "fund real-estate 13"),
        ("pas", "pass"),
        ("p", "pass"),
        ("t g 13", "fund grain 13"),
        ("take grain and 80", "fund grain 80"),
        ("Take media and $80", "fund media 80"),
        ("buy anything", "buy 30"),
    ],
)
def test_a_label_may_be_begun_and_shortened(line, played):
    match = pyramidion.load("ponzi-scheme").new(4, 7)
    seat = match.acting[0]
    card = next(action for action in match.legal(seat) if action.family == "fund").text.split()[-1]
    names = ["Ann", "Bot 2", "Bot 3", "Bot 4"]
    listed = choices(match, seat, names)
    action, _number = read_action(match, seat, line.replace("13", card), listed, names)
    assert action.text == played.replace("13", card)


def test_a_text_that_could_be_several_actions_is_asked_about():
    match = pyramidion.load("ponzi-scheme").new(4, 7)
    names = ["Ann", "Bot 2", "Bot 3", "Bot 4"]
    listed = choices(match, match.acting[0], names)
    with pytest.raises(ValueError, match=r"That could be “Take .*”, .*…\. Type more of it, or its number or letter\."):
        read_action(match, match.acting[0], "take", listed, names)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("ruels", "'ruels' is nothing that can be typed here. Did you mean 'rules'?"),
        ("grian", "'grian' is none of your choices. Did you mean 'grain'?"),
        ("psas", "'psas' is none of your choices. Did you mean 'Pass'?"),
        ("fund grain and wine", "'fund grain and wine' is none of your choices. One of them is “Take "),
        ("fund mdia 9", "'mdia' is not a valid industry. Did you mean 'media'?"),
        ("xyzzy", "'xyzzy' is none of your choices, and no command."),
        ("offer bot 77 media", "Not now: fund or pass. (PZ 4.1)"),
        ("a", "That could be “Take "),
    ],
)
def test_what_is_not_understood_is_answered_with_what_was_meant(line, said):
    assert said in typed(pyramidion.load("ponzi-scheme").new(4, 7), [line])


def test_a_card_that_is_not_there_is_refused_by_the_name_that_was_typed():
    match = position_with(pyramidion.load("pyramid-scheme"), "take")
    view = match.view(0)
    shown = {(card["colour"], card["number"]) for card in view["market"]}
    colour, number = next((c, n) for c in ("green", "blue", "pink") for n in (1, 2, 3) if (c, n) not in shown)
    text = typed(match, [f"take {colour} {number}"])
    assert re.search(rf"{colour.capitalize()} {number} \({colour}-[a-p]\) is not in the market\. \(PS 4\.1\)", text)


def test_the_letter_of_a_space_selects_the_challenge_there():
    match = position_with(pyramidion.load("downside-up"), "challenge")
    table, _out = table_of(match, [])
    listed = table._choices(0)
    for entry in listed:
        if entry.action.family == "challenge":
            assert entry.key == entry.action.text.split()[-1]
    assert next(entry.key for entry in listed if entry.action.text == "confirm") == "o"


def test_the_letter_that_confirms_is_never_that_of_a_challenge():
    game = pyramidion.load("upside-down")
    for match, seat in samples(game, 5, 40):
        (table, _out), letters = table_of(match, []), {}
        for entry in table._choices(seat):
            letters[entry.action.text.split()[0]] = entry.key
        assert letters.get("confirm", "c") == "c"
        assert letters.get("trade", "t") == "t"


def with_trade(seat=0):
    """Return a position of Ponzi Scheme in which a seat can make an offer."""
    game, chance = pyramidion.load("ponzi-scheme"), random.Random(1)
    for seed in range(100):
        match = game.new(4, seed)
        while not match.over:
            if match.acting == (seat,) and match.view(seat)["phase"] == "trading":
                offers = {action.text.split()[1] for action in match.legal(seat) if action.family == "offer"}
                if len(offers) > 1:
                    return match, sorted(action.text for action in match.legal(seat) if action.family == "offer")
            match.play(match.acting[0], chance.choice(match.legal(match.acting[0])))
    raise AssertionError("Nobody can trade.")


def test_players_are_named_or_counted_from_one():
    match, offers = with_trade()
    _offer, other, industry = offers[0].split()
    name, plies = f"Bot {int(other) + 1}", match.ply
    text = typed(match, [f"offer {name.lower()} {industry}"])
    assert match.view(0)["envelope"]["to"] == int(other)
    assert match.ply == plies + 1
    assert "Seats count from 1" not in text


def test_a_seat_by_number_is_asked_about_once():
    match, offers = with_trade()
    _offer, other, industry = offers[0].split()
    number, plies = int(other) + 1, match.ply
    text = typed(match, [f"offer {number} {industry}"])
    assert f"Seats count from 1: {number} is Bot {number}. Type it again to do it." in text
    assert match.ply == plies
    typed(match, [f"offer {number} {industry}"] * 2)
    assert match.view(0)["envelope"]["to"] == number - 1


def test_another_line_takes_the_question_back():
    match, offers = with_trade()
    _offer, other, industry = offers[0].split()
    line, plies = f"offer {int(other) + 1} {industry}", match.ply
    typed(match, [line, "list", line])
    assert match.ply == plies


def test_who_is_no_player_cannot_be_named():
    match, offers = with_trade()
    industry = offers[0].split()[-1]
    text = typed(
        match, [f"offer Zoe {industry}", f"offer bot 77 {industry}", f"offer 9 {industry}", f"offer Ann {industry}"]
    )
    assert "Nobody here is called Zoe. Name one of Ann, Bot 2, Bot 3 and Bot 4." in text
    assert "Nobody here is called 9." in text
    assert "Nobody here is called bot 77." in text
    assert "seat 0" not in text


@pytest.mark.parametrize("game", registry.all_games().values(), ids=lambda game: game.id)
def test_no_seat_is_counted_from_zero(game):
    match = game.new(seed=1)
    text = typed(match, ["", "?", "list", "board", "0", "as 0"], people=2)
    assert "seat 0" not in text.lower()
    assert "Bot 0" not in text
    assert "> 0 " not in text


def test_another_person_is_named_or_counted_from_one(outside):
    game = pyramidion.load("silent-auction")
    text = typed(game.new(seed=1), ["", "as bob", "", "as 1"], people=2)
    assert "This is for Bob only" in text
    assert text.count("This is for Ann only") == 2


def test_leaving_a_game_that_is_not_saved_is_asked_about(tmp_path):
    match = pyramidion.load("ponzi-scheme").new(4, 7)
    text = typed(match, ["pass", "quit", "list", "q", "quit"])
    assert text.count("This game is not saved. Type 'quit' again to leave it, or 'save FILE' to keep it.") == 2
    file = tmp_path / "game.json"
    file.write_text("mine")
    kept = tmp_path / "other.json"
    match = pyramidion.load("ponzi-scheme").new(4, 7)
    text = typed(match, ["pass", f"save {file}", f"save {tmp_path}/none/x", f"save {kept}", "pass", "quit"])
    assert "There is already a file" in text
    assert "cannot be written" in text
    assert "not saved" not in text
    assert file.read_text() == "mine"
    assert pyramidion.Match.from_record(json.loads(kept.read_text())).ply == match.ply


def test_a_game_that_is_saved_is_left_at_once(tmp_path):
    file = GameFile(tmp_path / "game.json")
    text = typed(pyramidion.load("ponzi-scheme").new(4, 7), ["pass", "quit"], file=file)
    assert "not saved" not in text
    assert (tmp_path / "game.json").exists()


@pytest.mark.parametrize("name", ["ponzi-scheme", "pyramid-scheme"])
def test_a_move_that_loses_is_asked_about(name):
    game, names = pyramidion.load(name), ["Ann", "Bot 2", "Bot 3"]
    for seed in range(60):
        match, chance = game.new(3, seed), random.Random(seed)
        while not match.over:
            seat, action = match.acting[0], chance.choice(match.legal(match.acting[0]))
            asked = question_before(match, 0, action.id, names) if seat == 0 and len(match.legal(0)) > 1 else None
            if asked and asked.startswith("After this"):
                plies = match.ply
                text = typed(match, [action.text])
                assert "After this you are out of the game:" in text
                assert "Type it again to do it." in text
                assert match.ply == plies
                table, _out = table_of(match, [action.text] * 2)
                table._take_turn(0)
                assert match.ply == plies + 1
                return
            match.play(seat, action)
    raise AssertionError("Nobody could lose at once.")


def crowded():
    """Return a position of Pyramis with more events before it than fit a small screen, and a legal action there."""
    game = pyramidion.load("pyramis")
    for seed in range(40):
        match, chance = game.new(4, seed), random.Random(seed)
        while not match.over:
            legal = match.legal(match.acting[0])
            if match.acting == (0,) and match.ply > 40 and len(legal) > 3 and legal[0].family == "place":
                return match, legal[0]
            match.play(match.acting[0], chance.choice(legal))
    raise AssertionError("No such position.")


def test_a_move_typed_at_a_pause_is_the_next_input():
    match, action = crowded()
    plies = match.ply
    typed(match, [], pauses=[action.text])
    assert match.history[plies] == (0, action.id)


@pytest.mark.parametrize("pauses", [["rules 1"], ["", "rules 1"]])
def test_a_command_typed_at_a_pause_is_carried_out(pauses):
    match, _action = crowded()
    assert ", ? for help)> rules 1" in typed(match, [], pauses=pauses)


def test_a_number_typed_before_its_list_is_asked_for_again():
    match, _action = crowded()
    plies = match.ply
    text = typed(match, [], pauses=["1"])
    assert "You typed 1 before this was on the screen. Type it again to choose it." in text
    assert match.ply == plies


def test_quit_at_a_pause_leaves():
    match, _action = crowded()
    assert "Your move" not in typed(match, ["list"], pauses=["q"])


def test_a_line_typed_before_ones_own_screen_is_the_next_input():
    match = pyramidion.load("ponzi-scheme").new(4, 7)
    assert "> log" in typed(match, ["log"], people=2)


def test_what_is_typed_at_the_last_pause_is_answered():
    match, _action = crowded()
    chance = random.Random(1)
    while not match.over:
        match.play(match.acting[0], chance.choice(match.legal(match.acting[0])))
    table, out = table_of(match, [], pauses=["pass"])
    table.run()
    assert "The game was over when you typed 'pass'." in out.getvalue()


@pytest.mark.parametrize("family", ["bid", "ask"])
def test_a_bare_number_is_what_is_asked_for_and_other_actions_have_letters(family):
    match = position_with(pyramidion.load("upside-down"), family)
    table, _out = table_of(match, [])
    listed = table._choices(0)
    keys = {entry.notation: entry.key for entry in listed if entry.action.family != family}
    assert len({*keys.values()}) == len(keys)
    assert {*keys.values()} <= {*LETTERS}
    assert keys["confirm"] == "c"
    for action in match.legal(0):
        key = str(action.args[0]) if action.family == family else next(e.key for e in listed if e.action == action)
        assert read_action(match, 0, key, listed, table.names)[0] == action


def test_the_prompt_says_what_can_be_typed():
    game = pyramidion.load("ponzi-scheme")
    assert "Your move (1 to " in typed(game.new(4, 7), ["pass"])
    amount = position_with(game, "amount", 4)
    last = max(action.args[0] for action in amount.legal(0))
    assert f"Your move (0 to {last}, ? for help)>" in typed(amount, [])
    bids = typed(position_with(pyramidion.load("upside-down"), "bid"), ["99999999"])
    assert re.search(r"Type a number from 0 to \d+\.", bids)
    assert re.search(r"Your move \(0 to \d+, c, t, \? for help\)>", bids)


@pytest.mark.parametrize("game", registry.all_games().values(), ids=lambda game: game.id)
def test_the_end_names_the_winners_once(game):
    match, chance = game.new(min(game.seats), 3, **limits(game, 12)), random.Random(3)
    while not match.over:
        match.play(match.acting[0], chance.choice(match.legal(match.acting[0])))
    table, out = table_of(match, [])
    table._events_printed[0] = len(match.events(0))
    table.run()
    assert out.getvalue().count(f"({match.outcome.rule})") == 1


@pytest.mark.parametrize("ply", [3, 30, 60])
def test_pyramid_scheme_on_a_small_screen_writes_cards_as_the_game_does(ply):
    game = pyramidion.load("pyramid-scheme")
    match, bot = game.new(3, 5), load_bot("policy", game, 1)
    while not match.over and not (match.ply >= ply and match.acting[0] == 0 and len(match.legal(0)) > 1):
        match.play(match.acting[0], bot.move(match, match.acting[0]))
    table, out = table_of(match, [])
    table._events_printed[0] = len(match.events(0)) - 1
    with pytest.raises(GameLeft):
        table.run()
    text = out.getvalue().rpartition("Press Enter to go on. ")[2]
    assert not re.search(r"founder|police-|\b(green|blue|pink|yellow)-[a-p]", text)
    assert "Founder" in text
    for card in match.view(0)["market"]:
        assert f"{card['colour']} {card['number']}" in text
    assert len(text.splitlines()) <= 24
    assert max(map(len, text.splitlines())) <= 80


def test_a_game_begins_with_its_goal_and_what_can_be_typed():
    match = pyramidion.load("pyramis").new(3, 7)
    table, out = table_of(match, ["terms"])
    table.introduce()
    text = out.getvalue()
    for expected in ("Pyramis", "You win by", "'rules'", "pyramidion learn pyramis", "are the start player"):
        assert expected in text
    with pytest.raises(GameLeft):
        table.run()
    assert "are the start player" not in out.getvalue().removeprefix(text)
    assert "The three face-up cards" in out.getvalue()


def test_of_copies_of_a_card_it_is_ones_own_that_is_refused():
    match = pyramidion.load("pyramid-scheme").new(seats=4, seed=7)
    seat, names = match.acting[0], ["Kim", "Bo", "Cy", "Di"]
    hand = match.view(seat)["players"][seat]["hand"]
    first, second = (f"{card['colour']} {card['number']}" for card in hand)
    for line in (f"place {first} {second}", f"place {second} {first}"):
        action, _number = read_action(match, seat, line, [], names)
        assert set(action.text.split()[1:]) == {card["card"] for card in hand}, "another copy"
        assert "is not in your pyramid" in match.refusal(seat, action).reason
