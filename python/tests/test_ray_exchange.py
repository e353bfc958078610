"""The exchange between actors of Ray, what is told of it, and the model that it leads to."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import stakes

ray = pytest.importorskip("ray", reason="Ray is not installed (pip install ray)")

from ray_engines import ROLES, StandIn, alone, fit, reads  # noqa: E402

from stakes.ray import RayParams, predict, train  # noqa: E402
from stakes.ray._actor import join_parts  # noqa: E402
from stakes.ray._checkpoint import Held  # noqa: E402
from stakes.ray._fit import fit as fit_on_ray  # noqa: E402
from stakes.ray._fit import run_steps  # noqa: E402


def test_messages_join_in_any_groups(tmp_path: Path) -> None:
    combine = StandIn(tmp_path).combine
    parts = [(b"S" + np.arange(rank, rank + 3).tobytes(), [str(rank)], rank == 0) for rank in range(5)]
    whole = join_parts(parts, combine)
    assert join_parts([join_parts(parts[:2], combine), join_parts(parts[2:], combine)], combine) == whole
    assert whole[1:] == (["0", "1", "2", "3", "4"], True)
    assert join_parts([parts[0], (b"Ewrong", [], False)], combine)[0] == b"Ewrong"
    assert b"wait for different" in join_parts([parts[0], (b"G", [], False)], combine)[0]
    assert b"models of the shards differ" in join_parts([(b"D1", [], False), (b"D2", [], False)], combine)[0]


def test_many_large_messages_become_one(cluster: Any, files: list[str], tmp_path: Path) -> None:
    # More than eight are combined in a tree. They grow beyond the buffer of a channel, which is 1 MB.
    engine = StandIn(tmp_path, words=8_000)
    rounds: list[int] = []
    path = tmp_path / "checkpoint"
    found = fit(files, engine, lambda event: rounds.append(event["round"]), path, num_actors=9)
    assert found == alone(engine) and rounds == [*range(1, 25)]
    assert sorted(reads(engine)) == sorted(files) and not path.exists()


def test_who_does_not_answer_is_named(cluster: Any, files: list[str], tmp_path: Path) -> None:
    engine, layout = StandIn(tmp_path, hang=(1, "7")), RayParams()

    def hurry(event: dict[str, Any]) -> None:
        # Not before the actors are there: that takes long on a busy machine.
        object.__setattr__(layout, "timeout_s", 2.0)

    with pytest.raises(TimeoutError, match=r"step 8: rank 1 of 2 did not answer within 2 s"):
        fit_on_ray(ray, files, None, ROLES, Held(None, False, "{}"), layout, hurry, engine)
    with pytest.raises(TimeoutError, match=r"loading: ranks 0, 1 of 2 .*need 2000 CPUs, the cluster has 9"):
        fit(files, StandIn(tmp_path), cpus_per_actor=1000, timeout_s=0.5)


def test_errors_of_shards_come_as_they_are(cluster: Any, files: list[str], tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"^rank 1 fails at 7$"):
        fit(files, StandIn(tmp_path, fail=(1, "7")))


def test_a_callback_stops_the_training() -> None:
    class Crew:
        def begin(self, options: str, checkpoint: bytes | None) -> None:
            assert options == "{}" and checkpoint is None

        def run(self) -> Any:
            events = [{"event": "note", "note": "mind"}, *({"event": "round", "round": number} for number in (1, 2))]
            return (b"", [json.dumps(event) for event in events * 2], False, 900), 3

    heard: list[Any] = []
    notes: list[str] = []
    crew: Any = Crew()
    with pytest.raises(KeyboardInterrupt, match="a callback stopped"):
        run_steps(crew, Held(None, False, "{}"), lambda event: heard.append(event) or event["event"] == "round", notes)
    assert len(heard) == 6 and notes == ["mind"]
    assert heard[1] == {"event": "round", "round": 1, "steps": 3, "bytes": 900}


def test_a_model_is_that_of_one_machine_on_any_number_of_actors(
    cluster: Any, storm_files: dict[str, Any], storm_options: dict[str, Any], undisturbed: str, tmp_path: Path
) -> None:
    heard: list[dict[str, Any]] = []
    for actors in (1, 2, 4):
        model = train(
            storm_files["parts"], **storm_options, callbacks=[heard.append], ray_params=RayParams(num_actors=actors)
        )
        assert model.to_json() == undisturbed
    assert {event["event"] for event in heard} >= {"round"}
    written = predict(model, storm_files["parts"], tmp_path / "scores")
    for path, scores in zip(storm_files["parts"], written, strict=True):
        assert np.array_equal(np.loadtxt(scores, skiprows=1), model.predict(path))


def test_features_may_stay_in_the_files_of_an_actor(
    cluster: Any, storm_files: dict[str, Any], storm_options: dict[str, Any], tmp_path: Path
) -> None:
    parts = []
    for number, part in enumerate(storm_files["parts"]):
        parts.append(tmp_path / f"{number}.parquet")
        stakes.Dataset(part, **storm_files["roles"]).save(parts[-1])
    options = {**storm_options, "rounds": 6}
    whole = stakes.train(str(tmp_path / "*.parquet"), **options, baseline=False, progress=False).to_json()
    for stream_above in (0, 1 << 30):
        model = train(parts, **options, ray_params=RayParams(num_actors=2, stream_above=stream_above))
        assert model.to_json() == whole


@pytest.mark.parametrize("way", [{"valid": True}, {"folds": 3}, {}])
def test_lists_are_left_out_as_on_one_machine(cluster: Any, storm_files: dict[str, Any], way: dict[str, Any]) -> None:
    options: dict[str, Any] = {**storm_files["roles"], "k": 5, "rounds": 6, "order_rounds": 6, **way}
    here, there = ({"valid": storm_files[name]} if "valid" in way else {} for name in ("later", "valid"))
    whole = stakes.train(storm_files["whole"], **{**options, **here}, learner="cs-mart", baseline=False, progress=False)
    # Without a learner, as people try it first.
    model = train(storm_files["parts"], **{**options, **there}, ray_params=RayParams(num_actors=2))
    assert model.to_json() == whole.to_json() and model.learner == "cs-mart"


def test_what_needs_all_lists_in_one_place_is_refused(cluster: Any, storm_files: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="auto needs all lists in one place"):
        train(storm_files["parts"], **storm_files["roles"], k=5, learner="auto")


ALONE = """
import sys
from stakes.ray import RayParams
from stakes.ray._layout import connected
with connected("local", RayParams(num_actors=3)) as ray:
    assert ray.cluster_resources()["CPU"] >= 3
assert not ray.is_initialized()
"""


def test_ray_is_started_without_a_word() -> None:
    settings = {key: value for key, value in os.environ.items() if not key.startswith("RAY_")}
    settings["PYTHONPATH"] = os.pathsep.join(sys.path)
    ran = subprocess.run([sys.executable, "-c", ALONE], env=settings, capture_output=True, text=True, check=False)
    assert ran.stdout + ran.stderr == "" and ran.returncode == 0
