//! Rankings as tables of text, with commas or tabs between the columns.

use std::borrow::Cow;

use super::{ExpectedCost, KeptColumns, KeptRow, Ranked, RankedItem};

/// A column of what is expected, which models that are calibrated have: its name, and its value of an item.
pub type CostColumn = (&'static str, fn(&RankedItem<'_>) -> ExpectedCost);

/// All of them, in the order of tables.
pub const COST_COLUMNS: [CostColumn; 9] = [
    ("expected_cost", |row| row.expected_cost),
    ("low", |row| row.low),
    ("high", |row| row.high),
    ("running_total", |row| row.running_total),
    ("total_low", |row| row.total_low),
    ("total_high", |row| row.total_high),
    ("chance", |row| row.chance),
    ("item_low", |row| row.item_low),
    ("item_high", |row| row.item_high),
];

impl Ranked<'_> {
    /// The ranking as CSV, with the columns of the data file that are kept, if any.
    pub fn csv(&self, kept: Option<&KeptColumns>) -> String {
        self.table(kept, b',')
    }

    /// The same with tabs.
    pub fn tsv(&self, kept: Option<&KeptColumns>) -> String {
        self.table(kept, b'\t')
    }

    fn table(&self, kept: Option<&KeptColumns>, delimiter: u8) -> String {
        let mut header = vec!["list", "rank", "id", "score", "act"];
        let is_known = |(_, of): &&CostColumn| self.items.iter().any(|row| of(row).is_known());
        let costs: Vec<&CostColumn> = COST_COLUMNS.iter().filter(is_known).collect();
        header.extend(costs.iter().map(|(name, _)| *name));
        let because = self.items.iter().any(|row| row.because.is_some()).then_some("because");
        let is_taken = |name: &str| header.contains(&name) || because == Some(name);
        let beside = kept.into_iter().flat_map(KeptColumns::names);
        let beside = beside.map(|name| match is_taken(name) {
            true => Cow::Owned(format!("data_{name}")),
            false => Cow::Borrowed(name),
        });
        let beside: Vec<Cow<'_, str>> = beside.collect();
        header.extend(beside.iter().map(|name| &**name).chain(because));
        let mut table = Table::new(delimiter, header);
        for row in &self.items {
            let act = if row.act { "yes" } else { "no" };
            let (rank, score) = (row.rank.to_string(), row.score.to_string());
            let costs: Vec<String> = costs.iter().map(|(_, of)| of(row).to_string()).collect();
            let because = row.because.as_ref().map(ToString::to_string);
            let beside =
                row.columns.iter().flat_map(KeptRow::values).map(Option::unwrap_or_default);
            let place = [row.list, &rank, &row.id, &score, act];
            let place = place.into_iter().chain(costs.iter().map(String::as_str));
            table.push(place.chain(beside).chain(because.as_deref()));
        }
        table.finish()
    }
}

/// A table on its way, in memory.
pub(crate) struct Table(csv::Writer<Vec<u8>>);

impl Table {
    pub(crate) fn new<'c>(delimiter: u8, header: impl IntoIterator<Item = &'c str>) -> Self {
        let writer = csv::WriterBuilder::new().delimiter(delimiter).from_writer(Vec::new());
        let mut table = Table(writer);
        table.push(header);
        table
    }

    pub(crate) fn push<'c>(&mut self, row: impl IntoIterator<Item = &'c str>) {
        self.0.write_record(row).expect("rows of one width, written to memory");
    }

    pub(crate) fn finish(self) -> String {
        let bytes = self.0.into_inner().expect("memory takes all that is written");
        String::from_utf8(bytes).expect("texts with delimiters are text")
    }
}
