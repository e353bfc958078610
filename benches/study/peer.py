"""What every peer is: a name, its knobs, and how it learns.

Its configurations are the same everywhere: its default first, then draws from `ranges`, each knob
on its own, from a seed made of the peer's name. `search` learns from some lists and tells for each
goal the figure on others and the rounds that reached it; `fit` learns with such rounds from all
lists and gives a function from items to scores.
"""

import zlib

import numpy as np

PATIENCE, ROUNDS = 50, 1000


# From so many items on, so many configurations are tried at most.
MANY, CONFIGURATIONS_OF_MANY = 10_000, 4
# Peers that would need hours learn from lists of so many rows at most.
MOST_ROWS_OF_SLOW = 30_000


class Peer:
    name = ""
    what = ""  # one line for the document
    package = ""
    version = 1  # raise it when the code of the peer changes: its results are then made anew
    default = {}
    ranges = {}
    per_goal = False  # learns something else for each goal
    most_rows = None  # learns from so many rows at most
    left_out = ()  # data sets that it cannot take (words.py says why)

    def configurations(self, budget):
        random = np.random.default_rng(zlib.crc32(self.name.encode()))
        found = [dict(self.default)]
        while len(found) < budget and self.ranges:
            drawn = {knob: values[random.integers(len(values))] for knob, values in self.ranges.items()}
            if drawn not in found:
                found.append(drawn)
        return found

    def most_configurations(self, items):
        """At most: on many items each of them takes its time."""
        return 1_000 if len(items.cost) < MANY else CONFIGURATIONS_OF_MANY

    def search(self, config, learn, choose, judges):
        """goal -> (figure, rounds); `judges`: goal -> Judge of `choose`."""
        raise NotImplementedError

    def fit(self, config, items, rounds, goals):
        """A function from Items to scores."""
        raise NotImplementedError


class Watch:
    """Figures after every round; says when nothing has been better for PATIENCE rounds.

    `stops`: measures that may end it: all of them must have stopped improving."""

    def __init__(self, stops):
        self.history, self.stops = {}, stops

    def see(self, figures):
        """Whether to stop. Larger figures are better."""
        for name, value in figures.items():
            self.history.setdefault(name, []).append(value)
        made = len(self.history[self.stops[0]])
        return all(made - self.best(name) >= PATIENCE for name in self.stops)

    def best(self, name):
        """Rounds that reached the best figure."""
        return int(np.argmax(self.history[name])) + 1

    def chosen(self, goals, stop):
        """goal -> (figure, rounds): rounds by the goal itself (`goal`) or by the loss (`loss`)."""
        rounds = {goal: self.best("loss" if stop == "loss" else goal) for goal in goals}
        return {goal: (self.history[goal][made - 1], made) for goal, made in rounds.items()}


def by_grades(cost, most=31):
    """Costs as grades for rankers that take nothing else: 0 for cost 0, then quantiles of log cost.
    Gives the borders and the mean cost of each grade."""
    positive = np.log1p(cost[cost > 0])
    cuts = np.unique(np.quantile(positive, np.linspace(0, 1, most)[1:-1])) if len(positive) else np.array([])
    grades = grades_of(cost, cuts)
    means = [cost[grades == grade].mean() if (grades == grade).any() else 0.0 for grade in range(len(cuts) + 2)]
    return cuts, np.maximum.accumulate(means).tolist()


def grades_of(cost, cuts):
    return np.where(cost > 0, 1 + np.searchsorted(cuts, np.log1p(cost), side="left"), 0)
