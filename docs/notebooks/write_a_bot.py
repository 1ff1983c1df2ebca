# pyright: basic
# %% [markdown]
# # Write a bot
#
# A bot is a class with one method, `choose`. This page writes two for Pyramis and measures them against random play
# and against the built-in policy. It needs `pip install pyramidion`.

# %%
import numpy as np

import pyramidion
from pyramidion import bots

game = pyramidion.load("pyramis")

# %% [markdown]
# ## The smallest bot
#
# `choose` receives the game's components (`box`) and the state, both as the bot's seat may see them, and returns the
# id of a legal action. `game.compiled.legal` writes the legal ids into an array.


# %%
class FirstBot(bots.Bot):
    """Plays the first legal action."""

    def choose(self, box, state, seat):
        """Return the id of the first legal action."""
        ids = np.empty(len(self.game.actions), np.int32)
        self.game.compiled.legal(box, state, seat, ids)
        return int(ids[0])


# %% [markdown]
# ## Play it
#
# Seats rotate, since the first player may have an advantage. Every game has its own seed, so a second run gives the
# same result.


# %%
def share_of_wins(mine, other, games):
    """Return the share of two-player games that `mine` wins against `other`; a shared win counts as half."""
    won = 0.0
    for number in range(games):
        own = number % 2
        match = game.new(seats=2, seed=number)
        while not match.over:
            seat = match.acting[0]
            match.play(seat, (mine if seat == own else other).move(match, seat))
        won += float(match.rewards[own])
    return won / games


random_bot = bots.load("random", game, seed=1)
first = share_of_wins(FirstBot(game), random_bot, games=100)
print(f"The first action wins {first:.0%} of its games against random play.")

# %% [markdown]
# ## A bot that looks ahead
#
# At a table a bot is asked by `move`, which receives the match. A view of Pyramis previews the seat's score after
# each action, for people who point at the board; the next bot takes the action with the highest score. What the seat
# may not see is in no preview.


# %%
class GreedyBot(FirstBot):
    """Plays the action that leads to the highest score."""

    def move(self, match, seat):
        """Return the legal action with the best preview."""
        previews = match.view(seat)["previews"]

        def score(action):
            return previews.get(str(action), {}).get("after", {}).get("score", 0)

        return max(match.legal(seat), key=score)


greedy = share_of_wins(GreedyBot(game), random_bot, games=100)
policy = share_of_wins(bots.load("policy", game, seed=2), random_bot, games=100)
print(f"Against random play: greedy {greedy:.0%}, the built-in policy {policy:.0%}.")

# %% [markdown]
# With 100 games, a share of a half is known to within about ten percentage points. The arena (`pip install
# 'pyramidion[arena]'`) plays as many games as you like, with the same decks for both sides, ratings and intervals:
#
# ```
# PYTHONPATH=. pyramidion arena pyramis my_bots:GreedyBot random policy --games 1000
# ```
#
# where the file `my_bots.py` in the current folder holds the imports and the two classes. [The arena](../arena.md) says
# more.
