//! Which rows a tree learns from.

use stakes_core::random::{Stream, purpose};

/// Shares of rows and of lists that a tree is grown on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Sampling {
    pub(crate) rows: f64,
    pub(crate) lists: f64,
}

impl Sampling {
    /// Whether anything is left to chance.
    pub(crate) fn is_random(&self) -> bool {
        self.rows < 1.0 || self.lists < 1.0
    }

    /// The rows of a round, ascending: each list and each row is drawn or not by itself. If
    /// chance leaves none, all are taken.
    pub(crate) fn draw(&self, among: &[u32], offsets: &[usize], seed: u64, round: u64) -> Vec<u32> {
        if !self.is_random() {
            return among.to_vec();
        }
        let lists = Stream::new(purpose(seed, b"lists   "), round);
        let rows = Stream::new(purpose(seed, b"rows    "), round);
        let mut list = 0;
        let drawn = among.iter().copied().filter(|&row| {
            while offsets[list + 1] <= row as usize {
                list += 1;
            }
            let in_list = self.lists >= 1.0 || lists.unit(list as u64) < self.lists;
            in_list && (self.rows >= 1.0 || rows.unit(u64::from(row)) < self.rows)
        });
        let drawn: Vec<u32> = drawn.collect();
        if drawn.is_empty() { among.to_vec() } else { drawn }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_drawn_whole_and_rows_by_their_share() {
        let offsets: Vec<usize> = (0..=100).map(|i| i * 50).collect();
        let all: Vec<u32> = (0..5000).collect();
        let lists = Sampling { rows: 1.0, lists: 0.3 }.draw(&all, &offsets, 1, 0);
        assert_eq!(lists.len() % 50, 0);
        assert!((1000..2000).contains(&lists.len()), "{}", lists.len());
        let rows = Sampling { rows: 0.3, lists: 1.0 }.draw(&all, &offsets, 1, 0);
        assert!((1350..1650).contains(&rows.len()), "{}", rows.len());
        assert_ne!(rows, Sampling { rows: 0.3, lists: 1.0 }.draw(&all, &offsets, 1, 1));
        assert_eq!(Sampling { rows: 1e-9, lists: 1.0 }.draw(&all, &offsets, 1, 0), all);
    }
}
