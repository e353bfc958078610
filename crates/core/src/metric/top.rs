//! The best few of a list without sorting the rest.
//!
//! Metrics with a cutoff need k items of n. Unpredictable branches cost a modern processor far
//! more than comparisons whose result is only counted, so for small k nothing is sorted:
//!
//! 1. A threshold that at least k values reach: distribute the values over a few groups; the
//!    k-th largest of the groups' maxima is reached by k values, one in each of k groups.
//! 2. The values above the threshold (about 1.5 k of them), collected without branches; if they
//!    are fewer than k, the first values equal to the threshold are added.
//! 3. Their positions, by counting for each how many come before it.
//!
//! With AVX2 or AVX-512 each step handles 16 scores at a time, on other processors one after the other.
//! With many large scores, or a large k: a selection followed by a sort of the selected.

#[cfg(target_arch = "x86_64")]
mod blocks;
mod vectors;
#[cfg(target_arch = "x86_64")]
mod x86;

use pulp::{Arch, NullaryFnOnce, Scalar};

use crate::processor::arch;
use crate::rank::best_first;
use vectors::{Candidates, Vectors};

/// An item among the best, with its score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Top {
    /// Its score.
    pub score: f64,
    /// Its index in the list.
    pub item: u32,
}

/// Calls `with` on the `k` items of highest score, best first, earlier items first among equals.
/// (A closure, so that small buffers can live on the stack.)
pub fn with_top<R>(scores: &[f64], k: usize, with: impl FnOnce(&[Top]) -> R) -> R {
    with_top_on(arch(), scores, k, with)
}

fn with_top_on<R>(arch: Arch, scores: &[f64], k: usize, with: impl FnOnce(&[Top]) -> R) -> R {
    let k = k.min(scores.len());
    match k {
        0 => with(&[]),
        1..=11 => with_counted::<R, 16, 32, 48>(arch, scores, k, with),
        12..=32 => with_counted::<R, 48, 64, 80>(arch, scores, k, with),
        _ => with(&by_sorting(scores, k)),
    }
}

fn by_sorting(scores: &[f64], k: usize) -> Vec<Top> {
    // `+ 0.0` turns -0 into +0.
    let top = |item: u32| Top { score: scores[item as usize] + 0.0, item };
    best_first(scores, k).into_iter().map(top).collect()
}

fn with_counted<R, const GROUPS: usize, const MAX: usize, const ROOM: usize>(
    arch: Arch,
    scores: &[f64],
    k: usize,
    with: impl FnOnce(&[Top]) -> R,
) -> R {
    let mut best = [Top { score: 0.0, item: 0 }; MAX];
    match (ByCounting::<GROUPS, MAX, ROOM> { scores, k, best: &mut best }).on(arch) {
        true => with(&best[..k]),
        false => with(&by_sorting(scores, k)),
    }
}

/// Writes the k best to the front of `best`, unless there are too many candidates: with more, counting would
/// cost more than sorting.
struct ByCounting<'a, const GROUPS: usize, const MAX: usize, const ROOM: usize> {
    scores: &'a [f64],
    k: usize,
    best: &'a mut [Top; MAX],
}

impl<const GROUPS: usize, const MAX: usize, const ROOM: usize> ByCounting<'_, GROUPS, MAX, ROOM> {
    /// Calls the code compiled for an architecture.
    #[inline(never)]
    fn on(self, arch: Arch) -> bool {
        match arch {
            #[cfg(target_arch = "x86_64")]
            Arch::V4(vectors) => vectors.vectorize(On { vectors, work: self }),
            #[cfg(target_arch = "x86_64")]
            Arch::V3(vectors) => vectors.vectorize(On { vectors, work: self }),
            _ => On { vectors: Scalar, work: self }.call(),
        }
    }
}

/// The call as `pulp` needs it; everything it calls must be inlined to use the same instructions.
struct On<V, W> {
    vectors: V,
    work: W,
}

impl<V: Vectors, const GROUPS: usize, const MAX: usize, const ROOM: usize> NullaryFnOnce
    for On<V, ByCounting<'_, GROUPS, MAX, ROOM>>
{
    type Output = bool;

    #[inline(always)]
    fn call(self) -> bool {
        let On { vectors, work: ByCounting { scores, k, best } } = self;
        debug_assert!(0 < k && k <= GROUPS && k <= scores.len());
        let threshold = vectors.threshold::<GROUPS>(scores, k);
        let mut found = Candidates::<ROOM>::new();
        vectors.add_above(&mut found, scores, threshold);
        if found.count > MAX {
            return false;
        }
        vectors.positions(
            &found,
            #[inline(always)]
            |i, position| {
                best[position % MAX] = Top { score: found.scores[i], item: found.items[i] };
            },
        );
        let above = found.count;
        if above < k {
            vectors.add_equal(&mut found, scores, threshold, k);
            for (i, top) in best.iter_mut().enumerate().take(k).skip(above) {
                *top = Top { score: found.scores[i], item: found.items[i] };
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::processor::all;
    use crate::rank::{Ranking, UNRANKED};
    use proptest::prelude::*;

    fn head(scores: &[f64], k: usize) -> Vec<u32> {
        Ranking::from_scores(scores).order().iter().take(k).map(|i| i.0).collect()
    }

    /// By the code for each vector width, which must agree.
    fn top(scores: &[f64], k: usize) -> Vec<u32> {
        let on = |arch| with_top_on(arch, scores, k, |top| top.to_vec());
        let top = on(Arch::Scalar);
        for arch in all() {
            assert_eq!(on(arch), top, "{arch:?}");
        }
        assert!(top.iter().all(|top| top.score == scores[top.item as usize]));
        top.iter().map(|top| top.item).collect()
    }

    proptest! {
        #[test]
        fn the_top_is_the_head_of_the_full_order(
            scores in prop::collection::vec((-4i32..4).prop_map(f64::from), 0..200),
            k in 0usize..220,
        ) {
            prop_assert_eq!(top(&scores, k), head(&scores, k));
        }

        #[test]
        fn with_few_ties_too(
            scores in prop::collection::vec(-1e9..1e9f64, 0..300),
            k in 0usize..70,
        ) {
            prop_assert_eq!(top(&scores, k), head(&scores, k));
        }

        /// Infinities (items that are not ranked), zeros of both signs, neighbours.
        #[test]
        fn of_extreme_scores_too(
            scores in prop::collection::vec(0usize..9, 0..120),
            k in 0usize..40,
        ) {
            let extremes = [
                UNRANKED, f64::MIN, -1.0, -5e-324, -0.0, 0.0, 5e-324, f64::MAX, f64::INFINITY,
            ];
            let scores: Vec<f64> = scores.into_iter().map(|i| extremes[i]).collect();
            prop_assert_eq!(top(&scores, k), head(&scores, k));
        }
    }

    #[test]
    fn a_long_list() {
        let scores: Vec<f64> = (0..100_000u32).map(|i| f64::from(i * 7919 % 65_537)).collect();
        for k in [1, 10, 11, 12, 32] {
            assert_eq!(top(&scores, k), head(&scores, k), "{k}");
        }
    }

    #[test]
    fn many_candidates_above_the_threshold() {
        // All large values in the first groups, so that the threshold is low.
        let scores: Vec<f64> =
            (0..1600).map(|i| f64::from(16 - i % 16) * 1e3 + f64::from(i)).collect();
        for k in [1, 2, 10, 11, 12, 31] {
            assert_eq!(top(&scores, k), head(&scores, k), "{k}");
        }
    }

    #[test]
    fn zeros_of_both_signs_tie() {
        assert_eq!(top(&[0.0, -0.0, 0.0], 2), [0, 1]);
        assert_eq!(top(&[-0.0; 100], 40), (0..40).collect::<Vec<u32>>());
    }
}
