# pyright: basic
# %% [markdown]
# # Analyse a game
#
# Who was ahead when, and which decisions cost most? This page plays a game between bots, saves its record and
# analyses it. It needs the package and, for the picture, matplotlib:
# `pip install -e . matplotlib` in a copy of the source.

# %%
import json
from pathlib import Path
from tempfile import mkdtemp

import pyramidion
from pyramidion import bots
from pyramidion.bots.analysis import Analyst

game = pyramidion.load("pyramis")
players = [bots.load("policy", game, seed=1), bots.load("random", game, seed=2)]
match = game.new(seats=2, seed=7)
while not match.over:
    seat = match.acting[0]
    match.play(seat, players[seat].move(match, seat))
print(match.outcome)

# %% [markdown]
# ## A record
#
# A finished game's record is a JSON file. Every table on a server has one to download, and `pyramidion verify` checks
# it.

# %%
path = Path(mkdtemp()) / "record.json"
path.write_text(json.dumps(match.record()), "utf-8")
match = pyramidion.Match.from_record(json.loads(path.read_text("utf-8")))

# %% [markdown]
# ## The analysis
#
# For every position, simulated games estimate each player's chance to win. Then decisions with a choice are searched
# again, from what the player knew at that moment, and compared with the best alternative.

# %%
analyst = Analyst(match, iterations=200, seed=1)
for _ in analyst.steps():
    pass
analysis = analyst.result
print(analysis.judged, "decisions with a choice,", len(analysis.decisions), "of them clearly cost something")
for decision in analysis.decisions[:5]:
    print(f"action {decision.ply + 1}, seat {decision.seat}: {decision.played} cost {decision.cost:.0%}", end="; ")
    print(f"better: {decision.better}")

# %% [markdown]
# ## The curve

# %%
import matplotlib.pyplot as plt

fig, axes = plt.subplots(figsize=(6, 3))
for seat, name in enumerate(("policy", "random")):
    axes.plot([position[seat] for position in analysis.curve], label=name)
axes.set_xlabel("actions played")
axes.set_ylabel("chance to win")
axes.legend()
fig.tight_layout()

# %% [markdown]
# The same in the terminal, with more iterations:
#
# ```
# pyramidion analyse record.json --iterations 2000
# ```
#
# [Analysis of a finished game](../bots.md#analysis-of-a-finished-game) says what the numbers mean and how sure they
# are.
