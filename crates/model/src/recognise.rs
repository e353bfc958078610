//! Which lists a model was trained on, by their fingerprints.

use rayon::prelude::*;
use stakes_core::data::{DataError, Dataset};
use stakes_core::random::mix;
use stakes_core::shards::Shards;

use crate::fingerprint::{of_bytes, of_number, pair, tag};
use crate::training_lists::{MAX_LISTS, MAX_SCORES};
use crate::{MatchedColumns, Model, ModelError, TrainingList};

/// The fingerprints of a list.
struct Known {
    list: u64,
    /// The items in the order of their fingerprints.
    items: Vec<usize>,
}

impl Model {
    /// Remembers the lists that the model was trained on, with the scores of its items (by row of the
    /// data) by models that were not trained on them; those that are NaN are not known.
    pub fn remember(
        &mut self,
        data: &Dataset,
        out_of_fold: Option<&[f64]>,
    ) -> Result<(), ModelError> {
        self.remember_among(data, out_of_fold, &Shards::alone())
    }

    /// The same for data of which other shards have more lists.
    pub fn remember_among(
        &mut self,
        data: &Dataset,
        out_of_fold: Option<&[f64]>,
        shards: &Shards,
    ) -> Result<(), ModelError> {
        self.training_lists.clear();
        let mut sizes = [data.n_lists() as i64, data.len() as i64];
        shards.sum(&mut sizes);
        if sizes[0] as usize > MAX_LISTS {
            return Ok(());
        }
        let out_of_fold = out_of_fold.filter(|_| sizes[1] as usize <= MAX_SCORES);
        let list = |Known { list, items }: Known| {
            let scores = out_of_fold.map(|scores| items.iter().map(|&i| scores[i]).collect());
            let is_known = |scores: &Vec<f64>| scores.iter().all(|score| score.is_finite());
            let out_of_fold = scores.filter(is_known).unwrap_or_default();
            TrainingList { hash: list, out_of_fold }
        };
        let columns = self.match_columns(data)?;
        let own: Vec<TrainingList> = known(self, data, &columns)?.into_iter().map(list).collect();
        self.training_lists = TrainingList::of_all_shards(own, shards);
        // In no order of the file, and quick to search.
        self.training_lists.sort_by_key(|list| list.hash);
        Ok(())
    }

    /// Keeps the lists, but not their scores, which are of another scorer.
    pub(crate) fn forget_scores(&mut self) {
        self.training_lists.iter_mut().for_each(|list| list.out_of_fold.clear());
    }

    /// For each list of the data whether the model was trained on it, and if so, the scores of its
    /// items, in the order of the data, by models that were not; empty where they are not known.
    pub fn recognise(&self, data: &Dataset) -> Result<Vec<Option<Vec<f64>>>, ModelError> {
        Ok(self.recognise_matched(data, &self.match_columns(data)?))
    }

    /// The same for the data that `matched` was made for.
    ///
    /// # Panics
    /// If the features are stored, and cannot be read.
    pub fn recognise_matched(
        &self,
        data: &Dataset,
        matched: &MatchedColumns,
    ) -> Vec<Option<Vec<f64>>> {
        if self.training_lists.is_empty() {
            return vec![None; data.n_lists()];
        }
        let scores = |(number, Known { list, items }): (usize, Known)| {
            let TrainingList { out_of_fold, .. } = self.training_list(list)?;
            if out_of_fold.len() != items.len() {
                return Some(Vec::new());
            }
            let start = data.items(number).start;
            let mut scores = vec![0.0; items.len()];
            items.iter().zip(out_of_fold).for_each(|(&item, &score)| scores[item - start] = score);
            Some(scores)
        };
        let known = known(self, data, matched).expect("features in memory can be read");
        known.into_iter().enumerate().map(scores).collect()
    }

    /// The list of the training with this fingerprint: they are in the order of these.
    fn training_list(&self, hash: u64) -> Option<&TrainingList> {
        let lists = &self.training_lists;
        let behind = lists.partition_point(|list| list.hash <= hash);
        lists[..behind].last().filter(|list| list.hash == hash)
    }
}

/// The fingerprints of all lists.
fn known(model: &Model, data: &Dataset, columns: &MatchedColumns) -> Result<Vec<Known>, DataError> {
    let names: Vec<u64> =
        model.features.iter().map(|feature| of_bytes(feature.name.as_bytes())).collect();
    let of_item = |item: usize, row: &[f32]| {
        let values = columns.of_row(data, item, row).zip(&names);
        let sum = values.fold(0_u64, |sum, (value, &name)| {
            sum.wrapping_add(pair(name, of_number(f64::from(value))))
        });
        mix(sum)
    };
    let mut hashes = vec![0_u64; data.len()];
    data.features().visit(|piece| {
        let of_row = |row: usize| piece.item(row).map(|item| (item, of_item(item, piece.row(row))));
        let found: Vec<(usize, u64)> =
            (0..piece.rows()).into_par_iter().filter_map(of_row).collect();
        found.into_iter().for_each(|(item, hash)| hashes[item] = hash);
    })?;
    let of_list = |number: usize| {
        let mut items: Vec<(u64, usize)> =
            data.items(number).map(|item| (hashes[item], item)).collect();
        items.sort_unstable();
        let id = pair(tag(b"list"), of_bytes(data.list_id(number).as_bytes()));
        let list = items.iter().fold(id, |sum, (hash, _)| sum.wrapping_add(*hash));
        Known { list, items: items.into_iter().map(|(_, item)| item).collect() }
    };
    Ok((0..data.n_lists()).into_par_iter().map(of_list).collect())
}
