"""What is said beside results."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable


class StakesNote(UserWarning):
    """Something that should be known about data or a result, such as lists that a model was trained on.

    Notes are warnings of Python: ``warnings.simplefilter("ignore", stakes.StakesNote)`` silences them.
    """


def say(notes: Iterable[str]) -> None:
    """Gives notes as warnings, each at the line that called the package."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals["__name__"].split(".")[0] == "stakes":
        level, frame = level + 1, frame.f_back
    for note in notes:
        warnings.warn(note, StakesNote, stacklevel=level)
