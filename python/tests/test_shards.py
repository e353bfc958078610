"""Shards of a training, driven by hand: the model is that of one machine, to the byte."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

import stakes
from stakes import _stakes
from stakes._goal import goal
from stakes._train import parameters

STORMS = stakes.generate("storms", lists=30, rows=1500)


def options(learner: str, hold_out: str | None = None, folds: int | None = None, **params: Any) -> str:
    return json.dumps(
        {
            "goal": goal(5, None, None, None, None),
            "learner": learner,
            "params": parameters(params),
            "seed": 3,
            "hold_out": hold_out,
            "folds": folds,
            "allow_leak": [],
        }
    )


def dealt(shards: int) -> list[list[int]]:
    """The lists of each shard."""
    return [[at for at in range(STORMS.n_lists) if (7 * at + at // 4) % shards == rank] for rank in range(shards)]


def begin(shards: int, said: str, checkpoint: bytes | None = None) -> list[_stakes.Shard]:
    parts = [STORMS._data.take_lists(lists) for lists in dealt(shards)]
    return [_stakes.Shard(own, None, False, said, rank, shards, checkpoint, 0.0) for rank, own in enumerate(parts)]


def drive(shards: Sequence[_stakes.Shard], steps: int | None = None) -> tuple[bytes, bytes | None]:
    """Carries messages until the end, or for so many steps; the last message and the last checkpoint."""
    heard, kept, done = None, None, 0
    while True:
        said = [shard.advance(heard) for shard in shards]
        kept = said[0][2] or kept
        messages = [message for message, _, _ in said]
        if messages[0][:1] in (b"D", b"E") or done == steps:
            assert len(set(messages)) == 1 or done == steps
            return messages[0], kept
        # As they are, or combined before.
        heard = messages if done % 2 else [_stakes.combine(messages)]
        done += 1


@pytest.mark.parametrize(
    ("learner", "params"),
    [
        ("two-part", {"rounds": 8}),
        ("cs-mart", {"rounds": 6, "order_rounds": 4, "rows": 0.7}),
        ("random-forest", {"rounds": 4, "leaves": 32}),
        ("mart", {"rounds": 5, "folds": 3}),
        ("tweedie-mart", {"rounds": 6, "hold_out": "30%"}),
    ],
)
def test_any_number_of_shards_gives_the_model_of_one_machine(learner: str, params: dict[str, Any]) -> None:
    whole = stakes.train(STORMS, k=5, learner=learner, seed=3, baseline=False, progress=False, **params)
    for shards in (1, 3):
        end, _ = drive(begin(shards, options(learner, **params)))
        assert end == b"D" + whole.to_json().encode()


def test_shards_go_on_from_a_checkpoint() -> None:
    said = options("two-part", rounds=8)
    end, _ = drive(begin(1, said))
    _, kept = drive(begin(3, said), steps=60)
    assert kept is not None
    shards = begin(2, said, kept)
    assert drive(shards)[0] == end and end[:1] == b"D"


def test_combining_in_groups_changes_nothing() -> None:
    shards = begin(3, options("two-part", rounds=2))
    first, second, third = [shard.advance(None)[0] for shard in shards]
    whole = _stakes.combine([first, second, third])
    assert _stakes.combine([_stakes.combine([first, second]), third]) == whole
    with pytest.raises(ValueError, match="do not belong together"):
        _stakes.combine([first, b"X"])


def test_a_training_that_is_dropped_leaves_nothing_behind() -> None:
    shards = begin(2, options("two-part", rounds=50))
    drive(shards, steps=40)
    del shards
    end, _ = drive(begin(2, options("two-part", rounds=3)))
    assert end[:1] == b"D"


def test_mistakes_are_told_by_all_shards() -> None:
    end, _ = drive(begin(2, options("ridge")))
    assert end[:1] == b"E" and b"ridge needs all lists in one place" in end
    with pytest.raises(ValueError, match="rank is 2; it must be below the number of shards, 2"):
        _stakes.Shard(STORMS._data, None, False, options("mart"), 2, 2, None, 2.0)
    with pytest.raises(ValueError, match="unknown field"):
        _stakes.Shard(STORMS._data, None, False, '{"what": 1}', 0, 1, None, 2.0)
    # The same lists in two shards.
    shards = [_stakes.Shard(STORMS._data, None, False, options("mart"), rank, 2, None, 2.0) for rank in range(2)]
    end, _ = drive(shards)
    assert end[:1] == b"E" and b"is in shard 1 and in shard 2: " in end
