//! Long work, followed and stopped from Python. The work goes on in a thread of its own, without Python's lock;
//! the thread that called waits, hears of Ctrl-C, and hands events to Python.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use stakes::learn::{Awaited, Flow, Observer as RunObserver, Round};
use stakes::{Note, Observer};

/// How often Ctrl-C is looked for.
const TICK: Duration = Duration::from_millis(50);
/// The least time between two events that nobody waits for.
const PAUSE: Duration = Duration::from_millis(100);
/// As much as the main thread of a program has.
pub(crate) const STACK: usize = 8 << 20;

/// Who follows the work.
pub(crate) struct Follower<'py> {
    /// Gets a dictionary for each event; a true answer stops the work. `None`: nobody.
    pub(crate) call: Option<Bound<'py, PyAny>>,
    /// Whether the work waits for every answer. Otherwise some events are left out, and the work goes on.
    pub(crate) every: bool,
}

/// What work came to.
pub(crate) struct Watched<T> {
    pub(crate) result: Result<T, stakes::Error>,
    /// Why it was stopped from Python, if it was: by Ctrl-C, or by an exception of the follower.
    pub(crate) stopped: Option<PyErr>,
}

impl<T> Watched<T> {
    /// The result, for work of which a part is worth nothing.
    pub(crate) fn whole(self) -> PyResult<T> {
        match self.stopped {
            Some(stopped) => Err(stopped),
            None => self.result.map_err(crate::error),
        }
    }

    /// The result, even if Ctrl-C stopped the work: of a training it is the best so far.
    pub(crate) fn so_far(self, py: Python<'_>) -> PyResult<(T, bool)> {
        match self.stopped {
            Some(stopped) if !stopped.is_instance_of::<PyKeyboardInterrupt>(py) => Err(stopped),
            stopped => Ok((self.result.map_err(crate::error)?, stopped.is_some())),
        }
    }
}

/// Does work that takes no observer, without Python's lock.
pub(crate) fn quietly<T: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T, stakes::Error> + Send,
) -> PyResult<T> {
    let pool = crate::pool::pool()?;
    py.detach(|| pool.install(work)).map_err(crate::error)
}

/// Does work.
pub(crate) fn watched<T: Send>(
    py: Python<'_>,
    follower: &Follower<'_>,
    work: impl FnOnce(&mut Watch<'_>) -> Result<T, stakes::Error> + Send,
) -> PyResult<Watched<T>> {
    let pool = crate::pool::pool()?;
    let stop = AtomicBool::new(false);
    let (events, inbox) = channel();
    let (answer, answers) = channel();
    let waits = follower.every && follower.call.is_some();
    let mut watch = Watch {
        events,
        answers: waits.then_some(answers),
        wanted: follower.call.is_some(),
        stop: &stop,
        last: None,
        finished: None,
    };
    let call = follower.call.as_ref().map(|call| call.clone().unbind());
    let stop = &stop;
    let (ended, stopped) = py.detach(move || {
        let mut stopped = None;
        let ended = thread::scope(|scope| {
            let worker = thread::Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, move || pool.install(|| work(&mut watch)))
                .expect("a thread");
            loop {
                let received = inbox.recv_timeout(TICK);
                let is_event = received.is_ok();
                let heard = match received {
                    Ok(event) => Python::attach(|py| match &call {
                        Some(call) => tell(py, call, &event),
                        None => Ok(false),
                    }),
                    Err(RecvTimeoutError::Timeout) => {
                        Python::attach(|py| py.check_signals()).map(|()| false)
                    }
                    Err(RecvTimeoutError::Disconnected) => break,
                };
                let must_stop = *heard.as_ref().unwrap_or(&true);
                if must_stop {
                    stop.store(true, Ordering::SeqCst);
                }
                if let Err(why) = heard {
                    stopped.get_or_insert(why);
                }
                if is_event {
                    // Nobody may wait for it.
                    let _ = answer.send(());
                }
            }
            worker.join()
        });
        (ended, stopped)
    });
    match ended {
        Ok(result) => Ok(Watched { result, stopped }),
        Err(_) => Err(PyRuntimeError::new_err(
            "an internal error; please report it with the message above and how it came about",
        )),
    }
}

/// Tells Python of an event, and returns whether to stop.
fn tell(py: Python<'_>, call: &Py<PyAny>, event: &Event) -> PyResult<bool> {
    py.check_signals()?;
    let words = PyDict::new(py);
    match event {
        Event::Stage(what) => {
            words.set_item("event", "stage")?;
            words.set_item("stage", what)?;
        }
        Event::Note(note) => {
            words.set_item("event", "note")?;
            words.set_item("note", note)?;
        }
        Event::Finished { done, of } => {
            words.set_item("event", "finished")?;
            words.set_item("done", done)?;
            words.set_item("of", of)?;
        }
        Event::Round { stage, round, of, measure, value, best, share } => {
            words.set_item("event", "round")?;
            words.set_item("stage", stage)?;
            words.set_item("round", round)?;
            words.set_item("of", of)?;
            words.set_item("measure", measure)?;
            words.set_item("value", value)?;
            words.set_item("best_round", best.0)?;
            words.set_item("best", best.1)?;
            words.set_item("share", share)?;
        }
    }
    call.bind(py).call1((words,))?.is_truthy()
}

enum Event {
    Stage(String),
    Note(String),
    Finished {
        done: usize,
        of: usize,
    },
    Round {
        stage: String,
        round: usize,
        of: usize,
        measure: String,
        value: f64,
        best: (usize, f64),
        share: f64,
    },
}

/// The observer of the work.
pub(crate) struct Watch<'a> {
    events: Sender<Event>,
    /// One for each event, if the work waits for them.
    answers: Option<Receiver<()>>,
    wanted: bool,
    stop: &'a AtomicBool,
    last: Option<Instant>,
    /// How many trainings were finished when it was last told.
    finished: Option<usize>,
}

impl Watch<'_> {
    /// From now on nobody is told of events; the work can still be stopped.
    pub(crate) fn mute(&mut self) {
        self.wanted = false;
    }

    fn send(&mut self, event: impl FnOnce() -> Event) -> Flow {
        let is_soon = || self.last.is_some_and(|last| last.elapsed() < PAUSE);
        if self.wanted && (self.answers.is_some() || !is_soon()) {
            self.last = Some(Instant::now());
            // Who listened may have gone; the work goes on.
            if self.events.send(event()).is_ok()
                && let Some(answers) = &self.answers
            {
                let _ = answers.recv();
            }
        }
        self.flow()
    }

    fn flow(&self) -> Flow {
        if self.stop.load(Ordering::SeqCst) { Flow::Stop } else { Flow::Continue }
    }
}

impl RunObserver for Watch<'_> {
    fn stage(&mut self, what: &str) {
        self.send(|| Event::Stage(what.to_owned()));
    }

    fn round(&mut self, round: &Round<'_>) -> Flow {
        self.send(|| Event::Round {
            stage: round.stage.to_owned(),
            round: round.done,
            of: round.of,
            measure: round.measure.to_owned(),
            value: round.value,
            best: round.best,
            share: round.run.share(),
        })
    }

    fn exact(&mut self, _progress: &stakes::exact::Progress) -> Flow {
        self.flow()
    }

    fn awaited(&mut self, awaited: &Awaited<'_>) -> Flow {
        let &Awaited { done, of, .. } = awaited;
        // It is asked several times a second, and says the same most of the time.
        if self.finished == Some(done) { self.flow() } else { self.finished(done, of) }
    }
}

impl Observer for Watch<'_> {
    fn note(&mut self, note: &Note) {
        if self.wanted {
            let _ = self.events.send(Event::Note(note.to_string()));
            if let Some(answers) = &self.answers {
                let _ = answers.recv();
            }
        }
    }

    fn finished(&mut self, done: usize, of: usize) -> Flow {
        self.finished = Some(done);
        self.send(|| Event::Finished { done, of })
    }
}
