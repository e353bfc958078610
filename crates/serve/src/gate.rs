//! How much is worked on at the same time.
//!
//! So many requests are worked on as there are cores, by threads of rayon, whose parallel parts they share; others wait
//! in line, and beyond the length of the line they are refused. Work cannot be stopped in the middle: if it takes too long,
//! its request is answered, and its place is free only when it is done.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use hyper::StatusCode;
use tokio::sync::{Semaphore, oneshot};

use crate::metrics::Gauge;
use crate::options::ServeLimits;
use crate::reply::Refusal;

#[derive(Debug)]
pub(crate) struct Gate {
    places: Arc<Semaphore>,
    waiting: AtomicU64,
    limits: ServeLimits,
}

impl Gate {
    pub(crate) fn new(limits: &ServeLimits) -> Self {
        let places = Arc::new(Semaphore::new(limits.concurrent.clamp(1, Semaphore::MAX_PERMITS)));
        Gate { places, waiting: AtomicU64::new(0), limits: limits.clone() }
    }

    /// Does work when its turn comes.
    pub(crate) async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let place = self.places.clone().try_acquire_owned().ok();
        if place.is_none() && self.waiting.load(Ordering::Relaxed) >= self.limits.waiting as u64 {
            let what = format!("{} requests are waiting already; try again", self.limits.waiting);
            return Err(Refusal::busy(what));
        }
        let done = async {
            let place = match place {
                Some(place) => place,
                None => {
                    let _wait = Gauge::of(&self.waiting);
                    let place = self.places.clone().acquire_owned().await;
                    place.map_err(|_| Refusal::busy("the service is ending"))?
                }
            };
            let (send, receive) = oneshot::channel();
            rayon::spawn(move || {
                let done = guarded(work);
                drop(place);
                // The request may be gone.
                let _ = send.send(done);
            });
            receive.await.map_err(|_| Refusal::broken("the work ended early"))?
        };
        let slow = |_| {
            let seconds = self.limits.timeout.as_secs_f64();
            Refusal::new(
                StatusCode::SERVICE_UNAVAILABLE,
                format!(
                    "there was no answer within {seconds} seconds; send less at a time, or try again"
                ),
            )
        };
        tokio::time::timeout(self.limits.timeout, done).await.map_err(slow)?
    }
}

/// Does work; a panic is a mistake of ours, and an answer like any other.
pub(crate) fn guarded<T>(work: impl FnOnce() -> Result<T, Refusal>) -> Result<T, Refusal> {
    let done = catch_unwind(AssertUnwindSafe(work));
    done.unwrap_or_else(|_| {
        Err(Refusal::broken("this is a mistake of the service; its log says more"))
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;

    fn gate(waiting: usize, timeout: Duration) -> Gate {
        Gate::new(&ServeLimits { concurrent: 1, waiting, timeout, ..ServeLimits::default() })
    }

    #[tokio::test]
    async fn what_is_beyond_the_line_is_refused() {
        let gate = Arc::new(gate(0, Duration::from_secs(60)));
        let (release, held) = mpsc::channel::<()>();
        let (begin, mut begun) = tokio::sync::mpsc::unbounded_channel();
        let first = tokio::spawn({
            let gate = gate.clone();
            async move {
                let work = move || {
                    begin.send(()).unwrap();
                    held.recv().unwrap();
                    Ok(1)
                };
                gate.work(work).await
            }
        });
        begun.recv().await.unwrap();
        let refused = gate.work(|| Ok(2)).await.unwrap_err();
        assert_eq!(refused, Refusal::busy("0 requests are waiting already; try again"));
        release.send(()).unwrap();
        assert_eq!(first.await.unwrap(), Ok(1));
        assert_eq!(gate.work(|| Ok(3)).await, Ok(3));
    }

    #[tokio::test]
    async fn work_that_takes_too_long_keeps_its_place() {
        let gate = gate(1, Duration::from_millis(1));
        let (release, held) = mpsc::channel::<()>();
        let slow = gate.work(move || held.recv().map_err(|_| Refusal::broken("gone"))).await;
        assert!(format!("{slow:?}").contains("no answer within 0.001 seconds"), "{slow:?}");
        assert_eq!(gate.places.available_permits(), 0);
        release.send(()).unwrap();
        while gate.places.available_permits() == 0 {
            tokio::task::yield_now().await;
        }
    }

    #[tokio::test]
    async fn a_panic_is_an_answer() {
        let gate = gate(1, Duration::from_secs(60));
        let refused = gate.work::<()>(|| panic!("on purpose")).await.unwrap_err();
        assert!(format!("{refused:?}").contains("a mistake of the service"), "{refused:?}");
        assert_eq!(gate.work(|| Ok(1)).await, Ok(1));
    }
}
