//! Features: dense `f32`, row by row, `NaN` where missing; categories are stored as codes, with
//! their names in the feature's kind.

use std::fmt;
use std::sync::Arc;

use super::stored::StoredRows;

/// The order in which categories have their codes: by number where all of them are numbers, else by name. Returns the
/// place of each among `names`.
pub fn category_order(names: &[String]) -> Vec<usize> {
    let numbers: Option<Vec<f64>> = names.iter().map(|name| name.trim().parse().ok()).collect();
    let mut order: Vec<usize> = (0..names.len()).collect();
    match numbers {
        Some(v) => {
            order.sort_by(|&a, &b| v[a].total_cmp(&v[b]).then_with(|| names[a].cmp(&names[b])));
        }
        None => order.sort_by(|&a, &b| names[a].cmp(&names[b])),
    }
    order
}

/// The kind of a feature's values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FeatureKind {
    /// Numbers.
    Numeric,
    /// Codes `0.0, 1.0, ...` into these names.
    Categorical(Vec<String>),
}

/// A feature's name and kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Feature {
    /// The name, unique in its data set.
    pub name: String,
    /// Numbers or categories.
    pub kind: FeatureKind,
}

impl Feature {
    /// A numeric feature.
    pub fn numeric(name: impl Into<String>) -> Self {
        Feature { name: name.into(), kind: FeatureKind::Numeric }
    }

    /// A categorical feature with the names of its codes.
    pub fn categorical(name: impl Into<String>, categories: Vec<String>) -> Self {
        Feature { name: name.into(), kind: FeatureKind::Categorical(categories) }
    }

    /// Returns the name of category `code`, if the feature is categorical and has it.
    pub fn category(&self, code: f32) -> Option<&str> {
        match &self.kind {
            FeatureKind::Categorical(names) if code >= 0.0 => {
                names.get(code as usize).map(String::as_str)
            }
            _ => None,
        }
    }
}

/// Values that somebody else holds, such as an array of another language: they are read where they are,
/// and must not change as long as this exists.
#[derive(Clone)]
pub struct SharedValues(pub Arc<dyn AsRef<[f32]> + Send + Sync>);

impl fmt::Debug for SharedValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} shared values", self.0.as_ref().as_ref().len())
    }
}

/// A row-major matrix of feature values: in memory, or [stored](super::FeatureSource) elsewhere.
#[derive(Debug, Clone, Default)]
pub struct FeatureMatrix {
    /// The values, unless they are shared or stored.
    pub(super) values: Vec<f32>,
    pub(super) shared: Option<SharedValues>,
    pub(super) stored: Option<StoredRows>,
    pub(super) width: usize,
}

impl PartialEq for FeatureMatrix {
    fn eq(&self, other: &Self) -> bool {
        let all = |matrix: &'_ Self| (matrix.width, matrix.stored.clone());
        all(self) == all(other) && self.values() == other.values()
    }
}

impl FeatureMatrix {
    pub(super) fn new(values: Vec<f32>, width: usize) -> Self {
        FeatureMatrix { values, shared: None, stored: None, width }
    }

    /// Whether the values are stored elsewhere: only [`FeatureMatrix::visit`] reaches them.
    pub fn is_stored(&self) -> bool {
        self.stored.is_some()
    }

    /// The values to be changed: shared ones are copied first.
    pub(super) fn values_mut(&mut self) -> &mut Vec<f32> {
        if self.shared.is_some() {
            self.values = self.values().to_vec();
            self.shared = None;
        }
        &mut self.values
    }

    /// The number of features.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The features of one item.
    ///
    /// # Panics
    /// If the values are [stored](FeatureMatrix::is_stored).
    #[inline]
    pub fn row(&self, item: usize) -> &[f32] {
        &self.values()[item * self.width..(item + 1) * self.width]
    }

    /// One feature over all items.
    ///
    /// # Panics
    /// If the values are [stored](FeatureMatrix::is_stored), or if there is no such feature.
    pub fn column(&self, feature: usize) -> impl ExactSizeIterator<Item = f32> + '_ {
        assert!(feature < self.width, "feature {feature} of {}", self.width);
        assert!(!self.is_stored(), "stored features are visited");
        // There may be no items.
        self.values().get(feature..).unwrap_or_default().iter().step_by(self.width).copied()
    }

    /// All values, row by row; none if they are [stored](FeatureMatrix::is_stored).
    #[inline]
    pub fn values(&self) -> &[f32] {
        match &self.shared {
            None => &self.values,
            Some(SharedValues(values)) => values.as_ref().as_ref(),
        }
    }
}
