"""``python -m stakes`` and the command ``stakes``: the program."""

from __future__ import annotations

import signal
import sys

from stakes._stakes import program


def main() -> None:
    """Runs the program with the words of the command line."""
    # Ctrl-C is the program's own affair, and a reader that goes away ends it.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.stdout.flush()
    sys.exit(program(["stakes", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
