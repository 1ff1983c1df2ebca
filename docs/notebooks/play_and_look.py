# pyright: basic, reportUnusedExpression=false
# %% [markdown]
# # Play and look
#
# A match is its game, its options, a seed and the actions played. This page plays one and looks at it as players,
# spectators and programs do. It needs the package and nothing else: `pip install -e .` in a
# copy of the source.

# %%
import pyramidion

game = pyramidion.load("pyramis")
match = game.new(seats=3, seed=7)
print(game.name, "for", match.seats, "players; to act:", match.acting)

# %% [markdown]
# ## Actions
#
# The legal actions of a seat are objects with a notation. `play` takes the object, its id or its notation, and
# refuses whatever the rules do not allow, with the rule.

# %%
seat = match.acting[0]
legal = match.legal(seat)
print(len(legal), "legal actions, such as", legal[0], "and", legal[-1])
print(match.refusal(seat, "rotate a1"))

match.play(seat, legal[0])
print(match.events(None)[-1].text)

# %% [markdown]
# ## Views
#
# `view(seat)` is all that a seat may see, as plain data; `view(None)` is for spectators. Hidden information is erased
# before a view is made, so it cannot contain any.

# %%
view = match.view(match.acting[0])
print(sorted(view))

# %% [markdown]
# ## Arrays
#
# For learning programs a view is a vector, whose parts have names, and the legal actions are a mask.

# %%
seat = match.acting[0]
observation, mask = match.observation(seat), match.legal_mask(seat)
print(observation.shape, observation.dtype, mask.shape, int(mask.sum()))
for part in list(game.observation.values())[:5]:
    print(f"{part.name:20} {part.shape!s:10} {part.meaning}")

# %% [markdown]
# ## To the end
#
# Bots play the rest. The outcome names the winners, the points, and the rule that ended the game.

# %%
from pyramidion import bots

bot = bots.load("policy", game, seed=1)
while not match.over:
    seat = match.acting[0]
    match.play(seat, bot.move(match, seat))
print(match.outcome)

# %% [markdown]
# A record holds the whole match. Replaying it checks every action, and gives the same match.

# %%
again = pyramidion.Match.from_record(match.record())
assert again.outcome == match.outcome
print(match.ply, "actions; after the first ten", match.at(10).acting, "was to act")

# %% [markdown]
# In a notebook, a match as the last line of a cell draws its board; that needs
# `pip install -e '.[server]'`.

# %%
match
