"""What an export wrote."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Exported:
    """A model as a file of another library: made by :meth:`stakes.Model.export`."""

    #: The name of the format.
    format: str
    #: What the file is.
    writes: str
    #: The file.
    file: str
    #: Scores there are within ``absolute + relative * abs(score)`` of ours; both are 0 if they are the same bits.
    precision: dict[str, float]
    #: The same for expected costs, if they go along.
    cost_precision: dict[str, float] | None
    #: The parity pack: rows and the scores that the other program must give.
    parity: str | None
    #: The number of its rows.
    rows: int
    #: A line of code that compares them there; to be run in the folder of the files.
    check: str | None
    #: What a user of the file should know.
    notes: list[str]
