//! Two index spaces, two types: items of a list, and ranks in an order.

/// An item of a list, by its index in the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ItemIdx(pub u32);

/// A rank in an order, 0 = first. Formulas count from 1: see [`Rank::position`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rank(pub u32);

impl ItemIdx {
    /// Returns the index into per-item columns.
    pub fn at(self) -> usize {
        self.0 as usize
    }
}

impl Rank {
    /// Returns the index into per-rank tables.
    pub fn at(self) -> usize {
        self.0 as usize
    }

    /// Returns the position as in formulas, 1 = first.
    pub fn position(self) -> usize {
        self.0 as usize + 1
    }
}
