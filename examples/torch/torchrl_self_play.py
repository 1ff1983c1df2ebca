# pyright: basic, reportMissingImports=false
"""Pyramis in TorchRL, through PettingZoo: REINFORCE in self-play, one network for all seats.

pip install 'pyramidion[env]' torch torchrl
python examples/torch/torchrl_self_play.py [--games 100]

PettingZoo's turns become steps of a dictionary of tensors, in which `mask` tells whose turn it is.
"""

from __future__ import annotations

import argparse

import torch
from torch import nn
from torch.distributions import Categorical
from torchrl.envs import PettingZooWrapper

from pyramidion.env import pettingzoo

SEATS, AT_ONCE, RATE = 2, 10, 3e-3


def play(env: PettingZooWrapper, network: nn.Module, learned: int) -> tuple[list[list[torch.Tensor]], list[float]]:
    """Play a game; `learned` is a bitmask of the seats that use the network, the others play at random.

    Return each seat's log probabilities of its actions, and the payoffs.
    """
    now, groups = env.reset(), list(env.group_map)
    logs, payoffs = [[] for _ in groups], [0.0] * len(groups)
    while not now["done"].item():
        for seat, group in enumerate(groups):
            if now[group, "mask"].item():
                legal = now[group, "action_mask"][0]
                logits = network(now[group, "observation", "observation"][0])
                chances = Categorical(logits=(logits * (learned >> seat & 1)).masked_fill(~legal, -1e9))
                action = chances.sample()
                logs[seat].append(chances.log_prob(action))
                now[group, "action"] = action[None]
        now = env.step(now)["next"]
        for seat, group in enumerate(groups):
            payoffs[seat] += now[group, "reward"].item()
    return logs, payoffs


def main(games: int = 100, seed: int = 0) -> float:
    """Return the share of wins of the learned player against a random one."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    env = PettingZooWrapper(pettingzoo.aec("pyramis", seats=SEATS), use_mask=True, categorical_actions=True)
    plain = env._env
    size, actions = plain.observation_space("player_0")["observation"].shape[0], int(plain.action_space("player_0").n)
    network = nn.Sequential(nn.Linear(size, 64), nn.Tanh(), nn.Linear(64, actions))
    optimizer = torch.optim.Adam(network.parameters(), lr=RATE)
    for _ in range(games // AT_ONCE):
        loss = torch.zeros(())
        for _ in range(AT_ONCE):
            logs, payoffs = play(env, network, 0b11)
            for log, payoff in zip(logs, payoffs, strict=True):
                loss = loss - (payoff - 1 / SEATS) * torch.stack(log).sum()
        optimizer.zero_grad()
        (loss / AT_ONCE).backward()
        optimizer.step()
    with torch.no_grad():
        return sum(play(env, network, 1 << n % 2)[1][n % 2] for n in range(100)) / 100


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=100)
    print(f"wins {main(parser.parse_args().games):.0%} of 100 games against a random player")
