# pyright: basic
# %% [markdown]
# # Train a player
#
# A linear player learns two-player Pyramis by imitation: it watches the built-in policy play hundreds of games, and
# then plays by itself. It needs the package and, for the last cell, matplotlib:
# `pip install -e . matplotlib` in a copy of the source.

# %%
import numpy as np

import pyramidion

game = pyramidion.load("pyramis")
size, actions = game.observation.size, len(game.actions)
print("an observation has", size, "numbers; there are", actions, "actions")

# %% [markdown]
# ## Watch
#
# The batch environment steps all games together: `to_play` says whose decision each game waits for, and `observation`
# and `legal_mask` are what that seat sees and may do. The arrays are reused, so we copy what we keep.


# %%
def watch(games, seed):
    """Return observations, legal masks and actions of all decisions with a choice in games between policies."""
    env = pyramidion.env.batch(game, games, seats=2, seed=seed, autoreset=False)
    rows, b = [], env.reset()
    while not b.terminated.all():
        chosen = env.policy_actions()
        choice = np.flatnonzero(b.legal_mask.sum(axis=1) > 1)
        rows.append((b.observation[choice], b.legal_mask[choice], chosen[choice]))
        b = env.step(chosen)
    env.close()
    return [np.concatenate(column) for column in zip(*rows, strict=True)]


seen, masks, taken = watch(games=400, seed=1)
print(len(taken), "decisions to learn from")

# %% [markdown]
# ## The player
#
# One layer of weights gives a number for each action; a legal action is as likely as the exponential of its number.


# %%
def chances(weights, seen, masks):
    """Return the probabilities of all actions, float32[n, actions], 0 for illegal ones."""
    numbers = np.where(masks, seen @ weights, -np.inf)
    powers = np.exp(numbers - numbers.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def play(weights, games, seed):
    """Return the share of games that the player wins against random play, in both seats."""
    env = pyramidion.env.batch(game, games, seats=2, seed=seed, autoreset=False)
    mine, payoffs, b = np.arange(games) % 2, np.zeros(games), env.reset()
    while not b.terminated.all():
        chosen = env.random_actions()
        own = np.flatnonzero(b.to_play == mine)
        if len(own):
            chosen[own] = chances(weights, b.observation[own], b.legal_mask[own]).argmax(axis=1)
        b = env.step(chosen)
        payoffs += b.rewards[np.arange(games), mine]
    env.close()
    return float(payoffs.mean())


# %% [markdown]
# ## Learn
#
# Stochastic gradient ascent on the likelihood of the policy's actions, with steps scaled as in RMSProp. Games that
# are played to measure have other seeds than those that are learnt from.

# %%
random = np.random.default_rng(0)
weights, squares = np.zeros((size, actions), np.float32), np.zeros((size, actions), np.float32)
wins = [play(weights, games=500, seed=1_000_000)]
for _ in range(5):
    for part in np.array_split(random.permutation(len(taken)), len(taken) // 256):
        push = -chances(weights, seen[part], masks[part])
        push[np.arange(len(part)), taken[part]] += 1
        gradient = seen[part].T @ push / len(part)
        squares += 0.05 * (gradient**2 - squares)
        weights += 0.003 * gradient / (np.sqrt(squares) + 1e-5)
    wins.append(play(weights, games=500, seed=1_000_000))
print("share of wins after each pass:", [f"{share:.0%}" for share in wins])
assert wins[-1] > 0.65, "The player has learnt less than it should."

# %% [markdown]
# ## The curve

# %%
import matplotlib.pyplot as plt

fig, axes = plt.subplots(figsize=(6, 3))
axes.plot(wins, marker="o")
axes.axhline(0.5, color="grey", linewidth=1)
axes.set_xlabel("passes over the decisions")
axes.set_ylabel("share of wins against random play")
fig.tight_layout()

# %% [markdown]
# The policy itself wins nine of ten such games, so there is room. `examples/ppo.py` learns from its own games
# instead, with a network; [Python API](../python.md#many-games-at-once) describes the environment.
