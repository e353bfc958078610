//! Opening: a file or stdin, unpacked when it is gzip or Zstandard (told by its first bytes,
//! not by its name), with a look at the beginning for telling the format.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};

use flate2::read::MultiGzDecoder;
use zstd::stream::read::Decoder as ZstdDecoder;

use crate::ReadError;

const HEAD: usize = 4096;
const GZIP: [u8; 2] = [0x1f, 0x8b];
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// More than this in one piece is no model but a mistake, or a small file made to unpack
/// into a huge one.
const MOST_BYTES: u64 = 4 << 30;

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
        let (gzip, zstd) = (head.starts_with(&GZIP), head.starts_with(&ZSTD));
        if !gzip && !zstd {
            return Ok(Input { name, head, packed: false, body: raw });
        }
        let packed = BufReader::with_capacity(1 << 16, Cursor::new(head).chain(raw));
        let mut body: Box<dyn Read + Send> = if gzip {
            Box::new(MultiGzDecoder::new(packed))
        } else {
            Box::new(Zstd(ZstdDecoder::with_buffer(packed)?))
        };
        let head = peek(&mut body)?;
        Ok(Input { name, head, packed: true, body })
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

    /// The whole content in memory, if it is not longer than `most`.
    fn into_bytes_up_to(self, most: u64) -> Result<Vec<u8>, ReadError> {
        let name = self.name.clone();
        let mut bytes = Vec::new();
        let read = self.into_reader().take(most.saturating_add(1)).read_to_end(&mut bytes);
        read.map_err(|error| ReadError::io(&name, error))?;
        if bytes.len() as u64 > most {
            let what = format!(
                "the content is longer than {most} bytes, more than is read in one piece; check \
                 that this is the right file"
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

/// Reads a whole file into memory, or stdin for `-`; gzip and Zstandard are unpacked.
///
/// For what is not data: models, checkpoints. At most 4 GiB are taken.
pub fn read_bytes(path: &str) -> Result<Vec<u8>, ReadError> {
    Input::open(path)?.into_bytes_up_to(MOST_BYTES)
}

/// Says of damaged content that it is damaged; the decoder calls it "other".
struct Zstd<R: BufRead>(ZstdDecoder<'static, R>);

impl<R: BufRead> Read for Zstd<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer).map_err(|error| match error.kind() {
            io::ErrorKind::Other => io::Error::new(io::ErrorKind::InvalidData, error),
            _ => error,
        })
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn input(bytes: Vec<u8>) -> Input {
        Input::new("m".into(), Box::new(Cursor::new(bytes))).unwrap()
    }

    #[test]
    fn a_small_file_that_unpacks_into_a_huge_one_is_refused() {
        let zeros = vec![0; 1 << 20];
        let packed = zstd::bulk::compress(&zeros, 3).unwrap();
        assert!(packed.len() < 1000);
        let error = input(packed.clone()).into_bytes_up_to((1 << 20) - 1).unwrap_err();
        assert!(error.to_string().contains("longer than 1048575 bytes"), "{error}");
        assert_eq!(input(packed).into_bytes_up_to(1 << 20).unwrap(), zeros);
    }

    #[test]
    fn damaged_zstandard_is_called_damaged_and_cut_off_is_called_truncated() {
        let text: Vec<u8> = (0..60_000_u32).flat_map(|i| (i * i).to_le_bytes()).collect();
        let packed = zstd::bulk::compress(&text, 3).unwrap();
        let refuse = |bytes: Vec<u8>| {
            let opened = Input::new("m".into(), Box::new(Cursor::new(bytes)));
            let read = opened.map_err(|e| ReadError::io("m", e));
            read.and_then(|i| i.into_bytes_up_to(MOST_BYTES)).unwrap_err().to_string()
        };
        let cut = refuse(packed[..packed.len() - 9].to_vec());
        assert!(cut.contains("truncated"), "{cut}");
        let mut broken = packed;
        let middle = broken.len() / 2;
        broken[middle..].fill(0xff);
        let broken = refuse(broken);
        assert!(broken.contains("damaged"), "{broken}");
    }
}
