"""Following long work: a line of progress in terminals and notebooks, and callbacks."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

#: Gets a dictionary for each event of the work; a true answer stops it. ``event["event"]`` is ``stage`` (something
#: begins), ``round`` (with ``round``, ``of``, ``measure``, ``value``, ``best_round``, ``best``, ``share``), ``note`` or
#: ``finished`` (a training of an experiment).
Callback = Callable[[dict[str, Any]], Any]


class Follower:
    """Shows progress and calls callbacks; a context, so that the line is gone at the end."""

    def __init__(self, what: str, progress: bool | None, callbacks: Sequence[Callback] | Callback | None) -> None:
        self.what = what
        self.callbacks = [callbacks] if callable(callbacks) else list(callbacks or [])
        for callback in self.callbacks:
            if not callable(callback):
                raise TypeError(f"a callback must be callable; {callback!r} is not")
        self.shown = _is_shown() if progress is None else progress
        self.width = 0

    @property
    def call(self) -> Callback | None:
        """What hears of events, if anybody does."""
        return self._hear if self.shown or self.callbacks else None

    @property
    def every(self) -> bool:
        """Whether the work waits after every event."""
        return bool(self.callbacks)

    def __enter__(self) -> Follower:
        return self

    def __exit__(self, *_: object) -> None:
        if self.width:
            self._write("")

    def _hear(self, event: dict[str, Any]) -> bool:
        if self.shown:
            self._show(event)
        # All of them hear of every event, whatever the others say.
        return any([bool(callback(event)) for callback in self.callbacks])

    def _show(self, event: dict[str, Any]) -> None:
        if event["event"] == "round":
            value = f"{event['measure']} {event['value']:.4g}, best {event['best']:.4g} (round {event['best_round']})"
            self._write(f"{self.what} {event['share']:4.0%}  round {event['round']} of {event['of']}: {value}")
        elif event["event"] == "stage":
            self._write(f"{self.what}  {event['stage']}")
        elif event["event"] == "finished":
            self._write(f"{self.what}  {event['done']} of {event['of']} trainings")

    def _write(self, line: str) -> None:
        line = line[:100]
        sys.stderr.write("\r" + line.ljust(self.width) + ("\r" if not line else ""))
        sys.stderr.flush()
        self.width = len(line)


def _is_shown() -> bool:
    """Whether somebody looks: at a terminal, or at a notebook."""
    if sys.stderr is None:
        return False
    return sys.stderr.isatty() or type(sys.stderr).__module__.startswith("ipykernel")
