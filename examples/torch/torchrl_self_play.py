# pyright: basic, reportMissingImports=false
"""Learn short games of Ponzi Scheme in TorchRL, through PettingZoo: PPO in self-play, one network for all seats.

    pip install -e '.[env]' torch torchrl
    python examples/torch/torchrl_self_play.py [--games 300]

PettingZoo's turns become steps of a dictionary of tensors, in which `mask` tells whose turn it is. TorchRL's wrapper
takes some milliseconds a decision, so the games end after two rounds.
"""

from __future__ import annotations

import argparse

import torch
from torch import nn
from torch.distributions import Categorical
from torchrl.envs import PettingZooWrapper

from pyramidion.env import pettingzoo

SEATS, ROUNDS, AT_ONCE = 3, 2, 20
RATE, EPOCHS, CLIP = 1e-2, 4, 0.2


def choices(network: nn.Module, seen: torch.Tensor, legal: torch.Tensor) -> Categorical:
    """Return the network's distribution over the legal actions."""
    return Categorical(logits=network(seen).masked_fill(~legal, -1e9), validate_args=False)


@torch.no_grad()
def play(env: PettingZooWrapper, network: nn.Module, learned: set[int]) -> tuple[list[tuple], list[float]]:
    """Play a game, in which the seats of `learned` use the network and the others play at random.

    Return the decisions of those seats, each a seat, an observation, a mask, an action and its log probability, and the
    payoffs.
    """
    now, groups = env.reset(), list(env.group_map)
    decisions, payoffs = [], [0.0] * len(groups)
    while not now["done"].item():
        [seat] = [n for n, group in enumerate(groups) if now[group, "mask"].item()]
        seen = now[groups[seat], "observation", "observation"][0]
        legal = now[groups[seat], "action_mask"][0]
        chances = choices(network, seen, legal) if seat in learned else Categorical(probs=legal.float())
        action = chances.sample()
        if seat in learned:
            decisions.append((torch.tensor(seat), seen, legal, action, chances.log_prob(action)))
        now[groups[seat], "action"] = action[None]
        now = env.step(now)["next"]
        payoffs = [payoff + now[group, "reward"].item() for payoff, group in zip(payoffs, groups, strict=True)]
    return decisions, payoffs


def learn(network: nn.Module, optimizer: torch.optim.Optimizer, games: list[tuple[list[tuple], list[float]]]) -> None:
    """Take some steps on the clipped objective; a decision's advantage is its seat's payoff less the mean."""
    decisions = [decision for made, _ in games for decision in made]
    payoffs = torch.tensor([payoffs[decision[0]] for made, payoffs in games for decision in made])
    advantages = (payoffs - payoffs.mean()) / (payoffs.std() + 1e-8)
    _, seen, legal, actions, old = (torch.stack(column) for column in zip(*decisions, strict=True))
    for _ in range(EPOCHS):
        ratio = (choices(network, seen, legal).log_prob(actions) - old).exp()
        loss = -torch.min(ratio * advantages, ratio.clamp(1 - CLIP, 1 + CLIP) * advantages).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def main(games: int = 300, tested: int = 300, seed: int = 0) -> tuple[float, float]:
    """Return the share of wins against random players, before learning (random play) and afterwards."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    plain = pettingzoo.aec("ponzi-scheme", seats=SEATS, round_limit=ROUNDS)
    env = PettingZooWrapper(plain, use_mask=True, categorical_actions=True)
    env.set_seed(seed)
    size, actions = plain.observation_space("player_0")["observation"].shape[0], int(plain.action_space("player_0").n)
    network = nn.Sequential(nn.Linear(size, 64), nn.Tanh(), nn.Linear(64, actions))
    nn.init.zeros_(network[2].weight)
    nn.init.zeros_(network[2].bias)
    optimizer = torch.optim.Adam(network.parameters(), lr=RATE)

    def share() -> float:
        return sum(play(env, network, {n % SEATS})[1][n % SEATS] for n in range(tested)) / tested

    before = share()
    for _ in range(games // AT_ONCE):
        learn(network, optimizer, [play(env, network, set(range(SEATS))) for _ in range(AT_ONCE)])
    return before, share()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=300)
    before, after = main(parser.parse_args().games)
    print(f"wins {after:.0%} of its games against two random players; random play wins {before:.0%}")
