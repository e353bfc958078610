# %% [markdown]
# # COMPAS: how does a ranking by risk treat groups?
# Of all people who were scored, those who look most likely to be charged again are supported first. The audit says
# where groups stand in that order, and what it covers of the harm that each group suffered.

# %%
import os
import sys
from pathlib import Path

import pandas as pd

import stakes

folder = Path(os.environ.get("STAKES_DATA", Path(__file__).resolve().parents[3] / "shared" / "data"))
path = folder / "compas" / "compas-scores-two-years.noident.csv.gz"
if not path.exists():
    print(f"the public data set is not at {path} (STAKES_DATA)", file=sys.stderr)
    sys.exit(77)

# %%
people = pd.read_csv(path)
columns = ["age", "priors_count", "decile_score", "sex", "race", "two_year_recid"]
people = people[columns].dropna()
data = stakes.Dataset(people, impact="two_year_recid", group="race", name="COMPAS")
print(data)

# %% The published score, audited at 500 people.
found = stakes.audit(data, "decile_score", k=500, protected="African-American", resamples=200, draws=200)
table = found.to_frame()
print(table[["measure", "value", "low", "high", "p"]].head(12).to_string())

# %% The share of the cost that each group's members covered, beside what a single feature would do.
both = stakes.evaluate(
    data, {"decile_score": "decile_score", "priors": "priors_count"}, metrics="rcs@500", by="race", intervals=False
)
print(both.by_group[["score", "group", "n", "value"]].to_string())
Path("compas-audit.html").write_text(found.html)
