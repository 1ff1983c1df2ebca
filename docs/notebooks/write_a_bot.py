# pyright: basic
# %% [markdown]
# # Write a bot
#
# A bot is a class with one method, `choose`. This page writes two for Pyramis and measures them against random play
# and against the built-in policy. It needs the package: `pip install -e .` in a copy of the source.

# %%
import pyramidion
from pyramidion import bots

game = pyramidion.load("pyramis")

# %% [markdown]
# ## The smallest bot
#
# `choose` receives the game's components (`box`) and the state, both as the bot's seat may see them, and returns the
# id of a legal action. `legal_ids` returns those that are legal.


# %%
class FirstBot(bots.Bot):
    """Plays the first legal action."""

    def choose(self, box, state, seat):
        """Return the id of the first legal action."""
        return int(self.legal_ids(box, state, seat)[0])


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
            match.play(seat, (mine if seat == own else other).move(match.seen_by(seat), seat))
        won += float(match.rewards[own])
    return won / games


random_bot = bots.load("random", game, seed=1)
first = share_of_wins(FirstBot(game), random_bot, games=100)
print(f"The first action wins {first:.0%} of its games against random play.")

# %% [markdown]
# ## A bot that looks ahead
#
# A bot is asked by `move`, which receives what its seat sees of the match, `match.seen_by(seat)`: its view, its legal
# actions, its events. A view of Pyramis previews the seat's score after each action, for people who point at the board;
# the next bot takes the action with the highest score. What the seat may not see is in no preview.


# %%
class GreedyBot(FirstBot):
    """Plays the action that leads to the highest score."""

    def move(self, match, seat):
        """Return the legal action with the best preview."""
        return self.by_score(match)[0]

    def by_score(self, match):
        """Return the legal actions, those with the best previews first."""
        previews = match.view()["previews"]

        def score(action):
            return previews.get(str(action), {}).get("after", {}).get("score", 0)

        return sorted(match.legal(), key=score, reverse=True)


greedy = share_of_wins(GreedyBot(game), random_bot, games=100)
policy = share_of_wins(bots.load("policy", game, seed=2), random_bot, games=100)
print(f"Against random play: greedy {greedy:.0%}, the built-in policy {policy:.0%}.")

# %% [markdown]
# ## A bot that samples
#
# The match itself stays out of a bot's reach, and with it what the others hold. `determinized` samples a whole match
# that agrees with what the seat knows, and that match can be played on. The last bot tries each of its four actions of
# the highest preview in a few such matches, in which the policy plays on until the end.


# %%
class SamplingBot(GreedyBot):
    """Plays the action that wins most often in sampled matches."""

    def move(self, match, seat):
        """Return the best of the four legal actions with the highest previews."""
        policy = bots.load("policy", self.game, seed=1)

        def share(action):
            won = 0.0
            for world in (match.determinized(n) for n in range(4)):
                world.play(seat, action)
                while not world.over:
                    world.play(world.acting[0], policy.move(world, world.acting[0]))
                won += float(world.rewards[seat])
            return won

        return max(self.by_score(match)[:4], key=share)


sampling = share_of_wins(SamplingBot(game), bots.load("policy", game, seed=2), games=10)
print(f"Against the policy, sampling wins {sampling:.0%} of 10 games.")

# %% [markdown]
# With 100 games, a share of a half is known to within about ten percentage points. The arena
# (`pip install -e '.[arena]'`) plays as many games as you like, with the same decks for both sides, ratings
# and intervals:
#
# ```
# pyramidion arena pyramis my_bots:GreedyBot random policy --games 1000
# ```
#
# where the file `my_bots.py` in the current folder holds the imports and the classes. [The arena](../arena.md) says
# more.
