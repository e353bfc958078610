"""LightGBM as a careful user sets it by hand: small steps, small trees, nothing tuned, no early stopping.

One configuration with its rounds; all training lists are learnt from."""

from lightgbm_peers import DEFAULT, Tweedie, TwoPart

CALM = {
    "num_leaves": 7,
    "learning_rate": 0.04,
    "feature_fraction": 0.5,
    "bagging_fraction": 0.7,
    "min_data_in_leaf": 50,
    "lambda_l2": 0.0,
}
CALM_ROUNDS = 300


class TwoPartCalm(TwoPart):
    name = "lightgbm-two-part-calm"
    what = "the same, 300 rounds of 7 leaves at rate 0.04, half of the features, 70 % of the rows, 50 rows a leaf"
    default, ranges = CALM, {}

    def search(self, config, learn, choose, judges):
        rounds = [CALM_ROUNDS if (learn.cost == 0).any() else 0, CALM_ROUNDS]
        return {goal: (0.0, rounds) for goal in judges}


class TweedieCalm(Tweedie):
    name = "lightgbm-tweedie-calm"
    what = "LightGBM, Tweedie deviance of the cost (power 1.5), as calm"
    default, ranges = CALM | {"tweedie_variance_power": 1.5}, {}
    made = CALM_ROUNDS

    def search(self, config, learn, choose, judges):
        return {goal: (0.0, self.made) for goal in judges}


class TweedieShort(TweedieCalm):
    name = "lightgbm-tweedie-short"
    what = "the same, 60 rounds of 15 leaves at rate 0.05, all rows and features, categories as numbers"
    default = DEFAULT | {"num_leaves": 15, "learning_rate": 0.05, "tweedie_variance_power": 1.5}
    made = 60

    def dataset(self, items, labels, weights, reference=None):
        return super().dataset(items.as_numbers(), labels, weights, reference)


PEERS = [TwoPartCalm(), TweedieCalm(), TweedieShort()]
