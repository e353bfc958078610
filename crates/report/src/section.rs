//! A section of the page: words, pictures and tables.

use serde::Serialize;

/// A part of the page without anything that moves.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Section {
    /// The anchor, unique on the page.
    pub id: String,
    /// The heading.
    pub title: String,
    /// What it says and shows, from top to bottom.
    pub parts: Vec<Part>,
}

/// A part of a section.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// A paragraph.
    Words(String),
    /// What should be kept in mind.
    Caution(String),
    /// A picture, as SVG by our own writers, which escape all text.
    Picture(#[serde(skip)] String),
    /// A table.
    Table(Table),
}

/// A table of text; all columns but the first are numbers unless it says otherwise.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Table {
    /// What it shows.
    pub caption: String,
    /// The heads of the columns.
    pub head: Vec<String>,
    /// The rows; those of references are grey.
    pub rows: Vec<Row>,
    /// Whether cells are sentences.
    pub wordy: bool,
    /// Whether it is shown only when asked for.
    pub folded: bool,
}

/// A row of a table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// Its cells.
    pub cells: Vec<String>,
    /// Whether it is a reference, not a choice.
    pub reference: bool,
}

impl Section {
    pub(crate) fn new(id: &str, title: &str) -> Self {
        Section { id: id.to_owned(), title: title.to_owned(), parts: Vec::new() }
    }

    pub(crate) fn say(mut self, words: impl Into<String>) -> Self {
        self.parts.push(Part::Words(words.into()));
        self
    }

    pub(crate) fn draw(mut self, svg: String) -> Self {
        self.parts.push(Part::Picture(svg));
        self
    }

    pub(crate) fn add(mut self, table: Table) -> Self {
        if !table.rows.is_empty() {
            self.parts.push(Part::Table(table));
        }
        self
    }

    pub(crate) fn caution(mut self, words: impl Into<String>) -> Self {
        self.parts.push(Part::Caution(words.into()));
        self
    }
}

impl Table {
    pub(crate) fn new<const N: usize>(caption: &str, head: [&str; N]) -> Self {
        Table {
            caption: caption.to_owned(),
            head: head.map(str::to_owned).to_vec(),
            rows: Vec::new(),
            wordy: false,
            folded: false,
        }
    }

    pub(crate) fn wordy(mut self) -> Self {
        self.wordy = true;
        self
    }

    pub(crate) fn folded(mut self) -> Self {
        self.folded = true;
        self
    }

    pub(crate) fn push(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(Row { cells: cells.into_iter().collect(), reference: false });
    }

    pub(crate) fn push_reference(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(Row { cells: cells.into_iter().collect(), reference: true });
    }
}
