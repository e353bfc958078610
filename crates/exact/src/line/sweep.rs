//! The value of one list along a line: where it changes, and by how much.
//!
//! After a step t the score of an item is height + t slope, a line over t: the height is its current score, the
//! slope the change per unit step. The order changes where two lines cross, and a sum of gain x discount changes
//! only if one of the two is among the first k: by (g_up - g_down)(d(p) - d(p + 1)). So the lines of the first k
//! ranks are kept in order while t increases from 0, from one crossing of adjacent lines to the next (a kinetic
//! sorted list; Basch, Guibas and Hershberger 1999), together with the first line from below that will reach rank
//! k. The first k levels of n lines have O(nk) crossings.
//!
//! Lines below the first k that at least k lines dominate (by height and slope) never get there and are
//! left out at the start: of lists in random order about k ln(n/k) others remain.
//!
//! Identical lines stay tied all along. [`PermanentTies`] determines their gains: each has the mean gain of them all,
//! which gives the mean over all orders of the tie, or the smallest gain comes first. (Under another tie rule this is
//! only approximate, so callers evaluate the metric itself after a step.)
//!
//! Example: heights (3, 2, 0), slopes (0, 1, 2), gains (0, 1, 5), k = 1: at t = 1 the second line
//! takes rank 1 (+1), at t = 2 the third (+4); that the third overtakes the first at t = 1.5 does
//! not matter for rank 1.

/// A point on a line where a value changes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Change {
    /// The distance from the current position.
    pub(crate) at: f64,
    /// The change of the value.
    pub(crate) by: f64,
}

/// The gains of items whose scores are equal all along a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PermanentTies {
    /// All have the mean of their gains.
    MeanGain,
    /// Each has its own gain, ordered with the smallest first.
    SmallestFirst,
}

/// The items of a list, best first, as lines over t.
pub(crate) struct Lines<'l> {
    /// The items by descending score.
    pub(crate) order: &'l [u32],
    /// The score of each item (of all lists) at t = 0.
    pub(crate) scores: &'l [f64],
    /// The slope of each item (of all lists).
    pub(crate) slopes: &'l [f64],
    /// 1, or -1 for the opposite direction.
    pub(crate) sign: f64,
    /// The gain of each item (of all lists).
    pub(crate) gains: &'l [f64],
    /// The discounts of the first ranks, not more than there are items.
    pub(crate) discounts: &'l [f64],
    /// The treatment of identical lines.
    pub(crate) permanent_ties: PermanentTies,
}

/// The number of adjacent crossings per block; the minimum of each block is kept to find the next crossing quickly.
const BLOCK: usize = 16;

/// The sweep over a list's crossings; its memory is reused from list to list.
#[derive(Debug, Default)]
pub(crate) struct Sweep {
    /// The lines: the first k in their order, then those that may get there.
    heights: Vec<f64>,
    slopes: Vec<f64>,
    gains: Vec<f64>,
    /// For each of the first k ranks, the t at which its line is overtaken from below.
    overtaken: Vec<f64>,
    /// The minimum of each block of `overtaken`.
    minima: Vec<f64>,
    /// The line that overtakes the last of the first k.
    challenger: usize,
    by_slope: Vec<u32>,
}

impl Sweep {
    /// Appends the changes of a list's value for t above 0, in increasing order, and returns the value
    /// before the first of them.
    pub(crate) fn list(&mut self, lines: &Lines<'_>, changes: &mut Vec<Change>) -> f64 {
        let k = lines.discounts.len();
        self.begin(lines);
        self.leave_out(k);
        let first: f64 = self.gains.iter().zip(lines.discounts).map(|(g, d)| g * d).sum();
        self.overtaken.clear();
        for rank in 0..k {
            let at = self.overtaking(rank, k);
            self.overtaken.push(at);
        }
        self.overtaken.resize(k.next_multiple_of(BLOCK), f64::INFINITY);
        self.minima.clear();
        self.minima.extend(self.overtaken.chunks_exact(BLOCK).map(minimum));
        let mut now = 0.0;
        while let Some((at, rank)) = self.next() {
            // Rounding can put a crossing before the current t: it then happens now. (Every crossing lifts
            // the steeper line, so the loop terminates.)
            now = at.max(now);
            let other = if rank + 1 < k { rank + 1 } else { self.challenger };
            let below = lines.discounts.get(rank + 1).copied().unwrap_or(0.0);
            let by = (self.gains[other] - self.gains[rank]) * (lines.discounts[rank] - below);
            if by != 0.0 {
                changes.push(Change { at: now, by });
            }
            self.heights.swap(rank, other);
            self.slopes.swap(rank, other);
            self.gains.swap(rank, other);
            for near in rank.saturating_sub(1)..(rank + 2).min(k) {
                self.overtaken[near] = self.overtaking(near, k);
            }
            for block in rank.saturating_sub(1) / BLOCK..=(rank + 1).min(k - 1) / BLOCK {
                self.minima[block] = minimum(&self.overtaken[block * BLOCK..][..BLOCK]);
            }
        }
        first
    }

    /// Sets the lines in their order just after t = 0.
    fn begin(&mut self, lines: &Lines<'_>) {
        let order = lines.order;
        let slope = |item: &u32| lines.sign * lines.slopes[*item as usize];
        self.heights.clear();
        self.heights.extend(order.iter().map(|&item| lines.scores[item as usize]));
        self.slopes.clear();
        self.gains.clear();
        if self.heights.windows(2).all(|pair| pair[0] != pair[1]) {
            self.slopes.extend(order.iter().map(slope));
            self.gains.extend(order.iter().map(|&item| lines.gains[item as usize]));
            return;
        }
        // Of equal heights the steeper line comes first.
        self.by_slope.clear();
        self.by_slope.extend_from_slice(order);
        let mut start = 0;
        for tied in self.heights.chunk_by(|a, b| a == b) {
            let items = &mut self.by_slope[start..start + tied.len()];
            items.sort_unstable_by(|a, b| slope(b).total_cmp(&slope(a)).then(a.cmp(b)));
            start += tied.len();
        }
        self.slopes.extend(self.by_slope.iter().map(slope));
        self.gains.extend(self.by_slope.iter().map(|&item| lines.gains[item as usize]));
        let mut start = 0;
        while start < order.len() {
            let line = (self.heights[start], self.slopes[start]);
            let same = (start..order.len())
                .take_while(|&i| (self.heights[i], self.slopes[i]) == line)
                .count();
            if same > 1 {
                let gains = &mut self.gains[start..start + same];
                match lines.permanent_ties {
                    PermanentTies::MeanGain => {
                        gains.fill(gains.iter().sum::<f64>() / same as f64);
                    }
                    PermanentTies::SmallestFirst => gains.sort_unstable_by(f64::total_cmp),
                }
            }
            start += same;
        }
    }

    /// Removes the lines that will never be among the first k.
    fn leave_out(&mut self, k: usize) {
        if k >= self.heights.len() {
            return;
        }
        // The k largest slopes so far, in increasing order.
        let largest = &mut self.overtaken;
        largest.clear();
        largest.extend_from_slice(&self.slopes[..k]);
        largest.sort_unstable_by(f64::total_cmp);
        let mut kept = k;
        for line in k..self.heights.len() {
            let slope = self.slopes[line];
            if slope <= largest[0] {
                continue;
            }
            let mut place = 1;
            while place < k && largest[place] < slope {
                largest[place - 1] = largest[place];
                place += 1;
            }
            largest[place - 1] = slope;
            self.heights[kept] = self.heights[line];
            self.slopes[kept] = slope;
            self.gains[kept] = self.gains[line];
            kept += 1;
        }
        self.heights.truncate(kept);
        self.slopes.truncate(kept);
        self.gains.truncate(kept);
    }

    /// The next crossing: its t, and the rank of the line that is overtaken.
    fn next(&self) -> Option<(f64, usize)> {
        let mut block = 0;
        for (other, &at) in self.minima.iter().enumerate() {
            block = if at < self.minima[block] { other } else { block };
        }
        let at = *self.minima.get(block).filter(|at| **at < f64::INFINITY)?;
        let ranks = &self.overtaken[block * BLOCK..][..BLOCK];
        Some((at, block * BLOCK + ranks.iter().position(|other| *other == at)?))
    }

    /// The t at which the line at a rank is overtaken from below; infinity if never.
    fn overtaking(&mut self, rank: usize, k: usize) -> f64 {
        if rank + 1 < k {
            return crossing(
                self.heights[rank] - self.heights[rank + 1],
                self.slopes[rank + 1] - self.slopes[rank],
            );
        }
        let (height, slope) = (self.heights[rank], self.slopes[rank]);
        let (heights, slopes) = (&self.heights[k..], &self.slopes[k..]);
        let mut first = f64::INFINITY;
        for (&h, &s) in heights.iter().zip(slopes) {
            let at = crossing(height - h, s - slope);
            first = if at < first { at } else { first };
        }
        if first < f64::INFINITY {
            // Of lines that cross at the same t the steepest, which is above the others thereafter. Of identical ones
            // the smallest gain: lines that left the first k need not be in the order in which they began.
            let mut steepest = f64::NEG_INFINITY;
            for (line, (&h, &s)) in heights.iter().zip(slopes).enumerate() {
                let is_smaller =
                    s == steepest && self.gains[k + line] < self.gains[self.challenger];
                if (s > steepest || is_smaller) && crossing(height - h, s - slope) == first {
                    steepest = s;
                    self.challenger = k + line;
                }
            }
        }
        first
    }
}

/// The time until a gap that shrinks at `speed` is closed; infinity if it does not shrink.
#[inline]
fn crossing(gap: f64, speed: f64) -> f64 {
    if speed > 0.0 { gap / speed } else { f64::INFINITY }
}

fn minimum(block: &[f64]) -> f64 {
    block.iter().fold(f64::INFINITY, |min, &at| if at < min { at } else { min })
}
