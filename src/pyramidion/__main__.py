"""`python -m pyramidion` is the command `pyramidion`."""

import sys

from pyramidion.cli import main

if __name__ == "__main__":
    sys.exit(main())
