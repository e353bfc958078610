"""One thing to learn: a learner on a fold of a data set, with the path where its result is or will be."""

import multiprocessing
import sys
import time
import warnings
from importlib.metadata import version

import ours
import store
from data import Fold
from peers import PEERS
from tune import tune


def fold_jobs(data, dataset, most=None):
    """For each fold: what all its jobs share, and what results depend on."""
    for number, fold in enumerate(dataset["folds"][:most]):
        made_of = {"files": store.hashes(data, fold), "goals": dataset["metrics"], "roles": dataset["roles"]}
        yield {"data": data, "dataset": dataset, "number": number}, made_of


def of_ours(job, made_of, results, row, stakes, program):
    """`row`: name, learner, options of `stakes train`; `program`: ours.identity(stakes)."""
    name, learner, options = row
    made_of = made_of | {"k": job["dataset"]["k"], "program": program, "learner": learner, "options": options}
    path = store.path(results, job["dataset"], job["number"], name, made_of)
    call = {"name": name, "stakes": stakes, "program": program, "learner": learner, "options": options}
    return job | call | {"path": path}


def of_peer(job, made_of, results, peer, budget):
    knobs = {"version": peer.version, "default": peer.default, "ranges": peer.ranges}
    made_of = made_of | knobs | {"peer": peer.name, "package": version(peer.package), "budget": budget}
    path = store.path(results, job["dataset"], job["number"], peer.name, made_of)
    return job | {"name": peer.name, "budget": budget, "path": path}


def run(job):
    """Learns and keeps it; gives what went wrong, if anything did."""
    warnings.filterwarnings("ignore")
    dataset, fold = job["dataset"], job["dataset"]["folds"][job["number"]]
    try:
        if "learner" in job:
            call = job["stakes"], job["data"], dataset, fold, job["learner"], job["options"]
            scores, seconds = ours.learn(*call)
            if ours.identity(job["stakes"]) != job["program"]:
                raise RuntimeError("the program was replaced after the run began; run again")
            chosen = {}
        else:
            (peer,) = (peer for peer in PEERS if peer.name == job["name"])
            items = Fold(job["data"], dataset, fold).fewer(peer.most_rows)
            found = tune(peer, items, dataset["metrics"], job["budget"])
            scores = {goal: dict(zip(items.test.keys, some)) for goal, some in found["scores"].items()}
            seconds, chosen = found["seconds"], found["chosen"]
        store.write(job["path"], scores, seconds, chosen)
        return job, seconds, None
    except Exception as error:  # one learner that fails must not end the study
        return job, 0.0, f"{type(error).__name__}: {error}"


def work(todo, workers):
    """Runs jobs in processes of their own; says how far it is; gives the complaints."""
    complaints, started = [], time.time()
    with multiprocessing.get_context("spawn").Pool(workers, maxtasksperchild=8) as pool:
        for done, (job, seconds, complaint) in enumerate(pool.imap_unordered(run, todo), 1):
            what = f"{job['dataset']['name']}, fold {job['number'] + 1}, {job['name']}"
            far = f"[{done}/{len(todo)}, {(time.time() - started) / 60:.1f} min]"
            print(f"{far} {what}: {complaint or f'{seconds:.1f} s'}", file=sys.stderr, flush=True)
            complaints += [f"{what}: {complaint}"] if complaint else []
    return complaints
