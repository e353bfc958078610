//! Small random problems and rules, for tests against the enumeration of all orders.

use proptest::prelude::*;
use stakes_exact::{Problem, Rules, Sign, Sum};

/// Discounts of DCG, DCG@3, A@k with a linear and with a step policy, winner takes all, rank sum, reciprocal rank.
pub(crate) fn discounts(kind: usize, items: usize) -> Vec<f64> {
    let all =
        |of: &dyn Fn(f64) -> f64| (1..=items).map(|rank| of(rank as f64)).collect::<Vec<f64>>();
    match kind {
        0 => all(&|rank| 1.0 / (rank + 1.0).log2()),
        1 => all(&|rank| 1.0 / (rank + 1.0).log2()).into_iter().take(3).collect(),
        2 => vec![1.0, 0.75, 0.5, 0.25],
        3 => vec![1.0, 1.0, 0.5, 0.5],
        4 => vec![1.0],
        5 => all(&|rank| items as f64 - rank + 1.0),
        _ => all(&|rank| 1.0 / rank),
    }
}

prop_compose! {
    /// Up to two lists with integer features up to `max`, with gains 0 and 1 or of up to five values.
    pub(crate) fn problem(max: u32)(
        width in 1_usize..=3,
        sizes in prop_oneof![
            prop::collection::vec(2_usize..=8, 1),
            prop::collection::vec(2_usize..=5, 2)
        ],
        kind in 0_usize..7,
        binary in any::<bool>(),
    )(
        rows in prop::collection::vec(0..=max, width * sizes.iter().sum::<usize>()),
        gains in prop::collection::vec(0_u32..=4, sizes.iter().sum::<usize>()),
        (width, sizes, kind, binary) in Just((width, sizes, kind, binary)),
    ) -> Problem {
        let mut offsets = vec![0];
        sizes.iter().for_each(|size| offsets.push(offsets[offsets.len() - 1] + size));
        let gains = gains.iter().map(|gain| match binary {
            true => f64::from(u8::from(*gain > 2)),
            false => f64::from(*gain) * 1.25,
        });
        let discounts = sizes.iter().map(|size| discounts(kind, *size)).collect();
        let sum = Sum { gains: gains.collect(), discounts, constant: 0.5 };
        Problem::new(width, offsets, rows.into_iter().map(f64::from).collect(), sum).unwrap()
    }
}

/// Any rules for `width` features.
pub(crate) fn rules(width: usize) -> impl Strategy<Value = Rules> {
    let sign = prop_oneof![
        3 => Just(Sign::Free),
        1 => Just(Sign::NotNegative),
        1 => Just(Sign::NotPositive)
    ];
    let signs = prop::collection::vec(sign, width);
    let penalty = prop_oneof![Just(0.0), Just(0.125)];
    let rules = (signs, prop::option::of(0..=width), prop::option::of(1_u32..=3), penalty);
    rules.prop_map(|(signs, at_most, points, penalty)| Rules { signs, at_most, points, penalty })
}
