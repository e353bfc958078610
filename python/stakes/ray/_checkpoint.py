"""The last checkpoint of a training, in memory and in a file."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

#: The first line of the file of a checkpoint; then come what it is of, as JSON, and the checkpoint itself.
_HEAD = b"stakes ray checkpoint 1"


class Held:
    """The last checkpoint: in memory, and in a file if there is a path."""

    def __init__(self, path: str | os.PathLike[str] | None, resume: bool, options: str) -> None:
        self.path = None if path is None else Path(path)
        self.options = options
        self.last: bytes | None = None
        self.data: list[str] | None = None
        self.resumed: dict[str, Any] | None = None
        if not resume:
            return
        if self.path is None:
            raise ValueError("resume is given, but no checkpoint; give the file to continue from")
        if not self.path.exists():
            raise FileNotFoundError(
                f"{self.path}: there is no unfinished training to resume; the file is there only during training, and "
                "after it was interrupted"
            )
        said, _, rest = self.path.read_bytes().partition(b"\n")
        if said != _HEAD:
            raise ValueError(f"{self.path} is no checkpoint of a training on Ray")
        head, _, self.last = rest.partition(b"\n")
        self.resumed = json.loads(head)
        if self.resumed["options"] != options:
            raise ValueError(
                f"{self.path} is of a training with other options: {self.resumed['options']} instead of {options}; "
                "give the same, or begin anew (resume=False)"
            )

    def check(self, prints: Sequence[Mapping[str, str]]) -> None:
        """Checks that a training that is resumed has the same data."""
        self.data = sorted(known for of_shard in prints for known in of_shard.values())
        if self.resumed is not None and self.resumed["data"] != self.data:
            raise ValueError(
                f"{self.path} is of a training with other data (or, of frames, with another number of actors); "
                "give the same, or begin anew (resume=False)"
            )

    def keep(self, checkpoint: bytes) -> None:
        """Keeps a newer checkpoint; the file is replaced as a whole."""
        self.last = checkpoint
        if self.path is not None:
            head = json.dumps({"options": self.options, "data": self.data})
            temporary = self.path.with_name(self.path.name + ".tmp")
            temporary.write_bytes(b"\n".join([_HEAD, head.encode(), checkpoint]))
            os.replace(temporary, self.path)

    def done(self) -> None:
        """Removes the file of a training that has ended."""
        if self.path is not None:
            self.path.unlink(missing_ok=True)
