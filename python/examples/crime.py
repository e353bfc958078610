# %% [markdown]
# # Communities and crime: our trees and LightGBM's in one grid search
# 1,994 communities in lists by state; the cost is violent crime, and ten communities of each state can be helped. Both
# models are tuned by scikit-learn's own `GridSearchCV`, with the same folds of whole lists and the same score.

# %%
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import sklearn
from sklearn.model_selection import GridSearchCV, GroupKFold

from stakes.sklearn import TwoPartRanker, make_scorer

folder = Path(os.environ.get("STAKES_DATA", Path(__file__).resolve().parents[3] / "shared" / "data"))
folder /= "communities-crime"
if not folder.is_dir():
    print(f"the public data set is not in {folder} (STAKES_DATA)", file=sys.stderr)
    sys.exit(77)

# %%
names = list(pd.read_csv(folder / "communities.columns.csv").columns)
table: Any = pd.read_csv(folder / "communities.data.gz", names=names, na_values="?")
table = table[table.groupby("state")["state"].transform("size") > 1]
X = table.drop(columns=["state", "county", "community", "communityname", "fold", "ViolentCrimesPerPop"])
y, state = table["ViolentCrimesPerPop"].to_numpy(), table["state"].to_numpy()
print(f"{len(X)} communities in {len(np.unique(state))} states, {X.shape[1]} features")

# %% The last states are kept for the end.
last = np.isin(state, np.unique(state)[-10:])
sklearn.set_config(enable_metadata_routing=True)
scorer = make_scorer("rcs@10").set_score_request(qid=True)
grid = {"num_leaves": [4, 15]}
folds = GroupKFold(2)


def search(ranker: Any, X_train: Any) -> GridSearchCV:
    """The best settings over folds of states."""
    found = GridSearchCV(ranker, grid, cv=folds, scoring=scorer)
    return found.fit(X_train, y[~last], groups=state[~last], qid=state[~last])


ours = search(TwoPartRanker(k=10, rounds=50, learning_rate=0.1).set_fit_request(qid=True), X[~last])
rows = {"two-part": (ours.best_score_, scorer(ours, X[last], y[last], qid=state[last]))}

# %%
try:
    from lightgbm import LGBMRegressor
except ImportError:
    print("LightGBM is not installed; only our model is shown")
else:
    # LightGBM's ranker refuses real-valued costs, and GridSearchCV cannot tell it the lists; its regression can.
    theirs = LGBMRegressor(
        n_estimators=50, learning_rate=0.1, objective="tweedie", verbose=-1, deterministic=True, n_jobs=1
    )
    theirs = search(theirs, X[~last])
    rows["LightGBM, Tweedie"] = (theirs.best_score_, scorer(theirs, X[last], y[last], qid=state[last]))

print(pd.DataFrame(rows, index=["cross-validated R_CS@10", "R_CS@10 of the last ten states"]).T.round(3))
