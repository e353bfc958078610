//! The destination of each feature index: a feature, a role, or none.

use stakes_core::data::Feature;

use crate::Roles;
use crate::categories::Coder;

// Positions of numbers that are not features: the impact, weight and price if they are given
// as feature indices, then the extras.
pub(super) const IMPACT: usize = 0;
pub(super) const WEIGHT: usize = 1;
pub(super) const PRICE: usize = 2;
pub(super) const EXTRAS: usize = 3;

#[derive(Debug, Clone, Copy)]
pub(super) enum Slot {
    Feature(u32),
    Category { feature: u32, coder: u32 },
    Ignored,
}

/// The destinations by index; the table grows as larger indices appear.
pub(super) struct Slots<'r> {
    roles: &'r Roles,
    table: Vec<Slot>,
    zero: bool,
    pub(super) width: usize,
    pub(super) coders: Vec<(usize, Coder)>,
    /// The indices that have a role, with the positions of their numbers; few, so searched.
    numbers: Vec<(u32, usize)>,
}

impl<'r> Slots<'r> {
    pub(super) fn new(roles: &'r Roles) -> Self {
        let mut numbers = Vec::new();
        let mut add = |name: &str, number| {
            if let Some(index) = index_of(name) {
                numbers.push((index, number));
            }
        };
        for (role, number) in
            [(&roles.impact, IMPACT), (&roles.weight, WEIGHT), (&roles.price, PRICE)]
        {
            if let Some(name) = role {
                add(name, number);
            }
        }
        for (k, name) in roles.extras.iter().enumerate() {
            add(name, EXTRAS + k);
        }
        // Index 0 is a feature only if it occurs, but has its place from the start.
        let table = vec![Slot::Ignored];
        Slots { roles, table, zero: false, width: 0, coders: Vec::new(), numbers }
    }

    /// Extends the table up to `max`; returns the new features.
    pub(super) fn grow(&mut self, max: u32, has_zero: bool) -> Vec<Feature> {
        let mut new = Vec::new();
        if has_zero && !self.zero {
            self.zero = true;
            self.table[0] = self.slot(0, &mut new);
        }
        for index in self.table.len() as u32..=max {
            let slot = self.slot(index, &mut new);
            self.table.push(slot);
        }
        new
    }

    fn slot(&mut self, index: u32, new: &mut Vec<Feature>) -> Slot {
        let name = index.to_string();
        let is_in = |list: &[String]| list.iter().any(|n| n.trim() == name);
        if is_in(&self.roles.drop) || self.numbers.iter().any(|(i, _)| *i == index) {
            return Slot::Ignored;
        }
        let feature = self.width;
        self.width += 1;
        let categorical = is_in(&self.roles.categorical);
        new.push(Feature::numeric(name));
        if !categorical {
            return Slot::Feature(feature as u32);
        }
        self.coders.push((feature, Coder::default()));
        Slot::Category { feature: feature as u32, coder: self.coders.len() as u32 - 1 }
    }

    /// Writes the values of a line whose indices are a run from `first` on, if every index is a feature: into a
    /// row of zeros. Returns whether it has.
    pub(super) fn fill_run(&self, first: Option<&u32>, values: &[f64], row: &mut [f32]) -> bool {
        // Features from index 1 on, none left out: index 1 is feature 0.
        let is_plain = !self.zero && self.width + 1 == self.table.len() && self.coders.is_empty();
        let start = first.map_or(0, |first| (*first as usize).saturating_sub(1));
        if is_plain {
            row[start..][..values.len()]
                .iter_mut()
                .zip(values)
                .for_each(|(to, of)| *to = *of as f32);
        }
        is_plain
    }

    /// Writes the values of a line into a row of zeros.
    pub(super) fn fill(&mut self, indices: &[u32], values: &[f64], row: &mut [f32]) {
        const ABSENT: f32 = -1.0;
        for (feature, _) in &self.coders {
            row[*feature] = ABSENT;
        }
        for (&index, &value) in indices.iter().zip(values) {
            match self.table[index as usize] {
                Slot::Feature(j) => row[j as usize] = value as f32,
                Slot::Ignored => {}
                Slot::Category { feature, coder } => {
                    row[feature as usize] = if value.is_nan() {
                        f32::NAN
                    } else {
                        let mut name = String::new();
                        crate::number::push_f64(&mut name, value);
                        self.coders[coder as usize].1.code(&name)
                    };
                }
            }
        }
        for (feature, coder) in &mut self.coders {
            if row[*feature] == ABSENT {
                row[*feature] = coder.code("0");
            }
        }
    }

    /// Writes the values of a line that have a role to their positions ([`IMPACT`] ...), 0 where
    /// absent.
    pub(super) fn numbers(&self, indices: &[u32], values: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        for &(index, number) in &self.numbers {
            if let Some(at) = indices.iter().position(|i| *i == index) {
                out[number] = values[at];
            }
        }
    }

    /// Whether any index has a role.
    pub(super) fn has_numbers(&self) -> bool {
        !self.numbers.is_empty()
    }

    /// Returns the names of all columns, the fixed ones first.
    pub(super) fn names(&self) -> Vec<String> {
        let fixed = ["label", "qid", "docid"].map(str::to_owned);
        let first = usize::from(!self.zero);
        fixed.into_iter().chain((first..self.table.len()).map(|i| i.to_string())).collect()
    }
}

fn index_of(name: &str) -> Option<u32> {
    let name = name.trim();
    let index: u32 = name.parse().ok()?;
    (index <= super::parse::MAX_INDEX && name == index.to_string()).then_some(index)
}
