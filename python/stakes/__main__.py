"""``python -m stakes`` and the command ``stakes``: the program."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from typing import Any

from stakes._stakes import program


def main() -> None:
    """Runs the program with the words of the command line."""
    # Ctrl-C is the program's own affair, and a reader that goes away ends it.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.stdout.flush()
    words = ["stakes", *sys.argv[1:]]
    with contextlib.ExitStack() as stack:

        def open_ray(address: str, cpus: int) -> Any:
            """Trainings as tasks of Ray, each of which runs the same words in the same folder."""
            from stakes.ray import _tasks

            tasks = _tasks.Tasks(address=address, cpus_per_task=cpus)
            place = _tasks.Place(tasks, _tasks.program_one, words, os.getcwd())
            stack.callback(place.close)
            return place.work

        code = program(words, open_ray)
    sys.exit(code)


if __name__ == "__main__":
    main()
