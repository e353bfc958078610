//! Fingerprints of data: a hash that depends neither on the order of rows or columns nor on the
//! codes of categories.
//!
//! The hash of a row is mix(sum over columns of mix(name, value)); that of the data is the sum over
//! rows. Sums modulo 2^64 do not depend on the order. The hash is not cryptographic: it detects
//! changed data, not an attacker.

use pulp::{Simd, WithSimd};
use rayon::prelude::*;
use stakes_core::cost::Problem;
use stakes_core::data::{DataError, Feature, FeatureKind};
use stakes_core::display::counted;
use stakes_core::processor::arch;
use stakes_core::random::{GAMMA, mix};
use stakes_core::shards::Shards;

/// Identifies data, whatever the order of its rows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Fingerprint {
    /// The number of items.
    pub items: u64,
    /// The number of lists.
    pub lists: u64,
    /// A hash over ids, features and costs.
    pub hash: u64,
}

impl Fingerprint {
    /// The fingerprint of lists, ids, features, costs, impacts, weights and prices.
    ///
    /// # Errors
    /// If stored features cannot be read.
    pub fn of(problem: &Problem<'_>) -> Result<Fingerprint, DataError> {
        let data = problem.data();
        Ok(Fingerprint {
            items: data.len() as u64,
            lists: data.n_lists() as u64,
            hash: Fingerprint::of_lists(problem)?.into_iter().fold(0, u64::wrapping_add),
        })
    }

    /// The fingerprint of a problem of which other shards have more lists.
    ///
    /// # Errors
    /// If stored features cannot be read.
    pub fn among(problem: &Problem<'_>, shards: &Shards) -> Result<Fingerprint, DataError> {
        let own = Fingerprint::of(problem)?;
        let mut numbers = [own.items, own.lists, own.hash].map(u64::cast_signed);
        shards.sum(&mut numbers);
        let [items, lists, hash] = numbers.map(i64::cast_unsigned);
        Ok(Fingerprint { items, lists, hash })
    }

    /// Whether there are data to identify: those that an imported model was trained on are not known.
    pub fn is_known(&self) -> bool {
        self.items > 0
    }

    /// The number of items and lists in words.
    pub fn size(&self) -> String {
        if !self.is_known() {
            return "not known: trained elsewhere".to_owned();
        }
        let (items, lists) = (self.items as usize, self.lists as usize);
        format!("{} in {}", counted(items, "item"), counted(lists, "list"))
    }

    /// The hash of each list.
    ///
    /// # Errors
    /// If stored features cannot be read.
    pub fn of_lists(problem: &Problem<'_>) -> Result<Vec<u64>, DataError> {
        let data = problem.data();
        let columns = Columns::of(data.feature_info());
        let numbers = [
            (tag(b"cost"), Some(problem.cost())),
            (tag(b"impact"), data.impact()),
            (tag(b"weight"), data.weight()),
            (tag(b"price"), data.price()),
        ];
        let of_list = |list: usize| pair(tag(b"list"), of_bytes(data.list_id(list).as_bytes()));
        let ids: Vec<u64> = (0..data.n_lists()).into_par_iter().map(of_list).collect();
        // Sums, so that features can be added first.
        let features = match columns.names.is_empty() {
            true => vec![0; data.len()],
            false => data.features().hashes(|row| columns.hash(row))?,
        };
        let of_item = |list: usize, item: usize| {
            let mut sum = ids[list].wrapping_add(features[item]);
            if let Some(id) = data.item_id(item) {
                sum = sum.wrapping_add(pair(tag(b"id"), of_bytes(id.as_bytes())));
            }
            for (tag, values) in numbers {
                if let Some(values) = values {
                    sum = sum.wrapping_add(pair(tag, of_number(values[item])));
                }
            }
            mix(sum)
        };
        let of_list = |list: usize| {
            data.items(list).fold(0_u64, |sum, item| sum.wrapping_add(of_item(list, item)))
        };
        Ok((0..data.n_lists()).into_par_iter().map(of_list).collect())
    }
}

/// The hashes of the names of features and of their categories.
struct Columns {
    names: Vec<u64>,
    /// All bits set for numbers, none for categories.
    numbers: Vec<u64>,
    /// The features with categories, and the hashes of these by code.
    categories: Vec<(usize, Vec<u64>)>,
}

impl Columns {
    fn of(features: &[Feature]) -> Self {
        let is_number = |feature: &Feature| feature.kind == FeatureKind::Numeric;
        let categories =
            features.iter().enumerate().filter_map(|(at, feature)| match &feature.kind {
                FeatureKind::Numeric => None,
                FeatureKind::Categorical(names) => {
                    Some((at, names.iter().map(|n| of_bytes(n.as_bytes())).collect()))
                }
            });
        // One more step, so that features differ from roles of the same name.
        let name = |feature: &Feature| mix(of_bytes(feature.name.as_bytes()).wrapping_add(GAMMA));
        Columns {
            names: features.iter().map(name).collect(),
            numbers: features.iter().map(|f| if is_number(f) { u64::MAX } else { 0 }).collect(),
            categories: categories.collect(),
        }
    }

    fn hash(&self, row: &[f32]) -> u64 {
        let numbers = arch().dispatch(NumbersOfRow { columns: self, row });
        let of_category = |(at, names): &(usize, Vec<u64>)| {
            let value = row[*at];
            pair(
                self.names[*at],
                match value.is_nan() {
                    // Missing values have one hash in both kinds: an empty column has no kind.
                    true => of_number(f64::NAN),
                    false => names.get(value as usize).copied().unwrap_or(0),
                },
            )
        };
        self.categories.iter().map(of_category).fold(numbers, u64::wrapping_add)
    }
}

/// The sum of the hashes of the numbers of a row, several at a time. (Not a closure: it would not always be inlined, and
/// would then run with narrow registers.)
struct NumbersOfRow<'r> {
    columns: &'r Columns,
    row: &'r [f32],
}

impl WithSimd for NumbersOfRow<'_> {
    type Output = u64;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> u64 {
        let Columns { names, numbers, .. } = self.columns;
        let mut sum = 0_u64;
        for ((&value, &name), &is_number) in self.row.iter().zip(names).zip(numbers) {
            sum = sum.wrapping_add(pair(name, of_number(f64::from(value))) & is_number);
        }
        sum
    }
}

pub(crate) fn tag(name: &[u8]) -> u64 {
    of_bytes(name)
}

#[inline(always)]
pub(crate) fn pair(name: u64, value: u64) -> u64 {
    mix(name ^ mix(value.wrapping_add(GAMMA)))
}

/// 0 and -0 have the same hash, and so do all NaNs.
#[inline(always)]
pub(crate) fn of_number(value: f64) -> u64 {
    if value.is_nan() { f64::NAN.to_bits() } else { (value + 0.0).to_bits() }
}

pub(crate) fn of_bytes(bytes: &[u8]) -> u64 {
    bytes.chunks(8).fold(bytes.len() as u64, |hash, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        mix(hash.wrapping_add(GAMMA) ^ u64::from_le_bytes(word))
    })
}
