//! One list, borrowed: the input of metrics and losses.

/// The items of one list. All slices have the same length.
#[derive(Debug, Clone, Copy)]
pub struct ListView<'a> {
    /// The observed impact (or relevance label) of each item.
    pub impact: &'a [f64],
    /// The cost of each item: what acting on it saves.
    pub cost: &'a [f64],
    /// Importance that is independent of the label, if given.
    pub weight: Option<&'a [f64]>,
    /// The price of acting on each item, if given.
    pub price: Option<&'a [f64]>,
}

impl<'a> ListView<'a> {
    /// A list whose cost is its impact, without weights or prices.
    pub fn of_impact(impact: &'a [f64]) -> Self {
        ListView { impact, cost: impact, weight: None, price: None }
    }

    /// The number of items.
    pub fn len(&self) -> usize {
        self.cost.len()
    }

    /// Whether there are no items. (A data set has no such list; tests may.)
    pub fn is_empty(&self) -> bool {
        self.cost.is_empty()
    }

    /// The importance of each item in pair costs: its weight, or else its cost.
    pub fn importance(&self) -> &'a [f64] {
        self.weight.unwrap_or(self.cost)
    }
}
