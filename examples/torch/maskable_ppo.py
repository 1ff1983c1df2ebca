# pyright: basic, reportMissingImports=false
"""Learn short games of Ponzi Scheme with MaskablePPO of sb3-contrib (Stable-Baselines3), against random players.

    pip install -e '.[env]' torch sb3-contrib
    python examples/torch/maskable_ppo.py [--steps 16384]

MaskablePPO asks each environment for `action_masks()`, so `ActionMasker` is not needed.
"""

from __future__ import annotations

import argparse

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.vec_env import VecEnv

import pyramidion
import pyramidion.env.gymnasium  # registers the games
from pyramidion.env.seeding import env_id

GAME = {"seats": 3, "seat": None, "opponents": "random", "round_limit": 2}


def share(model: MaskablePPO, env: VecEnv, games: int) -> float:
    """Return the share of wins of a model's samples in so many games."""
    seen, payoffs = env.reset(), []
    while len(payoffs) < games:
        actions, _ = model.predict(seen, action_masks=get_action_masks(env))
        seen, rewards, ended, _ = env.step(actions)
        payoffs += rewards[ended].tolist()
    return float(np.mean(payoffs))


def main(steps: int = 16384, games: int = 500, seed: int = 0) -> tuple[float, float]:
    """Return the share of wins against random players, before learning and afterwards."""
    torch.set_num_threads(1)
    env = make_vec_env(env_id(pyramidion.load("ponzi-scheme")), n_envs=8, seed=seed, env_kwargs=GAME)
    model = MaskablePPO(
        "MlpPolicy", env, n_steps=128, batch_size=256, n_epochs=4, gamma=1.0, learning_rate=3e-3, seed=seed
    )
    before = share(model, env, games)
    model.learn(steps)
    return before, share(model, env, games)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=16384)
    before, after = main(parser.parse_args().steps)
    print(f"wins {after:.0%} of its games against two random players; before learning {before:.0%}")
