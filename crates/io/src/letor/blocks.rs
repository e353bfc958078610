//! Reading text in blocks of whole lines.

use std::io::{self, Read};

use super::quick::PADDING;

/// The size of a block: small enough that a few per thread need little memory beside the
/// matrix, large enough that the cost per block does not matter.
const BLOCK: usize = 1 << 17;
/// The maximum length of a line; a longer one is not data.
const MAX_LINE: usize = 1 << 28;

/// Cuts a stream into blocks that end with the end of a line (except the last block).
pub(super) struct Blocks<R> {
    reader: R,
    /// The bytes read beyond the last whole line.
    rest: Vec<u8>,
    size: usize,
}

impl<R: Read> Blocks<R> {
    pub(super) fn new(reader: R) -> Self {
        Blocks { reader, rest: Vec::new(), size: BLOCK }
    }

    /// Fills `block`, or leaves it empty at the end of the stream.
    pub(super) fn next(&mut self, block: &mut Vec<u8>) -> io::Result<()> {
        block.clear();
        std::mem::swap(block, &mut self.rest);
        loop {
            let old = block.len();
            let wanted = if old < self.size { self.size - old } else { self.size };
            // Room for parsing, too, which would copy the block otherwise.
            block.reserve(wanted + PADDING);
            let read = self.reader.by_ref().take(wanted as u64).read_to_end(block)?;
            if block.len() < self.size || read == 0 {
                return Ok(());
            }
            if let Some(end) = memchr::memrchr(b'\n', &block[old..]) {
                self.rest.extend_from_slice(&block[old + end + 1..]);
                block.truncate(old + end + 1);
                return Ok(());
            }
            if block.len() > MAX_LINE {
                let what = "a line is longer than 256 MiB; is this a text file?";
                return Err(io::Error::other(what));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn blocks_are_whole_lines_and_lose_nothing(text in "[a\\n]{0,60}", size in 1usize..9) {
            let mut blocks = Blocks { size, ..Blocks::new(text.as_bytes()) };
            let (mut block, mut all) = (Vec::new(), Vec::new());
            loop {
                blocks.next(&mut block).unwrap();
                if block.is_empty() {
                    break;
                }
                all.extend_from_slice(&block);
                prop_assert!(block.ends_with(b"\n") || all.len() == text.len());
            }
            prop_assert_eq!(all, text.as_bytes());
        }
    }
}
