//! Intervals: by resampling lists, or the members of the group where there is one list.
//!
//! **Several lists**: resamples of the lists with replacement (Efron 1979), and the quantiles of their figures.
//!
//! **One list**: halves of the members, drawn without replacement, beside the same rest. Half of a sample without
//! replacement varies as much as a resample with replacement (Shao and Tu 1995, section 5.3), but no member is in it
//! twice, which nearest fellows, gaps and runs would take for a cluster. With b of m members, deviations from
//! the mean over the halves are multiplied by sqrt(b/(m-b)), and the interval is put about the figure.

use rayon::prelude::*;
use stakes_core::random::{Stream, purpose};
use stakes_stats::quantile;

use super::figures::{Plan, Room, add};
use crate::list::List;
use crate::measure::{MeasureInfo, Sums};
use crate::members::{Members, Rest};

/// Members over all halves from which on halves are limited, and the fewest halves.
const MOST_DRAWN: usize = 100_000_000;
const FEWEST: usize = 100;

/// The figures of resamples, a row per resample.
#[derive(Debug, Clone)]
pub(super) struct Resampled {
    rows: Vec<Vec<f64>>,
}

impl Resampled {
    /// Resamples lists; `sums` are those of the lists, one after the other.
    pub(super) fn of_lists(plan: &Plan<'_>, sums: &[Sums], resamples: usize, seed: u64) -> Self {
        const TOGETHER: usize = 8;
        let width = plan.width();
        let lists = sums.len() / width;
        let seed = purpose(seed, b"fairlist");
        // A few resamples share one walk through the lists.
        let block = |first: usize| {
            let these = first..(first + TOGETHER).min(resamples);
            let count = |resample: usize| {
                let stream = Stream::new(seed, resample as u64);
                let mut counts = vec![0_u32; lists];
                for i in 0..lists {
                    counts[stream.below(i as u64, lists)] += 1;
                }
                counts
            };
            let counts: Vec<Vec<u32>> = these.map(count).collect();
            let mut totals = vec![vec![[0.0; 4]; width]; counts.len()];
            for (list, row) in sums.chunks_exact(width).enumerate() {
                for (totals, counts) in totals.iter_mut().zip(&counts) {
                    let times = f64::from(counts[list]);
                    if times > 0.0 {
                        totals
                            .iter_mut()
                            .zip(row)
                            .for_each(|(total, sums)| add(total, *sums, times));
                    }
                }
            }
            totals.into_iter().map(|totals| plan.figures(totals, false)).collect::<Vec<_>>()
        };
        let firsts = (0..resamples.div_ceil(TOGETHER)).into_par_iter();
        Resampled { rows: firsts.flat_map_iter(|i| block(i * TOGETHER)).collect() }
    }

    /// Halves of the members of each group in a single list; `totals` are the sums of all groups.
    pub(super) fn of_members(
        plan: &Plan<'_>,
        list: &List,
        codes: &[u32],
        totals: &[Sums],
        resamples: usize,
        seed: u64,
    ) -> Self {
        let mut room = Room::default();
        room.sort(list, codes, plan.codes);
        let resamples = resamples.min((MOST_DRAWN / list.len()).max(FEWEST));
        let mut rows = vec![vec![f64::NAN; plan.width()]; resamples];
        let measures = plan.measures.len();
        for (g, &group) in plan.groups.iter().enumerate() {
            let members = room.members(list, group);
            let (m, half) = (members.len(), members.len() / 2);
            if half == 0 {
                continue;
            }
            let others = members.others_of();
            let seed = purpose(seed, b"fairhalf").wrapping_add(u64::from(group));
            let scale = (half as f64 / (m - half) as f64).sqrt();
            let of_half = |resample: usize| {
                let taken = draw_half(
                    members.by_position,
                    half,
                    Stream::new(seed, resample as u64),
                    list.len(),
                );
                let kept = |order: &[u32]| -> Vec<u32> {
                    order.iter().copied().filter(|&item| taken[item as usize]).collect()
                };
                let (by_position, by_truth) = (kept(members.by_position), kept(members.by_truth));
                let part = Members::new(list, &by_position, &by_truth, Rest::Of(&others));
                let mut sums = totals.to_vec();
                for (i, measure) in plan.measures.iter().enumerate() {
                    let mut own = measure.sums(&part);
                    if measure.info.extensive {
                        own[0] *= m as f64 / half as f64;
                    }
                    sums[g * measures + i] = own;
                }
                plan.figures(sums, false)[g * measures..(g + 1) * measures].to_vec()
            };
            let halves: Vec<Vec<f64>> = (0..resamples).into_par_iter().map(of_half).collect();
            let figures = plan.figures(totals.to_vec(), false);
            for i in 0..measures {
                let figure = figures[g * measures + i];
                let apart = halves.iter().map(|row| row[i] - figure);
                let finite = apart.clone().filter(|distance| distance.is_finite());
                let (sum, count) = finite.fold((0.0, 0.0), |(sum, n), d| (sum + d, n + 1.0));
                for (row, apart) in rows.iter_mut().zip(apart) {
                    row[g * measures + i] = figure + scale * (apart - sum / count);
                }
            }
        }
        Resampled { rows }
    }

    /// The interval of a figure, if most resamples have a value: one or two members in a fifth of the list, which
    /// many halves do not have, say nothing of how much their mean varies.
    pub(super) fn interval(&self, i: usize, level: f64, info: &MeasureInfo) -> Option<(f64, f64)> {
        let (low, high) = self.ends(level, |row| row[i])?;
        Some((low.clamp(info.range.0, info.range.1), high.clamp(info.range.0, info.range.1)))
    }

    /// The interval of the difference of two figures.
    pub(super) fn difference(&self, i: usize, other: usize, level: f64) -> Option<(f64, f64)> {
        self.ends(level, |row| row[i] - row[other])
    }

    fn ends(&self, level: f64, value: impl Fn(&[f64]) -> f64) -> Option<(f64, f64)> {
        let mut values: Vec<f64> = self.rows.iter().map(|row| value(row)).collect();
        values.retain(|value| value.is_finite());
        if values.is_empty() || values.len() * 5 < self.rows.len() * 4 {
            return None;
        }
        values.sort_unstable_by(f64::total_cmp);
        let end = |p: f64| quantile(&values, p);
        Some((end(0.5 - 0.5 * level), end(0.5 + 0.5 * level)))
    }
}

/// Which items are in a half of the members.
fn draw_half(members: &[u32], half: usize, stream: Stream, items: usize) -> Vec<bool> {
    let mut left = members.to_vec();
    let mut taken = vec![false; items];
    for i in 0..half {
        let at = i + stream.below(i as u64, left.len() - i);
        left.swap(i, at);
        taken[left[i] as usize] = true;
    }
    taken
}
