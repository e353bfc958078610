"""The document docs/study.md, from what is in the cache."""

import datetime
import math
from importlib.metadata import version

import numpy as np
from compare import RANDOM, Comparison
from paired import DETECTABLE
from peer import MOST_ROWS_OF_SLOW, PATIENCE, ROUNDS
from words import DEVELOPED, HOW, MARKS, SAME, SHORT, TOGETHER

MARK = {"win": "+", "tie": "=", "loss": "-"}
# Ours, and the same model in LightGBM: tuned, and calm.
SAME_MODELS = [
    ("two-part", ["lightgbm-two-part", "lightgbm-two-part-calm"]),
    ("tweedie-mart", ["lightgbm-tweedie", "lightgbm-tweedie-calm", "lightgbm-tweedie-short"]),
    ("cs-mart", ["lightgbm-cost-lambdas"]),
]


class Report:
    """`jobs`: everything there is, with paths; `ours`: names of our learners."""

    def __init__(self, options, sets, jobs, peers, ours):
        self.options, self.kinds, self.champion = options, peers, options.champion
        self.peers, self.ours = [peer.name for peer in peers], ours
        compared = []
        for dataset in sets:
            results = {}
            for job in jobs:
                if job["dataset"]["name"] == dataset["name"]:
                    results.setdefault(job["name"], []).append(job["path"])
            compared.append(
                Comparison(options.stakes, options.data, dataset, results, self.champion, self.peers)
            )
        shown = [one for one in compared if any(name in one.seconds for name in self.peers)]
        part = lambda name: [one for one in shown if one.dataset["part"] == name]
        self.judging, self.development = part("judging"), part("development")
        self.shown = self.judging + self.development

    def text(self):
        names = lambda some: ", ".join(one.dataset["name"] for one in some)
        about = {"budget": self.options.budget, "patience": PATIENCE, "rounds": ROUNDS, "champion": self.champion}
        about["slow"] = MOST_ROWS_OF_SLOW
        how = HOW.format(**about, judging=names(self.judging), development=names(self.development))
        parts = [self.summary(), self.together(), self.developed(), self.matrix(), self.same_models()]
        return "\n".join([how, self.about_peers(), *parts, *map(self.details, self.shown)])

    def about_peers(self):
        packages = sorted({peer.package for peer in self.kinds})
        versions = ", ".join(f"{name} {version(name)}" for name in packages)
        rows = [(peer.name, peer.what) for peer in self.kinds]
        return f"## The peers\n{table(['peer', 'what it is'], rows)}\n{versions}; {datetime.date.today()}.\n"

    def summary(self):
        """Of the judging sets. One where a peer is missing is shown, but counts for nothing: the best peer
        may not be there yet."""
        cells = [(one, goal, one.best(goal, one.peers)) for one in self.judging for goal in one.goals]
        complete = [cell for cell in cells if not set(cell[0].missing) & set(cell[0].peers)]
        wins = [one for one, goal, best in complete if one.verdict(goal, best) == "win"]
        losses = [one for one, goal, _ in complete if "loss" in one.verdicts(goal, one.peers)]
        sets = {one for one, *_ in complete}
        every = sum(wins.count(one) == len(one.goals) for one in sets)
        counts = {"first": len(sets - set(losses)), "sets": len(sets), "won": len(set(wins)), "every": every}
        counts |= {"first_cells": len(complete) - len(losses), "cells": len(complete), "wins": len(wins)}
        return f"## In short\n{SHORT.format(champion=self.champion, **counts)}\n\n{self.against_best(self.judging)}"

    def together(self):
        """The champion against every row over all judging sets that have it: each set counts alike, and so do
        the figures of a set. Its figures go together, so their standard errors are not reduced by averaging."""
        rows = []
        for name in [*self.peers, *(name for name in self.ours if name != self.champion)]:
            found = [[one.rows[goal][name] for goal in one.goals] for one in self.judging if name in one.seconds]
            if found:
                mean = -np.mean([np.mean([row.difference for row in some]) for some in found])
                errors = [np.mean([row.detectable for row in some]) / DETECTABLE for some in found]
                error = np.sqrt(np.sum(np.square(errors))) / len(found)
                p = math.erfc(abs(mean) / error / math.sqrt(2))
                rows.append([name, len(found), f"{mean:+.4f}", f"{error:.4f}", chance(p)])
        head = ["", "sets", f"{self.champion} minus it", "standard error", "p"]
        return f"## All judging sets together\n{TOGETHER}\n\n{table(head, rows)}"

    def developed(self):
        return f"## Sets for development\n{DEVELOPED}\n\n{self.against_best(self.development)}"

    def against_best(self, sets):
        """A row for each figure of each set: the champion and the best peer."""
        rows = []
        for one in sets:
            for goal in one.goals:
                best = one.best(goal, one.peers)
                mine, other, verdict = one.rows[goal][self.champion], one.rows[goal][best], one.verdict(goal, best)
                late = set(one.missing) & set(one.peers)
                verdict = f"{verdict} so far, {len(late)} peers not run" if late else verdict
                cells = [one.dataset["name"], one.dataset["lists"], goal, f"{mine.value:.4f}", best]
                cells += [f"{other.value:.4f}", f"{-other.difference:+.4f}", f"{other.detectable:.4f}", chance(other.p)]
                rows.append([*cells, f"**{verdict}**" if verdict in ("win", "loss") else verdict])
        head = ["data set", "lists", "figure", self.champion, "best peer", "its figure"]
        return table([*head, "difference", "detectable", "p", "verdict"], rows)

    def same_models(self):
        """Our learners beside the same model in LightGBM, by the last goal of each set, and their work."""
        tables = []
        for mine, others in SAME_MODELS:
            rows = []
            for one in self.shown:
                cells = one.rows[one.goals[-1]]
                shown = lambda name: f"{cells[name].value:.4f} ({one.work[name]:.1f})" if name in cells else ""
                if mine in cells and mine in one.work:
                    rows.append([one.dataset["name"], one.goals[-1], *map(shown, [mine, *others])])
            tables.append(table(["data set", "figure", mine, *others], rows))
        return "\n".join([f"## The same model, ours and LightGBM's\n{SAME}\n", *tables])

    def matrix(self):
        """The champion against every row: a mark for each goal."""
        rows = []
        for name in [*self.peers, *(name for name in self.ours if name != self.champion)]:
            found = [[v for goal in one.goals for v in one.verdicts(goal, [name])] for one in self.shown]
            marks = [" ".join(MARK[verdict] for verdict in some) or "not run" for some in found]
            rows.append([name, *marks, *(sum(found, []).count(verdict) for verdict in MARK)])
        head = ["", *(one.dataset["name"] for one in self.shown), "wins", "ties", "losses"]
        return f"## `{self.champion}` against each\n{MARKS.format(champion=self.champion)}\n\n{table(head, rows)}"

    def details(self, one):
        """All rows of one set: ours, then the peers from the best to the worst by the last goal."""
        there = lambda names: [name for name in names if name in one.seconds]
        ranked = sorted(there(self.peers), key=lambda name: -one.rows[one.goals[-1]][name].value)
        learners, rows = [*there(self.ours), *ranked], []
        for name in [*learners, "oracle", RANDOM]:
            if name in one.rows[one.goals[0]]:
                cells = [cell for goal in one.goals for cell in self.cells(one, goal, name, learners)]
                rows.append([name, *cells, number(one.seconds.get(name)), number(one.work.get(name))])
        head = ["", *(cell for goal in one.goals for cell in (goal, "difference (p)")), "processor s", "work"]
        data = one.dataset
        counts = f"{data['rows']:,} test items in {data['lists']} lists, {data['features']} features"
        text = f"## {data['name']}\nA set for {data['part']}: {counts}, {len(data['folds'])} fold(s). "
        text += f"Differences are to `{self.champion}`.\n\n"
        missing = f"\nNot run: {', '.join(one.missing)}.\n" if one.missing else ""
        return text + table(head, rows) + missing

    def cells(self, one, goal, name, learners):
        row, best = one.rows[goal][name], one.best(goal, learners)
        value = f"**{row.value:.4f}**" if name == best else f"{row.value:.4f}"
        yield f"{value} [{row.low:.3f}, {row.high:.3f}]"
        yield "" if row.difference is None else f"{row.difference:+.4f} ({chance(row.p)})"


def table(head, rows):
    line = lambda cells: f"| {' | '.join(map(str, cells))} |"
    return "\n".join([line(head), "|---" * len(head) + "|", *map(line, rows)]) + "\n"


def number(value):
    return "" if value is None else f"{value:.1f}"


def chance(p):
    return "< 0.001" if p < 0.001 else f"{p:.3f}"
