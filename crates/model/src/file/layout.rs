//! Layout of the JSON: outer objects and arrays are spread over lines, each inner value is one line.

use std::io;

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

/// A JSON text under construction.
pub(super) struct Page {
    text: String,
    depth: usize,
    /// Whether the innermost open bracket is still empty.
    empty: bool,
}

impl Page {
    /// Opens the outermost object.
    pub(super) fn new() -> Self {
        Page { text: "{".into(), depth: 1, empty: true }
    }

    /// Writes `"key": value` on one line.
    pub(super) fn field(&mut self, key: &str, value: &(impl Serialize + ?Sized)) {
        self.key(key);
        self.text.push_str(&one_line(value));
    }

    /// Writes a value of an array on one line.
    pub(super) fn item(&mut self, value: &(impl Serialize + ?Sized)) {
        self.next_line();
        self.text.push_str(&one_line(value));
    }

    /// Writes an object or array under a key, spread over lines; `fill` writes its content.
    pub(super) fn spread(&mut self, key: &str, bracket: Bracket, fill: impl FnOnce(&mut Self)) {
        self.key(key);
        self.bracketed(bracket, fill);
    }

    /// Writes an object of an array, spread over lines.
    pub(super) fn spread_item(&mut self, fill: impl FnOnce(&mut Self)) {
        self.next_line();
        self.bracketed(Bracket::Object, fill);
    }

    /// Closes the outermost object and returns the text.
    pub(super) fn finish(mut self) -> String {
        self.text.push_str("\n}\n");
        self.text
    }

    fn bracketed(&mut self, bracket: Bracket, fill: impl FnOnce(&mut Self)) {
        let (open, close) = match bracket {
            Bracket::Object => ('{', '}'),
            Bracket::Array => ('[', ']'),
        };
        self.text.push(open);
        self.depth += 1;
        self.empty = true;
        fill(self);
        self.depth -= 1;
        if !self.empty {
            self.break_line();
        }
        self.empty = false;
        self.text.push(close);
    }

    fn key(&mut self, key: &str) {
        self.next_line();
        self.text.push_str(&one_line(key));
        self.text.push_str(": ");
    }

    fn next_line(&mut self) {
        if !self.empty {
            self.text.push(',');
        }
        self.empty = false;
        self.break_line();
    }

    fn break_line(&mut self) {
        self.text.push('\n');
        self.text.extend(std::iter::repeat_n("  ", self.depth));
    }
}

/// The kind of a value that is spread over lines.
#[derive(Debug, Clone, Copy)]
pub(super) enum Bracket {
    Object,
    Array,
}

fn one_line(value: &(impl Serialize + ?Sized)) -> String {
    let mut bytes = Vec::new();
    let written = value.serialize(&mut Serializer::with_formatter(&mut bytes, Spaced));
    written.expect("writing plain values to memory does not fail");
    String::from_utf8(bytes).expect("JSON is UTF-8")
}

/// Compact, but with a space after the colons and commas of objects.
struct Spaced;

impl Formatter for Spaced {
    fn begin_object_key<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        if first { Ok(()) } else { writer.write_all(b", ") }
    }

    fn begin_object_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_outside_is_spread_and_the_inside_is_not() {
        let mut page = Page::new();
        page.field("a", &1);
        page.spread("empty", Bracket::Array, |_| ());
        page.spread("b", Bracket::Array, |page| {
            page.item(&[0.5_f32, 0.1]);
            page.spread_item(|page| page.field("c \"d\"", "e\nf"));
        });
        let expected = "{\n  \"a\": 1,\n  \"empty\": [],\n  \"b\": [\n    [0.5,0.1],\n    {\n      \
                        \"c \\\"d\\\"\": \"e\\nf\"\n    }\n  ]\n}\n";
        assert_eq!(page.finish(), expected);
    }
}
