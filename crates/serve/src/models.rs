//! The models that are served, and loading them again when their files change.
//!
//! A model is replaced as a whole, once it has been read and checked: requests that have begun keep the one they began
//! with, and a file that is damaged or half written changes nothing. Files are looked at every second; notifications of
//! file systems differ by system and are lost on network drives.

use std::hash::{DefaultHasher, Hasher};
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::SystemTime;

use hyper::StatusCode;
use stakes::data::known_rows_for;
use stakes::io::KnownRows;
use stakes::model::Model;
use stakes::scoring::PreparedModel;
use stakes::suggest;

use crate::metrics::Metrics;
use crate::options::NamedModel;
use crate::reply::Refusal;
use crate::rows::BODY;
use crate::{Log, ServeError};

/// A model in memory.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) name: String,
    pub(crate) prepared: PreparedModel,
    /// For rows as JSON with the columns of the model and no others.
    pub(crate) known_rows: Option<KnownRows>,
    /// Of the content of the file.
    pub(crate) fingerprint: u64,
    pub(crate) when: SystemTime,
}

impl Loaded {
    pub(crate) fn new(name: &str, model: Model, fingerprint: u64) -> Self {
        Loaded {
            name: name.to_owned(),
            known_rows: known_rows_for(&model, BODY),
            prepared: PreparedModel::new(model),
            fingerprint,
            when: SystemTime::now(),
        }
    }

    pub(crate) fn model(&self) -> &Model {
        self.prepared.model()
    }
}

/// What is seen of a file without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    modified: Option<SystemTime>,
    bytes: u64,
}

struct Slot {
    named: NamedModel,
    loaded: RwLock<Option<Arc<Loaded>>>,
    /// Of the file that was last looked at, good or bad.
    stamp: RwLock<Option<Stamp>>,
}

/// All models, by name.
pub(crate) struct Models {
    slots: Vec<Slot>,
    metrics: Arc<Metrics>,
    log: Log,
}

impl Models {
    /// None of them is loaded yet.
    pub(crate) fn new(models: &[NamedModel], metrics: Arc<Metrics>, log: Log) -> Self {
        let slot = |named: &NamedModel| Slot {
            named: named.clone(),
            loaded: RwLock::new(None),
            stamp: RwLock::new(None),
        };
        Models { slots: models.iter().map(slot).collect(), metrics, log }
    }

    /// Loads all models for the first time.
    pub(crate) fn load(&self) -> Result<(), ServeError> {
        for slot in &self.slots {
            let stamp = Stamp::of(&slot.named.path);
            let loaded = slot.read(None).map_err(ServeError)?.expect("nothing is loaded yet");
            (self.log)(&format!("model {} loaded from {}", loaded.name, slot.named.path));
            set(&slot.loaded, Some(Arc::new(loaded)));
            set(&slot.stamp, stamp);
        }
        Ok(())
    }

    /// Whether requests can be answered.
    pub(crate) fn are_loaded(&self) -> bool {
        self.slots.iter().all(|slot| get(&slot.loaded).is_some())
    }

    /// All that are loaded.
    pub(crate) fn all(&self) -> Vec<Arc<Loaded>> {
        self.slots.iter().filter_map(|slot| get(&slot.loaded)).collect()
    }

    /// The model of a name; without one the first.
    pub(crate) fn get(&self, name: Option<&str>) -> Result<Arc<Loaded>, Refusal> {
        let names = || self.slots.iter().map(|slot| slot.named.name.as_str());
        let slot = match name {
            None => self.slots.first(),
            Some(name) => self.slots.iter().find(|slot| slot.named.name == name),
        };
        let Some(slot) = slot else {
            let shown: String = name.unwrap_or_default().chars().take(60).collect();
            let hint = suggest::hint(&shown, names());
            return Err(Refusal::new(
                StatusCode::NOT_FOUND,
                format!("there is no model `{shown}`; {hint}"),
            ));
        };
        get(&slot.loaded).ok_or_else(|| Refusal::busy("the model is being loaded; try again"))
    }

    /// Loads those again whose files have changed, or all that have another content if `all`. Failures are logged and
    /// counted, and the model before stays. Returns the number of models that were replaced.
    pub(crate) fn refresh(&self, all: bool) -> usize {
        let mut replaced = 0;
        for slot in &self.slots {
            // Before the file is read: if it changes meanwhile, that is seen the next time.
            let stamp = Stamp::of(&slot.named.path);
            if !all && stamp == get(&slot.stamp) {
                continue;
            }
            set(&slot.stamp, stamp);
            let NamedModel { name, path } = &slot.named;
            let known = get(&slot.loaded).map(|loaded| loaded.fingerprint);
            match slot.read(known) {
                Ok(None) => {}
                Ok(Some(loaded)) => {
                    set(&slot.loaded, Some(Arc::new(loaded)));
                    self.metrics.reloads.fetch_add(1, Ordering::Relaxed);
                    (self.log)(&format!("model {name} loaded again from {path}"));
                    replaced += 1;
                }
                Err(error) => {
                    self.metrics.failed_reloads.fetch_add(1, Ordering::Relaxed);
                    (self.log)(&format!("model {name} stays as it was: {error}"));
                }
            }
        }
        replaced
    }
}

impl Slot {
    /// Reads the file, unless its content is known.
    fn read(&self, known: Option<u64>) -> Result<Option<Loaded>, String> {
        let NamedModel { name, path } = &self.named;
        let bytes = stakes::io::read_bytes(path).map_err(|error| error.to_string())?;
        let mut hasher = DefaultHasher::new();
        hasher.write(&bytes);
        let fingerprint = hasher.finish();
        if known == Some(fingerprint) {
            return Ok(None);
        }
        let model = Model::from_json(&bytes, path).map_err(|error| error.to_string())?;
        Ok(Some(Loaded::new(name, model, fingerprint)))
    }
}

impl Stamp {
    fn of(path: &str) -> Option<Self> {
        let data = std::fs::metadata(path).ok()?;
        Some(Stamp { modified: data.modified().ok(), bytes: data.len() })
    }
}

fn get<T: Clone>(cell: &RwLock<T>) -> T {
    cell.read().unwrap_or_else(PoisonError::into_inner).clone()
}

fn set<T>(cell: &RwLock<T>, value: T) {
    *cell.write().unwrap_or_else(PoisonError::into_inner) = value;
}
