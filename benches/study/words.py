"""What docs/study.md says before its tables."""

HOW = """# The study: what learners save
Our learners beside what people would use instead, judged by the cost they save on lists that they did
not learn from. `make study` makes this file; what is in its cache is not learnt again.

## How it is done
- **Figures.** R_CS@k: the share of all savable cost that is saved when the item at position p is acted
  on with the chance 1 - (p - 1)/k (`stakes metrics`); MQ2008 also NDCG@10. k is 12.5 % and 25 % of the
  mean list (storms: 10 and 25 of about 200; MQ2008: 5 of 19, cost 2^grade - 1). Test lists of all
  folds are measured together by `stakes evaluate`.
- **Data.** Five folds by list; MQ2008 has its own. Generated storms: two kinds of tails, three seeds each;
  the 100 oldest storms are learnt from, the 300 others judge. `oracle` ranks them by their true expected
  impact, which no learner knows. Outcomes are never features (`scripts/prepare_data.py`).
- **Equal budgets.** Each peer has {budget} configurations (4 from 10,000 items on): its default and random draws from the
  ranges in `benches/study/`. Each learns from three quarters of the training lists. The others
  (MQ2008: its validation lists) tell when to stop ({patience} rounds without gain, at most {rounds};
  regressions by their loss, rankers by the goal), and which configuration is best, by each goal on its
  own. That one learns again from all training lists with the rounds found (MQ2008: from its training lists alone).
- **Ours.** Defaults, unless a name says `tuned`: no configuration is chosen, and what is held out is up to
  the learner. `{champion}` is compared with every row.
- **What flatters us.** The members of `auto` and their parameters were chosen once, by trying them on the real
  sets' folds and on the storms of seeds 1 and 2, test lists included. The storms of seed 3 and MQ2008 were not
  looked at before. The peers' ranges were not chosen by test lists (but for one of XGBoost's, in its favour).
- **Tests.** Paired over lists (randomisation), two-sided, corrected over the peers (Holm). *Tied*:
  p >= 0.05. The best peer is the best on these very test lists: a choice in its favour.
- **Time.** Processor seconds of everything from tuning to the last fit, both goals, all folds, on one
  thread; ours with reading data and writing models. For speed itself: `make bench-peers`.
- **Limits of the peers.** CatBoost has 64 borders; its rankers at most 300 rounds, 200 and 2 configurations from 10,000 items:
  they are slow. The forest has 100 trees. lambdarank takes no costs as labels: it has 31 grades,
  quantiles of log cost. Lists are weighed by what can be saved in them, its root, or not at all.
"""
SHORT = """`{champion}` is first or tied for first on {first} of {sets} data sets (in {first_cells} of {cells} figures), and
significantly better than the best peer on {won} of {sets} by one figure at least, on {both} by both (in {wins} of
{cells} figures). Differences: `{champion}` minus the best peer."""
MARKS = """+ `{champion}` is significantly better, = tied, - significantly worse; the first mark is for the smaller k
(MQ2008: NDCG@10), the second for the larger."""
