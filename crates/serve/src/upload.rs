//! The body of a request: its format, and its bytes within limits of size, time and memory.
//!
//! The memory for all bodies together is limited as well: a body takes from it as it arrives, and is refused when
//! nothing is left. Of compressions only gzip is taken, and no more of what it expands to than a body may have.

use std::io::Read;
use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use flate2::bufread::MultiGzDecoder;
use http_body_util::BodyExt;
use hyper::body::Incoming;
use hyper::header::{self, HeaderMap};
use hyper::{Request, StatusCode};
use stakes::io::{Content, Format};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::options::ServeLimits;
use crate::reply::Refusal;

/// How rows are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rows {
    Json,
    File(Format),
}

/// Content types and what they stand for; the first of a kind is the usual one.
pub(crate) const TYPES: [(&str, Rows); 9] = [
    ("text/csv", Rows::File(Format::Csv)),
    ("application/json", Rows::Json),
    ("application/vnd.apache.arrow.stream", Rows::File(Format::Arrow)),
    ("application/vnd.apache.arrow.file", Rows::File(Format::Arrow)),
    ("application/vnd.apache.parquet", Rows::File(Format::Parquet)),
    ("application/x-parquet", Rows::File(Format::Parquet)),
    ("text/tab-separated-values", Rows::File(Format::Tsv)),
    ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", Rows::File(Format::Xlsx)),
    ("application/vnd.ms-excel.sheet.macroenabled.12", Rows::File(Format::Xlsx)),
];

impl Rows {
    /// The format that a request says its body has.
    pub(crate) fn of(headers: &HeaderMap) -> Result<Self, Refusal> {
        let said = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let kind = said.and_then(|said| said.split(';').next()).unwrap_or_default().trim();
        let found = TYPES.iter().find(|(name, _)| name.eq_ignore_ascii_case(kind));
        found.map(|(_, rows)| *rows).ok_or_else(|| {
            let known = TYPES.map(|(name, _)| name).join(", ");
            let shown: String = kind.chars().take(100).collect();
            let met = if kind.is_empty() {
                "there is no content-type".into()
            } else {
                format!("the content-type is `{shown}`")
            };
            Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, format!("{met}; allowed are {known}"))
        })
    }

    /// The extension of a file with such rows.
    pub(crate) fn extension(self) -> &'static str {
        match self {
            Rows::Json => "json",
            Rows::File(format) => format.extensions().first().copied().unwrap_or("data"),
        }
    }

    /// The body as content; `name` stands for it in messages.
    pub(crate) fn content(
        self,
        name: &str,
        bytes: Bytes,
        limits: &ServeLimits,
    ) -> Result<Content, stakes::Error> {
        Ok(match self {
            Rows::Json => Content::json(name, &bytes, Some(limits.of_reading()))?,
            Rows::File(format) => Content::new(name, bytes, format),
        })
    }
}

/// Memory for bodies.
#[derive(Debug, Clone)]
pub(crate) struct Memory {
    /// In units of [`UNIT`] bytes.
    units: Arc<Semaphore>,
}

const UNIT: usize = 1024;

impl Memory {
    /// Room for as many of the largest bodies as are worked on, and two more on their way.
    pub(crate) fn new(limits: &ServeLimits) -> Self {
        let bytes = limits.body.saturating_mul(limits.concurrent.saturating_add(2));
        let units = (bytes / UNIT).clamp(1024, u32::MAX as usize / 2);
        Memory { units: Arc::new(Semaphore::new(units)) }
    }

    fn take(&self, held: &mut Option<OwnedSemaphorePermit>, bytes: usize) -> Result<(), Refusal> {
        let needed = bytes.div_ceil(UNIT);
        let missing =
            needed.saturating_sub(held.as_ref().map_or(0, OwnedSemaphorePermit::num_permits));
        if missing == 0 {
            return Ok(());
        }
        let taken =
            self.units.clone().try_acquire_many_owned(u32::try_from(missing).unwrap_or(u32::MAX));
        let taken = taken
            .map_err(|_| Refusal::busy("too much is being uploaded at the moment; try again"))?;
        match held {
            Some(held) => held.merge(taken),
            None => *held = Some(taken),
        }
        Ok(())
    }
}

/// A body, which holds its memory.
pub(crate) struct Upload {
    pub(crate) rows: Rows,
    pub(crate) bytes: Bytes,
    _memory: Option<OwnedSemaphorePermit>,
}

impl Upload {
    pub(crate) fn new(rows: Rows, bytes: Bytes, memory: Option<OwnedSemaphorePermit>) -> Self {
        Upload { rows, bytes, _memory: memory }
    }
}

/// Reads the body of a request.
pub(crate) async fn receive(
    request: Request<Incoming>,
    limits: &ServeLimits,
    memory: &Memory,
) -> Result<Upload, Refusal> {
    let rows = Rows::of(request.headers())?;
    let is_gzip = is_gzip(request.headers())?;
    let too_large = || too_large(limits.body);
    let length = request.headers().get(header::CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if length.is_some_and(|length| length > limits.body as u64) {
        return Err(too_large());
    }
    let mut held = None;
    let reading = async {
        let mut body = request.into_body();
        let mut bytes = BytesMut::new();
        while let Some(frame) = body.frame().await {
            let frame = frame
                .map_err(|error| Refusal::bad(format!("the body ended too early ({error})")))?;
            let Ok(data) = frame.into_data() else { continue };
            if bytes.len() + data.len() > limits.body {
                return Err(too_large());
            }
            memory.take(&mut held, bytes.len() + data.len())?;
            bytes.extend_from_slice(&data);
        }
        Ok(bytes.freeze())
    };
    let slow = |_| {
        let what = format!(
            "the body did not arrive within {} seconds; send less at a time",
            limits.timeout.as_secs_f64()
        );
        Refusal::new(StatusCode::REQUEST_TIMEOUT, what).with(header::CONNECTION, "close")
    };
    let mut bytes = tokio::time::timeout(limits.timeout, reading).await.map_err(slow)??;
    if is_gzip {
        memory.take(&mut held, bytes.len().saturating_add(limits.body))?;
        let expand = move |most| expanded(&bytes, most);
        let most = limits.body;
        let done = tokio::task::spawn_blocking(move || expand(most)).await;
        bytes = done.map_err(|error| Refusal::broken(error.to_string()))??;
    }
    if bytes.is_empty() {
        return Err(Refusal::bad("the body is empty; send the rows to rank"));
    }
    Ok(Upload::new(rows, bytes, held))
}

fn too_large(most: usize) -> Refusal {
    let what = format!(
        "the body is longer than {most} bytes, the most that is allowed; send less at a time"
    );
    Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, what).with(header::CONNECTION, "close")
}

fn is_gzip(headers: &HeaderMap) -> Result<bool, Refusal> {
    let Some(encoding) = headers.get(header::CONTENT_ENCODING) else { return Ok(false) };
    match encoding.to_str().unwrap_or_default().trim().to_ascii_lowercase().as_str() {
        "gzip" => Ok(true),
        "identity" => Ok(false),
        _ => {
            let what = "the content-encoding is not supported; allowed are gzip and identity";
            Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, what))
        }
    }
}

/// Expands gzip, but not beyond `most` bytes.
fn expanded(bytes: &[u8], most: usize) -> Result<Bytes, Refusal> {
    let mut out = Vec::new();
    let read = MultiGzDecoder::new(bytes).take(most as u64 + 1).read_to_end(&mut out);
    read.map_err(|error| Refusal::bad(format!("the body is not gzip ({error})")))?;
    if out.len() > most { Err(too_large(most)) } else { Ok(out.into()) }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::io::Write;

    use super::*;

    #[test]
    fn a_small_body_that_expands_into_a_huge_one_is_refused() {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(&vec![0; 10 << 20]).unwrap();
        let bomb = encoder.finish().unwrap();
        assert!(bomb.len() < 20_000);
        assert_eq!(expanded(&bomb, 1 << 20), Err(too_large(1 << 20)));
        assert_eq!(expanded(&bomb, 10 << 20).unwrap().len(), 10 << 20);
        assert!(expanded(&bomb[..bomb.len() / 2], 10 << 20).is_err());
    }

    #[test]
    fn bodies_share_their_memory() {
        let limits = ServeLimits { body: 1 << 20, concurrent: 1, ..ServeLimits::default() };
        let memory = Memory::new(&limits);
        let mut held: Vec<Option<OwnedSemaphorePermit>> = (0..4).map(|_| None).collect();
        for held in &mut held[..3] {
            memory.take(held, 1).unwrap();
            memory.take(held, 1 << 20).unwrap();
        }
        assert!(memory.take(&mut held[3], 1).is_err());
        held[0] = None;
        memory.take(&mut held[3], 1 << 20).unwrap();
    }
}
