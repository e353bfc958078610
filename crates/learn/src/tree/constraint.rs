//! What a tree must not do: go against a feature's direction, let features meet that should
//! not.

use stakes_core::random::Stream;

/// Whether a feature may raise or lower the score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Direction {
    /// Both.
    #[default]
    Any,
    /// A larger value never lowers the score.
    Up,
    /// A larger value never raises the score.
    Down,
}

impl Direction {
    /// Whether these values may stand left and right of a split.
    pub(super) fn allows(self, left: f64, right: f64) -> bool {
        match self {
            Direction::Any => true,
            Direction::Up => left <= right,
            Direction::Down => left >= right,
        }
    }
}

/// Between which values a node's leaves must stay. A split by a feature with a direction
/// draws a line at the middle between its two sides that neither may cross (XGBoost's way):
/// then no later split can undo the direction.
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

    /// The bounds of the two sides of a split whose values are these.
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

/// A set of features: one byte per block of eight.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FeatureMask(Vec<u8>);

impl FeatureMask {
    /// The features that `is_in` names.
    pub(super) fn new(width: usize, is_in: impl Fn(usize) -> bool) -> Self {
        let byte = |block: usize| {
            let lanes = (0..8).filter(|lane| block * 8 + lane < width && is_in(block * 8 + lane));
            lanes.fold(0, |byte, lane| byte | 1 << lane)
        };
        FeatureMask((0..width.div_ceil(8)).map(byte).collect())
    }

    /// Which of up to eight features are in it, a bit for each.
    pub(super) fn of(&self, features: &[usize]) -> u8 {
        let bit = |(lane, &feature): (usize, &usize)| u8::from(self.contains(feature)) << lane;
        features.iter().enumerate().map(bit).sum()
    }

    pub(super) fn contains(&self, feature: usize) -> bool {
        self.0[feature / 8] >> (feature % 8) & 1 == 1
    }

    pub(super) fn and(&self, other: &FeatureMask) -> FeatureMask {
        FeatureMask(self.0.iter().zip(&other.0).map(|(a, b)| a & b).collect())
    }

    /// A share of the features, at least one.
    pub(super) fn sampled(&self, share: f64, draws: Stream) -> FeatureMask {
        if share >= 1.0 {
            return self.clone();
        }
        let mut members = self.members();
        let taken = ((members.len() as f64 * share).round() as usize).max(1);
        members.sort_by_key(|&feature| (draws.word(feature as u64), feature));
        let mut bytes = vec![0; self.0.len()];
        members.iter().take(taken).for_each(|f| bytes[f / 8] |= 1 << (f % 8));
        FeatureMask(bytes)
    }

    fn members(&self) -> Vec<usize> {
        (0..self.0.len() * 8).filter(|&feature| self.contains(feature)).collect()
    }
}

/// Groups of features that may meet on one path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interactions {
    groups: Vec<Vec<u32>>,
}

impl Interactions {
    /// Groups of feature numbers. Features in no group may only stand alone.
    pub fn new(groups: Vec<Vec<u32>>) -> Self {
        Interactions { groups }
    }

    /// Whether `feature` may follow on a path that holds these features.
    pub(super) fn allow(&self, path: &[u32], feature: u32) -> bool {
        let alone = path.iter().all(|&p| p == feature);
        let holds =
            |group: &Vec<u32>| group.contains(&feature) && path.iter().all(|p| group.contains(p));
        alone || self.groups.iter().any(holds)
    }
}
