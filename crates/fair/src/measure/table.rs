//! The table of measures: the only place that lists them all. Audits, the framework, the command line, the
//! documentation and the tests iterate over it.
//!
//! n items, m of them in the group A, positions p from 1, true positions t.

use super::{Cutoff, Extreme, Kind, MeasureInfo, Needs, Pattern};
use super::{displacement, money, order, place, ratio, runs, spacing};

const SALOMON: &str = "Salomon 2020, section 2.2";
const FARE: &str = "Kuhlman, VanValkenburg and Rundensteiner 2019";

/// A measure of placement.
const PLACE: MeasureInfo = MeasureInfo {
    name: "",
    kind: Kind::Placement,
    title: "",
    formula: "",
    citation: SALOMON,
    needs: Needs::Order,
    cutoff: Cutoff::None,
    reading: "",
    chance: "",
    extreme: Extreme::Either,
    range: (0.0, f64::INFINITY),
    sees: &[],
    level_only: false,
    every_list: false,
    extensive: false,
    against_largest: false,
    sums: |_, _| [0.0; 4],
    figure: ratio,
    test: ratio,
};

const TREAT: MeasureInfo = MeasureInfo { kind: Kind::Treatment, needs: Needs::Truth, ..PLACE };

/// Mean displacement in a fifth of the true order.
const FIFTH: MeasureInfo = MeasureInfo {
    formula: "mean of p - t over the members with true positions in this fifth of the list",
    range: (f64::NEG_INFINITY, f64::INFINITY),
    reading: "above 0: these members stand lower than they should",
    chance: "0",
    ..TREAT
};

const COST: MeasureInfo = MeasureInfo {
    kind: Kind::Cost,
    needs: Needs::Cost,
    citation: "with McBride et al. 2019",
    range: (0.0, 1.0),
    every_list: true,
    ..PLACE
};

/// Every measure.
pub static FAIRNESS: &[MeasureInfo] = &[
    MeasureInfo {
        name: "mean-rank",
        title: "mean position less that of all items (statistical independence)",
        formula: "mean of p over A - (n+1)/2; over several lists in shares of the list",
        range: (f64::NEG_INFINITY, f64::INFINITY),
        reading: "above 0: the group stands lower than the others",
        chance: "0",
        sees: &[Pattern::Shift],
        sums: place::mean_rank,
        ..PLACE
    },
    MeasureInfo {
        name: "mean-rank-z",
        title: "mean position, as z (rank sum)",
        formula: "(mean of p over A - (n+1)/2) / sqrt((n+1)(n-m)/(12m))",
        citation: "Wilcoxon 1945",
        range: (f64::NEG_INFINITY, f64::INFINITY),
        reading: "above 0: the group stands lower than the others",
        chance: "0",
        sees: &[Pattern::Shift],
        sums: place::rank_sum,
        figure: runs::z,
        test: runs::z,
        ..PLACE
    },
    MeasureInfo {
        name: "rank-parity",
        title: "share of pairs with the member above the other",
        formula: "#{(a, b): a in A above b not in A} / (m(n-m))",
        citation: FARE,
        range: (0.0, 1.0),
        reading: "below 1/2: the group stands lower than the others",
        chance: "1/2",
        sees: &[Pattern::Shift],
        sums: place::parity,
        ..PLACE
    },
    MeasureInfo {
        name: "four-fifths",
        title: "smaller over larger rate of being among the first k",
        formula: "min(s_A, s_B)/max(s_A, s_B), s the share of a side that is among the first k; of \
                  several groups each against the largest rate",
        citation: "Salomon 2020, Proposition 2",
        cutoff: Cutoff::Required,
        range: (0.0, 1.0),
        reading: "below 0.8: the four-fifths rule is broken",
        chance: "below 1; it depends on m, n and k",
        extreme: Extreme::Below,
        against_largest: true,
        sums: place::first,
        figure: place::smaller_over_larger,
        test: place::smaller_over_larger,
        ..PLACE
    },
    MeasureInfo {
        name: "runs",
        title: "runs of members and others, as z (Wald-Wolfowitz)",
        formula: "(R - mu)/sd, mu = 2m(n-m)/n + 1, var = (mu-1)(mu-2)/(n-1)",
        citation: "Wald and Wolfowitz 1940",
        range: (f64::NEG_INFINITY, f64::INFINITY),
        reading: "below 0: members stand together; above 0: they alternate with others",
        chance: "0",
        sees: &[Pattern::Middle, Pattern::Ends, Pattern::Clusters],
        sums: runs::runs,
        figure: runs::z,
        test: runs::z,
        ..PLACE
    },
    MeasureInfo {
        name: "exposure",
        title: "share of the attention over share of the list",
        formula: "(sum over A of v(p) / sum of v(p)) / (m/n), v = 1/log2(p+1); @k: v = Pr(p), the action \
                  policy",
        citation: "Singh and Joachims 2018",
        cutoff: Cutoff::Optional,
        reading: "below 1: the group gets less attention than its number",
        chance: "1",
        sums: place::exposure,
        ..PLACE
    },
    MeasureInfo {
        name: "uniformity",
        title: "distance to an even comb (Wasserstein)",
        formula: "1/(mn) sum |p_(i) - q_i|, q_i = (i - 1/2) n/m + 1/2",
        citation: "Salomon 2020, Property 1",
        range: (0.0, 1.0),
        reading: "0: evenly along the list",
        chance: "it depends on m and n",
        extreme: Extreme::Above,
        sees: &[Pattern::Shift, Pattern::Middle, Pattern::Ends],
        sums: spacing::uniformity,
        ..PLACE
    },
    MeasureInfo {
        name: "kolmogorov-smirnov",
        title: "largest distance of the share of members to the share of the list",
        formula: "max over x of |F_A(x) - x/n|",
        range: (0.0, 1.0),
        reading: "0: evenly along the list",
        chance: "it depends on m",
        extreme: Extreme::Above,
        sees: &[Pattern::Shift, Pattern::Middle, Pattern::Ends],
        sums: spacing::kolmogorov_smirnov,
        ..PLACE
    },
    MeasureInfo {
        name: "chi-square",
        title: "numbers of members in equal blocks of the list",
        formula: "sum of (number - expected)^2 / expected over b = min(10, m) blocks",
        reading: "0: equal numbers in all blocks",
        chance: "about b - 1",
        extreme: Extreme::Above,
        sees: &[Pattern::Middle, Pattern::Ends, Pattern::Clusters],
        sums: spacing::chi_square,
        ..PLACE
    },
    MeasureInfo {
        name: "clustering",
        title: "distance to the nearest fellow (Clark-Evans)",
        formula: "mean distance of a member to its nearest fellow / (n/2m)",
        citation: "Clark and Evans 1954; Salomon 2020, Proposition 3",
        range: (0.0, 2.0),
        reading: "near 0: members stand in clusters; 2: as an even comb",
        chance: "about 1",
        sees: &[Pattern::Middle, Pattern::Ends, Pattern::Clusters],
        sums: spacing::clustering,
        ..PLACE
    },
    MeasureInfo {
        name: "gap",
        title: "largest distance of neighbouring members (bimodality)",
        formula: "largest distance x m/n",
        citation: "Salomon 2020, Definition 2",
        reading: "1: an even comb; large: a long part of the list without members between others",
        chance: "it depends on m",
        extreme: Extreme::Above,
        sees: &[Pattern::Ends, Pattern::Clusters, Pattern::Tokens],
        sums: spacing::gap,
        ..PLACE
    },
    MeasureInfo {
        name: "spread",
        title: "distance to the middle of the list",
        formula: "mean of |p - (n+1)/2| over A / (n/4)",
        citation: "Salomon 2020, Definition 2",
        range: (0.0, 2.0),
        reading: "near 2: at both ends; near 0: in the middle",
        chance: "1",
        sees: &[Pattern::Middle, Pattern::Tokens],
        sums: place::spread,
        ..PLACE
    },
    MeasureInfo {
        name: "displacement",
        title: "mean displacement (conditional independence)",
        formula: "mean of p - t over A; @k: over members with p <= k",
        cutoff: Cutoff::Optional,
        range: (f64::NEG_INFINITY, f64::INFINITY),
        reading: "above 0: the group stands lower than it should",
        chance: "0",
        sees: &[Pattern::Shift],
        sums: displacement::displacement,
        ..TREAT
    },
    MeasureInfo {
        name: "displacement-fifth-1",
        title: "mean displacement of members that belong into the first fifth",
        sees: &[Pattern::Shift, Pattern::Middle, Pattern::Ends, Pattern::Clusters, Pattern::Tokens],
        sums: |group, _| displacement::in_fifth(group, 0),
        ..FIFTH
    },
    MeasureInfo {
        name: "displacement-fifth-2",
        title: "of those that belong into the second fifth",
        sees: &[Pattern::Shift, Pattern::Middle, Pattern::Tokens],
        sums: |group, _| displacement::in_fifth(group, 1),
        ..FIFTH
    },
    MeasureInfo {
        name: "displacement-fifth-3",
        title: "of those that belong into the third fifth",
        sees: &[Pattern::Shift],
        sums: |group, _| displacement::in_fifth(group, 2),
        ..FIFTH
    },
    MeasureInfo {
        name: "displacement-fifth-4",
        title: "of those that belong into the fourth fifth",
        sees: &[Pattern::Shift, Pattern::Middle, Pattern::Tokens],
        sums: |group, _| displacement::in_fifth(group, 3),
        ..FIFTH
    },
    MeasureInfo {
        name: "displacement-fifth-5",
        title: "of those that belong into the last fifth",
        sees: &[Pattern::Shift, Pattern::Middle, Pattern::Ends, Pattern::Clusters, Pattern::Tokens],
        sums: |group, _| displacement::in_fifth(group, 4),
        ..FIFTH
    },
    MeasureInfo {
        name: "absolute-displacement",
        title: "mean distance to the true position",
        formula: "mean of |p - t| over A",
        reading: "beside the rest's it says little: every step of a member moves one other item",
        chance: "it depends on the order",
        extreme: Extreme::Above,
        level_only: true,
        sums: displacement::absolute,
        ..TREAT
    },
    MeasureInfo {
        name: "rank-equality",
        title: "share of pairs with the member wrongly above the other",
        formula: "R_eq(A) = #{(a, b): a above b though b should be above} / (m(n-m)); the test is of R_eq(A) - \
                  R_eq(rest)",
        citation: FARE,
        cutoff: Cutoff::Optional,
        range: (0.0, 1.0),
        reading: "above the rest's: errors favour the group",
        chance: "the rest's",
        sees: &[Pattern::Shift],
        sums: order::equality,
        test: order::equality_difference,
        ..TREAT
    },
    MeasureInfo {
        name: "rank-calibration",
        title: "share of wrong pairs among those with a member",
        formula: "R_cal(A) = #wrong pairs with at least one member / (m(n-m) + m(m-1)/2)",
        citation: FARE,
        range: (0.0, 1.0),
        reading: "above the rest's: the group is ranked with more errors",
        chance: "the share of wrong pairs in the list",
        extreme: Extreme::Above,
        level_only: true,
        sums: order::calibration,
        ..TREAT
    },
    MeasureInfo {
        name: "rank-calibration-mixed",
        title: "share of wrong pairs among those with exactly one member",
        formula: "#wrong pairs with exactly one member / (m(n-m))",
        citation: FARE,
        range: (0.0, 1.0),
        reading: "large: members and others are often the wrong way round",
        chance: "the share of wrong pairs in the list",
        extreme: Extreme::Above,
        level_only: true,
        sums: order::calibration_mixed,
        ..TREAT
    },
    MeasureInfo {
        name: "tokenisation",
        title: "are the higher pushed up and the lower down?",
        formula: "slope of p on t over A, less 1",
        citation: "Salomon 2020, Definition 1 and Proposition 5",
        range: (f64::NEG_INFINITY, f64::INFINITY),
        reading: "above 0: tokens at the top, the others pushed down; below 0: all drawn to the middle",
        chance: "0 where the order is near the truth",
        sees: &[Pattern::Middle, Pattern::Tokens],
        sums: order::tokenisation,
        figure: order::slope_less_one,
        test: order::slope_less_one,
        ..TREAT
    },
    MeasureInfo {
        name: "noise",
        title: "displacement that no rising function of the truth explains",
        formula: "mean of |p - iso(t)| over A, iso the isotonic regression of p on t",
        citation: "Salomon 2020, Definition 3 and Proposition 4",
        reading: "0: the order within the group is kept",
        chance: "it depends on the order",
        extreme: Extreme::Above,
        sees: &[Pattern::Noise, Pattern::Arbitrary],
        sums: order::noise,
        ..TREAT
    },
    MeasureInfo {
        name: "arbitrary",
        title: "is the order within the group kept?",
        formula: "Kendall's tau of p and t within A",
        citation: "Salomon 2020, Definition 4",
        range: (-1.0, 1.0),
        reading: "1: the order within the group is the true one; 0: it is arbitrary",
        chance: "it depends on the order",
        extreme: Extreme::Below,
        sees: &[Pattern::Noise, Pattern::Arbitrary],
        sums: order::arbitrary,
        ..TREAT
    },
    MeasureInfo {
        name: "clustering-over-truth",
        title: "distance to the nearest fellow beside that at the true positions",
        formula: "clustering at p / clustering at t",
        citation: "Salomon 2020, Proposition 3",
        reading: "below 1: members stand closer together than they should",
        chance: "about 1",
        sees: &[Pattern::Middle, Pattern::Ends, Pattern::Clusters],
        sums: spacing::clustering_over_truth,
        ..TREAT
    },
    MeasureInfo {
        name: "list-share",
        title: "the group's share of the items",
        formula: "m/n",
        needs: Needs::Order,
        reading: "what its shares of the cost are compared with",
        chance: "itself",
        extensive: true,
        sums: money::items,
        figure: money::part_of_whole,
        test: money::part_of_whole,
        ..COST
    },
    MeasureInfo {
        name: "cost-share",
        title: "the group's share of the cost suffered",
        formula: "cost of A / cost of all",
        reading: "above its share of the list: its items cost more than others",
        chance: "its share of the list",
        extensive: true,
        sums: money::suffered,
        figure: money::part_of_whole,
        test: money::part_of_whole,
        ..COST
    },
    MeasureInfo {
        name: "covered-share",
        title: "the group's share of the cost covered by the first k",
        formula: "cost of A among the first k / cost of all among the first k",
        cutoff: Cutoff::Required,
        reading: "below its share of the cost suffered: the first k serve others more",
        chance: "its share of the list",
        extensive: true,
        sums: money::covered,
        figure: money::part_of_whole,
        test: money::part_of_whole,
        ..COST
    },
    MeasureInfo {
        name: "cost-recall",
        title: "share of the group's cost that the first k cover",
        formula: "cost of A among the first k / cost of A",
        cutoff: Cutoff::Required,
        reading: "below the rest's: less of the group's cost is covered",
        chance: "the share of all cost that is covered",
        sums: money::recall,
        ..COST
    },
    MeasureInfo {
        name: "uncovered-cost",
        title: "the group's cost that the first k leave uncovered",
        formula: "cost of A beyond the first k",
        cutoff: Cutoff::Required,
        range: (0.0, f64::INFINITY),
        reading: "in the unit of the cost",
        chance: "its share of all cost beyond the first k",
        extensive: true,
        sums: money::uncovered,
        figure: money::amount,
        test: money::amount,
        ..COST
    },
    MeasureInfo {
        name: "rcs",
        title: "R_CS within the group: savable cost saved if its members were the list",
        formula: "sum of A@k / sum of Ideal@k over lists of the members alone",
        cutoff: Cutoff::Required,
        reading: "below the rest's: the order among the members saves less",
        chance: "that of as many items at random",
        extreme: Extreme::Either,
        sums: money::saved,
        ..COST
    },
    MeasureInfo {
        name: "pair-accuracy",
        title: "pairs with a cheaper item of the rest in order, weighted by the difference in cost",
        formula: "sum of cost(a) - cost(b) over pairs a in A above b not in A, cost(a) > cost(b) / the same \
                  over all such pairs",
        citation: "after Beutel et al. 2019",
        reading: "below the rest's: costly members are passed over for cheaper others",
        chance: "that of all pairs",
        every_list: false,
        sums: money::pair_accuracy,
        ..COST
    },
    MeasureInfo {
        name: "calibration",
        title: "expected over observed cost",
        formula: "sum of expected cost over A / sum of observed cost over A",
        citation: "Salomon 2020, section 1.2.2",
        needs: Needs::Expected,
        range: (0.0, f64::INFINITY),
        reading: "below 1: the group's cost is underestimated",
        chance: "that of all items",
        sums: money::calibration,
        ..COST
    },
];
