//! Data that several machines hold: each has a shard, whole lists of it, and they exchange sums.
//!
//! All shards run the same program on their own lists. Whatever depends on the lists of others is found by an
//! exchange, and comes out the same on all of them: sums of whole numbers, exact sums of numbers ([`ExactSum`]), and
//! what every shard has said, in their order. So all of them decide alike, and a result does not depend on how
//! lists are dealt. One machine with all lists is one shard, which exchanges nothing.
//!
//! An exchange that fails (a machine is lost) does not interrupt the code that asked: it gives zeros from then on,
//! and [`Shards::failure`] says why. Whoever makes many exchanges asks for it now and then.
//!
//! ```
//! use stakes_core::shards::{Shards, in_process};
//! let total = |shards: &Shards, own: i64| shards.sum_of(own);
//! assert_eq!(total(&Shards::alone(), 3), 3);
//! let sums: Vec<i64> = std::thread::scope(|scope| {
//!     let shards = in_process(2).into_iter().zip([3, 4]);
//!     let threads: Vec<_> = shards.map(|(shards, own)| scope.spawn(move || total(&shards, own))).collect();
//!     threads.into_iter().map(|thread| thread.join().unwrap()).collect()
//! });
//! assert_eq!(sums, [7, 7]);
//! ```

mod local;
mod message;
mod of_lists;
mod wire;

use std::fmt;
use std::sync::Arc;

pub use local::in_process;
pub use message::{Message, combine};
pub use of_lists::SaidOfList;
pub use wire::Wire;

use crate::ExactSum;

/// How shards exchange. All shards make the same calls in the same order.
pub trait Exchange: Send + Sync {
    /// The number of this shard, from 0.
    fn rank(&self) -> usize;

    /// Replaces each number by its sum over all shards, modulo 2^64; by 0 where the exchange has failed.
    fn sum(&self, numbers: &mut [i64]);

    /// What each shard has given, by rank; empty where the exchange has failed.
    fn gather(&self, own: Vec<u8>) -> Vec<Vec<u8>>;

    /// Why exchanges fail, if they do.
    fn failure(&self) -> Option<String>;
}

/// The shards that data are dealt to, as one of them sees it.
#[derive(Clone, Default)]
pub struct Shards(Option<Arc<dyn Exchange>>);

impl Shards {
    /// One shard with all data.
    #[must_use]
    pub fn alone() -> Self {
        Shards(None)
    }

    /// One of several shards.
    #[must_use]
    pub fn new(exchange: Arc<dyn Exchange>) -> Self {
        Shards(Some(exchange))
    }

    /// Whether there is only one.
    #[must_use]
    pub fn are_one(&self) -> bool {
        self.0.is_none()
    }

    /// The number of this shard, from 0.
    #[must_use]
    pub fn rank(&self) -> usize {
        self.0.as_ref().map_or(0, |exchange| exchange.rank())
    }

    /// Replaces each number by its sum over all shards, modulo 2^64.
    pub fn sum(&self, numbers: &mut [i64]) {
        if let Some(exchange) = &self.0 {
            exchange.sum(numbers);
        }
    }

    /// The sum of one number of every shard.
    #[must_use]
    pub fn sum_of(&self, own: i64) -> i64 {
        let mut numbers = [own];
        self.sum(&mut numbers);
        numbers[0]
    }

    /// Whether anything is true of any shard.
    #[must_use]
    pub fn any(&self, own: bool) -> bool {
        self.sum_of(i64::from(own)) > 0
    }

    /// The exact sums over all shards.
    pub fn exact_sums<const N: usize>(&self, own: [&ExactSum; N]) -> [f64; N] {
        if self.are_one() {
            return own.map(ExactSum::value);
        }
        let mut words = own.map(ExactSum::to_words);
        self.sum(words.as_flattened_mut());
        std::array::from_fn(|at| ExactSum::of_words(&words[at]).value())
    }

    /// The exact sum over the numbers of all shards.
    pub fn exact_sum(&self, own: impl IntoIterator<Item = f64>) -> f64 {
        let [sum] = self.exact_sums([&own.into_iter().collect()]);
        sum
    }

    /// The largest number of all shards; NaN is ignored.
    #[must_use]
    pub fn max(&self, own: f64) -> f64 {
        let Some(exchange) = &self.0 else { return own };
        let all = exchange.gather(own.to_le_bytes().to_vec());
        let numbers =
            all.iter().filter_map(|bytes| bytes[..].try_into().ok().map(f64::from_le_bytes));
        numbers.fold(own, f64::max)
    }

    /// What each shard has given, by rank.
    #[must_use]
    pub fn gather(&self, own: Vec<u8>) -> Vec<Vec<u8>> {
        match &self.0 {
            None => vec![own],
            Some(exchange) => exchange.gather(own),
        }
    }

    /// Why exchanges fail, if they do.
    #[must_use]
    pub fn failure(&self) -> Option<String> {
        self.0.as_ref()?.failure()
    }
}

impl fmt::Debug for Shards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.are_one() { "Shards::alone()" } else { "Shards(several)" })
    }
}
