//! What Parquet files say of themselves, in Thrift's compact protocol: read here to see what a page claims
//! before its decoder allocates it, and how deep a schema is. (The crate `parquet` does not show them.)

use std::io::{self, Read};

/// What a page says of itself.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct PageHeader {
    /// The number of bytes of the header itself.
    pub(super) length: u64,
    pub(super) kind: i64,
    pub(super) uncompressed: i64,
    pub(super) compressed: i64,
    pub(super) values: i64,
    pub(super) encoding: i64,
    /// The number of bytes before the values that are not compressed, in version 2.
    pub(super) levels: i64,
}

/// The kind of a page that is a dictionary.
pub(super) const DICTIONARY_PAGE: i64 = 2;

/// Types of fields.
const BOOLEANS: [u8; 2] = [1, 2];
const BYTE: u8 = 3;
const INTEGERS: [u8; 3] = [4, 5, 6];
const I32: u8 = 5;
const BINARY: u8 = 8;
const STRUCT: u8 = 12;
/// More than there are: a header, its details, their statistics.
const MAX_DEPTH: usize = 8;

impl PageHeader {
    pub(super) fn read(from: impl Read) -> io::Result<Self> {
        let mut from = Numbers::new(from);
        let mut header = PageHeader::default();
        let (mut field, mut details) = (0, 0);
        while let Some(kind) = from.next_field(&mut field)? {
            match field {
                1 => header.kind = from.number(kind)?,
                2 => header.uncompressed = from.number(kind)?,
                3 => header.compressed = from.number(kind)?,
                // Of a page of data, of a dictionary, of a page of data of version 2.
                5 | 7 | 8 if kind == STRUCT => {
                    details += 1;
                    from.details(field, &mut header)?;
                }
                _ => from.skip(kind, MAX_DEPTH)?,
            }
        }
        if details > 1 {
            return Err(wrong("a page of several kinds"));
        }
        header.length = from.length;
        Ok(header)
    }
}

/// The number of levels of the schema in a footer.
pub(super) fn schema_depth(footer: &[u8]) -> io::Result<usize> {
    let mut from = Numbers::new(footer);
    let mut field = 0;
    while let Some(kind) = from.next_field(&mut field)? {
        if field == 2 {
            return from.depth();
        }
        from.skip(kind, MAX_DEPTH)?;
    }
    Ok(0)
}

fn wrong(what: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// A reader of numbers of seven bits to a byte.
pub(super) struct Numbers<R> {
    from: R,
    /// How many bytes have been read.
    length: u64,
}

impl<R: Read> Numbers<R> {
    pub(super) fn new(from: R) -> Self {
        Numbers { from, length: 0 }
    }

    fn details(&mut self, of: i64, header: &mut PageHeader) -> io::Result<()> {
        let mut field = 0;
        while let Some(kind) = self.next_field(&mut field)? {
            match (of, field) {
                (_, 1) => header.values = self.number(kind)?,
                (5 | 7, 2) | (8, 4) => header.encoding = self.number(kind)?,
                (8, 5 | 6) => header.levels += self.number(kind)?,
                _ => self.skip(kind, MAX_DEPTH)?,
            }
        }
        Ok(())
    }

    /// The greatest depth of a tree: a list of structs, each of which says how many of the following are
    /// its children.
    fn depth(&mut self) -> io::Result<usize> {
        let length = match self.byte()? >> 4 {
            15 => self.unsigned()?,
            short => u64::from(short),
        };
        let mut deepest = 0;
        let mut children_left = Vec::new();
        for _ in 0..length {
            while children_left.pop_if(|left| *left == 0).is_some() {}
            if let Some(left) = children_left.last_mut() {
                *left -= 1;
            }
            let children = self.children()?;
            if children > 0 {
                children_left.push(children);
                deepest = deepest.max(children_left.len());
            }
        }
        Ok(deepest)
    }

    fn children(&mut self) -> io::Result<i64> {
        let (mut field, mut children) = (0, 0);
        while let Some(kind) = self.next_field(&mut field)? {
            match field {
                5 => children = self.number(kind)?,
                _ => self.skip(kind, MAX_DEPTH)?,
            }
        }
        Ok(children)
    }

    pub(super) fn byte(&mut self) -> io::Result<u8> {
        let mut byte = [0];
        self.from.read_exact(&mut byte)?;
        self.length += 1;
        Ok(byte[0])
    }

    /// A number from 0.
    pub(super) fn unsigned(&mut self) -> io::Result<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(wrong("a number of too many bytes"))
    }

    /// A signed number: 0, -1, 1, -2, ...
    fn signed(&mut self) -> io::Result<i64> {
        let number = self.unsigned()?;
        Ok((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    /// The number of a field that must be one of 32 bits.
    fn number(&mut self, kind: u8) -> io::Result<i64> {
        if kind != I32 {
            return Err(wrong("a field of another type"));
        }
        let number = self.signed()?;
        i32::try_from(number).map_err(|_| wrong("a number of more than 32 bits"))?;
        Ok(number)
    }

    /// Moves on to the next field of a struct and returns its type, or `None` at the end.
    fn next_field(&mut self, field: &mut i64) -> io::Result<Option<u8>> {
        let byte = self.byte()?;
        if byte == 0 {
            return Ok(None);
        }
        *field = match byte >> 4 {
            0 => self.signed()?,
            more => field.saturating_add(i64::from(more)),
        };
        Ok(Some(byte & 0x0f))
    }

    /// Skips the value of a field. There are no lists, maps or floats where this is used.
    fn skip(&mut self, kind: u8, depth: usize) -> io::Result<()> {
        match kind {
            kind if BOOLEANS.contains(&kind) => Ok(()),
            kind if INTEGERS.contains(&kind) => self.unsigned().map(drop),
            BYTE => self.byte().map(drop),
            BINARY => {
                let length = self.unsigned()?;
                self.skip_bytes(length)
            }
            STRUCT if depth > 0 => {
                let mut field = 0;
                while let Some(kind) = self.next_field(&mut field)? {
                    self.skip(kind, depth - 1)?;
                }
                Ok(())
            }
            _ => Err(wrong("a field of an unknown type")),
        }
    }

    pub(super) fn skip_bytes(&mut self, length: u64) -> io::Result<()> {
        let skipped = io::copy(&mut (&mut self.from).take(length), &mut io::sink())?;
        self.length += skipped;
        if skipped == length { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }
}
