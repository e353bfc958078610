//! The columns of training data that a model remembers: those with a role, and its features.

use std::collections::BTreeMap;

use stakes_core::data::{Dataset, Feature, FeatureKind, Role};

use crate::MAX_CATEGORIES;

/// Names of columns by role.
pub type RoleColumns = BTreeMap<Role, String>;

/// Returns the roles of the columns of a data set.
pub fn roles_of(data: &Dataset) -> RoleColumns {
    data.columns().roles().map(|(role, name)| (role, name.to_owned())).collect()
}

/// A feature that a model reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelFeature {
    /// The name of the column.
    pub name: String,
    /// The known categories, by code; `None` for numeric features. Other categories are treated
    /// as missing.
    pub categories: Option<Vec<String>>,
}

impl ModelFeature {
    /// The features of a data set, with as many categories as a model distinguishes. Their codes are
    /// those of the data.
    pub fn all_of(data: &Dataset) -> Vec<Self> {
        let categories = |feature: &Feature| match &feature.kind {
            FeatureKind::Numeric => None,
            FeatureKind::Categorical(names) => {
                Some(names.iter().take(MAX_CATEGORIES).cloned().collect())
            }
        };
        let own = |f: &Feature| ModelFeature { name: f.name.clone(), categories: categories(f) };
        data.feature_info().iter().map(own).collect()
    }
}
