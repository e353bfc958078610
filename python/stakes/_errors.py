"""What is said beside results."""

from __future__ import annotations

import warnings
from collections.abc import Iterable


class StakesNote(UserWarning):
    """Something that should be known about data or a result, such as lists that a model was trained on.

    Notes are warnings of Python: ``warnings.simplefilter("ignore", stakes.StakesNote)`` silences them.
    """


def say(notes: Iterable[str], stacklevel: int = 3) -> None:
    """Gives notes as warnings, each at the line that called the package."""
    for note in notes:
        warnings.warn(note, StakesNote, stacklevel=stacklevel)
