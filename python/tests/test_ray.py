"""Training on Ray: the exchange, losses of actors and machines, interruption. The shards are stand-ins: each list gives
random whole numbers at every step, all of them are added, and the model is the hash of all replies, so that one reply
that is wrong, lost or repeated changes it."""

from __future__ import annotations

import hashlib
import importlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import stakes
from stakes.ray import RayParams, predict, train
from stakes.ray._actor import Actor, join_parts
from stakes.ray._checkpoint import Held
from stakes.ray._crew import Crew
from stakes.ray._deal import deal, deal_files, home_of, split_frame
from stakes.ray._fit import fit as fit_on_ray
from stakes.ray._fit import run_steps

try:
    import ray
except ImportError:
    pytest.skip("Ray is not installed (pip install ray)", allow_module_level=True)

# Its own start prints, reports and serves nothing.
QUIET: dict[str, Any] = {"include_dashboard": False, "object_store_memory": 200_000_000}
ROLES = {"list": "list"}


@dataclass
class Fake:
    """An engine whose shards do as they are told. Faults are kept as files, so that each happens once."""

    folder: Path
    steps: int = 24
    words: int = 500
    die: tuple[tuple[int, str], ...] = ()
    hang: tuple[int, str] | None = None
    fail: tuple[int, str] | None = None
    nap: float = 0.0

    def start(self, threads: int) -> None:
        assert threads >= 1

    def read(self, source: Any, roles: Any) -> list[str]:
        with open(self.folder / "reads", "a") as log:
            log.write(f"{source if isinstance(source, str) else 'table'}\n")
        if isinstance(source, str):
            return Path(source).read_text().split()
        return sorted({str(int(name)) for name in source[roles["list"]].to_pylist()})

    def shard(self, data: Any, valid: Any, options: str, rank: int, shards: int, checkpoint: bytes | None) -> Any:
        self.at(rank, "begin")
        return FakeShard(self, data, rank, checkpoint)

    def combine(self, messages: Any) -> bytes:
        if messages[0][:1] == b"G":
            return b"G" + b"".join(message[1:] for message in messages)
        assert {message[:1] for message in messages} == {b"S"}
        return b"S" + sum(np.frombuffer(message[1:], np.int64) for message in messages).tobytes()

    def at(self, rank: int, where: str) -> None:
        """What happens here: nothing, or a fault."""
        if (rank, where) in self.die:
            mark = self.folder / f"died-{rank}-{where}"
            if not mark.exists():
                mark.touch()
                os._exit(1)
        if self.hang == (rank, where):
            time.sleep(100)
        if self.fail == (rank, where):
            raise ValueError(f"rank {rank} fails at {where}")


class FakeShard:
    def __init__(self, engine: Fake, data: Any, rank: int, checkpoint: bytes | None) -> None:
        self.engine, self.rank = engine, rank
        self.lists = sorted(name for part in data for name in part)
        self.step, self.state = (0, "") if checkpoint is None else json.loads(checkpoint)

    def advance(self, reply: bytes | None) -> tuple[bytes, list[str], bytes | None]:
        engine, events, checkpoint = self.engine, [], None
        if reply is not None:
            # What is gathered comes in the order of the ranks, which is that of no list.
            said = b",".join(sorted(reply[1:].split(b","))) if reply[:1] == b"G" else reply
            self.state = hashlib.blake2b(self.state.encode() + said).hexdigest()
            self.step += 1
            if self.rank == 0:
                events = [json.dumps({"event": "round", "round": self.step})]
                if self.step % 4 == 0:
                    checkpoint = json.dumps([self.step, self.state]).encode()
        engine.at(self.rank, str(self.step))
        time.sleep(engine.nap)
        if self.step == engine.steps:
            return b"D" + json.dumps({"model": self.state}).encode(), events, checkpoint
        if self.step % 6 == 5:
            return b"G" + "".join(f"{name}," for name in self.lists).encode(), events, checkpoint
        draws = [np.random.default_rng([int(name), self.step]).integers(-9, 9, engine.words) for name in self.lists]
        return b"S" + np.sum(draws, axis=0, dtype=np.int64).tobytes(), events, checkpoint


def alone(engine: Fake) -> bytes:
    """The model by a loop without Ray: one shard with all lists."""
    shard = FakeShard(Fake(engine.folder, engine.steps, engine.words), [[str(name) for name in range(60)]], 0, None)
    reply = None
    while True:
        message, _, _ = shard.advance(reply)
        if message[:1] == b"D":
            return message[1:]
        reply = engine.combine([message])


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Sixty lists in twelve files of different sizes."""
    names = np.split(np.arange(60), [1, 3, 6, 10, 15, 21, 25, 30, 36, 45, 52])
    for number, part in enumerate(names):
        (tmp_path / f"{number}.txt").write_text(" ".join(map(str, part)))
    return [str(tmp_path / f"{number}.txt") for number in range(12)]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A cluster of one machine, to which others can be added; its CPUs only count."""
    from ray import cloudpickle
    from ray.cluster_utils import Cluster

    before = dict(os.environ)
    os.environ.update(RAY_USAGE_STATS_ENABLED="0", PYTHONPATH=os.pathsep.join(sys.path))
    os.environ.pop("RAY_ADDRESS", None)
    cloudpickle.register_pickle_by_value(sys.modules[__name__])
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 16, **QUIET})
    ray.init(address=made.address, logging_level="ERROR", log_to_driver=False)
    yield made
    ray.shutdown()
    made.shutdown()
    cloudpickle.unregister_pickle_by_value(sys.modules[__name__])
    os.environ.clear()
    os.environ.update(before)


def fit(
    data: Any,
    engine: Fake,
    hear: Callable[[dict[str, Any]], Any] | None = None,
    path: Path | None = None,
    resume: bool = False,
    options: str = "{}",
    **params: Any,
) -> bytes:
    return fit_on_ray(ray, data, None, ROLES, Held(path, resume, options), RayParams(**params), hear, engine)


def reads(engine: Fake) -> list[str]:
    """What was read, in order."""
    return (engine.folder / "reads").read_text().split()


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("num_actors", 0, "num_actors is 0; it must be a whole number from 1 on"),
        ("num_actors", 2.0, "num_actors is 2.0"),
        ("cpus_per_actor", True, "cpus_per_actor is True"),
        ("max_actor_restarts", -1, "max_actor_restarts is -1; it must be a whole number from 0 on"),
        ("timeout_s", 0, "timeout_s is 0; it must be a number of seconds above 0"),
        ("timeout_s", float("nan"), "timeout_s is nan"),
        ("timeout_s", "60", "timeout_s is '60'"),
    ],
)
def test_wrong_parameters_are_named(field: str, value: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        RayParams(**{field: value})


def test_without_ray_it_says_how_to_get_it(files: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ImportError, match="pip install ray"):
        train(files, list="list")


def test_what_cannot_be_trained_on_ray_is_refused(files: list[str], tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="metric is a function"):
        train(files, list="list", metric=lambda scores, cost, lists: 0.0)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="list is ndarray; on Ray roles are names"):
        train(files, list=np.zeros(3))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="ray job submit"):
        train(files, list="list", address="ray://somewhere:10001")
    with pytest.raises(ValueError, match="no checkpoint"):
        train(files, list="list", resume=True)
    with pytest.raises(FileNotFoundError, match="no unfinished training"):
        train(files, list="list", resume=True, checkpoint=tmp_path / "none")


def test_files_are_dealt_by_size(files: list[str]) -> None:
    dealt = deal_files(files, 3)
    assert sorted(path for part in dealt for path in part) == sorted(files)
    sizes = [sum(os.path.getsize(path) for path in part) for part in dealt]
    assert max(sizes) - min(sizes) <= 5
    assert [len(part) for part in deal_files(files, 12)] == [1] * 12


def test_lists_have_the_same_home_everywhere() -> None:
    homes = [home_of(str(name), 7) for name in range(7000)]
    assert homes[:5] == [1, 5, 6, 2, 3] and min(np.bincount(homes, minlength=7)) > 900


def test_messages_join_in_any_groups(tmp_path: Path) -> None:
    combine = Fake(tmp_path).combine
    parts = [(b"S" + np.arange(rank, rank + 3).tobytes(), [str(rank)], rank == 0) for rank in range(5)]
    whole = join_parts(parts, combine)
    assert join_parts([join_parts(parts[:2], combine), join_parts(parts[2:], combine)], combine) == whole
    assert whole[1:] == (["0", "1", "2", "3", "4"], True)
    assert join_parts([parts[0], (b"Ewrong", [], False)], combine)[0] == b"Ewrong"
    assert b"wait for different" in join_parts([parts[0], (b"G", [], False)], combine)[0]
    assert b"models of the shards differ" in join_parts([(b"D1", [], False), (b"D2", [], False)], combine)[0]


@pytest.mark.parametrize("actors", [1, 9])
def test_the_model_is_that_of_one_shard(cluster: Any, files: list[str], tmp_path: Path, actors: int) -> None:
    # More than eight are combined in a tree. Messages outgrow the buffer of a channel, which is 1 MB.
    engine = Fake(tmp_path, words=200_000 if actors == 1 else 500)
    rounds: list[int] = []
    path = tmp_path / "checkpoint"
    found = fit(files, engine, lambda event: rounds.append(event["round"]), path, num_actors=actors)
    assert found == alone(engine) and rounds == [*range(1, 25)]
    assert sorted(reads(engine)) == sorted(files) and not path.exists()


def test_lost_actors_come_back_and_change_nothing(cluster: Any, files: list[str], tmp_path: Path) -> None:
    engine = Fake(tmp_path, die=((1, "begin"), (0, "9"), (1, "24")))
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
        fit(files, Fake(tmp_path, die=((1, "0"),)), max_actor_restarts=0)
    wait_for(lambda: ray.available_resources().get("CPU") == 16)


def test_a_machine_may_be_lost(cluster: Any, files: list[str], tmp_path: Path) -> None:
    engine = Fake(tmp_path, nap=0.02)
    first = cluster.add_node(num_cpus=16, object_store_memory=80_000_000)
    others: list[Any] = []

    def lose(event: dict[str, Any]) -> None:
        if event["round"] == 8 and not others:
            others.append(cluster.add_node(num_cpus=16, object_store_memory=80_000_000))
            cluster.remove_node(first, allow_graceful=False)

    # One actor fills a machine.
    try:
        found = fit(files, engine, lose, cpus_per_actor=10, max_actor_restarts=1)
    finally:
        for node in others:
            cluster.remove_node(node)
    assert found == alone(engine) and 12 < len(reads(engine)) < 24


def test_who_does_not_answer_is_named(cluster: Any, files: list[str], tmp_path: Path) -> None:
    engine, layout = Fake(tmp_path, hang=(1, "7")), RayParams()

    def hurry(event: dict[str, Any]) -> None:
        # Not before the actors are there: that takes long on a busy machine.
        object.__setattr__(layout, "timeout_s", 1.0)

    with pytest.raises(TimeoutError, match=r"step 8: rank 1 of 2 did not answer within 1 s"):
        fit_on_ray(ray, files, None, ROLES, Held(None, False, "{}"), layout, hurry, engine)
    with pytest.raises(TimeoutError, match=r"loading: ranks 0, 1 of 2 .*need 2000 CPUs, the cluster has 16"):
        fit(files, Fake(tmp_path), cpus_per_actor=1000, timeout_s=0.5)


def test_errors_of_shards_come_as_they_are(cluster: Any, files: list[str], tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"^rank 1 fails at 7$"):
        fit(files, Fake(tmp_path, fail=(1, "7")))


def test_errors_of_data_come_as_they_are(cluster: Any, files: list[str], tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="there is no such file"):
        fit(str(tmp_path / "*.csv"), Fake(tmp_path))
    with pytest.raises(ValueError, match="num_actors is 3, but there are 2 files"):
        fit(files[:2], Fake(tmp_path), num_actors=3)
    with pytest.raises(ValueError, match=r"0\.txt is given twice"):
        fit([*files, files[0]], Fake(tmp_path))
    missing = [*files[1:], str(tmp_path / "none")]
    with pytest.raises(FileNotFoundError, match="none"):
        Actor(0, 1, 1, Fake(tmp_path)).load(missing, None, ROLES)


def test_data_that_changed_are_refused(cluster: Any, files: list[str], tmp_path: Path) -> None:
    known = os.stat(files[7])
    actor, crew = Actor(0, 1, 1, Fake(tmp_path)), Crew(ray, [files], None, ROLES, RayParams(), None)
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
    path, engine = tmp_path / "checkpoint", Fake(tmp_path, nap=0.02)

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
    wait_for(lambda: ray.available_resources().get("CPU") == 16)
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


def test_a_callback_stops_the_training() -> None:
    class Crew:
        def begin(self, options: str, checkpoint: bytes | None) -> None:
            assert options == "{}" and checkpoint is None

        def run(self) -> tuple[bytes, list[str], bool]:
            events = [{"event": "note", "note": "mind"}, *({"event": "round", "round": number} for number in (1, 2))]
            return b"", [json.dumps(event) for event in events * 2], False

    heard: list[Any] = []
    notes: list[str] = []
    crew: Any = Crew()
    with pytest.raises(KeyboardInterrupt, match="a callback stopped"):
        run_steps(crew, Held(None, False, "{}"), lambda event: heard.append(event) or event["event"] == "round", notes)
    assert len(heard) == 6 and notes == ["mind"]


class Delayed:
    """As a part of a data frame of Dask."""

    def __init__(self, part: Any) -> None:
        self.part = part

    def compute(self, scheduler: str) -> Any:
        return self.part


class Dask:
    """As a data frame of Dask."""

    def __init__(self, parts: Any) -> None:
        self.parts = parts

    def to_delayed(self) -> list[Delayed]:
        return [Delayed(part) for part in self.parts]


@pytest.fixture
def frames() -> list[Any]:
    """Sixty lists spread over frames of several kinds; of one of them they are floats, as where a value is missing."""
    pd, pl, pa = [pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow")]
    rows = np.random.default_rng(3).permutation(np.repeat(np.arange(60), 3))
    one, two, three, four = [pd.DataFrame({"list": part, "x": 1.5}) for part in np.split(rows, 4)]
    return [one.astype(float), two, pl.from_pandas(three), pa.Table.from_pandas(four)]


def test_frames_are_shuffled_by_list(cluster: Any, frames: list[Any], tmp_path: Path) -> None:
    engine = Fake(tmp_path, steps=8, die=((1, "5"),))
    assert fit(frames, engine) == alone(engine) and reads(engine) == ["table"] * 3


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # Ray Data's own.
def test_frames_of_dask_and_of_ray(cluster: Any, frames: list[Any]) -> None:
    def lists(data: Any) -> list[list[str]]:
        dealt = [ray.get(refs) for refs in deal(ray, data, "data", "list", 3)]
        return [[str(int(name)) for part in parts for name in part["list"].to_pylist()] for parts in dealt]

    expected = lists(frames)
    assert sorted(int(name) for names in expected for name in names) == sorted([*range(60)] * 3)
    assert all(home_of(name, 3) == rank for rank, names in enumerate(expected) for name in names)
    assert lists(Dask(frames)) == expected
    parts = [
        frames[0].astype(int).astype("category"),
        frames[1].astype(str),
        *(part.to_pandas() for part in frames[2:]),
    ]
    assert lists(importlib.import_module("ray.data").from_pandas(parts)) == expected


def test_wrong_frames_are_refused(cluster: Any, tmp_path: Path) -> None:
    pd, pa = [pytest.importorskip(name) for name in ("pandas", "pyarrow")]
    engine, frame = Fake(tmp_path), pd.DataFrame({"list": [1, 1], "x": [1.0, 2.0]})
    with pytest.raises(ValueError, match="list is 'list'; the columns are x"):
        split_frame(frame[["x"]], "list", 2)
    with pytest.raises(TypeError, match="a part of the data is a int"):
        split_frame(1, "list", 2)
    with pytest.raises(ValueError, match="list is None"):
        deal(ray, [frame], "data", None, 2)
    actor, table = Actor(1, 2, 1, engine), pa.Table.from_pandas(frame)
    parts = [ray.put(part) for part in (table[:0], table, table.set_column(0, "list", [["a", "b"]]))]
    with pytest.raises(ValueError, match="shard 1 of 2 has no lists; use fewer actors"):
        actor.load(parts[:1], None, ROLES)
    with pytest.raises(ValueError, match="a column is not of one type in all parts"):
        actor.load(parts[1:], None, ROLES)
    actor.load(parts[:2], parts[:1], ROLES)
    assert (actor.data, actor.valid) == ([["1"]], [])


class Doubling:
    """A model whose scores are twice the numbers in a file."""

    def predict(self, path: str) -> Any:
        numbers = np.array(Path(path).read_text().split(), dtype=float)
        if numbers[0] == 52:
            raise ValueError(f"{path}: it cannot be read")
        return numbers * 2


def test_scores_of_files(cluster: Any, files: list[str], tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow.parquet")
    model: Any = Doubling()
    written = predict(model, files[:4], tmp_path / "scores")
    assert [path.name for path in written] == [f"{number}.scores.csv" for number in range(4)]
    assert written[2].read_text() == "score\n6.0\n8.0\n10.0\n"
    (path,) = predict(model, files[2], tmp_path / "more", format="parquet")
    assert arrow.read_table(path)["score"].to_pylist() == [6, 8, 10]
    with pytest.raises(ValueError, match="cannot be read"):
        predict(model, files, tmp_path / "all")
    assert not [*(tmp_path / "all").glob("*.tmp")]
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "0.txt").write_text("1")
    with pytest.raises(ValueError, match="would both be written"):
        predict(model, [files[0], tmp_path / "other" / "0.txt"], tmp_path / "scores")


def test_a_model_is_the_same_on_any_number_of_actors(cluster: Any, tmp_path: Path) -> None:
    if not hasattr(stakes._stakes, "Shard"):
        pytest.skip("the module in Rust was built before it had shards")
    storms = stakes.generate("storms", lists=24, rows=1200, networks=60)
    paths = [tmp_path / f"{number}.csv" for number in range(4)]
    for number, path in enumerate(paths):
        stakes.Dataset._of(storms._data.take_lists([*range(number * 6, number * 6 + 6)])).save(path)
    heard: list[dict[str, Any]] = []
    options: dict[str, Any] = {**storms.roles, "k": 5, "learner": "two-part", "rounds": 15, "hold_out": 0.25}
    one, two = [train(paths, **options, callbacks=[heard.append], ray_params=RayParams(actors)) for actors in (1, 2)]
    assert one.to_json() == two.to_json() and {event["event"] for event in heard} >= {"round"}
    # Without a learner, as people try it first.
    first = train(paths, **storms.roles, k=5, rounds=5, order_rounds=5, ray_params=RayParams(2))
    assert first.learner == "cs-mart"
    with pytest.raises(ValueError, match="auto needs all lists in one place"):
        train(paths, **storms.roles, k=5, learner="auto", ray_params=RayParams(2))
    written = predict(two, paths, tmp_path / "scores")
    for path, scores in zip(paths, written, strict=True):
        assert np.array_equal(np.loadtxt(scores, skiprows=1), two.predict(path))


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


def wait_for(is_so: Callable[[], bool]) -> None:
    """Waits for what Ray hears of a little later."""
    end = time.monotonic() + 20
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.1)
