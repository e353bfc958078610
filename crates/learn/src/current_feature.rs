//! How it is decided today which items are acted on, where that is a feature.

/// One numeric feature, ascending or descending: how it is decided today which items are acted on.
#[derive(Debug, Clone, PartialEq)]
pub struct CurrentFeature {
    /// The name of the feature.
    pub feature: String,
    /// Whether the highest values come first.
    pub descending: bool,
}
