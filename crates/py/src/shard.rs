//! One shard of a training that runs on many machines: whoever drives them carries the messages.

use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rayon::ThreadPoolBuilder;
use serde::Deserialize;
use serde_json::json;
use stakes::data::Dataset;
use stakes::fit::Fit;
use stakes::goal::Goal;
use stakes::learn::{Checkpoint, Flow, Observer as RunObserver, Round};
use stakes::shards::{Message, Shards, Wire, combine as combined};
use stakes::split::HoldOut;
use stakes::{Note, Observer};

use crate::data::Data;
use crate::error;
use crate::goal::GoalArgs;
use crate::watch::STACK;

/// The options of a training, the same for all shards.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Options {
    goal: GoalArgs,
    learner: String,
    params: std::collections::BTreeMap<String, String>,
    seed: u64,
    hold_out: Option<String>,
    folds: Option<usize>,
    allow_leak: Vec<String>,
}

impl Options {
    fn fit(&self) -> Result<Fit<'static>, stakes::Error> {
        let params = self.params.iter().map(|(key, value)| (key.as_str(), value.as_str()));
        let mut fit = Fit::with_parameters(&self.learner, params)?.seed(self.seed);
        if let Some(part) = &self.hold_out {
            fit = fit.hold_out(part.parse::<HoldOut>()?);
        }
        if let Some(folds) = self.folds {
            fit = fit.folds(folds);
        }
        Ok(fit)
    }
}

/// What rank 0 tells of its rounds.
enum Told {
    Event(String),
    Checkpoint(String),
}

/// A training in a thread of its own, up to the next exchange.
#[pyclass(frozen, module = "stakes._stakes")]
pub(crate) struct Shard(Mutex<State>);

struct State {
    wire: Wire,
    told: Receiver<Told>,
    /// The model as JSON, or what went wrong; `None` when that was said.
    training: Option<JoinHandle<Result<String, String>>>,
}

#[pymethods]
impl Shard {
    /// Begins the training of a shard: of the lists in `data`, judged by those in `valid`, of which a shard may have none
    /// where others have some; from a checkpoint, if there is one. Rank 0 makes another after so many seconds, or after every round if that is 0.
    #[new]
    #[allow(clippy::too_many_arguments)] // They come from one call in Python.
    fn new(
        data: &Data,
        valid: Option<&Data>,
        has_valid: bool,
        options: &str,
        rank: usize,
        shards: usize,
        checkpoint: Option<&[u8]>,
        checkpoint_s: f64,
    ) -> PyResult<Shard> {
        let options: Options = serde_json::from_str(options).map_err(error)?;
        let goal = options.goal.goal()?;
        let parse = |bytes| Checkpoint::from_json(bytes, "the checkpoint").map_err(error);
        let checkpoint = checkpoint.map(parse).transpose()?;
        let data = data.0.clone();
        let valid = match (valid, has_valid) {
            (Some(valid), _) => Some((*valid.0).clone()),
            (None, true) => Some(data.take_lists_of_shard(&[])),
            (None, false) => None,
        };
        if rank >= shards {
            return Err(error(format!(
                "rank is {rank}; it must be below the number of shards, {shards}"
            )));
        }
        let interval = Duration::try_from_secs_f64(checkpoint_s)
            .map_err(|why| error(format!("checkpoint_s is {checkpoint_s}: {why}")))?;
        let (shard, wire) = Wire::new(rank);
        let (tell, told) = channel();
        let teller = Teller { to: (rank == 0).then_some(tell), last: Instant::now(), interval };
        // Threads of its own: while it waits for the others, those of the process would wait, too.
        let threads = crate::pool::pool()?.current_num_threads();
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().map_err(error)?;
        let work = move || {
            pool.install(|| training(&options, &data, valid, &goal, checkpoint, &shard, teller))
                .map_err(|error| error.to_string())
        };
        let training = Builder::new().stack_size(STACK).spawn(work).map_err(error)?;
        Ok(Shard(Mutex::new(State { wire, told, training: Some(training) })))
    }

    /// Goes on, with the messages of all shards as the answer to the last one, until the others are needed again or the
    /// training has ended.
    /// Returns the message (`D` and the model, or `E` and an error, at the end), the rounds since the last one as JSON,
    /// and a checkpoint now and then; rounds and checkpoints of rank 0 only.
    #[allow(clippy::type_complexity)] // It is what Python gets.
    fn advance<'py>(
        &self,
        py: Python<'py>,
        heard: Option<Vec<Bound<'py, PyBytes>>>,
    ) -> PyResult<(Bound<'py, PyBytes>, Vec<String>, Option<Bound<'py, PyBytes>>)> {
        let heard: Option<Vec<&[u8]>> =
            heard.as_ref().map(|all| all.iter().map(|message| message.as_bytes()).collect());
        let (message, events, checkpoint) = py.detach(|| self.advanced(heard))?;
        let bytes = |bytes: &[u8]| PyBytes::new(py, bytes);
        Ok((bytes(&message), events, checkpoint.map(|text| bytes(text.as_bytes()))))
    }
}

impl Shard {
    fn advanced(
        &self,
        heard: Option<Vec<&[u8]>>,
    ) -> PyResult<(Vec<u8>, Vec<String>, Option<String>)> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(heard) = heard {
            state.wire.answer(Message::of_all(&heard).ok_or_else(mixed_up)?);
        }
        let message = match state.wire.next() {
            Some(message) => message,
            None => state.end()?,
        };
        let (mut events, mut checkpoint) = (Vec::new(), None);
        loop {
            match state.told.try_recv() {
                Ok(Told::Event(event)) => events.push(event),
                Ok(Told::Checkpoint(last)) => checkpoint = Some(last),
                Err(TryRecvError::Empty | TryRecvError::Disconnected) => break,
            }
        }
        Ok((message, events, checkpoint))
    }
}

impl State {
    fn end(&mut self) -> PyResult<Vec<u8>> {
        let Some(training) = self.training.take() else {
            return Err(PyRuntimeError::new_err("this training has ended"));
        };
        let (kind, text) = match training.join() {
            Ok(Ok(model)) => (b'D', model),
            Ok(Err(error)) => (b'E', error),
            Err(_) => (
                b'E',
                "an internal error; please report it with the message of the worker".to_owned(),
            ),
        };
        Ok([&[kind], text.as_bytes()].concat())
    }
}

/// The model of all shards, as JSON.
fn training(
    options: &Options,
    data: &Dataset,
    valid: Option<Dataset>,
    goal: &Goal,
    checkpoint: Option<Checkpoint>,
    shards: &Shards,
    mut teller: Teller,
) -> Result<String, stakes::Error> {
    let mut fit = options.fit()?.shards(shards.clone());
    if let Some(checkpoint) = checkpoint {
        fit = fit.resume_from(checkpoint);
    }
    fit.check()?;
    let division = match valid {
        None => fit.divide(data, goal)?,
        Some(valid) => fit.validate_with(data, valid, goal)?,
    };
    division.check_leaks_among(&options.allow_leak, shards)?;
    let fitted = fit.run(&division, Some(&mut teller))?;
    let model = fitted.model.expect("a run that nobody stops ends with a model");
    Ok(model.to_json())
}

/// Tells whoever drives rank 0 of its rounds.
struct Teller {
    to: Option<Sender<Told>>,
    /// When the last checkpoint was made.
    last: Instant,
    /// How long it goes on until it makes another.
    interval: Duration,
}

impl Teller {
    fn tell(&self, what: Told) {
        if let Some(to) = &self.to {
            // The driver may have gone.
            let _ = to.send(what);
        }
    }
}

impl RunObserver for Teller {
    fn round(&mut self, round: &Round<'_>) -> Flow {
        if self.to.is_some() {
            let event = json!({
                "event": "round", "stage": round.stage, "round": round.done, "of": round.of,
                "measure": round.measure, "value": round.value, "best_round": round.best.0,
                "best": round.best.1, "share": round.run.share(),
            });
            self.tell(Told::Event(event.to_string()));
            if self.last.elapsed() >= self.interval {
                self.tell(Told::Checkpoint((round.checkpoint)().to_json()));
                self.last = Instant::now();
            }
        }
        Flow::Continue
    }
}

impl Observer for Teller {
    fn note(&mut self, note: &Note) {
        let event = json!({ "event": "note", "note": note.to_string() });
        self.tell(Told::Event(event.to_string()));
    }
}

/// The messages of shards, in the order of their ranks, as one.
#[pyfunction]
pub(crate) fn combine<'py>(
    py: Python<'py>,
    messages: Vec<Bound<'py, PyBytes>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let parts: Vec<&[u8]> = messages.iter().map(|message| message.as_bytes()).collect();
    let whole = py.detach(|| combined(&parts));
    Ok(PyBytes::new(py, &whole.ok_or_else(mixed_up)?))
}

fn mixed_up() -> PyErr {
    error("the messages do not belong together")
}
