//! Recognises ids, row numbers and dates by the name and values of a column.

use super::columns::{ColumnFacts, ColumnKind};

/// What a column may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LooksLike {
    Id,
    RowNumber,
    Date,
}

/// The minimum number of rows for recognising ids.
pub(super) const MIN_ROWS: usize = 20;

pub(super) fn looks_like(column: &ColumnFacts, rows: usize) -> Option<LooksLike> {
    if rows < MIN_ROWS {
        return None;
    }
    let words = words(&column.name);
    let says = |names: &[&str]| words.iter().any(|w| names.contains(&w.as_str()));
    let many = 2 * column.distinct > rows;
    let numbered = column.whole && column.distinct == rows;
    match column.kind {
        ColumnKind::Numeric if numbered && column.rising => Some(LooksLike::RowNumber),
        ColumnKind::Numeric if column.whole && column.distinct > 2 && calendar(column) => {
            Some(LooksLike::Date)
        }
        ColumnKind::Numeric if column.whole && column.distinct > 10 && says(&ID_WORDS) => {
            Some(LooksLike::Id)
        }
        ColumnKind::Categorical if column.dates => Some(LooksLike::Date),
        ColumnKind::Categorical if many || (column.distinct > 10 && says(&ID_WORDS)) => {
            Some(LooksLike::Id)
        }
        _ if column.distinct > 2 && says(&DATE_WORDS) => Some(LooksLike::Date),
        _ => None,
    }
}

const ID_WORDS: [&str; 5] = ["id", "ids", "uuid", "guid", "rownum"];
const DATE_WORDS: [&str; 4] = ["date", "datetime", "timestamp", "epoch"];

/// Whether integers may be dates written as YYYYMMDD.
fn calendar(column: &ColumnFacts) -> bool {
    let (Some(min), Some(max)) = (column.min, column.max) else { return false };
    min >= 19_000_101.0 && max <= 21_001_231.0
}

/// Splits a name into words: `CustomerID`, `customer_id` and `customer.id` are all customer and id.
pub(super) fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for c in name.chars() {
        let begins = c.is_uppercase() && before.is_lowercase();
        if (begins || !c.is_alphanumeric()) && words.last().is_some_and(|w| !w.is_empty()) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c.is_alphanumeric()) {
            word.extend(c.to_lowercase());
        }
        before = c;
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn names_are_split_into_words() {
        for name in ["CustomerID", "customer_id", "customer.id", "Customer Id"] {
            assert_eq!(words(name), ["customer", "id"], "{name}");
        }
        assert_eq!(words("humidity"), ["humidity"]);
        assert!(words("").is_empty());
    }
}
