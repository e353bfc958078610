//! The messages of an Arrow IPC stream, each checked before it is decoded.
//!
//! A message is a length, metadata of that length, and a body whose length is in the metadata. In
//! a compressed body, every buffer begins with the length that it has when decompressed, and the
//! decoder allocates that much. Any of these numbers may be damaged: bytes are read as they arrive,
//! and a buffer that claims to be unusually long is decompressed once without being kept.
//!
//! A file is a stream between magic bytes and a footer, which repeats where the messages are.

use std::collections::HashMap;
use std::io::{self, Read};
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch};
use arrow_buffer::Buffer;
use arrow_ipc::convert::try_fb_to_schema;
use arrow_ipc::reader::{read_dictionary, read_record_batch};
use arrow_ipc::{CompressionType, Message, MessageHeader, RecordBatch as BatchInfo};
use arrow_schema::{ArrowError, SchemaRef};

const MAGIC: &[u8] = b"ARROW1";
const CONTINUATION: [u8; 4] = [0xff; 4];
/// What claims to be longer than it is by more than this is looked at.
pub(super) const USUAL_FACTOR: u64 = 64;

/// The batches of a stream or a file.
pub(super) struct Batches<R> {
    reader: R,
    is_file: bool,
    /// The most bytes that the buffers of a message may expand to.
    most: u64,
    schema: SchemaRef,
    dictionaries: HashMap<i64, ArrayRef>,
}

impl<R: Read> Batches<R> {
    /// Reads the schema.
    pub(super) fn new(mut reader: R, is_file: bool, most: u64) -> Result<Self, ArrowError> {
        let first = match is_file {
            true => skip_magic(&mut reader)?,
            false => read_word(&mut reader)?,
        };
        let (metadata, _) = read_message(&mut reader, first)?.ok_or_else(no_schema)?;
        let schema = parse(&metadata)?.header_as_schema().ok_or_else(no_schema)?;
        if !schema.endianness().equals_to_target_endianness() {
            return Err(wrong("it was written on a machine with another order of bytes"));
        }
        let schema = Arc::new(try_fb_to_schema(schema)?);
        Ok(Batches { reader, is_file, most, schema, dictionaries: HashMap::new() })
    }

    pub(super) fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn next_batch(&mut self) -> Result<Option<RecordBatch>, ArrowError> {
        loop {
            let first = read_word(&mut self.reader)?;
            let Some((metadata, body)) = read_message(&mut self.reader, first)? else {
                return self.check_end().map(|()| None);
            };
            let message = parse(&metadata)?;
            let version = message.version();
            match message.header_type() {
                MessageHeader::RecordBatch => {
                    let batch = message.header_as_record_batch().ok_or_else(no_content)?;
                    check_buffers(&batch, &body, self.most)?;
                    let (schema, known) = (self.schema.clone(), &self.dictionaries);
                    return read_record_batch(&body, batch, schema, known, None, &version)
                        .map(Some);
                }
                MessageHeader::DictionaryBatch => {
                    let batch = message.header_as_dictionary_batch().ok_or_else(no_content)?;
                    check_buffers(&batch.data().ok_or_else(no_content)?, &body, self.most)?;
                    let known = &mut self.dictionaries;
                    read_dictionary(&body, batch, &self.schema, known, &version)?;
                }
                MessageHeader::NONE => {}
                other => return Err(wrong(format!("a message of type {other:?}"))),
            }
        }
    }

    /// Checks that a file is complete: it ends as it began.
    fn check_end(&mut self) -> Result<(), ArrowError> {
        if !self.is_file {
            return Ok(());
        }
        let mut end = Vec::new();
        let mut block = Vec::new();
        while (&mut self.reader).take(1 << 16).read_to_end(&mut block)? > 0 {
            end.append(&mut block);
            end.drain(..end.len().saturating_sub(MAGIC.len()));
        }
        if end == MAGIC { Ok(()) } else { Err(wrong("its end is missing")) }
    }
}

impl<R: Read> Iterator for Batches<R> {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_batch().transpose()
    }
}

fn wrong(what: impl Into<String>) -> ArrowError {
    ArrowError::IpcError(what.into())
}

fn no_schema() -> ArrowError {
    wrong("there is no schema")
}

fn no_content() -> ArrowError {
    wrong("a message has no content")
}

fn parse(metadata: &[u8]) -> Result<Message<'_>, ArrowError> {
    arrow_ipc::root_as_message(metadata).map_err(|error| wrong(error.to_string()))
}

/// Skips the magic bytes and the zeros that fill them up to a multiple of 8 bytes; returns the
/// first word of the stream.
fn skip_magic(reader: &mut impl Read) -> Result<Option<[u8; 4]>, ArrowError> {
    const MAX_PADDING: usize = 64;
    read_exactly(reader, 8)?;
    for _ in 0..MAX_PADDING / 4 {
        match read_word(reader)? {
            Some([0, 0, 0, 0]) => {}
            word => return Ok(word),
        }
    }
    Ok(None)
}

/// Reads four bytes, or `None` at the end.
fn read_word(reader: &mut impl Read) -> Result<Option<[u8; 4]>, ArrowError> {
    let mut word = Vec::with_capacity(4);
    reader.take(4).read_to_end(&mut word)?;
    match <[u8; 4]>::try_from(word) {
        Ok(word) => Ok(Some(word)),
        Err(word) if word.is_empty() => Ok(None),
        Err(_) => Err(truncated()),
    }
}

/// Reads the metadata and the body of a message that begins with this word, or `None` where the
/// stream ends.
fn read_message(
    reader: &mut impl Read,
    first: Option<[u8; 4]>,
) -> Result<Option<(Vec<u8>, Buffer)>, ArrowError> {
    let Some(mut length) = first else { return Ok(None) };
    // Before 2019 the length came first.
    if length == CONTINUATION {
        length = read_word(reader)?.ok_or_else(truncated)?;
    }
    let length = match i32::from_le_bytes(length) {
        0 => return Ok(None),
        length => u64::try_from(length).map_err(|_| wrong(format!("a length of {length}")))?,
    };
    let metadata = read_exactly(reader, length)?;
    let length = parse(&metadata)?.bodyLength();
    let length = u64::try_from(length).map_err(|_| wrong(format!("a length of {length}")))?;
    let body = read_exactly(reader, length)?;
    Ok(Some((metadata, Buffer::from_vec(body))))
}

/// Reads this many bytes. Memory grows as they arrive.
fn read_exactly(reader: &mut impl Read, length: u64) -> Result<Vec<u8>, ArrowError> {
    const MAX_RESERVED: u64 = 1 << 20;
    let mut bytes = Vec::with_capacity(length.min(MAX_RESERVED) as usize);
    reader.take(length).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == length { Ok(bytes) } else { Err(truncated()) }
}

fn truncated() -> ArrowError {
    wrong("the data ends within a message")
}

/// Refuses buffers outside the body, compressed ones of another length than they claim, and more than `most` bytes.
fn check_buffers(batch: &BatchInfo<'_>, body: &[u8], most: u64) -> Result<(), ArrowError> {
    let mut left = most;
    let codec = batch.compression().map(|compression| compression.codec());
    for buffer in batch.buffers().into_iter().flatten() {
        let range = || {
            let start = usize::try_from(buffer.offset()).ok()?;
            let length = usize::try_from(buffer.length()).ok()?;
            body.get(start..start.checked_add(length)?)
        };
        let bytes = range().ok_or_else(|| wrong("a buffer outside its message"))?;
        if let Some(codec) = codec {
            left = left.checked_sub(claim(bytes)).ok_or_else(|| expands(most))?;
            check_length(codec, bytes)?;
        }
    }
    Ok(())
}

/// The length that a compressed buffer claims to have.
fn claim(buffer: &[u8]) -> u64 {
    let claimed = buffer.first_chunk().map(|claimed| i64::from_le_bytes(*claimed));
    claimed.and_then(|claimed| claimed.try_into().ok()).unwrap_or(0)
}

fn expands(most: u64) -> ArrowError {
    wrong(format!("a message expands to more than {most} bytes"))
}

/// Refuses a compressed buffer that is shorter than it claims. Only an unusual claim is worth
/// decompressing twice; the decoder compares the others itself.
fn check_length(codec: CompressionType, buffer: &[u8]) -> Result<(), ArrowError> {
    let Some((claimed, compressed)) = buffer.split_first_chunk() else { return Ok(()) };
    // -1 is a buffer that is not compressed.
    let Ok(claimed) = u64::try_from(i64::from_le_bytes(*claimed)) else { return Ok(()) };
    if claimed / USUAL_FACTOR <= compressed.len() as u64 {
        return Ok(());
    }
    let decoder: Box<dyn Read> = match codec {
        CompressionType::LZ4_FRAME => Box::new(lz4_flex::frame::FrameDecoder::new(compressed)),
        CompressionType::ZSTD => Box::new(zstd::stream::read::Decoder::with_buffer(compressed)?),
        other => return Err(wrong(format!("compression of type {other:?}"))),
    };
    let length = decompressed_length(decoder, claimed)?;
    if length == claimed {
        return Ok(());
    }
    Err(wrong(format!("a buffer of {length} bytes claims to have {claimed}")))
}

/// The number of bytes when decompressed, which are not kept; one more than claimed if there are more.
pub(super) fn decompressed_length(decoder: impl Read, claimed: u64) -> io::Result<u64> {
    io::copy(&mut decoder.take(claimed.saturating_add(1)), &mut io::sink())
}
