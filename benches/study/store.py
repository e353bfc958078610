"""Results that are kept: one file per data set, fold and learner, found again by what made it.

A file holds the scores of the test items in the order of their (list, id), by goal, the processor
seconds, and what was chosen. Its name ends in a hash of everything that the scores depend on.
"""

import hashlib
import json
import os

import numpy as np

PROTOCOL = 1  # raise it when data.py, goal.py or tune.py change what comes out


def path(folder, dataset, number, name, made_of):
    text = json.dumps([PROTOCOL, made_of], sort_keys=True)
    key = hashlib.sha256(text.encode()).hexdigest()[:16]
    return folder / dataset["name"] / f"fold{number + 1}" / f"{name.replace(' ', '-')}.{key}.npz"


def write(file, scores, seconds, chosen):
    """`scores`: goal -> (list, id) -> score."""
    arrays = {goal: np.array([found[key] for key in sorted(found)]) for goal, found in scores.items()}
    about = json.dumps({"seconds": seconds, "chosen": chosen})
    file.parent.mkdir(parents=True, exist_ok=True)
    unfinished = file.with_suffix(".tmp.npz")
    np.savez_compressed(unfinished, about=about, **arrays)
    os.replace(unfinished, file)


def read(file):
    """(goal -> scores, {"seconds", "chosen"})"""
    with np.load(file) as held:
        return {name: held[name] for name in held.files if name != "about"}, json.loads(str(held["about"]))


def hashes(folder, fold):
    """The contents of a fold's files."""
    digest = lambda name: hashlib.sha256((folder / name).read_bytes()).hexdigest()
    return {part: digest(name) for part, name in fold.items()}
