//! How much work goes into cuts, and how much into climbs.

/// Climbs take a third of the effort as long as they find something, and less and less thereafter.
const SHARE: u64 = 2;

/// Where the effort goes, in steps of some nanoseconds that are counted, not measured: a clock would make
/// what is found depend on the machine.
#[derive(Default)]
pub(super) struct Effort {
    pub(super) cutting: u64,
    pub(super) climbing: u64,
    /// Rounds of climbs since one found something.
    pub(super) in_vain: u64,
    pub(super) rounds: u64,
}

impl Effort {
    pub(super) fn is_time_to_climb(&self) -> bool {
        self.climbing * (SHARE + self.in_vain) <= self.cutting
    }
}
