"""Kernels: functions for the device that call rules.

Numba-CUDA compiles a rule for the device when a kernel calls it. Four of its habits would give other games than on the
CPU or none at all, so they are changed while a kernel is compiled:

- whole numbers are widened to 64 bits between rules, as `engine.rule` does it on the CPU;
- a product and a sum stay two roundings instead of one, so that observations and payoffs have the same bytes;
- tables of a game lie in global memory: constant memory has 64 kB, and serves the threads of a warp one after the other
  where they read different entries;
- without a card, the capability to compile for is given.
"""

from __future__ import annotations

import threading
from collections.abc import Generator
from contextlib import contextmanager
from importlib.util import find_spec
from types import SimpleNamespace
from typing import Any, Literal, cast

import numpy as np

from pyramidion.engine.rule import INTERPRETED, widened
from pyramidion.extras import install_command

Device = Literal["cpu", "cuda"]
"""Where games are played: on the CPU, or on an NVIDIA GPU."""
H100 = (9, 0)
"""The compute capability that kernels are compiled for where there is no card."""
BLOCK = 128
"""Threads in a block."""

_LOCK = threading.RLock()


def numba_cuda() -> Any:
    """Import and return the module `numba.cuda` of Numba-CUDA. Raises ModuleNotFoundError without the extra `cuda`."""
    if find_spec("numba_cuda") is None:
        raise ModuleNotFoundError(
            f"Playing on a GPU needs another package: {install_command('cuda')}", name="numba_cuda"
        )
    from numba import cuda

    return cuda


def simulated() -> bool:
    """Return whether kernels run in Numba's CUDA simulator, without a GPU."""
    return bool(numba_cuda().config.ENABLE_CUDASIM)


def require_device(device: Device) -> None:
    """Raise an error with a sentence if `device` is the GPU and this machine cannot run kernels.

    That is ValueError for an unknown device, ModuleNotFoundError without the extra `cuda`, and RuntimeError without a
    GPU.
    """
    if device not in ("cpu", "cuda"):
        raise ValueError(f"The devices are cpu and cuda, not {device!r}.")
    if device == "cpu":
        return
    if simulated() != INTERPRETED:
        raise RuntimeError(
            "Numba's CUDA simulator runs interpreted rules, and a GPU compiled ones: "
            "set both NUMBA_ENABLE_CUDASIM=1 and PYRAMIDION_INTERPRET=1, or neither."
        )
    if not simulated():
        error = numba_cuda().cuda_error()
        if error is not None:
            reason = " ".join(str(error).split())
            raise RuntimeError(f"No NVIDIA driver was found: {reason}")
        if not numba_cuda().is_available():
            raise RuntimeError("No NVIDIA GPU was found: the driver lists none.")


def on_device(arrays: Any) -> Any:
    """Copy the arrays of a named tuple to the device, and return a named tuple of the copies."""
    if simulated():
        return type(arrays)(*(array.copy() for array in arrays))
    return type(arrays)(*map(numba_cuda().to_device, arrays))


def on_host(array: Any) -> Any:
    """Return a device array as an array of NumPy, after waiting for the kernels that write it."""
    return array if simulated() else array.copy_to_host()


def zeros_on_device(array: Any) -> Any:
    """Return a device array of zeros with the shape and dtype of a given device array."""
    zeros = np.zeros(array.shape, array.dtype)
    return zeros if simulated() else numba_cuda().to_device(zeros)


def finished() -> None:
    """Wait until all kernels have ended."""
    numba_cuda().synchronize()


class Kernel:
    """A function that many threads of the GPU run, compiled for the types of its arguments on the first call with them.

    Pass arrays in named tuples: the simulator hands those on as they are, but wraps arrays in a class of its own.
    """

    def __init__(self, function: Any) -> None:
        self.function = function
        self._jitted: Any = None

    def __call__(self, threads: int, *args: Any) -> None:
        """Run the kernel in at least this many threads, and return without waiting for it."""
        with _LOCK:
            if self._jitted is None:
                self._jitted = numba_cuda().jit(self.function)
            if simulated():
                self._jitted[threads, 1](*args)
                return
            types = tuple(self._jitted.typeof_pyval(value) for value in args)
            if types not in self._jitted.overloads:
                with _as_on_the_cpu(None):
                    self._jitted.compile(types)
        self._jitted[-(-threads // BLOCK), BLOCK](*args)

    def resources(self) -> list[tuple[int, int]]:
        """Return (registers, bytes of local memory) of a thread for each version that was compiled on a GPU."""
        if self._jitted is None or simulated():
            return []
        return list(
            zip(
                self._jitted.get_regs_per_thread().values(),
                self._jitted.get_local_mem_per_thread().values(),
                strict=True,
            )
        )

    def ptx(self, *args: Any, capability: tuple[int, int] = H100, optimized: bool = True) -> str:
        """Return the kernel as PTX, NVIDIA's assembly language, for arguments of these types; needs no GPU.

        Code that is not `optimized` is compiled several times as fast.
        """
        import numba

        any_numba = cast("Any", numba)
        kinds = any_numba.types.void(*map(any_numba.typeof, args))
        with _LOCK, _as_on_the_cpu(capability):
            text, _ = numba_cuda().compile(
                self.function, kinds, opt=optimized, cc=capability, output="ptx", device=False, abi="numba"
            )
        return text if isinstance(text, str) else text.decode()


@contextmanager
def _as_on_the_cpu(capability: tuple[int, int] | None) -> Generator[None]:
    """Context manager: compile rules so that they compute on the GPU exactly what they compute on the CPU.

    `capability` is the compute capability to compile for on a machine without a GPU; None where there is one.
    """
    from numba.cuda import dispatcher as dispatcher_module
    from numba.cuda.cudadrv import nvvm as nvvm_module

    dispatcher, nvvm = cast("Any", dispatcher_module), cast("Any", nvvm_module)
    template = dispatcher.CUDADispatcher.get_call_template
    compile_ir, constant, current = nvvm.compile_ir, nvvm.ADDRSPACE_CONSTANT, dispatcher.get_current_device

    def widened_template(self: Any, args: Any, kws: Any) -> Any:
        """Resolve a call of a rule, with its whole numbers widened to 64 bits."""
        return template(self, tuple(map(widened, args)), {name: widened(kind) for name, kind in kws.items()})

    def two_roundings(ir: Any, **options: Any) -> Any:
        """Compile without fused multiply-add, so that a product and a sum are rounded one after the other."""
        return compile_ir(ir, **{"fma": False, **options})

    dispatcher.CUDADispatcher.get_call_template, nvvm.compile_ir = widened_template, two_roundings
    nvvm.ADDRSPACE_CONSTANT = nvvm.ADDRSPACE_GLOBAL
    if capability is not None:
        dispatcher.get_current_device = lambda: SimpleNamespace(compute_capability=capability)
    try:
        yield
    finally:
        dispatcher.CUDADispatcher.get_call_template, nvvm.compile_ir = template, compile_ir
        nvvm.ADDRSPACE_CONSTANT, dispatcher.get_current_device = constant, current
