//! How much of a run is done: counted work, not the clock, so that reporting it does not change results.
//!
//! The unit is an estimated second on one core ([`crate::learner::round_seconds`]): rounds of
//! different learners can be added up. The estimates may all be off by the same factor, since a
//! time left is a ratio: seconds so far x work left / work done.
//!
//! If a stage ends early, the total becomes smaller; the work that is done never does.
//! Example: 10 of 100 rounds are done when a stage of 50 ends: 10 of 60 are.

/// How much of a run is done.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RunProgress {
    /// The work that is done.
    pub done: f64,
    /// All work, as far as it is known now: it becomes less when a stage ends early, and may become
    /// more when tuning continues with trials that take longer than others.
    pub of: f64,
}

impl RunProgress {
    /// The share that is done, from 0 to 1.
    pub fn share(&self) -> f64 {
        if self.of > 0.0 { (self.done / self.of).clamp(0.0, 1.0) } else { 0.0 }
    }
}

/// The work of a longer run before and after one of its trainings. The default is none: the
/// training is the whole run.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PartOfRun {
    /// Work that was done before.
    pub before: f64,
    /// Work that is left for afterwards.
    pub after: f64,
}

/// The work of one training, round by round.
pub(crate) struct TrainingWork {
    /// The estimated seconds of a round.
    pub(crate) round: f64,
    /// The maximum number of rounds of each stage, as far as they are known before.
    pub(crate) stages: Vec<usize>,
}

impl TrainingWork {
    /// The progress of the whole run after `made` rounds of this training, with `left` still to
    /// come in stage number `stage`.
    pub(crate) fn progress(
        &self,
        part: PartOfRun,
        stage: usize,
        made: usize,
        left: usize,
    ) -> RunProgress {
        let later: usize = self.stages.iter().skip(stage + 1).sum();
        let done = part.before + self.round * made as f64;
        RunProgress { done, of: done + self.round * (left + later) as f64 + part.after }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_done_of_what_is_still_to_be_done() {
        let work = TrainingWork { round: 2.0, stages: vec![50, 40, 10] };
        let part = PartOfRun { before: 100.0, after: 300.0 };
        let [first, stopped, last] = [(0, 10, 40), (0, 10, 0), (2, 60, 0)]
            .map(|(stage, made, left)| work.progress(part, stage, made, left));
        assert_eq!(first, RunProgress { done: 120.0, of: 120.0 + 180.0 + 300.0 });
        assert_eq!(stopped, RunProgress { done: 120.0, of: 120.0 + 100.0 + 300.0 });
        assert_eq!(last, RunProgress { done: 220.0, of: 520.0 });
        assert!(first.share() < stopped.share() && stopped.share() < last.share());
        assert_eq!(RunProgress { done: 0.0, of: 0.0 }.share(), 0.0);
    }
}
