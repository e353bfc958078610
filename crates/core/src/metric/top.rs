//! The best few of a list without sorting the rest.
//!
//! Metrics with a cutoff look at k items of n. A buffer of the k best, kept sorted by
//! insertion, beats sorting: after the first items almost every further one fails a single
//! comparison. For large k a selection followed by a sort of the selected is used.

/// Above this, insertion into a sorted buffer costs more than selecting.
const INSERTION_LIMIT: usize = 64;

/// An item among the best, with its score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Top {
    pub(super) score: f64,
    pub(super) item: u32,
}

/// The `k` items of highest score, best first, earlier items first among equals, handed to
/// `with`. (A closure, so that small buffers can live on the stack.)
pub(super) fn with_top<R>(scores: &[f64], k: usize, with: impl FnOnce(&[Top]) -> R) -> R {
    let k = k.min(scores.len());
    if k <= INSERTION_LIMIT {
        let mut buffer = [Top { score: 0.0, item: 0 }; INSERTION_LIMIT];
        insert_all(scores, &mut buffer[..k]);
        return with(&buffer[..k]);
    }
    let enumerated = scores.iter().enumerate();
    let mut all: Vec<Top> =
        enumerated.map(|(i, &score)| Top { score: score + 0.0, item: i as u32 }).collect();
    let better_first =
        |a: &Top, b: &Top| b.score.total_cmp(&a.score).then_with(|| a.item.cmp(&b.item));
    if k < all.len() {
        all.select_nth_unstable_by(k - 1, better_first);
        all.truncate(k);
    }
    all.sort_unstable_by(better_first);
    with(&all)
}

fn insert_all(scores: &[f64], best: &mut [Top]) {
    let k = best.len();
    if k == 0 {
        return;
    }
    let insert = |best: &mut [Top], filled: usize, score: f64, item: usize| {
        // Strictly greater: an equal item that came earlier stays in front.
        let mut at = filled;
        while at > 0 && score > best[at - 1].score {
            best[at] = best[at - 1];
            at -= 1;
        }
        best[at] = Top { score, item: item as u32 };
    };
    for (item, &score) in scores[..k].iter().enumerate() {
        insert(best, item, score, item);
    }
    for (item, &score) in scores.iter().enumerate().skip(k) {
        if score > best[k - 1].score {
            insert(best, k - 1, score, item);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rank::Ranking;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_top_is_the_head_of_the_full_order(
            scores in prop::collection::vec((-4i32..4).prop_map(f64::from), 0..200),
            k in 0usize..220,
        ) {
            let full = Ranking::from_scores(&scores);
            let expected: Vec<u32> = full.order().iter().take(k).map(|i| i.0).collect();
            let top: Vec<u32> = with_top(&scores, k, |t| t.iter().map(|t| t.item).collect());
            prop_assert_eq!(top, expected);
        }
    }
}
