//! Opening: a file or stdin, unpacked when it is gzip (told by its first bytes, not by its
//! name), with a look at the beginning for telling the format.

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read};

use flate2::read::MultiGzDecoder;

use crate::ReadError;

const HEAD: usize = 4096;
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// An opened source.
pub(crate) struct Input {
    /// The path, or `stdin`.
    pub(crate) name: String,
    /// The first bytes, unpacked.
    pub(crate) head: Vec<u8>,
    #[cfg_attr(not(feature = "arrow"), allow(dead_code))]
    packed: bool,
    body: Box<dyn Read + Send>,
}

impl Input {
    /// Opens `path`; `-` is stdin.
    pub(crate) fn open(path: &str) -> Result<Input, ReadError> {
        let name = source_name(path);
        let raw: Box<dyn Read + Send> = if path == "-" {
            Box::new(BufReader::new(io::stdin()))
        } else {
            let file = File::open(path).map_err(|e| ReadError::io(path, e))?;
            if file.metadata().is_ok_and(|m| m.is_dir()) {
                return Err(ReadError::io(path, io::ErrorKind::IsADirectory.into()));
            }
            Box::new(file)
        };
        Input::new(name.clone(), raw).map_err(|e| ReadError::io(&name, e))
    }

    /// Wraps any reader.
    pub(crate) fn new(name: String, mut raw: Box<dyn Read + Send>) -> io::Result<Input> {
        let head = peek(&mut raw)?;
        if !head.starts_with(&GZIP) {
            return Ok(Input { name, head, packed: false, body: raw });
        }
        let packed = BufReader::with_capacity(1 << 16, Cursor::new(head).chain(raw));
        let mut body = MultiGzDecoder::new(packed);
        let head = peek(&mut body)?;
        Ok(Input { name, head, packed: true, body: Box::new(body) })
    }

    /// Whether the path can be opened again and searched.
    #[cfg(feature = "arrow")]
    pub(crate) fn is_plain_file(&self, path: &str) -> bool {
        !self.packed && path != "-" && std::fs::metadata(path).is_ok_and(|m| m.is_file())
    }

    /// The whole content from the start, as a stream.
    pub(crate) fn into_reader(self) -> impl Read + Send {
        Cursor::new(self.head).chain(self.body)
    }

    /// The whole content in memory.
    pub(crate) fn into_bytes(self) -> Result<(String, Vec<u8>), ReadError> {
        let name = self.name.clone();
        let mut bytes = Vec::new();
        match self.into_reader().read_to_end(&mut bytes) {
            Ok(_) => Ok((name, bytes)),
            Err(error) => Err(ReadError::io(&name, error)),
        }
    }
}

/// What a path is called in messages.
pub(crate) fn source_name(path: &str) -> String {
    if path == "-" { "stdin".into() } else { path.into() }
}

fn peek(reader: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut head = Vec::with_capacity(HEAD);
    reader.take(HEAD as u64).read_to_end(&mut head)?;
    Ok(head)
}

/// Checks that text is UTF-8; says in which line it is not.
pub(crate) fn check_utf8(name: &str, bytes: &[u8]) -> Result<(), ReadError> {
    let Err(error) = std::str::from_utf8(bytes) else { return Ok(()) };
    let at = error.valid_up_to();
    let line = 1 + memchr::memchr_iter(b'\n', &bytes[..at]).count() as u64;
    Err(not_utf8(name, line, bytes[at]))
}

pub(crate) fn not_utf8(name: &str, line: u64, byte: u8) -> ReadError {
    let what = format!("byte {byte:#04x} is not UTF-8 text; save the file as UTF-8");
    ReadError::at(name, line, what)
}
