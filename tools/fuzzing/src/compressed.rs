//! What is compressed by gzip or Zstandard: models, and whatever else is read as a whole.

use stakes_io::decompress_bytes;

use crate::accepted;

/// A model file of any compression.
pub fn compressed(data: &[u8]) {
    if let Some(bytes) = accepted(decompress_bytes(data)) {
        crate::model(&bytes);
    }
}
