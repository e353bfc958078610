//! The division of effort between cuts and climbs.

/// The ratio of cutting to climbing effort while climbs succeed; it grows with each fruitless round of climbs.
const CUTTING_PER_CLIMBING: u64 = 2;

/// The effort spent, in steps of a few nanoseconds that are counted, not measured: a clock would make the result
/// depend on the machine.
#[derive(Default)]
pub(super) struct Effort {
    pub(super) cutting: u64,
    pub(super) climbing: u64,
    /// The number of rounds of climbs since the last improvement.
    pub(super) fruitless: u64,
    pub(super) rounds: u64,
}

impl Effort {
    pub(super) fn is_time_to_climb(&self) -> bool {
        self.climbing * (CUTTING_PER_CLIMBING + self.fruitless) <= self.cutting
    }
}
