//! Tables that fit a width without losing a figure.
//!
//! A table that is too wide first cuts its names, then goes into blocks of columns, one below the
//! other, each with the columns that say what a row is. Only a cell that is too wide for a block of
//! its own is broken into lines.

use std::borrow::Cow;

use super::{Layout, Tone, chunks, cut, inline, width, wrap};

/// Names are not cut to less than this.
const MIN_NAME: usize = 12;

/// A table: the first column to the left, the others to the right.
#[derive(Debug, Clone)]
pub struct Table {
    titles: Vec<String>,
    /// The columns of names, which stand to the left and may be cut.
    names: Vec<usize>,
    /// The number of first columns that say what a row is.
    keys: usize,
    rows: Vec<Row>,
}

/// What stands in one row and column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    text: String,
    tone: Option<Tone>,
}

#[derive(Debug, Clone)]
enum Row {
    Cells(Vec<Cell>),
    /// What the rows below have in common.
    Group(String),
    /// A remark on the row above.
    Remark(String),
    Gap,
}

impl Cell {
    /// Text in a tone.
    pub fn toned(text: impl Into<String>, tone: Tone) -> Self {
        Cell { text: text.into(), tone: Some(tone) }
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Cell { text, tone: None }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl Table {
    /// A table without rows. The first column holds names.
    pub fn new<T: Into<String>>(titles: impl IntoIterator<Item = T>) -> Self {
        let titles = titles.into_iter().map(|title| inline(&title.into()).into_owned()).collect();
        Table { titles, names: vec![0], keys: 1, rows: Vec::new() }
    }

    /// These columns hold names.
    #[must_use]
    pub fn names(self, columns: impl IntoIterator<Item = usize>) -> Self {
        Table { names: columns.into_iter().collect(), ..self }
    }

    /// So many first columns say what a row is.
    #[must_use]
    pub fn keys(self, keys: usize) -> Self {
        Table { keys, ..self }
    }

    /// Adds a row with a cell for each column.
    pub fn row<C: Into<Cell>>(&mut self, cells: impl IntoIterator<Item = C>) {
        let shown = |cell: Cell| Cell { text: inline(&cell.text).into_owned(), ..cell };
        let cells: Vec<Cell> = cells.into_iter().map(|cell| shown(cell.into())).collect();
        debug_assert_eq!(cells.len(), self.titles.len());
        self.rows.push(Row::Cells(cells));
    }

    /// Adds a line that the rows below it belong to.
    pub fn group(&mut self, title: &str) {
        self.rows.push(Row::Group(inline(title).into_owned()));
    }

    /// Adds a remark on the last row.
    pub fn remark(&mut self, text: &str) {
        self.rows.push(Row::Remark(text.to_owned()));
    }

    /// Adds an empty line.
    pub fn gap(&mut self) {
        self.rows.push(Row::Gap);
    }

    /// The lines of the table.
    pub(super) fn lines(&self, layout: &Layout) -> Vec<String> {
        let mut lines = Vec::new();
        let fitted = self.fitted(layout.width);
        for (number, columns) in fitted.blocks.iter().enumerate() {
            if number > 0 {
                lines.push(String::new());
            }
            let titles: Vec<Cell> =
                self.titles.iter().map(|title| Cell::toned(title.clone(), Tone::Heading)).collect();
            lines.extend(self.line(&titles, columns, &fitted.widths, layout));
            for row in &self.rows {
                match row {
                    Row::Cells(cells) => {
                        lines.extend(self.line(cells, columns, &fitted.widths, layout));
                    }
                    Row::Group(title) => {
                        let title = cut(title, layout.width.saturating_sub(1));
                        lines.push(format!(" {}", (layout.paint)(Tone::Heading, &title)));
                    }
                    Row::Remark(text) if number == 0 => {
                        const INDENT: usize = 4;
                        let room = layout.width.saturating_sub(INDENT);
                        let broken = wrap(&inline(text), room);
                        lines.extend(broken.iter().map(|line| format!("{:INDENT$}{line}", "")));
                    }
                    Row::Remark(_) => {}
                    Row::Gap => lines.push(String::new()),
                }
            }
        }
        lines
    }

    /// The lines of one row.
    fn line(
        &self,
        cells: &[Cell],
        columns: &[usize],
        widths: &[usize],
        layout: &Layout,
    ) -> Vec<String> {
        let broken: Vec<Vec<Cow<'_, str>>> =
            columns.iter().map(|&c| self.broken(&cells[c].text, c, widths[c])).collect();
        let height = broken.iter().map(Vec::len).max().unwrap_or(1);
        let line = |at: usize| {
            let mut line = String::new();
            for (&column, parts) in columns.iter().zip(&broken) {
                let text = parts.get(at).map_or("", |part| part);
                let space = " ".repeat(widths[column].saturating_sub(width(text)));
                let text = match cells[column].tone {
                    Some(tone) if !text.is_empty() => Cow::from((layout.paint)(tone, text)),
                    _ => text.into(),
                };
                match self.names.contains(&column) {
                    true => line += &format!(" {text}{space} "),
                    false => line += &format!(" {space}{text} "),
                }
            }
            line.trim_end().to_owned()
        };
        (0..height).map(line).collect()
    }

    /// A cell in its column: a name is cut, anything else is broken into lines.
    fn broken<'c>(&self, text: &'c str, column: usize, most: usize) -> Vec<Cow<'c, str>> {
        if width(text) <= most {
            return vec![text.into()];
        }
        if self.names.contains(&column) {
            return vec![cut(text, most).into()];
        }
        chunks(text, most).map(Cow::from).collect()
    }

    fn fitted(&self, most: usize) -> Fitted {
        let all: Vec<usize> = (0..self.titles.len()).collect();
        let mut widths: Vec<usize> = all.iter().map(|&column| self.natural_width(column)).collect();
        let mut narrow = widths.clone();
        self.cut_names(&mut narrow, &all, most);
        if line_width(&narrow, &all) <= most {
            return Fitted { blocks: vec![all], widths: narrow };
        }
        // In blocks: every further column must fit beside the keys.
        let (keys, others) = all.split_at(self.keys.min(all.len()));
        let widest = others.iter().map(|&column| widths[column]).max().unwrap_or(0);
        self.cut_names(&mut widths, keys, most.saturating_sub(widest + 2));
        let room = most.saturating_sub(line_width(&widths, keys) + 2).max(MIN_NAME);
        others.iter().for_each(|&column| widths[column] = widths[column].min(room));
        let mut blocks: Vec<Vec<usize>> = Vec::new();
        for &column in others {
            let joined = |block: &Vec<usize>| {
                let columns: Vec<usize> = block.iter().copied().chain([column]).collect();
                line_width(&widths, &columns) <= most
            };
            match blocks.last_mut().filter(|block| joined(block)) {
                Some(block) => block.push(column),
                None => blocks.push(keys.iter().copied().chain([column]).collect()),
            }
        }
        Fitted { blocks, widths }
    }

    fn natural_width(&self, column: usize) -> usize {
        let cells = self.rows.iter().filter_map(|row| match row {
            Row::Cells(cells) => Some(width(&cells[column].text)),
            _ => None,
        });
        cells.chain([width(&self.titles[column])]).max().unwrap_or(0)
    }

    /// Makes the widest columns of names narrower until a line of these columns fits.
    fn cut_names(&self, widths: &mut [usize], columns: &[usize], most: usize) {
        let names: Vec<usize> =
            self.names.iter().copied().filter(|name| columns.contains(name)).collect();
        while line_width(widths, columns) > most {
            let widest = names.iter().copied().max_by_key(|&name| widths[name]);
            match widest.filter(|&name| widths[name] > MIN_NAME) {
                Some(name) => widths[name] -= 1,
                None => return,
            }
        }
    }
}

/// How a table fits: which columns stand side by side, and how wide each is.
struct Fitted {
    blocks: Vec<Vec<usize>>,
    widths: Vec<usize>,
}

/// The width of a line of these columns: a space at the left and two between them.
fn line_width(widths: &[usize], columns: &[usize]) -> usize {
    let cells: usize = columns.iter().map(|&column| widths[column] + 2).sum();
    cells.saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(table: &Table, width: usize) -> Vec<String> {
        table.lines(&Layout { width, ..Layout::default() })
    }

    fn orders() -> Table {
        let mut table = Table::new(["score", "rcs@10", "ndcg@10"]);
        table.row(["a model with a rather long name", "0.5 [0.25, 0.75]", "0.25"]);
        table.gap();
        table.row(["ideal", "1.25", "1"]);
        table
    }

    #[test]
    fn columns_are_aligned() {
        let mut table = Table::new(["score", "rcs"]);
        table.row(["random order", "0.5"]);
        table.row(["風", "1.25"]);
        let expected = [" score          rcs", " random order   0.5", " 風            1.25"];
        assert_eq!(lines(&table, 80), expected);
    }

    #[test]
    fn names_are_cut_before_columns_go_below() {
        assert_eq!(
            lines(&orders(), 44),
            [
                " score                       rcs@10  ndcg@10",
                " a model …ng name  0.5 [0.25, 0.75]     0.25",
                "",
                " ideal                         1.25        1",
            ]
        );
        let narrow = lines(&orders(), 36);
        assert_eq!(
            narrow,
            [
                " score                        rcs@10",
                " a model …ong name  0.5 [0.25, 0.75]",
                "",
                " ideal                          1.25",
                "",
                " score              ndcg@10",
                " a model …ong name     0.25",
                "",
                " ideal                    1",
            ]
        );
    }

    #[test]
    fn no_line_is_too_wide_and_no_figure_is_lost() {
        let mut table = Table::new(["list", "rank", "id", "a title that is long", "b", "c"])
            .names([0, 2])
            .keys(3);
        let long = "x".repeat(70);
        let cells = ["1,234,567 [1,111,111, 2,222,222]", "0.1234", "12345678901234567890"];
        table.group(&long);
        table.row([&*long, "12", &long].into_iter().chain(cells));
        table.remark(&"because of many things ".repeat(9));
        for width in [60, 80, 100, 200, 400] {
            let lines = lines(&table, width);
            let widest = lines.iter().max_by_key(|line| super::width(line)).expect("lines");
            assert!(super::width(widest) <= width, "{width}: {widest}");
            let digits: String = lines.concat().chars().filter(char::is_ascii_digit).collect();
            for cell in cells {
                let wanted: String = cell.chars().filter(char::is_ascii_digit).collect();
                assert!(digits.contains(&wanted), "{width}: {cell} in {lines:#?}");
            }
        }
    }

    #[test]
    fn tones_do_not_change_the_layout() {
        let mut table = Table::new(["score", "rcs"]);
        table.row([Cell::from("a"), Cell::toned("0.5", Tone::Good)]);
        table.row(["bcd", "0.25"]);
        let paint = |tone, text: &str| format!("<{tone:?} {text}>");
        assert_eq!(
            table.lines(&Layout { width: 80, paint, ..Layout::default() }),
            [" <Heading score>   <Heading rcs>", " a       <Good 0.5>", " bcd    0.25"]
        );
    }
}
