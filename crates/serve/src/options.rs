//! What is served, where, and how much of it.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::Duration;

/// What is served, where, and how much of it at a time.
#[derive(Debug, Clone)]
pub struct ServeOptions {
    /// The models; requests that name none are answered by the first.
    pub models: Vec<NamedModel>,
    /// The address; port 0 is any that is free.
    pub address: SocketAddr,
    /// What `Authorization: Bearer` must say; needed for any address but loopback.
    pub token: Option<String>,
    /// How much is taken on.
    pub limits: ServeLimits,
    /// A folder for what was sent, under names of ours. Without it nothing is stored.
    pub keep: Option<PathBuf>,
}

/// A model file and the name by which requests ask for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedModel {
    /// The name.
    pub name: String,
    /// The file.
    pub path: String,
}

/// How much is taken on. Whatever is beyond is refused with an answer that says so.
#[derive(Debug, Clone, PartialEq)]
pub struct ServeLimits {
    /// The most bytes of a body, compressed or not.
    pub body: usize,
    /// The most rows of a request.
    pub rows: usize,
    /// The most columns of a request.
    pub columns: usize,
    /// The most time for the header, for the body, and for the work.
    pub timeout: Duration,
    /// The most requests that are worked on at the same time; others wait for them.
    pub concurrent: usize,
    /// The most requests that wait.
    pub waiting: usize,
    /// The most connections; others wait until one is closed.
    pub connections: usize,
}

impl Default for ServeLimits {
    fn default() -> Self {
        // Asked once: it reads several files, and the program's help has a default per limit.
        static CORES: LazyLock<usize> =
            LazyLock::new(|| std::thread::available_parallelism().map_or(1, usize::from));
        ServeLimits {
            body: 32 << 20,
            rows: 1_000_000,
            columns: 10_000,
            timeout: Duration::from_secs(30),
            concurrent: *CORES,
            waiting: 256,
            connections: 10_000,
        }
    }
}

impl ServeLimits {
    /// Compressed columns may expand to this many times the largest body.
    const EXPANSION: u64 = 4;

    /// The limits of a reader.
    pub(crate) fn of_reading(&self) -> stakes::io::Limits {
        let bytes = (self.body as u64).saturating_mul(Self::EXPANSION);
        stakes::io::Limits { rows: self.rows, columns: self.columns, bytes }
    }
}

impl NamedModel {
    /// `NAME=FILE`, or a file, whose name without `.json` is the name.
    pub fn parse(text: &str) -> Result<Self, ServeError> {
        let is_word = |name: &str| {
            let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
            !name.is_empty() && name.len() <= 64 && name.chars().all(is_plain)
        };
        if let Some((name, path)) = text.split_once('=').filter(|(name, _)| is_word(name)) {
            return Ok(NamedModel { name: name.to_owned(), path: path.to_owned() });
        }
        let file = text.rsplit(['/', '\\']).next().unwrap_or(text);
        let ends = [".json", ".json.zst", ".json.gz"];
        let stem = ends.iter().find_map(|end| file.strip_suffix(end)).unwrap_or(file);
        match is_word(stem) {
            true => Ok(NamedModel { name: stem.to_owned(), path: text.to_owned() }),
            false => Err(ServeError(format!(
                "{text}: the name of the file is no name for requests, which has letters, digits, `.`, `_` and `-` (at \
                 most 64); give one: NAME={text}"
            ))),
        }
    }
}

impl ServeOptions {
    /// Refuses what would be unsafe or ambiguous.
    pub fn check(&self) -> Result<(), ServeError> {
        let refuse = |what: String| Err(ServeError(what));
        let Some(first) = self.models.first() else {
            return refuse("no model is given; name at least one".into());
        };
        if self.models.len() > 1 && self.models.iter().any(|model| model.path == "-")
            || first.path == "-"
        {
            return refuse(
                "a model is read from a file, to see when it changes; stdin is none".into(),
            );
        }
        for (i, model) in self.models.iter().enumerate() {
            if let Some(other) = self.models[..i].iter().find(|other| other.name == model.name) {
                return refuse(format!(
                    "{} and {} are both called `{}`; give one another name: NAME={}",
                    other.path, model.path, model.name, model.path
                ));
            }
        }
        if self.token.is_none() && !self.address.ip().is_loopback() {
            return refuse(format!(
                "{} is not loopback, so others could ask for rankings; a token is needed there",
                self.address
            ));
        }
        match &self.token {
            Some(token)
                if token.len() < MIN_TOKEN || !token.bytes().all(|b| b.is_ascii_graphic()) =>
            {
                refuse(format!(
                    "a token has at least {MIN_TOKEN} letters, digits and signs, and no blanks"
                ))
            }
            _ => Ok(()),
        }
    }
}

/// Shorter tokens can be guessed.
const MIN_TOKEN: usize = 16;

/// Why the service did not start or ended.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct ServeError(pub(crate) String);
