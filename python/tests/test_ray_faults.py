"""Actors, machines and drivers are lost, and the model is that of an undisturbed training."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

ray = pytest.importorskip("ray", reason="Ray is not installed (pip install ray)")

from ray_engines import CPUS, ROLES, Killed, StandIn, alone, fit, reads, wait_for  # noqa: E402

import stakes.ray  # noqa: E402
from stakes.ray import RayParams, train  # noqa: E402
from stakes.ray._actor import Actor  # noqa: E402
from stakes.ray._checkpoint import Held  # noqa: E402
from stakes.ray._crew import Crew  # noqa: E402
from stakes.ray._deal import deal_files  # noqa: E402


def test_actors_that_are_killed_at_any_step_change_nothing(
    cluster: Any,
    storm_files: dict[str, Any],
    storm_options: dict[str, Any],
    undisturbed: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    draw = np.random.default_rng(24)
    plan = [(int(draw.integers(2)), int(draw.integers(1, 40))) for _ in range(10)]
    monkeypatch.setattr(stakes.ray, "Engine", lambda: Killed(tmp_path, plan))
    rounds: list[int] = []
    params = RayParams(num_actors=2, max_actor_restarts=10, checkpoint_s=0)
    model = train(
        storm_files["parts"],
        **storm_options,
        ray_params=params,
        callbacks=[lambda event: rounds.append(event["round"])],
    )
    assert model.to_json() == undisturbed and len([*tmp_path.glob("killed-*")]) == 10
    # It went on from checkpoints: no round was made again and again.
    assert len(rounds) < 10 + 2 * len({*rounds})


def test_a_machine_may_be_lost(
    cluster: Any, storm_files: dict[str, Any], storm_options: dict[str, Any], undisturbed: str
) -> None:
    first = cluster.add_node(num_cpus=5, object_store_memory=80_000_000)
    others: list[Any] = []

    def lose(event: dict[str, Any]) -> None:
        if event["event"] == "round" and event["round"] == 8 and not others:
            others.append(cluster.add_node(num_cpus=5, object_store_memory=80_000_000))
            cluster.remove_node(first, allow_graceful=False)

    # One actor fills a machine.
    params = RayParams(num_actors=2, cpus_per_actor=5, max_actor_restarts=1, checkpoint_s=0)
    try:
        model = train(storm_files["parts"], **storm_options, ray_params=params, callbacks=[lose])
    finally:
        for node in others:
            cluster.remove_node(node)
    assert model.to_json() == undisturbed and others


DRIVER = """
import json, os, signal, sys
from stakes.ray import RayParams, train
address, checkpoint, paths, options = json.loads(sys.argv[1])
def die(event):
    if event["event"] == "round" and event["round"] == 9:
        os.kill(os.getpid(), signal.SIGKILL)
params = RayParams(num_actors=2, checkpoint_s=0)
train(paths, **options, address=address, checkpoint=checkpoint, ray_params=params, callbacks=[die], progress=False)
"""


def test_a_driver_that_was_killed_is_resumed(
    cluster: Any, storm_files: dict[str, Any], storm_options: dict[str, Any], undisturbed: str, tmp_path: Path
) -> None:
    paths, checkpoint = [str(path) for path in storm_files["parts"]], str(tmp_path / "checkpoint")
    said = json.dumps([cluster.address, checkpoint, paths, storm_options])
    ran = subprocess.run([sys.executable, "-c", DRIVER, said], capture_output=True, text=True, check=False)
    assert ran.returncode == -signal.SIGKILL, ran.stderr
    rounds: list[int] = []
    model = train(
        paths,
        **storm_options,
        checkpoint=checkpoint,
        resume=True,
        callbacks=[lambda event: rounds.append(event["round"])],
        ray_params=RayParams(num_actors=3),
    )
    assert model.to_json() == undisturbed and 9 <= rounds[0] <= 11
    # Ray ends the actors of a driver that is gone.
    wait_for(lambda: ray.available_resources().get("CPU") == CPUS)


def test_lost_actors_come_back_and_change_nothing(cluster: Any, files: list[str], tmp_path: Path) -> None:
    engine = StandIn(tmp_path, die=((1, "begin"), (0, "9"), (1, "24")))
    rounds: list[int] = []
    found = fit(files, engine, lambda event: rounds.append(event["round"]), max_actor_restarts=3)
    assert found == alone(engine)
    # It went on from checkpoints, which come at every fourth step, and survivors kept what they had read.
    assert rounds[:8] == [*range(1, 9)] and rounds[-4:] == [*range(21, 25)] and len(rounds) < 36
    assert sorted({*rounds}) == [*range(1, 25)]
    one, two = [len(part) for part in deal_files(files, 2)]
    assert len(reads(engine)) == (one + two) + two + one + two


def test_too_many_losses_are_an_error(cluster: Any, files: list[str], tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match=r"lost 1 times; max_actor_restarts allows 0\.[\s\S]*died"):
        fit(files, StandIn(tmp_path, die=((1, "0"),)), max_actor_restarts=0)
    wait_for(lambda: ray.available_resources().get("CPU") == CPUS)


def test_data_that_changed_are_refused(cluster: Any, files: list[str], tmp_path: Path) -> None:
    known = os.stat(files[7])
    actor, crew = Actor(0, 1, 1, 0, StandIn(tmp_path)), Crew(ray, [files], None, ROLES, RayParams(), None)
    crew.loads = [ray.put(actor.load(files, None, ROLES))]
    crew.load()
    crew.load()
    # Of the same size and time.
    Path(files[7]).write_text(Path(files[7]).read_text().replace("27", "72"))
    os.utime(files[7], ns=(known.st_atime_ns, known.st_mtime_ns))
    assert os.stat(files[7]).st_size == known.st_size and os.stat(files[7]).st_mtime_ns == known.st_mtime_ns
    crew.loads = [ray.put(actor.load(files, None, ROLES))]
    with pytest.raises(ValueError, match=r"7\.txt has changed since the training began"):
        crew.load()


def test_ctrl_c_keeps_a_checkpoint_to_resume_from(cluster: Any, files: list[str], tmp_path: Path) -> None:
    path, engine = tmp_path / "checkpoint", StandIn(tmp_path, nap=0.02)

    def interrupt(event: dict[str, Any]) -> None:
        if event["round"] == 10:
            os.kill(os.getpid(), signal.SIGINT)

    # Where tests run in the background, Ctrl-C may be ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            fit(files, engine, interrupt, path)
    finally:
        signal.signal(signal.SIGINT, before)
    wait_for(lambda: ray.available_resources().get("CPU") == CPUS)
    with pytest.raises(ValueError, match="other options"):
        Held(path, True, '{"seed": 1}')
    with pytest.raises(ValueError, match="other data"):
        Held(path, True, "{}").check([{"0.txt": "0123"}])
    rounds: list[int] = []
    # The number of actors may be another.
    found = fit(files, engine, lambda event: rounds.append(event["round"]), path, True, num_actors=3)
    assert found == alone(engine) and 9 <= rounds[0] <= 13 and rounds[-1] == 24 and not path.exists()
    path.write_text("something else")
    with pytest.raises(ValueError, match="is no checkpoint"):
        Held(path, True, "{}")
