//! Few rows against the histogram of the same rows.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use stakes_core::random::Stream;

use super::*;
use crate::params::Direction;
use crate::tree::bins::Binning;
use crate::tree::bins::tests::some_data;
use crate::tree::builder::sums::NodeSearch;
use crate::tree::grower::TreeGrower;
use crate::tree::histogram;
use crate::tree::params::TreeParams;

const FEATURES: usize = 19;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Numbers of few and of many values, missing ones, a category, a direction, bounds, penalties,
    /// features that may not be used, words that add up to 0, and minimum numbers of rows.
    #[test]
    fn the_split_is_that_of_a_histogram(
        picked in prop::collection::vec((0u32..300, -2i64..3, 0i64..4), 2..60),
        (l1, l2, min_rows) in (0u32..3, 0u32..3, 1i64..8),
        (bounded, directed, counting) in any::<(bool, bool, bool)>(),
        seed in any::<u64>(),
    ) {
        let data = some_data(300, FEATURES);
        let all: Vec<u32> = (0..300).collect();
        let binning = Binning::of(&data, &all, None, 255, None);
        let matrix = binning.apply(&data, &all);
        let mut directions = vec![Direction::Any; FEATURES];
        if directed {
            directions[4] = Direction::Up;
        }
        let grower = TreeGrower::new(&matrix, &binning, TreeParams { directions, ..TreeParams::default() });
        let rows: Vec<u32> = picked.iter().map(|p| p.0).collect();
        let words: Vec<i64> = picked.iter().map(|p| (p.1 << 32) + p.2).collect();
        let rules = Rules {
            l1: f64::from(l1), l2: f64::from(l2), category_l2: 1.0, min_hess: 1.0, min_rows,
            gain_unit: 0.3, value_unit: 0.5,
        };
        let bounds = if bounded { Bounds::NONE.divided(Direction::Up, -1.0, 0.4).0 } else { Bounds::NONE };
        let node = NodeState { total: words.iter().sum(), bounds, rules: &rules };
        let mask = FeatureMask::new(FEATURES, |_| true).sampled(0.6, Stream::new(seed, 0));
        let few = FewRows { matrix: &matrix, rows: &rows, words: &words, counting };
        let found = few.best(&grower.blocks, &node, &mask);

        let sum = |words: &[i64]| {
            let mut cells = vec![[0; MAX_BINS * LANES]; matrix.blocks()];
            histogram::add_rows(&mut cells, 0, &matrix, &rows, words);
            cells
        };
        let (cells, counts) = (sum(&words), sum(&vec![1; rows.len()]));
        let search = NodeSearch { grower: &grower, node, mask };
        prop_assert_eq!(found, search.best(0, &cells, counting.then_some(&counts[..])));
    }
}
