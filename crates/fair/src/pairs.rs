//! Pairs of items that an order puts the wrong way round, in O(n log n).
//!
//! Of two items with different truth the better one should stand above the other. A pair is wrong by 1 if it
//! does not, by 1/2 if both share a position. For an item, `over` counts the wrong pairs in which it stands
//! above a better item, `under` those in which it stands below a worse one. Sums over the members of a group
//! count every wrong pair within the group once in each; so the wrong pairs between a group and the rest are
//! the sum over its members less the wrong pairs within ([`Within`]). Relabelling a group therefore needs only
//! its own pairs, not those of the list.
//!
//! By hand: the order B9 A0 A2 B1 (0 best) has 3 wrong pairs with B9 over the others, and A2 over B1.

/// The wrong pairs of every item of an order.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pairs {
    /// Wrong pairs in which the item stands above a better one.
    pub(crate) over: Vec<f64>,
    /// Wrong pairs in which the item stands below a worse one.
    pub(crate) under: Vec<f64>,
}

/// For every item, sums over the items of lower cost.
#[derive(Debug, Clone, Default)]
pub(crate) struct Gains {
    /// The difference in cost to items of lower cost that stand below (half of it where they share a position).
    pub(crate) won: Vec<f64>,
    /// The difference in cost to all items of lower cost.
    pub(crate) all: Vec<f64>,
}

impl Pairs {
    /// Counts among the items of `order`, which is by position; `truth` is higher for better items. The result
    /// has a number for each item of the list, 0 for those that are not in `order`.
    pub(crate) fn of(order: &[u32], position: &[f64], truth: &[f64]) -> Self {
        let n = position.len();
        let mut pairs = Pairs { over: vec![0.0; n], under: vec![0.0; n] };
        let (levels, count) = levels(order, truth);
        let mut above = SumTree::new(count);
        let mut all = SumTree::new(count);
        for &level in &levels {
            all.add(level, 1.0, 0.0);
        }
        let mut at = 0;
        for block in blocks(order, position) {
            let members = at..at + block.len();
            let mut tied = block_levels(&levels[members.clone()]);
            for (&item, &level) in block.iter().zip(&levels[members.clone()]) {
                let (tied_lower, tied_higher) = tied.beside(level);
                let better = |tree: &SumTree| tree.total().0 - tree.up_to(level).0;
                let worse_above = above.below(level).0;
                let better_not_below = better(&above) + tied_higher;
                let better_below = better(&all) - better_not_below;
                pairs.over[item as usize] = better_below + 0.5 * tied_higher;
                pairs.under[item as usize] = worse_above + 0.5 * tied_lower;
            }
            for &level in &levels[members] {
                above.add(level, 1.0, 0.0);
            }
            at += block.len();
        }
        pairs
    }
}

impl Gains {
    /// Sums among the items of `order`, which is by position.
    pub(crate) fn of(order: &[u32], position: &[f64], cost: &[f64]) -> Self {
        let n = position.len();
        let mut gains = Gains { won: vec![0.0; n], all: vec![0.0; n] };
        let (levels, count) = levels(order, cost);
        let mut seen = SumTree::new(count);
        // From the last position up: what has been seen stands below.
        let mut end = order.len();
        let all_blocks: Vec<&[u32]> = blocks(order, position).collect();
        for block in all_blocks.iter().rev() {
            let members = end - block.len()..end;
            let difference =
                |item: u32, (number, sum): (f64, f64)| number * cost[item as usize] - sum;
            let before: Vec<f64> = (block.iter().zip(&levels[members.clone()]))
                .map(|(&item, &level)| difference(item, seen.below(level)))
                .collect();
            for (&item, &level) in block.iter().zip(&levels[members.clone()]) {
                seen.add(level, 1.0, cost[item as usize]);
            }
            for ((&item, &level), below) in block.iter().zip(&levels[members.clone()]).zip(before) {
                let tied = difference(item, seen.below(level)) - below;
                gains.won[item as usize] = below + 0.5 * tied;
            }
            end -= block.len();
        }
        for (&item, &level) in order.iter().zip(&levels) {
            let (number, sum) = seen.below(level);
            gains.all[item as usize] = number * cost[item as usize] - sum;
        }
        gains
    }
}

/// The pairs within a set of items.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Within {
    /// Wrong pairs.
    pub(crate) wrong: f64,
    /// Pairs whose truth differs.
    pub(crate) comparable: f64,
}

/// Up to this number of items all pairs are looked at: quicker than sorting.
const FEW: usize = 40;

impl Within {
    /// Counts the pairs of a set, given as (position, truth) in order of position.
    pub(crate) fn of(items: &[(f64, f64)]) -> Self {
        match items.len() <= FEW {
            true => Within::direct(items),
            false => Within::sorted(items),
        }
    }

    fn direct(items: &[(f64, f64)]) -> Self {
        // Whole numbers of half pairs: sums of integers need no order.
        let (mut wrong, mut comparable) = (0_u32, 0_u32);
        for (i, &(above, worse)) in items.iter().enumerate() {
            for &(below, better) in &items[i + 1..] {
                let differs = u32::from(worse != better);
                let is_wrong = u32::from(worse < better);
                let is_tied = u32::from(above == below);
                comparable += differs;
                wrong += (1 - is_tied) * 2 * is_wrong + is_tied * differs;
            }
        }
        Within { wrong: 0.5 * f64::from(wrong), comparable: f64::from(comparable) }
    }

    fn sorted(items: &[(f64, f64)]) -> Self {
        let mut truth: Vec<f64> = items.iter().map(|item| item.1).collect();
        let mut tied = 0.0;
        // Best first within a tied block, so that the sort below finds nothing wrong in it.
        for block in items.chunk_by(|a, b| a.0 == b.0).scan(0, |start, block| {
            *start += block.len();
            Some(*start - block.len()..*start)
        }) {
            if block.len() > 1 {
                let block = &mut truth[block];
                block.sort_unstable_by(|a, b| b.total_cmp(a));
                tied += comparable(block);
            }
        }
        let mut scratch = truth.clone();
        let wrong = inversions(&mut truth, &mut scratch);
        Within { wrong: wrong as f64 + 0.5 * tied, comparable: comparable(&truth) }
    }
}

/// The differences in cost within a set, given as (position, cost) in order of position: of pairs whose
/// costlier item stands above (half where both share a position), and of all pairs.
pub(crate) fn gains_within(items: &[(f64, f64)]) -> (f64, f64) {
    if items.len() > FEW {
        let (position, cost): (Vec<f64>, Vec<f64>) = items.iter().copied().unzip();
        let order: Vec<u32> = (0..items.len() as u32).collect();
        let gains = Gains::of(&order, &position, &cost);
        return (gains.won.iter().sum(), gains.all.iter().sum());
    }
    let (mut won, mut all) = (0.0, 0.0);
    for (i, &(above, first)) in items.iter().enumerate() {
        for &(below, second) in &items[i + 1..] {
            let difference = first - second;
            all += difference.abs();
            won += if above == below { 0.5 * difference.abs() } else { difference.max(0.0) };
        }
    }
    (won, all)
}

/// Tied blocks of an order.
pub(crate) fn blocks<'a>(order: &'a [u32], position: &'a [f64]) -> impl Iterator<Item = &'a [u32]> {
    order.chunk_by(|&a, &b| position[a as usize] == position[b as usize])
}

/// Pairs of different values among sorted ones.
fn comparable(sorted: &[f64]) -> f64 {
    let pairs = |n: usize| 0.5 * n as f64 * (n as f64 - 1.0);
    pairs(sorted.len()) - sorted.chunk_by(|a, b| a == b).map(|same| pairs(same.len())).sum::<f64>()
}

/// Sorts best first and counts the pairs that stood the other way round.
fn inversions(values: &mut [f64], scratch: &mut [f64]) -> u64 {
    let n = values.len();
    if n < 2 {
        return 0;
    }
    let half = n / 2;
    let mut wrong = inversions(&mut values[..half], &mut scratch[..half])
        + inversions(&mut values[half..], &mut scratch[half..]);
    let (mut left, mut right) = (0, half);
    for slot in scratch.iter_mut() {
        let take_right = left == half || (right < n && values[right] > values[left]);
        if take_right {
            wrong += (half - left) as u64;
            *slot = values[right];
            right += 1;
        } else {
            *slot = values[left];
            left += 1;
        }
    }
    values.copy_from_slice(scratch);
    wrong
}

/// The level of every item of an order among the distinct values, lowest first, and the number of levels.
fn levels(order: &[u32], values: &[f64]) -> (Vec<usize>, usize) {
    let mut distinct: Vec<f64> = order.iter().map(|&item| values[item as usize]).collect();
    distinct.sort_unstable_by(f64::total_cmp);
    distinct.dedup();
    let level = |&item: &u32| distinct.partition_point(|&value| value < values[item as usize]);
    (order.iter().map(level).collect(), distinct.len())
}

/// The sorted levels of a tied block.
struct BlockLevels(Vec<usize>);

fn block_levels(levels: &[usize]) -> BlockLevels {
    let mut sorted = levels.to_vec();
    sorted.sort_unstable();
    BlockLevels(sorted)
}

impl BlockLevels {
    /// How many items of the block are of a lower and of a higher level.
    fn beside(&mut self, level: usize) -> (f64, f64) {
        let lower = self.0.partition_point(|&other| other < level);
        let not_higher = self.0.partition_point(|&other| other <= level);
        (lower as f64, (self.0.len() - not_higher) as f64)
    }
}

/// Numbers and sums of values by level, in O(log levels) each (Fenwick 1994).
struct SumTree {
    nodes: Vec<(f64, f64)>,
    total: (f64, f64),
}

impl SumTree {
    fn new(levels: usize) -> Self {
        SumTree { nodes: vec![(0.0, 0.0); levels + 1], total: (0.0, 0.0) }
    }

    fn add(&mut self, level: usize, number: f64, value: f64) {
        self.total = (self.total.0 + number, self.total.1 + value);
        let mut at = level + 1;
        while at < self.nodes.len() {
            self.nodes[at].0 += number;
            self.nodes[at].1 += value;
            at += at & at.wrapping_neg();
        }
    }

    /// The sums over levels below this one.
    fn below(&self, level: usize) -> (f64, f64) {
        let mut sums = (0.0, 0.0);
        let mut at = level;
        while at > 0 {
            sums.0 += self.nodes[at].0;
            sums.1 += self.nodes[at].1;
            at -= at & at.wrapping_neg();
        }
        sums
    }

    fn up_to(&self, level: usize) -> (f64, f64) {
        self.below(level + 1)
    }

    fn total(&self) -> (f64, f64) {
        self.total
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Items with few distinct positions and truths, in order of position.
    fn items() -> impl Strategy<Value = Vec<(f64, f64)>> {
        prop::collection::vec((0_u8..30, 0_u8..8), 0..90).prop_map(|mut items| {
            items.sort_by_key(|item| item.0);
            items.into_iter().map(|(p, t)| (f64::from(p), f64::from(t))).collect()
        })
    }

    proptest! {
        #[test]
        fn counts_are_those_of_a_double_loop(items in items()) {
            let (position, truth): (Vec<f64>, Vec<f64>) = items.iter().copied().unzip();
            let order: Vec<u32> = (0..items.len() as u32).collect();
            let pairs = Pairs::of(&order, &position, &truth);
            let gains = Gains::of(&order, &position, &truth);
            for a in 0..items.len() {
                let [mut over, mut under, mut won, mut all] = [0.0; 4];
                for b in 0..items.len() {
                    let above = match position[a].total_cmp(&position[b]) {
                        std::cmp::Ordering::Less => 1.0,
                        std::cmp::Ordering::Equal => 0.5,
                        std::cmp::Ordering::Greater => 0.0,
                    };
                    if truth[a] < truth[b] {
                        over += above;
                    } else if truth[a] > truth[b] {
                        under += 1.0 - above;
                        won += above * (truth[a] - truth[b]);
                        all += truth[a] - truth[b];
                    }
                }
                prop_assert_eq!((over, under), (pairs.over[a], pairs.under[a]));
                prop_assert_eq!((won, all), (gains.won[a], gains.all[a]));
            }
            let (direct, sorted) = (Within::direct(&items), Within::sorted(&items));
            prop_assert_eq!(direct, sorted);
            prop_assert_eq!(direct.wrong, pairs.over.iter().sum::<f64>());
            prop_assert_eq!(direct.wrong, pairs.under.iter().sum::<f64>());
            let (won, all) = gains_within(&items);
            prop_assert!((won - gains.won.iter().sum::<f64>()).abs() < 1e-9);
            prop_assert!((all - gains.all.iter().sum::<f64>()).abs() < 1e-9);
        }
    }
}
