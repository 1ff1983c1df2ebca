"""A QR code as a picture, for addresses of at most 106 bytes: versions 1 to 5 of ISO/IEC 18004, level L, bytes.

These are the versions whose data is a single block, which keeps it short.
"""

from __future__ import annotations

from markupsafe import Markup

CAPACITY = {1: (19, 7), 2: (34, 10), 3: (55, 15), 4: (80, 20), 5: (108, 26)}
"""Data and error correction codewords of each version at level L."""
BYTES, COUNT_BITS, END_BITS = 0b0100, 8, 4
LEVEL_L, MASK = 0b01, 0
QUIET = 4
Grid = list[list[bool]]


def fits(text: str) -> bool:
    """Whether a text is short enough."""
    return len(text.encode()) <= CAPACITY[5][0] - 2


def picture(text: str, label: str) -> Markup:
    """Return the code of a text as SVG, with its name for who cannot see it. Raises ValueError where it is too long."""
    grid = modules(text)
    size = len(grid) + 2 * QUIET
    path = "".join(
        f"M{x + QUIET} {y + QUIET}h1v1h-1z" for y, row in enumerate(grid) for x, dark in enumerate(row) if dark
    )
    return Markup(
        '<svg class="qr" viewBox="0 0 {size} {size}" role="img" aria-label="{label}" shape-rendering="crispEdges">'
        '<path fill="#fff" d="M0 0h{size}v{size}H0z"/><path fill="#000" d="{path}"/></svg>'
    ).format(size=size, label=label, path=path)


def modules(text: str) -> Grid:
    """Return the code of a text, rows of modules, true where dark. Raises ValueError where it is too long."""
    data = text.encode()
    version = next((v for v, (words, _) in CAPACITY.items() if len(data) <= words - 2), None)
    if version is None:
        raise ValueError(f"A QR code here holds at most {CAPACITY[5][0] - 2} bytes; this has {len(data)}.")
    words = _codewords(data, *CAPACITY[version])
    size = 17 + 4 * version
    grid, fixed = _patterns(size, version)
    bits = [word >> shift & 1 for word in words for shift in range(7, -1, -1)]
    for place, (x, y) in enumerate(_places(size, fixed)):
        bit = bits[place] if place < len(bits) else 0
        grid[y][x] = bool(bit ^ ((x + y) % 2 == 0))
    return grid


def _codewords(data: bytes, room: int, checks: int) -> list[int]:
    bits = f"{BYTES:04b}{len(data):0{COUNT_BITS}b}" + "".join(f"{byte:08b}" for byte in data)
    bits += "0" * min(END_BITS, room * 8 - len(bits))
    bits += "0" * (-len(bits) % 8)
    words = [int(bits[at : at + 8], 2) for at in range(0, len(bits), 8)]
    words += [0xEC if n % 2 == 0 else 0x11 for n in range(room - len(words))]
    return words + remainder(words, checks)


def times(a: int, b: int) -> int:
    """Multiply in the field of 256 elements of QR codes."""
    product = 0
    while b:
        product ^= a if b & 1 else 0
        a = a << 1 ^ (0x11D if a & 0x80 else 0)
        b >>= 1
    return product


def remainder(words: list[int], checks: int) -> list[int]:
    """Return the Reed-Solomon check words."""
    divisor, root = [1], 1
    for _nth in range(checks):
        divisor = [high ^ times(low, root) for high, low in zip([*divisor, 0], [0, *divisor], strict=True)]
        root = times(root, 2)
    rest = [0] * checks
    for word in words:
        factor = word ^ rest[0]
        rest = [one ^ times(part, factor) for one, part in zip([*rest[1:], 0], divisor[1:], strict=True)]
    return rest


def _patterns(size: int, version: int) -> tuple[Grid, Grid]:
    """Return the grid with what every code has, and where that is."""
    grid = [[False] * size for _ in range(size)]
    fixed = [[False] * size for _ in range(size)]

    def put(x: int, y: int, dark: bool) -> None:
        if 0 <= x < size and 0 <= y < size:
            grid[y][x], fixed[y][x] = dark, True

    for at in range(size):
        put(at, 6, at % 2 == 0)
        put(6, at, at % 2 == 0)
    for left, top in ((0, 0), (size - 7, 0), (0, size - 7)):
        for x in range(-1, 8):
            for y in range(-1, 8):
                ring = max(abs(x - 3), abs(y - 3))
                put(left + x, top + y, ring not in (2, 4))
    if version > 1:
        for x in range(-2, 3):
            for y in range(-2, 3):
                put(size - 7 + x, size - 7 + y, max(abs(x), abs(y)) != 1)
    for n, bit in enumerate(_format()):
        put(*((8, n + (n > 5)) if n < 8 else (14 - n + (n < 9), 8)), bit)
        put(*((size - 1 - n, 8) if n < 8 else (8, size - 15 + n)), bit)
    put(8, size - 8, True)
    return grid, fixed


def _format() -> list[bool]:
    """Return the 15 bits that tell level and mask, the last one first."""
    data = LEVEL_L << 3 | MASK
    rest = data << 10
    for shift in range(4, -1, -1):
        rest ^= 0b10100110111 << shift if rest >> (shift + 10) & 1 else 0
    word = (data << 10 | rest) ^ 0b101010000010010
    return [bool(word >> n & 1) for n in range(15)]


def _places(size: int, fixed: Grid) -> list[tuple[int, int]]:
    """Return where the data lies, in its order: up and down in columns of two, from the right."""
    found: list[tuple[int, int]] = []
    upwards = True
    for right in [*range(size - 1, 6, -2), 5, 3, 1]:
        for step in range(size):
            y = size - 1 - step if upwards else step
            found += [(x, y) for x in (right, right - 1) if not fixed[y][x]]
        upwards = not upwards
    return found
