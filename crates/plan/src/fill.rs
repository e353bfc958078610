//! A plan by prices: what limits ask for first, then what is worth most, then what still fits.

use crate::prices::Prices;
use crate::rows::Rows;

/// Items that are taken, by their places among the free ones.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Taken {
    pub(crate) taken: Vec<u32>,
    pub(crate) value: f64,
}

impl Taken {
    /// The sum of values in the order of items, so that a plan has the same value however it was found.
    pub(crate) fn new(rows: &Rows, mut taken: Vec<u32>) -> Self {
        taken.sort_unstable();
        let value = taken.iter().map(|&place| rows.values[place as usize]).sum();
        Taken { taken, value }
    }
}

/// A plan that keeps all limits; `None` if this simple way finds none.
pub(crate) fn fill(rows: &Rows, prices: &Prices) -> Option<Taken> {
    let mut order: Vec<u32> = (0..rows.len() as u32).collect();
    let margin = |place: u32| prices.margin[place as usize];
    order.sort_by(|&a, &b| margin(b).total_cmp(&margin(a)).then(a.cmp(&b)));
    let mut used = vec![0.0; rows.ends.len()];
    let mut is_taken = vec![false; rows.len()];
    let asks = |row: usize| rows.ends[row] < 0.0;
    if (0..rows.ends.len()).any(asks) {
        for &place in &order {
            let place = place as usize;
            let is_asked = rows.of(place).iter().any(|&(row, amount)| {
                amount < 0.0 && !rows.has_room(row as usize, used[row as usize])
            });
            if is_asked && rows.fits(place, &used) {
                rows.take(place, &mut used);
                is_taken[place] = true;
            }
        }
    }
    for &place in &order {
        let place = place as usize;
        if !is_taken[place] && rows.values[place] > 0.0 && rows.fits(place, &used) {
            rows.take(place, &mut used);
            is_taken[place] = true;
        }
    }
    let taken = order.into_iter().filter(|&place| is_taken[place as usize]).collect();
    rows.keeps(&used).then(|| Taken::new(rows, taken))
}
