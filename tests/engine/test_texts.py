"""Texts that are none, with half of a surrogate pair, are refused with a sentence wherever Python takes a text."""

import pytest

import pyramidion
from pyramidion import bots, env, lab
from pyramidion.engine import seeds
from pyramidion.translation import in_language

HALVES = ["\ud800", "a\udfff", "a\ud800b", "\udc00\ud800"]
GAME = pyramidion.load("ponzi-scheme")
CARDS = (GAME.folder / GAME.card_file).read_text("utf-8")


def record(**changes):
    return pyramidion.Match.from_record({**GAME.new(seed=1).record(), **changes})


DOORS = {
    "load": pyramidion.load,
    "new seed": lambda text: GAME.new(seed=text),
    "new seats": GAME.new,
    "new cards": lambda text: GAME.new(seed=1, cards=text),
    "new cards in a string": lambda text: GAME.new(seed=1, cards=f'title = "{text}"'),
    "new cards in a comment": lambda text: GAME.new(seed=1, cards=CARDS + "# " + text),
    "experiment": lambda text: lab.experiment(text, games=1),
    "experiment seed": lambda text: lab.experiment("pyramis", players=["random"], games=1, seed=text),
    "experiment players": lambda text: lab.experiment("pyramis", players=[text], games=1),
    "experiment cards": lambda text: lab.experiment("ponzi-scheme", players=["random"], games=1, cards=text),
    "experiment against": lambda text: lab.experiment("ponzi-scheme", players=["random"], games=1, against=text),
    "experiment cluster": lambda text: lab.experiment("pyramis", players=["random"], games=2, cluster=text),
    "experiment metrics": lambda text: lab.experiment("pyramis", players=["random"], games=1, metrics=[text]),
    "new option": lambda text: GAME.new(seed=1, **{text: 1}),
    "new value": lambda text: GAME.new(seed=1, **{next(iter(GAME.options)): text}),
    "accept_options": lambda text: GAME.accept_options({text: text}),
    "check_cards": GAME.check_cards,
    "play": lambda text: GAME.new(seed=1).play(0, text),
    "bots.load": lambda text: bots.load(text, GAME),
    **{
        f"bots.load seed of {name}": lambda text, name=name: bots.load(name, GAME, seed=text)
        for name in bots.names(GAME)
    },
    "contribute": lambda text: seeds.contribute("pyramis", "t", 0, text, "own"),
    **{f"record {key}": lambda text, key=key: record(**{key: text}) for key in ("game", "seed", "cards", "options")},
    "record actions": lambda text: record(actions=[[0, text]]),
    "record origin": lambda text: record(origin=text),
    "record options' names": lambda text: record(options={text: 1}),
    "env.batch game": lambda text: env.batch(text, 2),
    "env.batch seed": lambda text: env.batch("pyramis", 2, seed=text),
    "speaking": lambda text: in_language(text).__enter__(),
}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("text", HALVES)
def test_half_of_a_surrogate_pair_is_refused_with_a_sentence(door, text):
    with pytest.raises((ValueError, KeyError)) as refusal:
        DOORS[door](text)
    assert not isinstance(refusal.value, UnicodeError)
    str(refusal.value).encode()
