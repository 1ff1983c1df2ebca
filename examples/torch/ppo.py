# pyright: basic, reportMissingImports=false
"""Learn Pyramis: PPO with a mask of legal actions, in PyTorch, in the style of CleanRL.

    pip install -e '.[env]' torch
    python examples/torch/ppo.py [--updates 30] [--opponent policy]

Gymnasium's vector interface steps the games in compiled code, and `torch.from_numpy` reads its arrays without a copy.
"""

from __future__ import annotations

import argparse

import gymnasium
import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

import pyramidion.env.gymnasium  # noqa: F401  registers the games

ENVS, STEPS, EPOCHS, PARTS = 128, 64, 4, 4
RATE, CLIP, ENTROPY, VALUE, GAMMA, LAMBDA = 3e-3, 0.2, 0.003, 0.5, 1.0, 1.0


class Agent(nn.Module):
    """Logits of actions and the value of a position."""

    def __init__(self, size: int, actions: int) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(size, 128), nn.Tanh(), nn.Linear(128, 128), nn.Tanh())
        self.actor, self.critic = nn.Linear(128, actions), nn.Linear(128, 1)
        nn.init.zeros_(self.actor.weight)

    def forward(self, seen: torch.Tensor, mask: torch.Tensor) -> tuple[Categorical, torch.Tensor]:
        """Return the distribution over legal actions, and the values."""
        hidden = self.body(seen)
        logits = self.actor(hidden).masked_fill(~mask, -1e9)
        return Categorical(logits=logits, validate_args=False), self.critic(hidden).squeeze(-1)


def look(observations: np.ndarray, infos: dict) -> tuple[torch.Tensor, torch.Tensor]:
    """Return observations and masks as tensors of their own, since the next step reuses the arrays."""
    return torch.from_numpy(observations).clone(), torch.from_numpy(infos["action_mask"]).bool().clone()


def advantages_of(rewards: torch.Tensor, ends: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
    """Return generalized advantage estimates; `values` has one row more than the others."""
    found, last = torch.zeros_like(rewards), torch.zeros(ENVS)
    for t in reversed(range(STEPS)):
        goes_on = 1.0 - ends[t]
        last = rewards[t] + GAMMA * goes_on * values[t + 1] - values[t] + GAMMA * LAMBDA * goes_on * last
        found[t] = last
    return found


def main(updates: int = 30, opponent: str = "random", seed: int = 0) -> tuple[float, float]:
    """Return the share of wins against the opponent, in the first updates and in the last."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    env = gymnasium.make_vec("Pyramidion/Pyramis-v1", num_envs=ENVS, seats=2, seat=None, opponents=opponent)
    agent = Agent(env.single_observation_space.shape[0], env.single_action_space.n)
    optimizer = torch.optim.Adam(agent.parameters(), lr=RATE, eps=1e-5)
    seen, mask = look(*env.reset(seed=seed))
    shares = []
    for update in range(updates):
        rows, payoffs = [], []
        for _ in range(STEPS):
            with torch.no_grad():
                chances, values = agent(seen, mask)
                actions = chances.sample()
            observations, rewards, ended, _, infos = env.step(actions.numpy())
            reward, end = torch.tensor(rewards, dtype=torch.float32), torch.tensor(ended, dtype=torch.float32)
            rows.append((seen, mask, actions, chances.log_prob(actions), values, reward, end))
            payoffs += rewards[ended].tolist()
            seen, mask = look(observations, infos)
        with torch.no_grad():
            after = agent(seen, mask)[1]
        *batch, values, rewards, ends = (torch.stack(column) for column in zip(*rows, strict=True))
        advantages = advantages_of(rewards, ends, torch.cat([values, after[None]]))
        batch = [column.flatten(0, 1) for column in (*batch, advantages, advantages + values)]
        for _ in range(EPOCHS):
            for part in torch.randperm(ENVS * STEPS).chunk(PARTS):
                learn(agent, optimizer, *(column[part] for column in batch))
        shares.append(float(np.mean(payoffs)))
        if update % 5 == 4:
            print(f"update {update + 1}: wins {np.mean(shares[-5:]):.0%} of its games", flush=True)
    env.close()
    return float(np.mean(shares[:3])), float(np.mean(shares[-3:]))


def learn(agent, optimizer, seen, mask, actions, old, advantages, returns) -> None:
    """Take one step on the clipped objective, the squared error of the values and the entropy."""
    chances, values = agent(seen, mask)
    ratio = (chances.log_prob(actions) - old).exp()
    gain = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
    policy = torch.max(-gain * ratio, -gain * ratio.clamp(1 - CLIP, 1 + CLIP)).mean()
    loss = policy + VALUE * 0.5 * (values - returns).square().mean() - ENTROPY * chances.entropy().mean()
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
    optimizer.step()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--updates", type=int, default=30)
    parser.add_argument("--opponent", default="random", choices=("random", "policy"))
    asked = parser.parse_args()
    before, after = main(asked.updates, asked.opponent)
    print(f"wins {after:.0%} of its games against a {asked.opponent} player; {before:.0%} in the first updates")
