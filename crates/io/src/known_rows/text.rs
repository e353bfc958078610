//! The parts of JSON, as far as they are plain; `None` is anything else.

use std::borrow::Cow;

use crate::number;

/// A text, and how far it has been read.
pub(super) struct Text<'t> {
    text: &'t str,
    at: usize,
}

/// A value that is no array and no object.
pub(super) enum Value<'t> {
    Null,
    Flag(bool),
    /// As it is written.
    Number(&'t str),
    Text(Cow<'t, str>),
}

impl<'t> Text<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Text { text, at: 0 }
    }

    /// What follows, behind blanks.
    pub(super) fn rest(&mut self) -> &'t [u8] {
        let bytes = &self.text.as_bytes()[self.at..];
        let is_blank = |b: &u8| matches!(b, b' ' | b'\n' | b'\r' | b'\t');
        let blanks = bytes.iter().position(|b| !is_blank(b)).unwrap_or(bytes.len());
        self.at += blanks;
        &bytes[blanks..]
    }

    /// Goes on by so many bytes.
    pub(super) fn skip(&mut self, bytes: usize) {
        self.at += bytes;
    }

    /// Whether these bytes follow, which are read then.
    pub(super) fn take(&mut self, expected: &[u8]) -> bool {
        let is_next = self.rest().starts_with(expected);
        self.at += if is_next { expected.len() } else { 0 };
        is_next
    }

    /// Reads these bytes, which must follow.
    pub(super) fn expect(&mut self, expected: &[u8]) -> Option<()> {
        self.take(expected).then_some(())
    }

    /// Reads a value.
    pub(super) fn value(&mut self) -> Option<Value<'t>> {
        match self.rest().first()? {
            b'"' => self.quoted().map(Value::Text),
            b'-' | b'0'..=b'9' => self.number().map(Value::Number),
            b'n' => self.expect(b"null").map(|()| Value::Null),
            b't' => self.expect(b"true").map(|()| Value::Flag(true)),
            b'f' => self.expect(b"false").map(|()| Value::Flag(false)),
            _ => None,
        }
    }

    /// A text in quotes.
    fn quoted(&mut self) -> Option<Cow<'t, str>> {
        let bytes = self.text.as_bytes();
        let (start, mut is_plain) = (self.at, true);
        let mut end = start + 1;
        loop {
            match bytes.get(end)? {
                b'"' => break,
                b'\\' => (is_plain, end) = (false, end + 2),
                0..0x20 => return None,
                _ => end += 1,
            }
        }
        self.at = end + 1;
        match is_plain {
            true => self.text.get(start + 1..end).map(Cow::Borrowed),
            false => serde_json::from_str(self.text.get(start..=end)?).ok().map(Cow::Owned),
        }
    }

    /// A number as JSON writes it.
    fn number(&mut self) -> Option<&'t str> {
        let bytes = self.text.as_bytes();
        let digits = |at: usize| {
            let digits = bytes[at..].iter().take_while(|b| b.is_ascii_digit()).count();
            (digits > 0).then_some(at + digits)
        };
        let start = self.at;
        let mut end = start + usize::from(bytes[start] == b'-');
        end = if bytes.get(end) == Some(&b'0') { end + 1 } else { digits(end)? };
        if bytes.get(end) == Some(&b'.') {
            end = digits(end + 1)?;
        }
        if matches!(bytes.get(end), Some(b'e' | b'E')) {
            let has_sign = matches!(bytes.get(end + 1), Some(b'+' | b'-'));
            end = digits(end + 1 + usize::from(has_sign))?;
        }
        self.at = end;
        self.text.get(start..end)
    }
}

impl<'t> Value<'t> {
    /// A number, or a flag as one.
    pub(super) fn as_number(&self) -> Option<f64> {
        const MAX_SHORT: usize = 17;
        let number = match self {
            // Long numbers have too many digits for our parser, which would hand them on.
            Value::Number(text) if text.len() > MAX_SHORT => text.parse().ok(),
            Value::Number(text) => number::parse(text.as_bytes()),
            Value::Flag(flag) => Some(f64::from(u8::from(*flag))),
            Value::Null | Value::Text(_) => None,
        };
        number.filter(|number| number.is_finite())
    }

    /// A text, or a whole number, whose digits are the text of it.
    pub(super) fn into_name(self) -> Option<Cow<'t, str>> {
        /// Whole numbers of so many digits are kept as they are by all readers.
        const MAX_DIGITS: usize = 18;
        match self {
            Value::Text(text) => Some(text),
            Value::Number(text) => {
                let digits = text.strip_prefix('-').unwrap_or(text);
                let is_whole =
                    digits.len() <= MAX_DIGITS && digits.bytes().all(|b| b.is_ascii_digit());
                (is_whole && text != "-0").then_some(Cow::Borrowed(text))
            }
            Value::Null | Value::Flag(_) => None,
        }
    }
}
