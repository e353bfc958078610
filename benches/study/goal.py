"""What is to be maximised, R_CS@k or NDCG@k, quick enough to be looked at after every tree.

R_CS@k = sum of cost x chance over all lists / the same in the ideal order, where the item at
position p = 1, 2, ... is acted on with the chance max(0, 1 - (p - 1)/k). NDCG@k = mean over lists
of the same ratio of each list, where "chance" is 1/log2(p + 1) up to k. Items with equal scores
share the chances of their positions. Lists with nothing to save do not count. These are the
figures of `stakes evaluate` (checks.py compares them); there, costs of graded lists are 2^y - 1.
"""

import numpy as np


class Goal:
    """`rcs@10` or `ndcg@10`."""

    def __init__(self, spec):
        self.spec = spec
        self.kind, _, k = spec.partition("@")
        self.k = int(k)

    def chances(self, positions):
        """Of positions 0, 1, ..."""
        if self.kind == "rcs":
            return np.maximum(0.0, 1 - positions / self.k)
        return np.where(positions < self.k, 1 / np.log2(positions + 2.0), 0.0)


class Judge:
    """The goal on some items; call it with scores.

    `chances` are those of the positions, list by list; `ideal` what each list could save;
    `weights` what one unit of saved cost of each list is worth."""

    def __init__(self, goal, items):
        self.items, self.goal = items, goal
        self.first = np.repeat(items.starts, items.sizes) == np.arange(len(items.cost))
        self.chances = goal.chances(np.arange(len(items.cost)) - np.repeat(items.starts, items.sizes))
        best = items.cost[np.lexsort((-items.cost, items.lists))]
        self.ideal = np.add.reduceat(best * self.chances, items.starts)
        savable = np.where(self.ideal > 0, self.ideal, np.inf)
        equal = 1 / savable / max(1, np.isfinite(savable).sum())
        by_stake = np.full(len(self.ideal), 1 / max(self.ideal.sum(), 1e-300))
        self.weights = equal if goal.kind == "ndcg" else by_stake
        self.worth = np.repeat(self.weights, items.sizes)

    def order(self, scores):
        """Rows from the best score to the worst, list by list."""
        return np.lexsort((-scores, self.items.lists))

    def __call__(self, scores):
        return float(self.by_list(scores).sum())

    def by_list(self, scores):
        """What each list adds to the figure."""
        order = self.order(np.asarray(scores, dtype=np.float64))
        sorted_scores = scores[order]
        new = self.first | np.r_[True, sorted_scores[1:] != sorted_scores[:-1]]
        starts = np.flatnonzero(new)
        counts = np.diff(np.r_[starts, len(order)])
        shared = np.repeat(np.add.reduceat(self.chances, starts) / counts, counts)
        return np.add.reduceat(self.items.cost[order] * self.worth * shared, self.items.starts)


def stakes(goal, items):
    """What each list can save, 1 on average: weights for peers that take weights of lists."""
    ideal = Judge(goal, items).ideal
    return ideal / max(ideal.mean(), 1e-300)
