# pyright: basic
"""Learn any game by self-play: PPO (Schulman et al. 2017) with a mask of legal actions, in NumPy alone.

One network plays all seats. It is an agent of the benchmark (docs/benchmark.md) that draws actions from its policy.

    python examples/ppo_self_play.py pyramis --rounds 60
    pyramidion evaluate pyramis --agent shipped=examples.ppo_self_play:make --agent mine=examples.ppo_self_play:own
"""

from argparse import ArgumentParser
from functools import cache, partial
from pathlib import Path

import numpy as np

import pyramidion

BATCH, HIDDEN = 128, 64
RATE, EPOCHS, PARTS, CLIP, ENTROPY = 0.003, 2, 8, 0.2, 0.01
SHIPPED = Path(__file__).parent / "weights"


class Network:
    """Logits and a value with one hidden layer, trained with Adam."""

    def __init__(self, layers: list[np.ndarray]) -> None:
        self.layers, self.updates = layers, 0
        self.means, self.squares = ([np.zeros_like(layer) for layer in layers] for _ in range(2))

    def forward(self, seen: np.ndarray, mask: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the hidden layer, the probabilities of actions (0 for illegal ones) and the values."""
        out = (hidden := np.tanh(seen @ self.layers[0])) @ self.layers[1]
        logits = np.where(mask, out[:, :-1], -np.inf)
        powers = np.exp(logits - logits.max(axis=1, keepdims=True))
        return hidden, powers / powers.sum(axis=1, keepdims=True), out[:, -1]

    def learn(self, seen, mask, actions, old, payoffs, advantages) -> None:
        """Take one step on the clipped objective, with a bonus for entropy and the squared error of the values."""
        hidden, chances, values = self.forward(seen, mask)
        rows, ratio = np.arange(len(actions)), chances[np.arange(len(actions)), actions] / old
        gain = np.where(advantages > 0, ratio < 1 + CLIP, ratio > 1 - CLIP) * ratio * advantages
        push = -chances * gain[:, None]
        push[rows, actions] += gain
        logs = np.log(np.where(chances > 0, chances, 1))
        push -= ENTROPY * chances * (logs - (chances * logs).sum(axis=1, keepdims=True))
        out = np.hstack([push, 0.5 * (payoffs - values)[:, None]]) / len(rows)
        inner = (out @ self.layers[1].T) * (1 - hidden**2)
        self.updates += 1
        for n, gradient in enumerate((seen.T @ inner, hidden.T @ out)):
            self.means[n] += 0.1 * (gradient - self.means[n])
            self.squares[n] += 0.001 * (gradient**2 - self.squares[n])
            mean, square = self.means[n] / (1 - 0.9**self.updates), self.squares[n] / (1 - 0.999**self.updates)
            self.layers[n] += RATE * mean / (np.sqrt(square) + 1e-8)


def play(network: Network, game: pyramidion.Game, seats: int, seed: int, batch: int = BATCH) -> tuple[np.ndarray, ...]:
    """Play games; return all decisions: observations, masks, actions, probabilities, values and payoffs."""
    env = pyramidion.env.batch(game, batch, seats, seed=seed, autoreset=False)
    random, payoffs, steps, b = np.random.default_rng(seed), np.zeros((batch, seats), np.float32), [], env.reset()
    while not b.terminated.all():
        acting = np.flatnonzero(b.to_play >= 0)
        seen, mask = b.observation[acting], b.legal_mask[acting]
        _, chances, values = network.forward(seen, mask)
        sums = chances.cumsum(axis=1)
        chosen = (sums < random.random((len(acting), 1)) * sums[:, -1:]).sum(axis=1)
        real = mask.sum(axis=1) > 1  # a single legal action is no decision
        columns = acting, b.to_play[acting], seen, mask, chosen, chances[np.arange(len(acting)), chosen], values
        steps.append(tuple(column[real] for column in columns))
        b = env.step(np.bincount(acting, chosen, batch).astype(np.int64))  # 0 where nobody acts
        payoffs += b.rewards
    games, seat, *others = (np.concatenate(column) for column in zip(*steps, strict=True))
    return (*others, payoffs[games, seat])


def train(game: pyramidion.Game, rounds: int, seed: int = 0, batch: int = BATCH) -> Network:
    """Return a network that has learned by self-play in so many rounds of `batch` games."""
    random, size = np.random.default_rng(seed), game.observation.size
    first = random.normal(0, size**-0.5, (size, HIDDEN)).astype(np.float32)
    network = Network([first, np.zeros((HIDDEN, len(game.actions) + 1), np.float32)])
    for number in range(rounds):
        seen, mask, chosen, old, values, payoffs = play(network, game, game.usual_seats, seed + number, batch)
        advantages = (payoffs - values - (payoffs - values).mean()) / ((payoffs - values).std() + 1e-8)
        for _ in range(EPOCHS):
            for part in np.array_split(random.permutation(len(chosen)), PARTS):
                network.learn(seen[part], mask[part], chosen[part], old[part], payoffs[part], advantages[part])
    return network


@cache
def read(path: Path) -> Network:
    """Read the weights of a network."""
    return Network([layer.astype(np.float32) for layer in np.load(path).values()])


def make(game: pyramidion.Game, seed: str, folder: Path = SHIPPED):
    """Return the agent for the benchmark: a function from an observation and a mask to an action id."""
    network, random = read(folder / f"ppo-{game.id}.npz"), np.random.default_rng(list(seed.encode()))

    def choose(observation: np.ndarray, mask: np.ndarray) -> int:
        chances = network.forward(observation[None], mask[None])[1][0].astype(float)
        return int(random.choice(len(chances), p=chances / chances.sum()))

    return choose


own = partial(make, folder=Path())  # the agent that you have trained, in the folder that you are in

if __name__ == "__main__":
    parser = ArgumentParser()
    parser.add_argument("game")
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--batch", type=int, default=BATCH, help="games a round; fewer where games are long")
    parser.add_argument("--folder", type=Path, default=Path(), help="where the weights go; by default this folder")
    parser.add_argument("--overwrite", action="store_true", help="replace weights that exist")
    asked = parser.parse_args()
    if (path := asked.folder / f"ppo-{asked.game}.npz").exists() and not asked.overwrite:
        parser.error(f"{path} exists. Choose another --folder, or replace the file with --overwrite.")
    layers = train(pyramidion.load(asked.game), asked.rounds, batch=asked.batch).layers
    np.savez_compressed(path, allow_pickle=False, **{f"layer{n}": layer.astype("f2") for n, layer in enumerate(layers)})
    print(f"The weights are in {path.absolute()}.")
