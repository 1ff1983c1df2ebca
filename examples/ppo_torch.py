"""PPO in PyTorch, in the style of CleanRL, on the vector environment: Pyramis against a policy bot and a random one.

Run `python examples/ppo_torch.py` after `pip install pyramidion[env] torch`.
"""

from __future__ import annotations

import gymnasium
import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

import pyramidion.env.gymnasium  # noqa: F401  # registers the games

GAMES, STEPS, EPOCHS, PARTS = 256, 32, 3, 4
RATE, GAMMA, LAMBDA, CLIP, ENTROPY, VALUE = 1e-3, 1.0, 0.95, 0.2, 0.01, 0.5


class Agent(nn.Module):
    """A network with two heads, for the actions and for the value."""

    def __init__(self, size: int, actions: int) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(size, 128), nn.Tanh(), nn.Linear(128, 128), nn.Tanh())
        self.actor, self.critic = nn.Linear(128, actions), nn.Linear(128, 1)

    def forward(self, seen: torch.Tensor, mask: torch.Tensor) -> tuple[Categorical, torch.Tensor]:
        """Return the distribution over the legal actions, and the values."""
        hidden = self.body(seen)
        return Categorical(logits=self.actor(hidden).masked_fill(~mask, -1e9)), self.critic(hidden)[:, 0]


def main(rounds: int = 40, seed: int = 0) -> tuple[float, float]:
    """Return the share of wins in the first and in the last quarter of the rounds."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    env = gymnasium.make_vec(
        "Pyramidion/Pyramis-v1", num_envs=GAMES, seats=3, seat=None, opponents=["policy", "random"]
    )
    agent = Agent(env.single_observation_space.shape[0], env.single_action_space.n)
    optimizer = torch.optim.Adam(agent.parameters(), lr=RATE)
    observations, infos = env.reset(seed=seed)
    seen, mask = torch.from_numpy(observations), torch.from_numpy(infos["action_mask"])
    won, ended = np.zeros(rounds), np.zeros(rounds)
    for number in range(rounds):
        steps = []
        for _ in range(STEPS):
            with torch.no_grad():
                choice, value = agent(seen, mask)
                action = choice.sample()
            observations, rewards, over, _, infos = env.step(action.numpy())
            steps.append((seen, mask, action, choice.log_prob(action), value, rewards, over))
            seen, mask = torch.from_numpy(observations), torch.from_numpy(infos["action_mask"])
            won[number], ended[number] = won[number] + rewards.sum(), ended[number] + over.sum()
        with torch.no_grad():
            following, later = agent(seen, mask)[1], torch.zeros(GAMES)
        advantages = []
        for *_, value, rewards, over in reversed(steps):
            goes_on = torch.from_numpy(1.0 - over).float()
            error = torch.from_numpy(rewards).float() + GAMMA * goes_on * following - value
            later = error + GAMMA * LAMBDA * goes_on * later
            advantages.append(later)
            following = value
        seen_then, masks, actions, logs, values = (torch.cat([s[n] for s in steps]) for n in range(5))
        gains = torch.cat(advantages[::-1])
        targets = gains + values
        for _ in range(EPOCHS):
            for part in torch.randperm(len(actions)).chunk(PARTS):
                choice, value = agent(seen_then[part], masks[part])
                ratio = (choice.log_prob(actions[part]) - logs[part]).exp()
                gain = (gains[part] - gains[part].mean()) / (gains[part].std() + 1e-8)
                policy = torch.min(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain).mean()
                loss = -policy + VALUE * (value - targets[part]).pow(2).mean() - ENTROPY * choice.entropy().mean()
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
                optimizer.step()
    env.close()
    quarter = max(1, rounds // 4)
    return won[:quarter].sum() / ended[:quarter].sum(), won[-quarter:].sum() / ended[-quarter:].sum()


if __name__ == "__main__":
    first, last = main()
    print(f"wins {last:.0%} of its games in the last quarter of the rounds, and won {first:.0%} in the first")
