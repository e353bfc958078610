//! Which rows a tree is grown on.

use stakes_core::random::{Stream, purpose};

/// Shares of rows and of lists that a tree is grown on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Sampling {
    /// Share of the rows.
    pub(super) rows: f64,
    /// Share of the lists.
    pub(super) lists: f64,
}

impl Sampling {
    /// Whether anything is left to chance.
    pub(super) fn is_random(&self) -> bool {
        self.rows < 1.0 || self.lists < 1.0
    }

    /// The rows of a round, ascending: each list and each row is drawn or not by itself. If
    /// chance leaves none, the list or row that came nearest to being drawn is taken.
    pub(super) fn draw(&self, among: &[u32], offsets: &[usize], seed: u64, round: u64) -> Vec<u32> {
        if !self.is_random() {
            return among.to_vec();
        }
        let lists = Stream::new(purpose(seed, b"lists   "), round);
        let rows = Stream::new(purpose(seed, b"rows    "), round);
        let list_of = |row: u32| offsets.partition_point(|&start| start <= row as usize) as u64 - 1;
        let among = pick(among, self.lists, list_of, |list| lists.unit(list));
        pick(&among, self.rows, u64::from, |row| rows.unit(row))
    }
}

/// Those whose unit has drawn less than `share`, or else the smallest number of all.
fn pick(
    among: &[u32],
    share: f64,
    unit: impl Fn(u32) -> u64,
    draw: impl Fn(u64) -> f64,
) -> Vec<u32> {
    if share >= 1.0 {
        return among.to_vec();
    }
    let drawn: Vec<u32> = among.iter().copied().filter(|&i| draw(unit(i)) < share).collect();
    if !drawn.is_empty() {
        return drawn;
    }
    let nearest = among.iter().map(|&i| unit(i)).min_by(|&a, &b| draw(a).total_cmp(&draw(b)));
    among.iter().copied().filter(|&i| Some(unit(i)) == nearest).collect()
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
        assert_eq!(Sampling { rows: 1e-9, lists: 1.0 }.draw(&all, &offsets, 1, 0).len(), 1);
        let one_list = Sampling { rows: 1.0, lists: 1e-9 }.draw(&all, &offsets, 1, 0);
        assert!(one_list.len() == 50 && one_list[0].is_multiple_of(50));
        // Rows of the lists that are drawn, and no others.
        let both = Sampling { rows: 0.3, lists: 0.3 }.draw(&all, &offsets, 1, 0);
        let expected: Vec<u32> = rows.into_iter().filter(|row| lists.contains(row)).collect();
        assert_eq!(both, expected);
    }
}
