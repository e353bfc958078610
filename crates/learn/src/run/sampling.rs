//! Which rows a tree is grown on.

use std::borrow::Cow;

use stakes_core::Lists;
use stakes_core::random::{Stream, purpose};
use stakes_core::shards::Shards;

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
    pub(super) fn draw(&self, among: &[u32], lists: &Lists, seed: u64, round: u64) -> Vec<u32> {
        if !self.is_random() {
            return among.to_vec();
        }
        let of_list = Stream::new(purpose(seed, b"lists   "), round);
        let of_row = Stream::new(purpose(seed, b"rows    "), round);
        let numbers = lists.item_numbers();
        let number = |row: u32| numbers.map_or(row, |numbers| numbers[row as usize]);
        let mut rows = Cow::Borrowed(among);
        if self.lists < 1.0 {
            let draws = (0..lists.len()).map(|list| of_list.unit(lists.list_number(list)));
            let by_list = by_list(among, lists, draws);
            rows = Cow::Owned(pick(by_list.iter().copied(), self.lists, lists.shards()));
        }
        if self.rows < 1.0 {
            let by_row = rows.iter().map(|&row| (row, of_row.unit(number(row).into())));
            rows = Cow::Owned(pick(by_row, self.rows, lists.shards()));
        }
        rows.into_owned()
    }
}

/// Each row with the draw of its list.
fn by_list(among: &[u32], lists: &Lists, draws: impl Iterator<Item = f64>) -> Vec<(u32, f64)> {
    let mut rows = among.iter().copied().peekable();
    let mut all = Vec::with_capacity(among.len());
    for (list, draw) in draws.enumerate() {
        let end = lists.items(list).end;
        while let Some(row) = rows.next_if(|&row| (row as usize) < end) {
            all.push((row, draw));
        }
    }
    all
}

/// The rows whose draw is below `share`; if there are none in any shard, those with the smallest draw of all.
fn pick(
    among: impl ExactSizeIterator<Item = (u32, f64)> + Clone,
    share: f64,
    shards: &Shards,
) -> Vec<u32> {
    // Written whether drawn or not, and kept if drawn: chance cannot be predicted, so a branch would often be wrong.
    let mut rows = vec![0; among.len()];
    let mut drawn = 0;
    for (row, draw) in among.clone() {
        rows[drawn] = row;
        drawn += usize::from(draw < share);
    }
    rows.truncate(drawn);
    if shards.any(!rows.is_empty()) {
        return rows;
    }
    let nearest = among.clone().map(|row| row.1).fold(f64::INFINITY, f64::min);
    let nearest = -shards.max(-nearest);
    among.filter(|row| row.1 == nearest).map(|row| row.0).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use stakes_core::cost::{CostModel, Problem};
    use stakes_core::data::{Columns, DatasetBuilder, Row};

    use super::*;

    fn lists_of_50() -> Lists {
        let columns =
            Columns { list: Some("list".into()), impact: Some("y".into()), ..Columns::default() };
        let mut builder = DatasetBuilder::new("lists", columns).unwrap();
        for item in 0..5000 {
            let list = format!("{:03}", item / 50);
            builder.push(Row { list: &list, impact: Some(1.0), ..Row::default() }).unwrap();
        }
        let data = builder.finish().unwrap();
        Lists::new(&Problem::new(&data, &CostModel::Impact).unwrap())
    }

    #[test]
    fn lists_are_drawn_whole_and_rows_by_their_share() {
        let all: Vec<u32> = (0..5000).collect();
        let lists = Sampling { rows: 1.0, lists: 0.3 }.draw(&all, &lists_of_50(), 1, 0);
        assert_eq!(lists.len() % 50, 0);
        assert!((1000..2000).contains(&lists.len()), "{}", lists.len());
        let rows = Sampling { rows: 0.3, lists: 1.0 }.draw(&all, &lists_of_50(), 1, 0);
        assert!((1350..1650).contains(&rows.len()), "{}", rows.len());
        assert_ne!(rows, Sampling { rows: 0.3, lists: 1.0 }.draw(&all, &lists_of_50(), 1, 1));
        assert_eq!(Sampling { rows: 1e-9, lists: 1.0 }.draw(&all, &lists_of_50(), 1, 0).len(), 1);
        let one_list = Sampling { rows: 1.0, lists: 1e-9 }.draw(&all, &lists_of_50(), 1, 0);
        assert!(one_list.len() == 50 && one_list[0].is_multiple_of(50));
        // Rows of the lists that are drawn, and no others.
        let both = Sampling { rows: 0.3, lists: 0.3 }.draw(&all, &lists_of_50(), 1, 0);
        let expected: Vec<u32> = rows.into_iter().filter(|row| lists.contains(row)).collect();
        assert_eq!(both, expected);
    }
}
