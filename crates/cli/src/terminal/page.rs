//! Lines with a label and a text beside it, under headings.

pub(crate) use stakes::text::percent;

use super::draw::wrap;

/// Where texts begin.
const LABEL: usize = 14;

/// A page being written.
pub(crate) struct Page {
    text: String,
    width: usize,
}

impl Page {
    pub(crate) fn new(width: usize) -> Self {
        Page { text: String::new(), width: width.max(60) }
    }

    /// Characters left beside the labels.
    pub(crate) fn room(&self) -> usize {
        self.width - LABEL
    }

    pub(crate) fn heading(&mut self, heading: &str) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str(&heading.to_uppercase());
        self.text.push('\n');
    }

    /// A label and a text, broken where it is too long.
    pub(crate) fn line(&mut self, label: &str, text: &str) {
        self.lines(label, &wrap(text, self.room()));
    }

    /// A label and lines that are not to be broken.
    pub(crate) fn lines(&mut self, label: &str, lines: &[String]) {
        let mut label = label;
        for line in lines {
            let indented = format!("  {label:<width$}{line}", width = LABEL - 2);
            self.text.push_str(indented.trim_end());
            self.text.push('\n');
            label = "";
        }
    }

    pub(crate) fn finish(self) -> String {
        self.text
    }
}

/// Cut to `width` characters, with a sign that it was cut.
pub(crate) fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let kept: String = text.chars().take(width.saturating_sub(1)).collect();
    kept + "…"
}
