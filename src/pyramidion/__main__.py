"""Entry point for `python -m pyramidion`, the same as the `pyramidion` command."""

import sys

from pyramidion.cli import main

if __name__ == "__main__":
    sys.exit(main())
