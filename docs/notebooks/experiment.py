# pyright: basic
# %% [markdown]
# # An experiment
#
# What does a dearer card do to Ponzi Scheme? This page raises the interest of the cheapest fund, plays 2,000 games
# with each deck, and draws the difference. In a copy of the source, it needs
# `pip install -e '.[lab]' matplotlib`.

# %%
import matplotlib.pyplot as plt

import pyramidion
from pyramidion import lab

game = pyramidion.load("ponzi-scheme")
cards = (game.folder / "cards.toml").read_text("utf-8")
cheapest = "value = 9, period = 5, interest = "
dearer = cards.replace(f"{cheapest}8", f"{cheapest}40")
assert dearer != cards

# %% [markdown]
# ## Run
#
# Both decks are played with the same openings and the same luck, and compared game by game. Everything follows from
# the seed, so you get the same numbers.

# %%
result = lab.experiment(
    game,
    players=["policy"],
    games=2000,
    seed=1,
    against=lab.Variant(cards=dearer, name="dearer"),
    metrics=("wins",),
)
print(result.games, "games of each deck")

# %% [markdown]
# ## Read
#
# A figure is a mean with its 95 % interval. `A` is the game's own deck, `B` the changed one; place 1 is the start
# player's. `result.frame("wins")` has the same as a table for polars.

# %%
for side in result.sides:
    for item in result.items("wins", side):
        figure = result.figure("wins", item, side)
        print(f"{side} {item:8} {figure.mean:.3f}  [{figure.low:.3f}, {figure.high:.3f}]")

# %% [markdown]
# ## Draw

# %%
fig, axes = plt.subplots(figsize=(6, 3))
for shift, side in enumerate(result.sides):
    items = [item for item in result.items("wins", side) if item.startswith("place")]
    figures = [result.figure("wins", item, side) for item in items]
    means = [figure.mean for figure in figures]
    reach = [[figure.mean - figure.low for figure in figures], [figure.high - figure.mean for figure in figures]]
    places = [number + 0.15 * shift for number in range(len(items))]
    axes.errorbar(places, means, yerr=reach, fmt="o", capsize=3, label=("own deck", "dearer")[shift])
axes.set_xticks(range(len(items)), items)
axes.set_ylabel("share of wins")
axes.legend()
fig.tight_layout()

# %% [markdown]
# `fig.savefig("wins.svg")` keeps the picture, and `result.report("report.html")` writes a page with all measurements.
# The same from the command line, with as many games as it takes to know the shares to half a point, once
# `Path("dearer.toml").write_text(dearer)` (from `pathlib`) has saved the deck:
#
# ```
# pyramidion lab ponzi-scheme --against dearer.toml --until 0.5 --games 1000000 --report report.html
# ```
#
# [The lab](../lab.md) explains metrics of your own, sweeps, and searches for values.
