//! From labelled lists to figures: members are found, sums are taken per list, added, and turned into figures.

use crate::list::List;
use crate::measure::{Measure, Sums};
use crate::members::{Members, Rest};

/// The groups that are looked at, and by which measures. Sums and figures are stored group by group.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plan<'a> {
    pub(crate) measures: &'a [Measure],
    /// The codes of the groups.
    pub(crate) groups: &'a [u32],
    /// The number of codes.
    pub(crate) codes: usize,
    /// Whether rates are compared with the largest among the groups.
    pub(crate) in_turn: bool,
}

/// Room for the members of all groups of a list.
#[derive(Debug, Clone, Default)]
pub(crate) struct Room {
    starts: Vec<usize>,
    by_position: Vec<u32>,
    by_truth: Vec<u32>,
    slots: Vec<usize>,
}

impl Room {
    /// Sorts the items of a list into their groups, each in order.
    pub(crate) fn sort(&mut self, list: &List, codes: &[u32], n_codes: usize) {
        self.starts.clear();
        self.starts.resize(n_codes + 1, 0);
        for &code in codes {
            self.starts[code as usize + 1] += 1;
        }
        for code in 0..n_codes {
            self.starts[code + 1] += self.starts[code];
        }
        fill(&mut self.by_position, &mut self.slots, &self.starts, &list.order, codes);
        match &list.truth {
            Some(truth) => {
                fill(&mut self.by_truth, &mut self.slots, &self.starts, &truth.order, codes);
            }
            None => self.by_truth.clear(),
        }
    }

    /// The members of a group of the list that was sorted last.
    pub(crate) fn members<'a>(&'a self, list: &'a List, group: u32) -> Members<'a> {
        let range = self.starts[group as usize]..self.starts[group as usize + 1];
        let by_truth = self.by_truth.get(range.clone()).unwrap_or_default();
        Members::new(list, &self.by_position[range], by_truth, Rest::Others)
    }
}

fn fill(
    into: &mut Vec<u32>,
    slots: &mut Vec<usize>,
    starts: &[usize],
    order: &[u32],
    codes: &[u32],
) {
    slots.clear();
    slots.extend_from_slice(&starts[..starts.len() - 1]);
    into.resize(order.len(), 0);
    for &item in order {
        let slot = &mut slots[codes[item as usize] as usize];
        into[*slot] = item;
        *slot += 1;
    }
}

impl Plan<'_> {
    /// The number of sums of a list.
    pub(crate) fn width(&self) -> usize {
        self.groups.len() * self.measures.len()
    }

    /// Calls `put` with the place and the sums of every group and measure of a list.
    pub(crate) fn of_list(
        &self,
        list: &List,
        codes: &[u32],
        room: &mut Room,
        mut put: impl FnMut(usize, Sums),
    ) {
        room.sort(list, codes, self.codes);
        for (g, &group) in self.groups.iter().enumerate() {
            let members = room.members(list, group);
            for (m, measure) in self.measures.iter().enumerate() {
                put(g * self.measures.len() + m, measure.sums(&members));
            }
        }
    }

    /// The same of each group's rest.
    pub(crate) fn of_rest(&self, list: &List, codes: &[u32], mut put: impl FnMut(usize, Sums)) {
        for (g, &group) in self.groups.iter().enumerate() {
            let is_other = |item: &u32| codes[*item as usize] != group;
            let by_position: Vec<u32> = list.order.iter().copied().filter(is_other).collect();
            let truth = list.truth.iter().flat_map(|truth| &truth.order);
            let by_truth: Vec<u32> = truth.copied().filter(is_other).collect();
            let others = Members::new(list, &by_position, &by_truth, Rest::Others);
            for (m, measure) in self.measures.iter().enumerate() {
                put(g * self.measures.len() + m, measure.sums(&others));
            }
        }
    }

    /// Makes rates those against the largest rate among the groups.
    fn against_largest(&self, sums: &mut [Sums]) {
        let rate = |sums: &Sums| if sums[1] > 0.0 { sums[0] / sums[1] } else { 0.0 };
        for (m, _) in self.measures.iter().enumerate().filter(|(_, m)| m.info.against_largest) {
            let of = |g: usize| g * self.measures.len() + m;
            let groups = 0..self.groups.len();
            let largest = groups.clone().fold(0, |best, g| {
                if rate(&sums[of(g)]) > rate(&sums[of(best)]) { g } else { best }
            });
            let [hits, members, ..] = sums[of(largest)];
            for g in groups {
                (sums[of(g)][2], sums[of(g)][3]) = (hits, members);
            }
        }
    }

    /// The figures of sums over lists, or with `tested` what the relabelling test looks at; `NaN` where there is
    /// no value.
    pub(crate) fn figures(&self, mut sums: Vec<Sums>, tested: bool) -> Vec<f64> {
        if self.in_turn {
            self.against_largest(&mut sums);
        }
        let figure = |(i, sums): (usize, &Sums)| {
            let info = self.measures[i % self.measures.len()].info;
            let value = if tested { (info.test)(sums) } else { (info.figure)(sums) };
            value.unwrap_or(f64::NAN)
        };
        sums.iter().enumerate().map(figure).collect()
    }
}

pub(crate) fn add(into: &mut Sums, sums: Sums, times: f64) {
    into.iter_mut().zip(sums).for_each(|(total, sum)| *total += times * sum);
}
