"""What docs/study.md says before its tables."""

HOW = """# The study: what learners save
Our learners beside what people would use instead, judged by the cost they save on lists that they did
not learn from. `make study` makes this file; what is in its cache is not learnt again.

## How it is done
- **Figures.** R_CS@k: the share of all savable cost that is saved when the item at position p is acted
  on with the chance 1 - (p - 1)/k (`stakes metrics`). k is 12.5 % and 25 % of the mean list (claims: 10 and 50 of
  about 380; mines: 10 and 40 of about 270; storms: 10 and 25 of about 200). Sets with grades (mq2008, ohsumed,
  mslr-sample) have the cost 2^grade - 1, and NDCG@10 as well. Test lists of all folds are measured together
  by `stakes evaluate`.
- **Development and judging.** Parameters of ours were chosen by trying them on the sets for *development*, test
  lists included: figures on them flatter us. Sets for *judging* had no part in any choice. No list is in both:
  claims and mines are cut in two by list and by state, and storms are of other seeds.
  Development: {development}. Judging: {judging}.
- **Data.** Folds by list, mines by state (a mine comes up in several years): five, of claims, mines and
  mslr-sample three; mq2008 and ohsumed have their own. Claims (French motor insurance): municipalities of 100 policies or
  more, costs capped at 100,000 euro. Mines: states and years of 20 mines or more. Generated storms: three kinds of
  tails; the 100 oldest of 800 storms are learnt from, the others judge. `oracle` ranks them by their true expected
  impact, which no learner knows. Outcomes are never features (`benches/study/prepare.py`).
- **Equal budgets.** Each peer has {budget} configurations (4 from 10,000 items on): its default and random draws from the
  ranges in `benches/study/`. Each learns from three quarters of the training lists. The others
  (mq2008, ohsumed: their validation lists) tell when to stop ({patience} rounds without gain, at most {rounds};
  regressions by their loss, rankers by the goal), and which configuration is best, by each goal on its
  own. That one learns again from all training lists with the rounds found (mq2008, ohsumed: from their training
  lists alone).
- **Calm peers** (`-calm`, `-short`) are one configuration each, with its rounds: what a careful user sets by hand.
  Nothing is tuned, and all training lists are learnt from. Sets for development have
  no other peers but single-feature.
- **Ours.** Defaults (`auto-low`: low effort): no configuration is chosen, and what is held out is up to the learner. `{champion}` is
  compared with every row.
- **Tests.** Paired over lists (randomisation), two-sided, corrected over the peers (Holm). *Tied*:
  p >= 0.05. The best peer is the best on these very test lists: a choice in its favour.
- **Power.** *Detectable*: the smallest true difference to that peer that these lists would show, uncorrected, at
  level 0.05 with a chance of 80 %: 2.80 standard errors of the sum of the lists' differences. A tie says only that
  the difference is hardly larger.
- **Work.** Processor seconds of everything from tuning to the last fit, all goals, all folds, on one thread; ours with
  reading data and writing models. *Work* is the same in trainings of our two-part model on the same folds (ours
  learn anew for each goal: two-part itself has as many as there are goals). For speed itself: `make bench-peers`.
- **Limits of the peers.** CatBoost has 64 borders; its ranker has at most 300 rounds, and from 10,000 items on 200
  rounds and 2 configurations: it is slow. (StochasticRank takes minutes per fold where others take seconds, and is
  left out.) xgboost-ndcg and lightgbm-cost-lambdas would need hours on claims: they learn from lists of {slow:,} rows
  in all. The longest list of claims has 10,305 items: LightGBM's lambdarank refuses more than 10,000, and CatBoost's
  ranker compares all pairs; neither is run there. The forest has 100 trees. lambdarank takes no costs as labels: it
  has 31 grades, quantiles of log cost. Lists are weighed by what can be saved in them, its root, or not at all.
"""
SHORT = """On sets for judging, `{champion}` is first or tied for first on {first} of {sets} (in {first_cells} of {cells}
figures), and significantly better than the best peer on {won} of {sets} by one figure at least, on {every} by all (in
{wins} of {cells} figures). Differences: `{champion}` minus the best peer."""
TOGETHER = """The mean difference over the sets that have the row, each counting alike; p is two-sided, by the normal
distribution, not corrected for the number of rows."""
DEVELOPED = "Ours was chosen by these: they show what was known, and prove nothing."
MARKS = """+ `{champion}` is significantly better, = tied, - significantly worse; a mark for each figure, in the order of the
tables above."""
SAME = """At our defaults, beside LightGBM tuned and calm: the figure, and in parentheses the work. The lambdas of
cs-mart are those of R_CS, as lightgbm-cost-lambdas has them; how it starts and which pairs it takes is its own."""
