"""A trial: chosen rows on some folds of one set, run and shown as a table in the terminal.

The first row is compared with all others: other minus first, p of random signs over lists, and in
brackets the smallest difference that these lists could show (paired.py)."""

import jobs
import numpy as np
import ours
import store
from data import items_to_judge
from goal import Goal, Judge
from paired import paired
from peers import PEERS


class Trial:
    """`rows`: of ours (name, learner, options); `peers`: names; `folds`: how many of them, or None."""

    def __init__(self, options, rows, peers, folds):
        self.options, self.rows, self.folds = options, rows, folds
        self.peers = [peer for peer in PEERS if peer.name in peers]
        self.program = ours.identity(options.stakes) if rows else None

    def run(self, dataset):
        """Makes what is not kept, then prints the table; gives the complaints."""
        plan = self.planned(dataset)
        todo = [job for some in plan.values() for job in some if self.options.fresh or not job["path"].exists()]
        complaints = jobs.work(todo, self.options.workers) if todo else []
        self.show(dataset, plan)
        return complaints

    def planned(self, dataset):
        """name -> the jobs of its folds."""
        cache, found = self.options.cache, {}
        for job, made_of in jobs.fold_jobs(cache / "data", dataset, self.folds):
            for row in self.rows:
                made = jobs.of_ours(job, made_of, cache / "tried", row, self.options.stakes, self.program)
                found.setdefault(row[0], []).append(made)
            for peer in self.peers:
                made = jobs.of_peer(job, made_of, cache / "results", peer, self.options.budget)
                found.setdefault(peer.name, []).append(made)
        return found

    def show(self, dataset, plan):
        items = items_to_judge(self.options.cache / "data", dataset, dataset["folds"][: self.folds])
        print(f"\n{dataset['name']} ({dataset['part']}), {len(items.sizes)} lists, {len(items.cost):,} items")
        judges = {goal: Judge(Goal(goal), items) for goal in dataset["metrics"]}
        first = {}
        for name, some in plan.items():
            if all(job["path"].exists() for job in some):
                found = [store.read(job["path"]) for job in some]
                cells = ""
                for goal, judge in judges.items():
                    added = judge.by_list(np.concatenate([scores[goal] for scores, _ in found]))
                    cells += f"{cell(goal, added, first.setdefault(goal, added)):45}"
                print(f"  {name:26} {cells}{sum(about['seconds'] for _, about in found):8.1f} s", flush=True)


def cell(goal, added, first):
    text = f"{goal} {added.sum():.4f}"
    if added is first:
        return text
    test = paired(added, first)
    return f"{text} {test.difference:+.4f} p {test.p:.3f} [{test.detectable:.4f}]"
