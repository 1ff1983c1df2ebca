# pyright: basic
# %% [markdown]
# # Train a player
#
# A linear policy learns two-player Pyramis by policy gradient (REINFORCE) from thousands of games at once. It needs
# `pip install pyramidion` and, for the last cell, `matplotlib`.

# %%
import numpy as np

import pyramidion

game = pyramidion.load("pyramis")
GAMES = 256
size, actions = game.observation.size, len(game.actions)
print("observation", size, "numbers;", actions, "actions")

# %% [markdown]
# ## The policy
#
# One layer of weights gives a number for each action; the legal ones are drawn in proportion to its exponential.


# %%
def chances(weights, observation, mask):
    """Return the probabilities of all actions, float64[n, actions], 0 for illegal ones."""
    logits = np.where(mask, observation @ weights, -np.inf)
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


# %% [markdown]
# ## Playing many games
#
# The batch environment steps all games together, and the array `to_play` says whose decision each game waits for. Our policy
# takes seat 0 in half of the games and seat 1 in the others; the opponent plays at random.


# %%
def play(weights, seed):
    """Play `GAMES` games. Return each decision's game, observation, probabilities and action, and the payoffs."""
    env = pyramidion.env.batch(game, GAMES, seats=2, seed=seed, autoreset=False)
    random, own_seat = np.random.default_rng(seed), np.arange(GAMES) % 2
    decisions, payoffs, b = [], np.zeros(GAMES), env.reset()
    while not b.terminated.all():
        chosen = env.random_actions()
        own = np.flatnonzero(b.to_play == own_seat)
        if len(own):
            seen = b.observation[own]
            likely = chances(weights, seen, b.legal_mask[own])
            sums = likely.cumsum(axis=1)
            chosen[own] = (sums < random.random((len(own), 1)) * sums[:, -1:]).sum(axis=1)
            decisions.append((own, seen, likely, chosen[own]))
        b = env.step(chosen)
        payoffs += b.rewards[np.arange(GAMES), own_seat]
    env.close()
    return [np.concatenate(column) for column in zip(*decisions, strict=True)], payoffs


# %% [markdown]
# ## Learning
#
# Actions of games that ended better than average become likelier, those of the others less likely. The gradient is scaled as in
# RMSProp.

# %%
weights, squares, history = np.zeros((size, actions)), np.zeros((size, actions)), []
for number in range(30):
    (games, seen, likely, chosen), payoffs = play(weights, seed=number)
    advantage = (payoffs - payoffs.mean()) / (payoffs.std() + 1e-8)
    push = -likely
    push[np.arange(len(chosen)), chosen] += 1
    gradient = seen.T @ (push * advantage[games][:, None]) / len(chosen)
    squares += 0.1 * (gradient**2 - squares)
    weights += 0.03 * gradient / (np.sqrt(squares) + 1e-6)
    history.append(payoffs.mean())
print(f"Share of wins: {np.mean(history[:3]):.0%} in the first three rounds, {np.mean(history[-3:]):.0%} in the last three.")

# %% [markdown]
# ## The curve

# %%
import matplotlib.pyplot as plt

fig, axes = plt.subplots(figsize=(6, 3))
axes.plot(range(1, len(history) + 1), history)
axes.axhline(0.5, color="grey", linewidth=1)
axes.set_xlabel("round of 256 games")
axes.set_ylabel("share of wins against random play")
fig.tight_layout()

# %% [markdown]
# `examples/ppo.py` does the same with a network and PPO, against the built-in policy, in 120 lines.
# [Python API](../python.md#many-games-at-once) describes the environment.
