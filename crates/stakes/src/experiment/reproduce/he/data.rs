//! LETOR sets with their own five parts.

use stakes_core::data::Dataset;
use stakes_core::split::Fold;
use stakes_io::{Roles, parse_letor_bytes};

use super::super::raw::Folder;
use super::super::work::Stop;

const PARTS: usize = 5;

/// A LETOR set: all parts together, and which lists are in which part.
pub(super) struct Letor {
    pub(super) data: Dataset,
    parts: Vec<Vec<usize>>,
}

impl Letor {
    /// Reads S1 to S5 of a folder.
    pub(super) fn read(folder: &Folder, name: &str) -> Result<Letor, Stop> {
        let mut all = Vec::new();
        let mut part_of = std::collections::HashMap::new();
        for part in 0..PARTS {
            let bytes = folder.bytes(&format!("{name}/S{}.txt.gz", part + 1))?;
            let own = parse_letor_bytes(&bytes, Roles::new())?;
            for list in 0..own.n_lists() {
                part_of.insert(own.list_id(list).to_owned(), part);
            }
            all.extend(bytes);
        }
        let data = parse_letor_bytes(&all, Roles::new())?;
        let mut parts = vec![Vec::new(); PARTS];
        for list in 0..data.n_lists() {
            parts[part_of[data.list_id(list)]].push(list);
        }
        Ok(Letor { data, parts })
    }

    /// The folds that LETOR gives: of the first, S1 to S3 train, S4 validates and S5 tests; then one further.
    pub(super) fn folds(&self) -> Vec<Fold> {
        let fold = |first: usize| {
            let part = |place: usize| self.parts[(first + place) % PARTS].clone();
            let mut train = [part(0), part(1), part(2)].concat();
            train.sort_unstable();
            Fold { label: format!("fold {}", first + 1), train, validation: part(3), test: part(4) }
        };
        (0..PARTS).map(fold).collect()
    }
}
