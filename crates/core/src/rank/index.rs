//! Two index spaces, two types: which item, and which place in the order.

/// An item of a list, by its place in the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ItemIdx(pub u32);

/// A place in an order, 0 = first. The papers count from 1: see [`Rank::position`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rank(pub u32);

impl ItemIdx {
    /// As an index into per-item columns.
    pub fn at(self) -> usize {
        self.0 as usize
    }
}

impl Rank {
    /// As an index into per-rank tables.
    pub fn at(self) -> usize {
        self.0 as usize
    }

    /// As the papers write it: 1 = first.
    pub fn position(self) -> usize {
        self.0 as usize + 1
    }
}
