//! Shards whose messages somebody else carries, such as an engine that runs one of them on each of many machines.
//!
//! The shard runs in a thread of its own. At an exchange it gives a [`Message`] and waits; [`Wire::next`] has that
//! message as bytes, and the messages of all shards as one ([`Message::of_all`]) are the answer.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

use super::message::packed;
use super::{Exchange, Message, Shards};

/// The other end of a shard: what carries its messages.
pub struct Wire {
    messages: Receiver<Vec<u8>>,
    answers: Sender<Message>,
}

impl Wire {
    /// A shard of this rank, and its wire.
    #[must_use]
    pub fn new(rank: usize) -> (Shards, Wire) {
        let (message, messages) = channel();
        let (answers, answer) = channel();
        let ends = Mutex::new(Ends { message, answer });
        let wired = Wired { rank, ends, failure: Mutex::new(None) };
        (Shards::new(Arc::new(wired)), Wire { messages, answers })
    }

    /// Waits for the next message to be combined with those of the other shards; `None` when the shard has ended.
    pub fn next(&self) -> Option<Vec<u8>> {
        self.messages.recv().ok()
    }

    /// Answers it. A shard that has ended hears nothing.
    pub fn answer(&self, of_all: Message) {
        let _ = self.answers.send(of_all);
    }
}

/// The shard's ends of the wire.
struct Ends {
    message: Sender<Vec<u8>>,
    answer: Receiver<Message>,
}

struct Wired {
    rank: usize,
    ends: Mutex<Ends>,
    failure: Mutex<Option<String>>,
}

impl Wired {
    /// What all shards have told, if the wire is whole.
    fn exchange(&self, message: Vec<u8>) -> Option<Message> {
        let ends = self.ends.lock().unwrap_or_else(PoisonError::into_inner);
        ends.message.send(message).ok()?;
        ends.answer.recv().ok()
    }

    fn fail<T: Default>(&self) -> T {
        let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        failure.get_or_insert_with(|| {
            "what carries its messages has gone, or was told another thing".to_owned()
        });
        T::default()
    }
}

impl Exchange for Wired {
    fn rank(&self) -> usize {
        self.rank
    }

    fn sum(&self, numbers: &mut [i64]) {
        match self.exchange(packed(numbers)) {
            Some(Message::Sum(sums)) if sums.len() == numbers.len() => {
                numbers.copy_from_slice(&sums);
            }
            _ => {
                numbers.fill(0);
                self.fail()
            }
        }
    }

    fn gather(&self, own: Vec<u8>) -> Vec<Vec<u8>> {
        match self.exchange(Message::Gather(vec![own]).to_bytes()) {
            Some(Message::Gather(all)) if all.len() > self.rank => all,
            _ => self.fail(),
        }
    }

    fn failure(&self) -> Option<String> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// Carries messages until all shards have ended.
    fn carry(wires: &[Wire]) -> usize {
        let mut exchanges = 0;
        loop {
            let messages: Vec<Vec<u8>> = wires.iter().filter_map(Wire::next).collect();
            if messages.is_empty() {
                return exchanges;
            }
            let parts: Vec<&[u8]> = messages.iter().map(|bytes| &bytes[..]).collect();
            let of_all = Message::of_all(&parts).unwrap();
            wires.iter().for_each(|wire| wire.answer(of_all.clone()));
            exchanges += 1;
        }
    }

    #[test]
    fn shards_exchange_by_wire() {
        std::thread::scope(|scope| {
            let (shards, wires): (Vec<Shards>, Vec<Wire>) = (0..3).map(Wire::new).unzip();
            let threads: Vec<_> = shards
                .into_iter()
                .map(|shards| {
                    scope.spawn(move || {
                        let rank = shards.rank();
                        let said = shards.gather(vec![rank as u8; rank]);
                        (shards.sum_of(rank as i64), said.concat(), shards.failure())
                    })
                })
                .collect();
            assert_eq!(carry(&wires), 2);
            for thread in threads {
                assert_eq!(thread.join().unwrap(), (3, vec![1, 2, 2], None));
            }
        });
    }

    #[test]
    fn a_wire_that_is_cut_fails_the_shard() {
        let (shards, wire) = Wire::new(0);
        drop(wire);
        assert_eq!((shards.sum_of(7), shards.gather(vec![1]).len()), (0, 0));
        assert!(shards.failure().is_some());
    }
}
