"""Environments for learning programs and adapters for external game frameworks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyramidion.engine.cuda.kernels import Device
    from pyramidion.engine.game import Game
    from pyramidion.env.batch_env import BatchEnv, Masks


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
        options: the game's options.

    Raises KeyError for an unknown game, ValueError for invalid seats, options, cards or devices, ModuleNotFoundError
    for a GPU without the extra `cuda`, and RuntimeError for one that is missing.
    """
    from pyramidion.engine.cuda.kernels import require_device
    from pyramidion.engine.registry import load
    from pyramidion.env.batch_env import BatchEnv

    require_device(device)
    kind: type[BatchEnv] = BatchEnv
    if device == "cuda":
        from pyramidion.env.cuda_batch import CudaBatchEnv

        kind = CudaBatchEnv

    chosen = load(game) if isinstance(game, str) else game
    seats = chosen.usual_seats if seats is None else seats
    return kind(chosen, n, seats, seed, threads, autoreset, simultaneous, observe, masks, copy, cards, options)
