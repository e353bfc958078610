//! One list, borrowed: what a metric or a loss gets to see.

/// The items of one list. All slices have the same length.
#[derive(Debug, Clone, Copy)]
pub struct ListView<'a> {
    /// The observed impact (or relevance label) of each item.
    pub impact: &'a [f64],
    /// What acting on each item saves.
    pub cost: &'a [f64],
    /// Importance that is independent of the label, if given.
    pub weight: Option<&'a [f64]>,
    /// What acting on each item takes from a budget, if given.
    pub price: Option<&'a [f64]>,
}

impl<'a> ListView<'a> {
    /// A list whose cost is its impact, without weights or prices.
    pub fn of_impact(impact: &'a [f64]) -> Self {
        ListView { impact, cost: impact, weight: None, price: None }
    }

    /// Number of items.
    pub fn len(&self) -> usize {
        self.cost.len()
    }

    /// Whether there are no items. (A data set has no such list; tests may.)
    pub fn is_empty(&self) -> bool {
        self.cost.is_empty()
    }

    /// How much an item matters in pair costs: its weight, or else its cost.
    pub fn importance(&self) -> &'a [f64] {
        self.weight.unwrap_or(self.cost)
    }
}
