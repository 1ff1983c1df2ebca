"""Environments for learning programs and adapters for external game frameworks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyramidion.engine.cuda.kernels import Device
    from pyramidion.engine.game import Game
    from pyramidion.env.batch_arrays import Batch, Masks
    from pyramidion.env.batch_env import BatchEnv
    from pyramidion.env.rewards import Reward

__all__ = ["Batch", "BatchEnv", "batch"]


def batch(
    game: str | Game,
    n: int,
    seats: int | None = None,
    seed: int | str = 0,
    threads: int = 1,
    autoreset: bool = True,
    cards: str | None = None,
    *,
    simultaneous: bool = False,
    observe: bool = True,
    masks: Masks = True,
    copy: bool = False,
    device: Device = "cpu",
    reward: Reward = "win",
    **options: Any,
) -> BatchEnv:
    """Return `n` environments of one game that are stepped together by compiled code.

    Args:
        game: a game or its id.
        n: the number of environments.
        seats: seats of every game; by default the usual number.
        seed: determines every game, policy action and random action, whatever the number of threads. The games are
            those of `Game.new(seats, seed=int(env.seeds[i]))`.
        threads: number of threads.
        autoreset: begin the next game in the same step that ends one; otherwise its environment waits for `reset`.
        cards: text of a card file, as for `Game.new`.
        simultaneous: take the actions of all seats that are due at once, instead of one seat after the other.
        observe: whether to write observations.
        masks: whether to write legal masks; "packed" writes a bit for each action instead of a byte.
        copy: return new arrays from every call, instead of the same ones with new contents.
        device: "cuda" plays on an NVIDIA GPU, with a thread for each environment (experimental). The games are the
            same; the arrays are `DeviceArray`s, which torch, CuPy and JAX take by DLPack.
        reward: what a seat is rewarded with when a game ends. "win": its payoff, usually its share of the win.
            "points": its points, 0 if it is not scored. "rank": the share of the others that it is ahead of, by payoffs
            and then points; an equal one counts as a half. Or a rule of your own, `reward(box, s, payoffs, points,
            out)`, which writes each seat's reward to `out`, float64; `payoffs`, float64, and `points`, int32, have
            each seat's, and `s` is the whole last state.
        options: the game's options.

    Raises KeyError for an unknown game, ValueError for invalid seats, options, cards, devices or rewards, TypeError for
    a reward that is no rule, ModuleNotFoundError for a GPU without the extra `cuda`, and RuntimeError for one that is
    missing.
    """
    from pyramidion.engine.cuda.kernels import require_device
    from pyramidion.engine.registry import load
    from pyramidion.env.batch_env import BatchEnv

    require_device(device)
    kind: type[BatchEnv] = BatchEnv
    if device == "cuda":
        from pyramidion.env.cuda_batch import CudaBatchEnv

        kind = CudaBatchEnv

    chosen = load(game)
    seats = chosen.usual_seats if seats is None else seats
    return kind(chosen, n, seats, seed, threads, autoreset, simultaneous, observe, masks, copy, cards, options, reward)


def __getattr__(name: str) -> Any:
    # Import lazily: a program that only lists games should not wait for Numba.
    if name not in ("Batch", "BatchEnv"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from pyramidion.env import batch_arrays, batch_env

    return batch_arrays.Batch if name == "Batch" else batch_env.BatchEnv
