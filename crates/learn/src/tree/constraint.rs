//! Constraints on trees: monotone directions of features, and which features may interact.

use stakes_core::random::Stream;

use crate::params::Direction;

impl Direction {
    /// Whether the two sides of a split may have these values.
    pub(super) fn allows(self, left: f64, right: f64) -> bool {
        match self {
            Direction::Any => true,
            Direction::Up => left <= right,
            Direction::Down => left >= right,
        }
    }
}

/// The range of the leaf values below a node. A split by a feature with a direction bounds both
/// sides by the midpoint of their values, as XGBoost does: then no later split can undo the
/// direction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Bounds {
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Bounds {
    pub(super) const NONE: Bounds = Bounds { low: f64::NEG_INFINITY, high: f64::INFINITY };

    pub(super) fn clamp(&self, value: f64) -> f64 {
        value.clamp(self.low, self.high)
    }

    pub(super) fn in_units_of(&self, unit: f64) -> Bounds {
        if *self == Bounds::NONE {
            return *self;
        }
        Bounds { low: self.low / unit, high: self.high / unit }
    }

    /// Returns the bounds of the two sides of a split with these values.
    pub(super) fn divided(&self, direction: Direction, left: f64, right: f64) -> (Bounds, Bounds) {
        let middle = self.clamp((left + right) / 2.0);
        let (below, above) = (Bounds { high: middle, ..*self }, Bounds { low: middle, ..*self });
        match direction {
            Direction::Any => (*self, *self),
            Direction::Up => (below, above),
            Direction::Down => (above, below),
        }
    }
}

/// A set of features as a bit mask.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FeatureMask(Vec<u8>);

impl FeatureMask {
    /// The set of the features for which `is_in` is true.
    pub(super) fn new(width: usize, is_in: impl Fn(usize) -> bool) -> Self {
        let byte = |block: usize| {
            let lanes = (0..8).filter(|lane| block * 8 + lane < width && is_in(block * 8 + lane));
            lanes.fold(0, |byte, lane| byte | 1 << lane)
        };
        FeatureMask((0..width.div_ceil(8)).map(byte).collect())
    }

    /// Returns a bit for each of up to eight features: whether it is in the set.
    pub(super) fn of(&self, features: &[usize]) -> u8 {
        let bit = |(lane, &feature): (usize, &usize)| u8::from(self.contains(feature)) << lane;
        features.iter().enumerate().map(bit).sum()
    }

    pub(super) fn contains(&self, feature: usize) -> bool {
        self.0[feature / 8] >> (feature % 8) & 1 == 1
    }

    /// The number of features in the set.
    pub(super) fn len(&self) -> usize {
        self.0.iter().map(|byte| byte.count_ones() as usize).sum()
    }

    pub(super) fn and(&self, other: &FeatureMask) -> FeatureMask {
        FeatureMask(self.0.iter().zip(&other.0).map(|(a, b)| a & b).collect())
    }

    /// Returns a random subset with this share of the features, at least one.
    pub(super) fn sampled(&self, share: f64, draws: Stream) -> FeatureMask {
        if share >= 1.0 {
            return self.clone();
        }
        let mut drawn: Vec<(u64, usize)> =
            self.members().map(|feature| (draws.word(feature as u64), feature)).collect();
        let taken = ((drawn.len() as f64 * share).round() as usize).max(1);
        if taken < drawn.len() {
            drawn.select_nth_unstable(taken);
        }
        let mut bytes = vec![0; self.0.len()];
        drawn.iter().take(taken).for_each(|(_, f)| bytes[f / 8] |= 1 << (f % 8));
        FeatureMask(bytes)
    }

    fn members(&self) -> impl Iterator<Item = usize> {
        (0..self.0.len() * 8).filter(|&feature| self.contains(feature))
    }
}

/// Groups of features that may occur together on a path of a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interactions {
    groups: Vec<Vec<u32>>,
}

impl Interactions {
    /// Creates constraints from groups of feature numbers. A feature in no group may not share a
    /// path with another.
    pub fn new(groups: Vec<Vec<u32>>) -> Self {
        Interactions { groups }
    }

    /// Whether `feature` may follow on a path with these features.
    pub(super) fn allow(&self, path: &[u32], feature: u32) -> bool {
        let alone = path.iter().all(|&p| p == feature);
        let holds =
            |group: &Vec<u32>| group.contains(&feature) && path.iter().all(|p| group.contains(p));
        alone || self.groups.iter().any(holds)
    }
}
