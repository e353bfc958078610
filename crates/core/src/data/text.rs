//! Columns of text, stored compactly: one string for all values.

use std::collections::{HashMap, TryReserveError};

/// Many short strings in one allocation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TextColumn {
    text: String,
    ends: Vec<usize>,
}

impl TextColumn {
    /// Adds a value.
    pub fn push(&mut self, value: &str) {
        self.text.push_str(value);
        self.ends.push(self.text.len());
    }

    /// Makes room for further values of the length of those so far.
    pub(super) fn try_reserve(&mut self, values: usize) -> Result<(), TryReserveError> {
        let mean = self.text.len() / self.len().max(1);
        self.text.try_reserve(values.saturating_mul(mean))?;
        self.ends.try_reserve(values)
    }

    /// Returns the value in row `i`.
    pub fn get(&self, i: usize) -> &str {
        let start = if i == 0 { 0 } else { self.ends[i - 1] };
        &self.text[start..self.ends[i]]
    }

    /// The number of values.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// All values in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> + '_ {
        (0..self.len()).map(|i| self.get(i))
    }

    pub(super) fn permuted(&self, order: &[u32]) -> Self {
        let mut out = TextColumn {
            text: String::with_capacity(self.text.len()),
            ends: Vec::with_capacity(self.ends.len()),
        };
        order.iter().for_each(|&row| out.push(self.get(row as usize)));
        out
    }
}

/// Text with few different values: codes in order of first appearance.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Categories {
    names: Vec<String>,
    codes_by_name: HashMap<String, u32>,
}

impl Categories {
    /// Returns the code of `name`, a new one if the name is new.
    pub fn code(&mut self, name: &str) -> u32 {
        if let Some(&code) = self.codes_by_name.get(name) {
            return code;
        }
        let code = self.names.len() as u32;
        self.names.push(name.to_owned());
        self.codes_by_name.insert(name.to_owned(), code);
        code
    }

    /// The names in the order of their codes.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the names in the order of their codes.
    pub fn into_names(self) -> Vec<String> {
        self.names
    }
}
