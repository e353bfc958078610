//! Opening a file or stdin: gzip and Zstandard, recognised by the first bytes and not by the
//! name, are decompressed, and the beginning is kept for recognising the format.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::read::MultiGzDecoder;
use zstd::stream::read::Decoder as ZstdDecoder;

use crate::ReadError;

const HEAD: usize = 4096;
/// The byte order mark.
pub(crate) const MARK: &[u8] = "\u{feff}".as_bytes();
const GZIP: [u8; 2] = [0x1f, 0x8b];
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// A larger file is not a model but a mistake, or a small file made to decompress into a huge
/// one.
const MAX_BYTES: u64 = 4 << 30;
/// Compressed files may expand to this many bytes, and beyond that by this factor: data compress
/// by less, and more is a small file made to fill the memory.
const FREE_BYTES: u64 = 1 << 30;
const MAX_FACTOR: u64 = 500;

/// An opened source.
pub(crate) struct Input {
    /// The path, or `stdin`.
    pub(crate) name: String,
    /// The first bytes, decompressed.
    pub(crate) head: Vec<u8>,
    compressed: bool,
    /// The length of the byte order mark before the content.
    pub(crate) mark: u64,
    body: Box<dyn Read + Send>,
}

impl Input {
    /// Opens `path`; `-` is stdin.
    pub(crate) fn open(path: &str) -> Result<Input, ReadError> {
        crate::database::refuse(path)?;
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

    /// Bytes in memory; messages call them `memory`.
    pub(crate) fn in_memory(bytes: &[u8]) -> Result<Input, ReadError> {
        let body = Box::new(Cursor::new(bytes.to_vec()));
        Input::new("memory".into(), body).map_err(|e| ReadError::io("memory", e))
    }

    /// Bytes in memory that are taken as they are, compressed or not; messages call them `name`.
    #[cfg(feature = "arrow")]
    pub(crate) fn as_is(name: &str, bytes: bytes::Bytes) -> Input {
        let mut head = bytes.slice(..bytes.len().min(HEAD)).to_vec();
        let body = Box::new(Cursor::new(bytes.slice(head.len()..)));
        let mark = drop_mark(&mut head);
        Input { name: name.to_owned(), head, compressed: false, mark, body }
    }

    /// Wraps any reader.
    pub(crate) fn new(name: String, mut raw: Box<dyn Read + Send>) -> io::Result<Input> {
        let mut head = peek(&mut raw)?;
        let (gzip, zstd) = (head.starts_with(&GZIP), head.starts_with(&ZSTD));
        if !gzip && !zstd {
            let mark = drop_mark(&mut head);
            return Ok(Input { name, head, compressed: false, mark, body: raw });
        }
        let read = Arc::new(AtomicU64::new(0));
        let counted = Counted { inner: Cursor::new(head).chain(raw), count: read.clone() };
        let compressed = BufReader::with_capacity(1 << 16, counted);
        let body: Box<dyn Read + Send> = if gzip {
            Box::new(MultiGzDecoder::new(compressed))
        } else {
            Box::new(Zstd(ZstdDecoder::with_buffer(compressed)?))
        };
        let mut body = Expanding { inner: body, read, expanded: 0, free: FREE_BYTES };
        let mut head = peek(&mut body)?;
        let mark = drop_mark(&mut head);
        Ok(Input { name, head, compressed: true, mark, body: Box::new(body) })
    }

    /// Whether the path can be opened again and read at any position.
    pub(crate) fn is_plain_file(&self, path: &str) -> bool {
        !self.compressed && path != "-" && std::fs::metadata(path).is_ok_and(|m| m.is_file())
    }

    /// The whole content from the start, as a stream.
    pub(crate) fn into_reader(self) -> impl Read + Send {
        Cursor::new(self.head).chain(self.body)
    }

    /// The whole content in memory, or an error if it is longer than `max` bytes.
    fn into_bytes_up_to(self, max: u64) -> Result<Vec<u8>, ReadError> {
        let name = self.name.clone();
        let mut bytes = Vec::new();
        let read = self.into_reader().take(max.saturating_add(1)).read_to_end(&mut bytes);
        read.map_err(|error| ReadError::io(&name, error))?;
        if bytes.len() as u64 > max {
            let what = format!(
                "the content is longer than {max} bytes, the maximum for this kind of file; check \
                 that it is the right file"
            );
            return Err(ReadError::at(&name, 0, what));
        }
        Ok(bytes)
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

/// Reads a whole file into memory, or stdin for `-`; gzip and Zstandard are decompressed.
///
/// For files that are not data, such as models and checkpoints; at most 4 GiB.
pub fn read_bytes(path: &str) -> Result<Vec<u8>, ReadError> {
    Input::open(path)?.into_bytes_up_to(MAX_BYTES)
}

/// Returns bytes as they are, or decompressed if they are gzip or Zstandard: [`read_bytes`] of what is in
/// memory already.
pub fn decompress_bytes(bytes: &[u8]) -> Result<Vec<u8>, ReadError> {
    Input::in_memory(bytes)?.into_bytes_up_to(MAX_BYTES)
}

/// Reports damaged content as invalid data; the decoder reports it as `Other`.
struct Zstd<R: BufRead>(ZstdDecoder<'static, R>);

impl<R: BufRead> Read for Zstd<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer).map_err(|error| match error.kind() {
            io::ErrorKind::Other => io::Error::new(io::ErrorKind::InvalidData, error),
            _ => error,
        })
    }
}

/// Counts the bytes that are read.
struct Counted<R> {
    inner: R,
    count: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buffer)?;
        self.count.fetch_add(n as u64, Ordering::Relaxed);
        Ok(n)
    }
}

/// Decompressed bytes; refused when there are far too many for the compressed ones.
struct Expanding<R> {
    inner: R,
    read: Arc<AtomicU64>,
    expanded: u64,
    free: u64,
}

impl<R: Read> Read for Expanding<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buffer)?;
        self.expanded += n as u64;
        let read = self.read.load(Ordering::Relaxed);
        if self.expanded > self.free && self.expanded / MAX_FACTOR > read {
            let what = format!(
                "the file expands more than {MAX_FACTOR}-fold, which data do not; if it is right, \
                 decompress it first"
            );
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, what));
        }
        Ok(n)
    }
}

/// The name of a path in messages.
pub(crate) fn source_name(path: &str) -> String {
    if path == "-" { "stdin".into() } else { path.into() }
}

fn peek(reader: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut head = Vec::with_capacity(HEAD);
    reader.take(HEAD as u64).read_to_end(&mut head)?;
    Ok(head)
}

/// Removes the byte order mark that some programs put before text; returns its length.
fn drop_mark(head: &mut Vec<u8>) -> u64 {
    let length = if head.starts_with(MARK) { MARK.len() } else { 0 };
    head.drain(..length);
    length as u64
}

/// Checks that text is UTF-8; the error names the first line that is not.
pub(crate) fn check_utf8(name: &str, bytes: &[u8]) -> Result<(), ReadError> {
    check_utf8_after(name, 0, bytes)
}

/// The same for text after this many lines.
pub(crate) fn check_utf8_after(name: &str, lines: u64, bytes: &[u8]) -> Result<(), ReadError> {
    let Err(error) = std::str::from_utf8(bytes) else { return Ok(()) };
    let at = error.valid_up_to();
    let line = 1 + memchr::memchr_iter(b'\n', &bytes[..at]).count() as u64;
    Err(not_utf8(name, lines + line, bytes[at]))
}

pub(crate) fn not_utf8(name: &str, line: u64, byte: u8) -> ReadError {
    let what = format!("byte {byte:#04x} is not UTF-8 text; save the file as UTF-8");
    ReadError::at(name, line, what)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn input(bytes: Vec<u8>) -> Input {
        Input::new("m".into(), Box::new(Cursor::new(bytes))).unwrap()
    }

    #[test]
    fn a_small_file_that_decompresses_into_a_huge_one_is_refused() {
        let zeros = vec![0; 1 << 20];
        let compressed = zstd::bulk::compress(&zeros, 3).unwrap();
        assert!(compressed.len() < 1000);
        let error = input(compressed.clone()).into_bytes_up_to((1 << 20) - 1).unwrap_err();
        assert!(error.to_string().contains("longer than 1048575 bytes"), "{error}");
        assert_eq!(input(compressed).into_bytes_up_to(1 << 20).unwrap(), zeros);
    }

    #[test]
    fn what_expands_without_end_is_refused() {
        let expand = |bytes: &[u8], free: u64| {
            let compressed = zstd::bulk::compress(bytes, 3).unwrap();
            let read = Arc::new(AtomicU64::new(0));
            let counted = Counted { inner: &compressed[..], count: read.clone() };
            let inner = ZstdDecoder::new(counted).unwrap();
            io::copy(&mut Expanding { inner, read, expanded: 0, free }, &mut io::sink())
        };
        let blanks = vec![b' '; 1 << 20];
        let error = expand(&blanks, 1 << 16).unwrap_err();
        assert!(error.to_string().contains("expands more than 500-fold"), "{error}");
        assert_eq!(expand(&blanks, 1 << 20).unwrap(), 1 << 20);
        let data: Vec<u8> = (0..60_000_u32).flat_map(|i| (i * i).to_le_bytes()).collect();
        assert_eq!(expand(&data, 0).unwrap(), data.len() as u64);
    }

    #[test]
    fn damaged_and_truncated_zstandard_are_distinguished() {
        let text: Vec<u8> = (0..60_000_u32).flat_map(|i| (i * i).to_le_bytes()).collect();
        let compressed = zstd::bulk::compress(&text, 3).unwrap();
        let refuse = |bytes: Vec<u8>| {
            let opened = Input::new("m".into(), Box::new(Cursor::new(bytes)));
            let read = opened.map_err(|e| ReadError::io("m", e));
            read.and_then(|i| i.into_bytes_up_to(MAX_BYTES)).unwrap_err().to_string()
        };
        let cut = refuse(compressed[..compressed.len() - 9].to_vec());
        assert!(cut.contains("truncated"), "{cut}");
        let mut broken = compressed;
        let middle = broken.len() / 2;
        broken[middle..].fill(0xff);
        let broken = refuse(broken);
        assert!(broken.contains("damaged"), "{broken}");
    }
}
