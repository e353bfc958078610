"""Trainings as tasks: more trainings than one machine has cores for.

A workflow of many trainings (``auto``, tuning, folds, comparisons, backtests) gives each of them a name. A task makes
the same call with the same data, but for one training, and returns its bytes; the workflow takes them up as it would
take up what an interrupted run has left. So the result is the same, to the byte, as on one machine.
"""

from __future__ import annotations

import contextlib
import os
import socket
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from stakes import _stakes
from stakes._dataset import Dataset, Source
from stakes.ray._layout import RayParams, check_address, connected, import_ray

#: How often, in seconds, the workflow hears that nothing is done yet, and may be stopped.
_TICK = 0.2


@dataclass(frozen=True)
class Tasks:
    """Trainings as tasks of Ray: the argument ``ray`` of :func:`stakes.train`, :func:`stakes.compare` and
    :func:`stakes.backtest`.

    Args:
        address: of the cluster, such as ``"auto"`` on one of its machines; by default the one that this program is
            connected to, else that of ``RAY_ADDRESS``, else (or with ``"local"``) Ray is started on this machine, and
            ended afterwards.
        cpus_per_task: how many CPUs each training has; it uses as many threads.
        max_retries: how often a training is made again after its process or its machine was lost.

    >>> Tasks(cpus_per_task=0)
    Traceback (most recent call last):
    ...
    ValueError: cpus_per_task is 0; it must be a whole number from 1 on
    """

    address: str | None = None
    cpus_per_task: int = 1
    max_retries: int = 2

    def __post_init__(self) -> None:
        for name, least in (("cpus_per_task", 1), ("max_retries", 0)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                raise ValueError(f"{name} is {value!r}; it must be a whole number from {least} on")


#: What a task does, for one job: a function that the job is given to, and its further arguments.
Work = tuple[Callable[..., Any], tuple[Any, ...]]


class Place:
    """Where the jobs of one call are done: Ray, connected when there is something to do."""

    def __init__(self, tasks: Tasks, work: Callable[..., Any], *args: Any) -> None:
        import_ray()
        check_address(tasks.address)
        self.tasks = tasks
        self.each: Work = (work, args)
        self.stack = contextlib.ExitStack()
        self.ray: Any = None

    def work(self, jobs: Sequence[tuple[str, bytes]]) -> Iterator[tuple[int, bytes | str] | None]:
        """Has jobs done: yields the number of each with its result, or with a text that says why there is none, and
        ``None`` while there is nothing to say."""
        if self.ray is None:
            layout = RayParams(num_actors=1, cpus_per_actor=self.tasks.cpus_per_task)
            self.ray = self.stack.enter_context(connected(self.tasks.address, layout))
        ray, tasks = self.ray, self.tasks
        again = dict(max_restarts=tasks.max_retries, max_task_retries=tasks.max_retries)
        made = ray.remote(Worker).options(num_cpus=tasks.cpus_per_task, **again)
        # Once for all: data are large.
        kept = ray.put(self.each)
        running: dict[Any, tuple[int, Any]] = {}
        for at, (name, begun) in enumerate(jobs):
            worker = made.remote(do_job)
            running[worker.do.remote(kept, name, begun, tasks.cpus_per_task, _stakes.__version__)] = at, worker
        try:
            while running:
                done, _ = ray.wait([*running], timeout=_TICK)
                if not done:
                    yield None
                for ref in done:
                    at, worker = running.pop(ref)
                    result = _result(ray, ref, tasks)
                    # Another one can begin.
                    ray.kill(worker)
                    yield at, result
        finally:
            for _, worker in running.values():
                ray.kill(worker)

    def close(self) -> None:
        """Ends Ray, if it was started for this."""
        self.stack.close()


def _result(ray: Any, ref: Any, tasks: Tasks) -> bytes | str:
    try:
        result: bytes = ray.get(ref)
        return result
    except ray.exceptions.RayTaskError as error:
        cause = getattr(error, "cause", None) or error
        return str(cause) if isinstance(cause, ValueError) else f"{type(cause).__name__}: {cause}"
    except ray.exceptions.RayError as error:
        return f"it was lost {tasks.max_retries + 1} times (max_retries is {tasks.max_retries}). Ray says: {error}"


class Worker:
    """Does one job. It is an actor, which can be ended at any moment: where a task is cancelled while it ends by
    itself, a check of Ray 2.60 fails and ends the driver."""

    def __init__(self, do: Callable[..., bytes]) -> None:
        self.job = do

    def do(self, *words: Any) -> bytes:
        """Does it."""
        return self.job(*words)


def do_job(work: Work, name: str, begun: bytes, threads: int, version: str) -> bytes:
    """One job, on any machine."""
    if _stakes.__version__ != version:
        raise ValueError(
            f"stakes is {_stakes.__version__} on {socket.gethostname()}, and {version} where the work was given out; "
            "install the same version on all machines"
        )
    _stakes.set_threads(threads)
    jobs = _stakes.Jobs.only(name, begun)
    function, args = work
    try:
        with warnings.catch_warnings():
            # What there is to note is noted where the work was given out.
            warnings.simplefilter("ignore")
            function(jobs, *args)
    except Exception:
        if jobs.result is None:
            raise
    if jobs.result is None:
        raise RuntimeError(f"there is no job {name!r}; please report it")
    return jobs.result


@contextlib.contextmanager
def elsewhere(ray: str | Tasks, work: Callable[..., Any], *args: Any) -> Iterator[Any]:
    """What the module in Rust takes as ``jobs``: trainings as tasks, each of which calls ``work`` with the job and
    ``args``."""
    if not isinstance(ray, (str, Tasks)):
        raise TypeError(
            f"ray is {ray!r}; it must be the address of a cluster ('auto', 'local'), or stakes.ray.Tasks(...)"
        )
    place = Place(Tasks(address=ray) if isinstance(ray, str) else ray, work, *args)
    try:
        yield _stakes.Jobs.elsewhere(place.work)
    finally:
        place.close()


class Sent:
    """Data on their way to tasks: a file is read on every machine, anything else goes there as it is."""

    def __init__(self, data: Dataset) -> None:
        source = data._source
        if source.is_file and source.data != "-":
            path = os.path.abspath(source.data)
            names, name = source.feature_names, source.name
            self.what: Source | Dataset = Source(path, source.roles, source.options, source.files, names, name)
        else:
            self.what = data

    def read(self) -> Any:
        """The data, as the module in Rust has them."""
        return self.what.read() if isinstance(self.what, Source) else self.what._data


def train_one(jobs: Any, data: Sent, goal: Any, options: dict[str, Any]) -> None:
    """A training of :func:`stakes.train`."""
    models = {key: options[key] and _stakes.Model.from_json(options[key]) for key in ("init_model", "base")}
    valid = options["valid"] and options["valid"].read()
    _stakes.train(data.read(), goal, **{**options, **models, "valid": valid}, jobs=jobs, follow=None, every=False)


def experiment_one(jobs: Any, verb: str, data: Sent, goal: Any, asked: Any) -> None:
    """A training of :func:`stakes.compare` or :func:`stakes.backtest`."""
    getattr(_stakes, verb)(data.read(), goal, asked, jobs, None, False)


def program_one(jobs: Any, words: Sequence[str], folder: str) -> None:
    """A training of the program."""
    try:
        os.chdir(folder)
    except OSError as error:
        raise ValueError(
            f"{folder}: this folder cannot be opened on {socket.gethostname()} ({error.strerror})"
        ) from None
    _stakes.program_job(words, jobs)
