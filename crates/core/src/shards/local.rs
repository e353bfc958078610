//! Shards that are threads of one process: for tests, and for those who write an exchange of their own.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::{Exchange, Shards};

/// So many shards of one process, each for a thread of its own. When one of them is dropped, the exchanges of all
/// others fail.
#[must_use]
pub fn in_process(shards: usize) -> Vec<Shards> {
    let room = Arc::new(Room {
        state: Mutex::new(State {
            given: vec![None; shards],
            left: 0,
            result: Vec::new(),
            round: 0,
            gone: false,
        }),
        changed: Condvar::new(),
    });
    let shard = |rank| {
        Shards::new(Arc::new(Local {
            room: Arc::clone(&room),
            rank,
            failed: AtomicBool::new(false),
        }))
    };
    (0..shards).map(shard).collect()
}

struct Room {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    /// What each shard has given in this round.
    given: Vec<Option<Vec<u8>>>,
    /// How many have not taken the result of this round.
    left: usize,
    result: Vec<Vec<u8>>,
    round: u64,
    /// Whether a shard has gone.
    gone: bool,
}

struct Local {
    room: Arc<Room>,
    rank: usize,
    /// Whether an exchange has failed; that another shard has ended is no failure until then.
    failed: AtomicBool,
}

impl Local {
    fn fail(&self) -> Vec<Vec<u8>> {
        self.failed.store(true, Ordering::Relaxed);
        Vec::new()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.room.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Exchange for Local {
    fn rank(&self) -> usize {
        self.rank
    }

    fn sum(&self, numbers: &mut [i64]) {
        let own = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        let all = self.gather(own);
        numbers.fill(0);
        for bytes in all {
            for (sum, word) in numbers.iter_mut().zip(bytes.as_chunks().0) {
                *sum = sum.wrapping_add(i64::from_le_bytes(*word));
            }
        }
    }

    fn gather(&self, own: Vec<u8>) -> Vec<Vec<u8>> {
        let mut state = self.state();
        // A shard may be quicker than others are to take the result of the round before.
        while state.left > 0 && !state.gone {
            state = self.room.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if state.gone {
            return self.fail();
        }
        let round = state.round;
        state.given[self.rank] = Some(own);
        if state.given.iter().all(Option::is_some) {
            state.result = state.given.iter_mut().filter_map(Option::take).collect();
            state.left = state.given.len();
            state.round += 1;
            self.room.changed.notify_all();
        }
        while state.round == round && !state.gone {
            state = self.room.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if state.round == round {
            return self.fail();
        }
        state.left -= 1;
        if state.left == 0 {
            self.room.changed.notify_all();
        }
        state.result.clone()
    }

    fn failure(&self) -> Option<String> {
        self.failed.load(Ordering::Relaxed).then(|| "another shard has ended".to_owned())
    }
}

impl Drop for Local {
    fn drop(&mut self) {
        self.state().gone = true;
        self.room.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn many_exchanges_in_a_row_are_not_mixed_up() {
        let of_shard = |shards: Shards, rank: i64| {
            let mut found = Vec::new();
            for round in 0..200 {
                found.push(shards.sum_of(rank * round));
                let said = shards.gather(vec![rank as u8; round as usize % 3]);
                assert!(
                    said.iter()
                        .enumerate()
                        .all(|(at, own)| own.iter().all(|byte| *byte == at as u8))
                );
                assert_eq!(shards.max(-(rank as f64)), 0.0);
                assert_eq!(shards.exact_sum([1e100, rank as f64, -1e100]), 3.0);
            }
            found
        };
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..)
                .zip(in_process(3))
                .map(|(rank, s)| scope.spawn(move || of_shard(s, rank)))
                .collect();
            for thread in threads {
                assert_eq!(
                    thread.join().unwrap(),
                    (0..200).map(|round| 3 * round).collect::<Vec<_>>()
                );
            }
        });
    }

    #[test]
    fn a_shard_that_ends_fails_the_others() {
        let mut shards = in_process(2);
        let (first, second) = (shards.pop().unwrap(), shards.pop().unwrap());
        std::thread::scope(|scope| {
            let waiting = scope.spawn(move || (first.sum_of(1), first.failure(), first.sum_of(5)));
            drop(second);
            let (sum, failure, later) = waiting.join().unwrap();
            assert_eq!((sum, later), (0, 0));
            assert!(failure.unwrap().contains("ended"));
        });
    }
}
