"""The document docs/study.md, from what is in the cache."""

import datetime
from importlib.metadata import version

from compare import RANDOM, Comparison
from peer import PATIENCE, ROUNDS
from words import HOW, MARKS, SHORT

MARK = {"win": "+", "tie": "=", "loss": "-"}
TITLES = "Smaller k (MQ2008: NDCG@10)", "Larger k (MQ2008: R_CS@5)"


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
        self.shown = [one for one in compared if any(name in one.seconds for name in self.peers)]

    def text(self):
        budget = {"budget": self.options.budget, "draws": self.options.budget - 1}
        how = HOW.format(**budget, patience=PATIENCE, rounds=ROUNDS, champion=self.champion)
        return "\n".join([how, self.about_peers(), self.summary(), self.matrix(), *map(self.details, self.shown)])

    def about_peers(self):
        packages = sorted({peer.package for peer in self.kinds})
        versions = ", ".join(f"{name} {version(name)}" for name in packages)
        rows = [(peer.name, peer.what) for peer in self.kinds]
        return f"## The peers\n{table(['peer', 'what it is'], rows)}\n{versions}; {datetime.date.today()}.\n"

    def summary(self):
        """One table for the first goal of all sets, one for the second. A set where a peer is missing is
        shown, but counts for nothing: the best peer may not be there yet."""
        verdicts, losses, tables = [], [], []
        head = ["data set", "lists", "figure", self.champion, "best peer", "its figure"]
        head += ["difference", "p", "verdict"]
        for which, title in enumerate(TITLES):
            rows = []
            for one in self.shown:
                goal = one.goals[which]
                best = one.best(goal, self.peers)
                mine, other, verdict = one.rows[goal][self.champion], one.rows[goal][best], one.verdict(goal, best)
                there = one.verdicts(goal, self.peers)
                if len(there) == len(self.peers):
                    verdicts.append((one, verdict))
                    losses += [one] if "loss" in there else []
                else:
                    verdict += f" so far, {len(there)} of {len(self.peers)} peers"
                cells = [one.dataset["name"], one.dataset["lists"], goal, f"{mine.value:.4f}", best]
                cells += [f"{other.value:.4f}", f"{-other.difference:+.4f}", chance(other.p)]
                rows.append([*cells, f"**{verdict}**" if verdict in ("win", "loss") else verdict])
            tables.append(f"### {title}\n{table(head, rows)}")
        wins = [one for one, verdict in verdicts if verdict == "win"]
        sets = {one for one, _ in verdicts}
        counts = {"first": len(sets) - len(set(losses)), "sets": len(sets), "won": len(set(wins))}
        counts["both"] = sum(wins.count(one) == 2 for one in sets)
        counts |= {"first_cells": len(verdicts) - len(losses), "cells": len(verdicts), "wins": len(wins)}
        return "\n".join(["## In short", SHORT.format(champion=self.champion, **counts), "", *tables])

    def matrix(self):
        """The champion against every row: a mark for each of the two goals."""
        rows = []
        for name in [*self.peers, *(name for name in self.ours if name != self.champion)]:
            found = [[v for goal in one.goals for v in one.verdicts(goal, [name])] for one in self.shown]
            marks = [" ".join(MARK[verdict] for verdict in some) or "not run" for some in found]
            rows.append([name, *marks, *(sum(found, []).count(verdict) for verdict in MARK)])
        head = ["", *(one.dataset["name"] for one in self.shown), "wins", "ties", "losses"]
        return f"## `{self.champion}` against each\n{MARKS.format(champion=self.champion)}\n\n{table(head, rows)}"

    def details(self, one):
        """All rows of one set: ours, then the peers from the best to the worst by the second goal."""
        there = lambda names: [name for name in names if name in one.seconds]
        ranked = sorted(there(self.peers), key=lambda name: -one.rows[one.goals[1]][name].value)
        learners, rows = [*there(self.ours), *ranked], []
        for name in [*learners, "oracle", RANDOM]:
            if name in one.rows[one.goals[0]]:
                cells = [cell for goal in one.goals for cell in self.cells(one, goal, name, learners)]
                rows.append([name, *cells, f"{one.seconds[name]:.1f}" if name in one.seconds else ""])
        head = ["", *(cell for goal in one.goals for cell in (goal, "difference (p)")), "processor s"]
        data = one.dataset
        counts = f"{data['rows']:,} test items in {data['lists']} lists, {data['features']} features"
        text = f"## {data['name']}\n{counts}, {len(data['folds'])} fold(s). "
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


def chance(p):
    return "< 0.001" if p < 0.001 else f"{p:.3f}"
