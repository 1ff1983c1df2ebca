"""The same rules on an NVIDIA GPU, by Numba-CUDA. Experimental: not yet measured on a card.

- `kernels`: compiles kernels that call rules, and launches them;
- `arrays`: arrays on the device, handed out by DLPack;
- `random_play`: uniformly random games.

No file of a game knows of it: a kernel calls the game's rules as they are. The extra `cuda` installs what it needs. In
Numba's simulator (`NUMBA_ENABLE_CUDASIM=1 PYRAMIDION_INTERPRET=1`) everything runs without a card, and slowly.
"""
