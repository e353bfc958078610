//! A group within one list: its members by position and by true position, and its pairs with the rest.

use crate::list::List;
use crate::pairs::{Gains, Pairs, Within, gains_within};

/// The members of a group in a list.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Members<'a> {
    pub(crate) list: &'a List,
    /// Members by position.
    pub(crate) by_position: &'a [u32],
    /// Members by true position; empty if the truth is not known.
    pub(crate) by_truth: &'a [u32],
    /// Who the rest are.
    pub(crate) rest: Rest<'a>,
    /// Pairs within the group; none if the truth is not known.
    pub(crate) within: Within,
    /// Pairs with the rest; none if the truth is not known.
    pub(crate) across: Across,
}

/// The items that a group is compared with.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Rest<'a> {
    /// All items of the list that are not members.
    Others,
    /// Those that were not members before some members were left out.
    Of(&'a Others),
}

/// How the members of a group stand to the rest of their list: with it, a part of the members can be compared
/// with the same rest.
#[derive(Debug, Clone)]
pub(crate) struct Others {
    by_position: Vec<u32>,
    above: Vec<u32>,
    tied: Vec<u32>,
    pairs: Pairs,
    tops: Vec<(usize, Pairs, usize)>,
    gains: Gains,
}

/// Pairs of a member and one of the rest.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Across {
    /// Wrong pairs with the member above.
    pub(crate) over: f64,
    /// Wrong pairs with the member below.
    pub(crate) under: f64,
    /// All pairs.
    pub(crate) pairs: f64,
}

impl<'a> Members<'a> {
    /// Counts the pairs of a group.
    pub(crate) fn new(
        list: &'a List,
        by_position: &'a [u32],
        by_truth: &'a [u32],
        rest: Rest<'a>,
    ) -> Self {
        let (within, across) = (Within::default(), Across::default());
        let mut members = Members { list, by_position, by_truth, rest, within, across };
        members.within = members.within_first(members.len());
        members.across = members.count_across();
        members
    }

    /// The number of members.
    pub(crate) fn len(&self) -> usize {
        self.by_position.len()
    }

    /// The number of items in the rest.
    pub(crate) fn others(&self) -> usize {
        match self.rest {
            Rest::Others => self.list.len() - self.len(),
            Rest::Of(others) => others.by_position.len(),
        }
    }

    /// The positions of the members, from the top.
    pub(crate) fn positions(&self) -> impl ExactSizeIterator<Item = f64> + Clone + 'a {
        let list = self.list;
        self.by_position.iter().map(move |&item| list.position[item as usize])
    }

    /// Positions and true positions, by true position; nothing if the truth is not known.
    pub(crate) fn both(&self) -> impl Iterator<Item = (f64, f64)> + Clone + 'a {
        let list = self.list;
        let truth = list.truth.iter();
        let by_truth = self.by_truth;
        truth.flat_map(move |truth| {
            let at =
                move |&item: &u32| (list.position[item as usize], truth.position[item as usize]);
            by_truth.iter().map(at)
        })
    }

    /// The tied blocks of members: how many there are in it, how many of the rest stand above it, and how many
    /// share it.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = (usize, usize, usize)> + 'a {
        let (list, rest) = (self.list, self.rest);
        let same = |a: &u32, b: &u32| list.position[*a as usize] == list.position[*b as usize];
        let mut before = 0;
        self.by_position.chunk_by(same).map(move |block| {
            let item = block[0] as usize;
            let (above, tied) = match rest {
                Rest::Others => {
                    let (first, last) = list.block[item];
                    ((first - 1) as usize - before, (last + 1 - first) as usize - block.len())
                }
                Rest::Of(others) => (others.above[item] as usize, others.tied[item] as usize),
            };
            before += block.len();
            (block.len(), above, tied)
        })
    }

    fn within_first(&self, members: usize) -> Within {
        let Some(truth) = &self.list.truth else { return Within::default() };
        let at = |&item: &u32| (self.list.position[item as usize], truth.value[item as usize]);
        let items: Vec<(f64, f64)> = self.by_position[..members].iter().map(at).collect();
        Within::of(&items)
    }

    fn count_across(&self) -> Across {
        let Some(truth) = &self.list.truth else { return Across::default() };
        let pairs = (self.len() * self.others()) as f64;
        match self.rest {
            Rest::Others => self.summed(self.len(), &truth.pairs, self.within.wrong, pairs),
            Rest::Of(others) => self.summed(self.len(), &others.pairs, 0.0, pairs),
        }
    }

    /// The sum of a value over the rest; `all` is its sum over the list.
    pub(crate) fn over_rest(&self, all: f64, value: impl Fn(u32) -> f64) -> f64 {
        let sum = |items: &[u32]| items.iter().map(|&item| value(item)).sum::<f64>();
        match self.rest {
            // Rounding must not make an empty rest negative.
            Rest::Others => (all - sum(self.by_position)).max(0.0),
            Rest::Of(others) => sum(&others.by_position),
        }
    }

    /// Pairs with the rest among the items with positions up to `k`.
    pub(crate) fn across_top(&self, k: usize) -> Across {
        let Some(truth) = &self.list.truth else { return Across::default() };
        let inside = |order: &[u32]| {
            order.partition_point(|&item| self.list.position[item as usize] <= k as f64)
        };
        let members = inside(self.by_position);
        match self.rest {
            Rest::Others => {
                let others = inside(&self.list.order) - members;
                let pairs = truth.tops.iter().find(|(top, _)| *top == k).map(|(_, pairs)| pairs);
                let Some(pairs) = pairs else { return Across::default() };
                let within = self.within_first(members).wrong;
                self.summed(members, pairs, within, (members * others) as f64)
            }
            Rest::Of(of) => match of.tops.iter().find(|(top, ..)| *top == k) {
                Some((_, pairs, others)) => {
                    self.summed(members, pairs, 0.0, (members * others) as f64)
                }
                None => Across::default(),
            },
        }
    }

    fn summed(&self, members: usize, of: &Pairs, within: f64, pairs: f64) -> Across {
        let sum = |counts: &[f64]| {
            self.by_position[..members].iter().map(|&item| counts[item as usize]).sum::<f64>()
        };
        Across { over: sum(&of.over) - within, under: sum(&of.under) - within, pairs }
    }

    /// Differences in cost to items of the rest that cost less: of pairs with the member above (half where both
    /// share a position), and of all pairs.
    pub(crate) fn gains_across(&self) -> (f64, f64) {
        let Some(money) = &self.list.money else { return (0.0, 0.0) };
        let (gains, within) = match self.rest {
            Rest::Others => {
                let at =
                    |&item: &u32| (self.list.position[item as usize], money.cost[item as usize]);
                let items: Vec<(f64, f64)> = self.by_position.iter().map(at).collect();
                (&money.gains, gains_within(&items))
            }
            Rest::Of(others) => (&others.gains, (0.0, 0.0)),
        };
        let sum = |values: &[f64]| {
            self.by_position.iter().map(|&item| values[item as usize]).sum::<f64>()
        };
        // A difference of sums that should be 0 may be just below.
        ((sum(&gains.won) - within.0).max(0.0), (sum(&gains.all) - within.1).max(0.0))
    }

    /// How the members stand to the rest, one by one.
    pub(crate) fn others_of(&self) -> Others {
        let (list, n) = (self.list, self.list.len());
        let (mut above, mut tied) = (vec![0; n], vec![0; n]);
        let mut at = 0;
        for (size, rest_above, rest_tied) in self.blocks() {
            for &item in &self.by_position[at..at + size] {
                (above[item as usize], tied[item as usize]) = (rest_above as u32, rest_tied as u32);
            }
            at += size;
        }
        let less = |all: &Pairs, of: &Pairs| Pairs {
            over: all.over.iter().zip(&of.over).map(|(a, b)| a - b).collect(),
            under: all.under.iter().zip(&of.under).map(|(a, b)| a - b).collect(),
        };
        let (mut pairs, mut tops) = (Pairs::default(), Vec::new());
        if let Some(truth) = &list.truth {
            let own = |members: &[u32]| Pairs::of(members, &list.position, &truth.value);
            pairs = less(&truth.pairs, &own(self.by_position));
            for (k, all) in &truth.tops {
                let inside = |order: &[u32]| {
                    order.partition_point(|&item| list.position[item as usize] <= *k as f64)
                };
                let members = inside(self.by_position);
                let others = inside(&list.order) - members;
                tops.push((*k, less(all, &own(&self.by_position[..members])), others));
            }
        }
        let gains = list.money.as_ref().map(|money| {
            let own = Gains::of(self.by_position, &list.position, &money.cost);
            let less = |all: &[f64], of: &[f64]| all.iter().zip(of).map(|(a, b)| a - b).collect();
            Gains { won: less(&money.gains.won, &own.won), all: less(&money.gains.all, &own.all) }
        });
        let mut member = vec![false; n];
        self.by_position.iter().for_each(|&item| member[item as usize] = true);
        let by_position =
            list.order.iter().copied().filter(|&item| !member[item as usize]).collect();
        Others { by_position, above, tied, pairs, tops, gains: gains.unwrap_or_default() }
    }
}
