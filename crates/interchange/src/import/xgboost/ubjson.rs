//! Universal Binary JSON, in which XGBoost writes `.ubj`, as the text of the same JSON: so that one reader checks
//! both. Counts are checked against the bytes that are left before anything is made of them.
//!
//! Example: `{ i 1 a [ $ d # i 2 <1.5> <2.5>` is `{"a":[1.5e0,2.5e0]}`.

use std::fmt::Write;

use crate::import::error::Fault;

/// Deeper nesting is refused; models have ten levels.
const MAX_DEPTH: usize = 64;

/// Whether this begins as an object of UBJSON: in text a brace is followed by a space, a quote or a brace.
pub(super) fn recognise(content: &[u8]) -> bool {
    matches!(content, [b'{', b'i' | b'U' | b'I' | b'l' | b'L' | b'$' | b'#', ..])
}

/// The text of the JSON.
pub(super) fn to_json(content: &[u8]) -> Result<String, Fault> {
    let mut reader = Reader { rest: content, length: content.len(), json: String::new() };
    let marker = reader.byte()?;
    reader.value(marker, 0)?;
    match reader.rest.iter().all(|&byte| byte == b'N') {
        true => Ok(reader.json),
        false => Err(reader.fault("there are bytes after the end")),
    }
}

struct Reader<'c> {
    rest: &'c [u8],
    length: usize,
    json: String,
}

impl<'c> Reader<'c> {
    fn fault(&self, what: impl std::fmt::Display) -> Fault {
        Fault::new(format!("byte {}", self.length - self.rest.len()), what)
    }

    fn take(&mut self, bytes: usize) -> Result<&'c [u8], Fault> {
        match self.rest.split_at_checked(bytes) {
            Some((taken, rest)) => {
                self.rest = rest;
                Ok(taken)
            }
            None => Err(self.fault("the file is truncated; save it again")),
        }
    }

    fn byte(&mut self) -> Result<u8, Fault> {
        Ok(self.take(1)?[0])
    }

    fn fixed<const N: usize>(&mut self) -> Result<[u8; N], Fault> {
        let mut bytes = [0; N];
        bytes.copy_from_slice(self.take(N)?);
        Ok(bytes)
    }

    fn integer(&mut self, marker: u8) -> Result<i64, Fault> {
        Ok(match marker {
            b'i' => i64::from(i8::from_be_bytes(self.fixed()?)),
            b'U' => i64::from(self.byte()?),
            b'I' => i64::from(i16::from_be_bytes(self.fixed()?)),
            b'l' => i64::from(i32::from_be_bytes(self.fixed()?)),
            b'L' => i64::from_be_bytes(self.fixed()?),
            other => {
                let what = format!("`{}` stands where an integer should", other.escape_ascii());
                return Err(self.fault(what));
            }
        })
    }

    /// A count of things of at least so many bytes each.
    fn count(&mut self, bytes: usize) -> Result<usize, Fault> {
        let marker = self.byte()?;
        let count = self.integer(marker)?;
        let fits = |count: &usize| count.checked_mul(bytes).is_some_and(|n| n <= self.rest.len());
        usize::try_from(count).ok().filter(fits).ok_or_else(|| {
            self.fault(format!("a count is {count}, which is more than the file can hold"))
        })
    }

    fn text(&mut self) -> Result<(), Fault> {
        let length = self.count(1)?;
        let bytes = self.take(length)?;
        let Ok(text) = std::str::from_utf8(bytes) else {
            return Err(self.fault("a text is not UTF-8"));
        };
        self.json.push_str(&serde_json::Value::from(text).to_string());
        Ok(())
    }

    fn value(&mut self, marker: u8, depth: usize) -> Result<(), Fault> {
        if depth > MAX_DEPTH {
            return Err(self.fault(format!("it is nested more than {MAX_DEPTH} levels deep")));
        }
        match marker {
            b'Z' => self.json.push_str("null"),
            b'T' => self.json.push_str("true"),
            b'F' => self.json.push_str("false"),
            b'd' => {
                let number = f32::from_be_bytes(self.fixed()?);
                self.number(number.is_finite(), format_args!("{number:e}"));
            }
            b'D' => {
                let number = f64::from_be_bytes(self.fixed()?);
                self.number(number.is_finite(), format_args!("{number:e}"));
            }
            b'S' => self.text()?,
            b'[' => self.array(depth)?,
            b'{' => self.object(depth)?,
            integer => {
                let number = self.integer(integer)?;
                self.number(true, format_args!("{number}"));
            }
        }
        Ok(())
    }

    fn number(&mut self, finite: bool, text: std::fmt::Arguments<'_>) {
        match finite {
            true => drop(self.json.write_fmt(text)),
            false => self.json.push_str("null"),
        }
    }

    fn skip_no_ops(&mut self) {
        while let [b'N', rest @ ..] = self.rest {
            self.rest = rest;
        }
    }

    /// The type of all elements and their number, as far as they are given in front.
    fn head(&mut self) -> Result<(Option<u8>, Option<usize>), Fault> {
        let mut kind = None;
        if let [b'$', marker, rest @ ..] = self.rest {
            self.rest = rest;
            kind = Some(*marker);
        }
        let bytes = match kind {
            None | Some(b'i' | b'U' | b'S' | b'[' | b'{') => 1,
            Some(b'I') => 2,
            Some(b'l' | b'd') => 4,
            Some(b'L' | b'D') => 8,
            Some(other) => {
                return Err(
                    self.fault(format!("there are elements of type `{}`", other.escape_ascii()))
                );
            }
        };
        if let [b'#', rest @ ..] = self.rest {
            self.rest = rest;
            return Ok((kind, Some(self.count(bytes)?)));
        }
        match kind {
            Some(_) => Err(self.fault("a type of elements is given without their number")),
            None => Ok((None, None)),
        }
    }

    fn array(&mut self, depth: usize) -> Result<(), Fault> {
        let (kind, count) = self.head()?;
        self.json.push('[');
        let mut made = 0;
        while count.is_none_or(|count| made < count) {
            if kind.is_none() {
                self.skip_no_ops();
            }
            let marker = if let Some(kind) = kind { kind } else { self.byte()? };
            if count.is_none() && marker == b']' {
                break;
            }
            if made > 0 {
                self.json.push(',');
            }
            self.value(marker, depth + 1)?;
            made += 1;
        }
        self.json.push(']');
        Ok(())
    }

    fn object(&mut self, depth: usize) -> Result<(), Fault> {
        let (kind, count) = self.head()?;
        self.json.push('{');
        let mut made = 0;
        while count.is_none_or(|count| made < count) {
            self.skip_no_ops();
            if count.is_none() && self.rest.first() == Some(&b'}') {
                self.take(1)?;
                break;
            }
            if made > 0 {
                self.json.push(',');
            }
            self.text()?;
            self.json.push(':');
            let marker = if let Some(kind) = kind { kind } else { self.byte()? };
            self.value(marker, depth + 1)?;
            made += 1;
        }
        self.json.push('}');
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        let mut bytes = b"{i\x01a[$d#i\x02".to_vec();
        bytes.extend(1.5_f32.to_be_bytes());
        bytes.extend(f32::NAN.to_be_bytes());
        bytes.extend(b"i\x02bcSi\x01\"U\x01c[TFZ]i\x01e{}}");
        let json = to_json(&bytes[..bytes.len() - 14]);
        assert!(json.is_err());
        let mut bytes = b"{i\x01a[$d#i\x02".to_vec();
        bytes.extend(1.5_f32.to_be_bytes());
        bytes.extend(f32::NAN.to_be_bytes());
        bytes.extend(b"i\x01bSi\x01\"i\x01c[TFZNU\xff]i\x01e{}}N");
        assert_eq!(
            to_json(&bytes).as_deref(),
            Ok(r#"{"a":[1.5e0,null],"b":"\"","c":[true,false,null,255],"e":{}}"#)
        );
    }

    #[test]
    fn absurd_counts_are_refused() {
        for bytes in [
            &b"{#L\x7f\xff\xff\xff\xff\xff\xff\xff"[..],
            b"{i\x01a[$d#L\x7f\xff\xff\xff\xff\xff\xff\xff",
            b"{i\x01a[$Z#L\x00\x00\x00\x7f\xff\xff\xff\xff",
            b"{i\x01a[#i\xff",
            b"{L\x7f\xff\xff\xff\xff\xff\xff\xff",
            b"{i\x01aS",
            b"{",
        ] {
            assert!(to_json(bytes).is_err(), "{}", bytes.escape_ascii());
        }
        let deep: Vec<u8> = b"{i\x01a".iter().copied().chain([b'['; 1000]).collect();
        assert!(to_json(&deep).is_err());
    }
}
