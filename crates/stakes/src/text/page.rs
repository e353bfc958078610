//! Pages of text: headings, labelled lines, paragraphs and tables, none wider than the page.

use stakes_core::display::printable;

use super::words::{meaning, plain_name};
use super::{Layout, Table, Tone, inline, pad, width, wrap};

/// Where texts begin beside their labels.
const LABEL: usize = 14;
/// Pages are not narrower than this.
const MIN_WIDTH: usize = 60;

/// A page being written.
#[derive(Debug, Clone)]
pub struct Page {
    text: String,
    layout: Layout,
}

impl Page {
    /// An empty page.
    pub fn new(layout: Layout) -> Self {
        let width = layout.width.max(MIN_WIDTH);
        Page { text: String::new(), layout: Layout { width, ..layout } }
    }

    /// The maximum width of a line.
    pub fn width(&self) -> usize {
        self.layout.width
    }

    /// Whether it is said how intervals and tests are computed.
    pub fn has_statistics(&self) -> bool {
        self.layout.words.statistics
    }

    /// What a metric is called: its name, or plain words.
    pub fn metric<'n>(&self, name: &'n str) -> &'n str {
        plain_name(name).filter(|_| !self.layout.words.metrics).unwrap_or(name)
    }

    /// What a metric measures, where it is called by plain words.
    pub fn meaning(&self, name: &str) -> Option<String> {
        meaning(name).filter(|_| !self.layout.words.metrics)
    }

    /// The columns left beside the labels.
    pub fn room(&self) -> usize {
        self.width() - LABEL
    }

    /// Capitals, after an empty line.
    pub fn heading(&mut self, heading: &str) {
        if !self.text.is_empty() {
            self.gap();
        }
        for line in wrap(&inline(heading).to_uppercase(), self.width()) {
            self.text += &(self.layout.paint)(Tone::Heading, &line);
            self.text.push('\n');
        }
    }

    /// A line that introduces what is below it.
    pub fn title(&mut self, title: &str) {
        for line in wrap(&printable(title), self.width()) {
            self.text += &(self.layout.paint)(Tone::Heading, &line);
            self.text.push('\n');
        }
    }

    /// An empty line.
    pub fn gap(&mut self) {
        self.text.push('\n');
    }

    /// Text, broken where it is too long.
    pub fn text(&mut self, text: &str) {
        self.hanging("", text);
    }

    /// Text beside `before`: further lines begin below it.
    pub fn hanging(&mut self, before: &str, text: &str) {
        self.beside(before, None, text);
    }

    /// A label and a text, broken where it is too long.
    pub fn line(&mut self, label: &str, text: &str) {
        self.beside(&labelled(label), None, text);
    }

    /// A label in a tone, and a text.
    pub fn toned_line(&mut self, tone: Tone, label: &str, text: &str) {
        self.beside(&labelled(label), Some(tone), text);
    }

    /// A label and lines that are not to be broken.
    pub fn lines(&mut self, label: &str, lines: &[String]) {
        let mut before = labelled(label);
        for line in lines {
            self.unbroken(&format!("{before}{line}"));
            before = labelled("");
        }
    }

    /// A line that is not to be broken, such as one of a picture.
    pub fn unbroken(&mut self, line: &str) {
        self.text += inline(line).trim_end();
        self.text.push('\n');
    }

    /// A table.
    pub fn table(&mut self, table: &Table) {
        for line in table.lines(&self.layout) {
            self.text += &line;
            self.text.push('\n');
        }
    }

    /// The text of the page.
    pub fn finish(self) -> String {
        self.text
    }

    fn beside(&mut self, before: &str, tone: Option<Tone>, text: &str) {
        const MIN_ROOM: usize = 20;
        let before = inline(before);
        let mut indent = width(&before);
        let mut first = match tone {
            Some(tone) => (self.layout.paint)(tone, &before),
            None => before.clone().into_owned(),
        };
        if indent + MIN_ROOM > self.width() {
            // Too much stands before the text: it begins on a line of its own.
            wrap(&before, self.width()).iter().for_each(|line| self.unbroken(line));
            indent = 4;
            first = " ".repeat(indent);
        }
        for line in wrap(&inline(text), self.width() - indent) {
            self.text += format!("{first}{line}").trim_end();
            self.text.push('\n');
            first = " ".repeat(indent);
        }
    }
}

/// A label up to where its text begins.
fn labelled(label: &str) -> String {
    // A long label keeps its distance.
    let label = inline(label);
    let space = if label.is_empty() { "" } else { " " };
    pad(&format!("  {label}{space}"), LABEL)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_keep_to_the_page() {
        let mut page = Page::new(Layout { width: 60, ..Layout::default() });
        page.heading("Data");
        page.line("source", &"a/long/path".repeat(9));
        page.line("items", "3");
        page.hanging(&"a_name_that_is_long".repeat(4), "and its text");
        page.gap();
        page.text(&"word ".repeat(30));
        let text = page.finish();
        assert!(text.lines().all(|line| width(line) <= 60), "{text}");
        assert!(text.starts_with("DATA\n  source      a/long"), "{text}");
        assert!(text.contains("\n  items       3\n"), "{text}");
        assert!(text.contains("\n    and its text\n\nword word"), "{text}");
    }

    #[test]
    fn control_characters_are_shown_and_not_sent() {
        let mut page = Page::new(Layout::default());
        page.text("a\u{1b}[31m");
        page.line("b\u{7}", "c");
        page.unbroken("d\te");
        assert_eq!(page.finish(), "a\\u{1b}[31m\n  b\\u{7}      c\nd\\te\n");
    }
}
