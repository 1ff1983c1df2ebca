"""Arrays on the device, handed to other libraries by DLPack without a copy."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import numpy.typing as npt

CPU, CUDA = 1, 2
"""Devices of DLPack."""
_KINDS = {"i": 0, "u": 1, "f": 2, "b": 6}


class _Tensor(ctypes.Structure):
    """The C structure DLTensor of DLPack 0.8: where the numbers of an array are, and their type and shape."""

    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    )


_DELETER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class _Managed(ctypes.Structure):
    """The C structure DLManagedTensor of DLPack: a tensor, and the function that frees it. `context` is not used."""

    _fields_ = (("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", _DELETER))


_KEPT: dict[int, tuple[Any, ...]] = {}
"""What a consumer still holds, by the address of its tensor."""


def _delete(address: int) -> None:
    """Let go of the array that was handed out at this address; its consumer calls this when done."""
    _KEPT.pop(address, None)


_delete_callback = _DELETER(_delete)


class DeviceArray:
    """An array in the device's memory, contiguous in the order of C, which other libraries can read without a copy.

    `torch.from_dlpack(array)`, `cupy.from_dlpack(array)` and `jax.dlpack.from_dlpack(array)` take it without a copy;
    `torch.as_tensor` and CuPy also by the CUDA array interface. A later call of the batch changes its contents.

    Attributes:
        shape, dtype: as in NumPy.
    """

    def __init__(self, array: Any) -> None:
        """Take an array of Numba-CUDA or, in the simulator, of NumPy."""
        self._array: Any = array
        self._simulated = isinstance(array, np.ndarray)
        self.shape: tuple[int, ...] = tuple(array.shape)
        self.dtype: np.dtype[Any] = np.dtype(self._array.dtype)

    @property
    def array(self) -> Any:
        """The array of Numba-CUDA that holds the numbers or, in the simulator, of NumPy."""
        return self._array

    def copy(self) -> DeviceArray:
        """Return a copy, which is on the device, too."""
        if self._simulated:
            return DeviceArray(self._array.copy())
        from pyramidion.engine.cuda.kernels import numba_cuda

        made = numba_cuda().device_array(self.shape, self.dtype)
        made.copy_to_device(self._array)
        return DeviceArray(made)

    def copy_to_host(self) -> npt.NDArray[Any]:
        """Return a copy as an array of NumPy, after waiting for the kernels that write it."""
        return self._array.copy() if self._simulated else self._array.copy_to_host()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        if copy is False:
            raise ValueError("An array of the device cannot be an array of NumPy without a copy.")
        return self.copy_to_host().astype(dtype) if dtype is not None else self.copy_to_host()

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return self._array.__cuda_array_interface__

    def __dlpack_device__(self) -> tuple[int, int]:
        return (CPU, 0) if self._simulated else (CUDA, self._device())

    def __dlpack__(self, *, stream: int | None = None, **_: Any) -> Any:
        """Return a capsule `dltensor`; the consumer's stream may read at once, since all kernels have ended then."""
        if not self._simulated:
            from pyramidion.engine.cuda.kernels import finished

            finished()
        dims = len(self.shape)
        shape = (ctypes.c_int64 * dims)(*self.shape)
        kind, device = _KINDS[self.dtype.kind], self.__dlpack_device__()
        tensor = _Tensor(self._address(), *device, dims, kind, 8 * self.dtype.itemsize, 1, shape, None, 0)
        managed = _Managed(tensor, None, _delete_callback)
        address = ctypes.addressof(managed)
        _KEPT[address] = (managed, shape, self._array)
        new: Any = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
        # A capsule that nobody takes is freed with its tensor when the process ends.
        return new(address, b"dltensor", None)

    def _address(self) -> int:
        """Return the address of the array's first number."""
        if self._simulated:
            return self._array.ctypes.data
        return self._array.__cuda_array_interface__["data"][0]

    def _device(self) -> int:
        """Return the number of the GPU that holds the array."""
        from pyramidion.engine.cuda.kernels import numba_cuda

        return int(numba_cuda().get_current_device().id)

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        return f"DeviceArray(shape={self.shape}, dtype={self.dtype})"
