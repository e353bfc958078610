"""Two rankings of the same lists: the difference of a figure, its chance if there were none, and the
smallest difference that these lists could show.

A figure is a sum over lists (goal.py), so is the difference D = sum d_i. Were the rankings equally good,
the signs of the d_i would be random: p is the share of random signs with a sum as large (two-sided). The
standard error is that of a sum of n independent d_i. A difference of (1.960 + 0.842) standard errors is
found at level 0.05 with a chance of 80 %: the minimal detectable difference.
"""

from collections import namedtuple

import numpy as np

DETECTABLE = 1.959964 + 0.841621
SIGNS = 5000
Paired = namedtuple("Paired", "difference p detectable")


def paired(some, others):
    """`some` minus `others`: what each list adds to the figure."""
    d = np.asarray(some) - np.asarray(others)
    random = np.random.default_rng(1)
    sums = [abs(np.dot(random.choice((-1.0, 1.0), len(d)), d)) for _ in range(SIGNS)]
    as_large = np.sum(np.array(sums) >= abs(d.sum()) - 1e-12)
    return Paired(d.sum(), (1 + as_large) / (1 + SIGNS), detectable(some, others))


def detectable(some, others):
    """Lists are along the last axis."""
    d = np.asarray(some) - np.asarray(others)
    return DETECTABLE * np.sqrt(d.shape[-1] * np.var(d, axis=-1, ddof=1))
