//! The lists that a model is judged on.

use std::borrow::Cow;

use stakes_core::data::Dataset;
use stakes_eval::study::Scores;

/// The lists in which every item has all scores, and the scores of their items. Folds that look forward do
/// not judge the first period: their scores are NaN there. There may be none, as where other shards have them.
pub(crate) fn judged_lists<'d>(data: &'d Dataset, scores: &mut [Scores]) -> Cow<'d, Dataset> {
    let is_judged = |list: &usize| {
        let first = data.items(*list).start;
        scores.iter().all(|score| !score.values[first].is_nan())
    };
    let judged: Vec<usize> = (0..data.n_lists()).filter(is_judged).collect();
    if judged.len() == data.n_lists() {
        return Cow::Borrowed(data);
    }
    for score in scores {
        let of_list = |&list: &usize| score.values[data.items(list)].iter().copied();
        score.values = judged.iter().flat_map(of_list).collect();
    }
    Cow::Owned(data.take_lists_of_shard(&judged))
}
