//! Counts how many of up to 255 cuts are below a value, for the values of a block of rows.
//!
//! The cuts are a binary search tree of a few levels. The outcome of level l becomes bit l of the number of the
//! node in the next level, so that a level is a table and a step is one lookup, one comparison and one addition.
//! The first outcome decides most: the rank is that number with its bits in reverse. Example: cuts 1, 3, 5 are
//! the levels (3) and (1, 5); for the value 4 the outcomes are 1 and 0, and the rank is 10 in binary, 2.
//!
//! AVX2 and AVX-512 have an instruction that looks up a vector of places in a vector of numbers without a memory
//! access; AVX-512 has one for two vectors, too. Tried and slower: buckets by the upper bits of the value and a
//! short search within the bucket (single lookups from memory, half as fast).

#[cfg(target_arch = "x86_64")]
use pulp::Simd;

use super::ranks::signed;
use super::sweep::ROWS;
use super::vectors::Vectors;

/// The maximum number of cuts of a tree.
pub(super) const MAX_CUTS: usize = 255;

/// The number of levels that as many cuts need.
const MAX_LEVELS: u32 = 8;

/// The search tree of some cuts.
#[derive(Debug, Clone)]
pub(super) struct SearchTree {
    /// The cuts of each level from [`first_of`] on. Nodes without a cut are infinity, which no value exceeds.
    nodes: Box<Nodes>,
    levels: u32,
}

/// The nodes of all levels.
pub(super) type Nodes = [f32; first_of(MAX_LEVELS)];

/// Where a level begins: small levels have as many places as the widest vector has lanes.
const fn first_of(level: u32) -> usize {
    if level <= 4 { 16 * level as usize } else { (1 << level) + 48 }
}

impl SearchTree {
    /// Builds the tree of up to [`MAX_CUTS`] cuts in ascending order.
    pub(super) fn new(cuts: &[f32]) -> Self {
        let mut nodes = Box::new([f32::INFINITY; first_of(MAX_LEVELS)]);
        let levels = usize::BITS - cuts.len().leading_zeros();
        for level in 0..levels {
            let gap = 1 << (levels - level);
            for (node, &cut) in cuts.iter().skip(gap / 2 - 1).step_by(gap).enumerate() {
                nodes[first_of(level) + reversed(node as u8, level) as usize] = cut;
            }
        }
        SearchTree { nodes, levels }
    }

    /// The number of cuts below each value, less 128; for a missing value there are none below.
    #[inline(always)]
    pub(super) fn ranks<V: Vectors>(&self, vectors: V, values: &[f32; ROWS], out: &mut [i8; ROWS]) {
        let mut outcomes = [0; ROWS];
        // A search of known length has no branches.
        match self.levels {
            0 => {}
            1 => vectors.search::<1>(&self.nodes, values, &mut outcomes),
            2 => vectors.search::<2>(&self.nodes, values, &mut outcomes),
            3 => vectors.search::<3>(&self.nodes, values, &mut outcomes),
            4 => vectors.search::<4>(&self.nodes, values, &mut outcomes),
            5 => vectors.search::<5>(&self.nodes, values, &mut outcomes),
            6 => vectors.search::<6>(&self.nodes, values, &mut outcomes),
            7 => vectors.search::<7>(&self.nodes, values, &mut outcomes),
            _ => vectors.search::<8>(&self.nodes, values, &mut outcomes),
        }
        let unused = 8 - self.levels;
        for (rank, outcomes) in out.iter_mut().zip(outcomes) {
            *rank = signed(((outcomes << unused) as u8).reverse_bits());
        }
    }
}

/// The lowest bits in reverse.
fn reversed(bits: u8, n: u32) -> u8 {
    bits.reverse_bits().checked_shr(8 - n).unwrap_or(0)
}

/// The outcomes of all levels for each value; for every processor.
#[inline(always)]
pub(super) fn search<const LEVELS: u32>(
    nodes: &Nodes,
    values: &[f32; ROWS],
    outcomes: &mut [u32; ROWS],
) {
    for level in 0..LEVELS {
        for (at, &value) in outcomes.iter_mut().zip(values) {
            *at |= u32::from(nodes[first_of(level) + *at as usize] < value) << level;
        }
    }
}

/// Vectors with instructions that look up.
#[cfg(target_arch = "x86_64")]
pub(super) trait Lookup: Simd {
    /// The numbers of the table at these places, of which only the lower bits are used.
    fn look_up(self, table: Self::f32s, places: Self::u32s) -> Self::f32s;

    /// The same for two tables side by side.
    fn look_up_in_two(self, tables: [Self::f32s; 2], places: Self::u32s) -> Self::f32s;

    /// Adds the bit where the value exceeds the cut.
    fn outcome(self, cuts: Self::f32s, values: Self::f32s, at: Self::u32s, bit: u32) -> Self::u32s;
}

/// The same as [`search`].
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(super) fn search_by_lookup<S: Lookup, const LEVELS: u32>(
    simd: S,
    nodes: &Nodes,
    values: &[f32; ROWS],
    outcomes: &mut [u32; ROWS],
) {
    let outcomes = S::as_mut_simd_u32s(outcomes).0;
    for (outcomes, &value) in outcomes.iter_mut().zip(S::as_simd_f32s(values).0) {
        let mut at = simd.splat_u32s(0);
        for level in 0..LEVELS {
            let tables = S::as_simd_f32s(&nodes[first_of(level)..]).0;
            let cuts = match (1 << level) / S::F32_LANES {
                0 | 1 => simd.look_up(tables[0], at),
                2 => cuts::<S, 1>(simd, tables, at),
                4 => cuts::<S, 2>(simd, tables, at),
                8 => cuts::<S, 4>(simd, tables, at),
                _ => cuts::<S, 8>(simd, tables, at),
            };
            at = simd.outcome(cuts, value, at, 1 << level);
        }
        *outcomes = at;
    }
}

/// The cuts of nodes in a level of `PAIRS` pairs of tables: looked up in each pair, then selected bit by bit.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn cuts<S: Lookup, const PAIRS: usize>(simd: S, tables: &[S::f32s], at: S::u32s) -> S::f32s {
    let mut found = [tables[0]; PAIRS];
    for (found, &pair) in found.iter_mut().zip(tables.as_chunks().0) {
        *found = simd.look_up_in_two(pair, at);
    }
    let mut half = PAIRS / 2;
    while half > 0 {
        let bit = simd.splat_u32s((2 * half * S::F32_LANES) as u32);
        let upper = simd.equal_u32s(simd.and_u32s(at, bit), bit);
        for i in 0..half {
            found[i] = simd.select_f32s(upper, found[i + half], found[i]);
        }
        half /= 2;
    }
    found[0]
}

#[cfg(test)]
mod tests {
    use super::*;
    use pulp::Scalar;
    #[cfg(target_arch = "x86_64")]
    use pulp::x86::{V3, V4};

    fn check(vectors: impl Vectors) {
        let odd = [f32::NAN, f32::NEG_INFINITY, f32::MIN, -0.0, f32::MAX, f32::INFINITY];
        for n in 0..=MAX_CUTS {
            let cuts: Vec<f32> = (0..n).map(|cut| cut as f32 * 2.0).collect();
            let tree = SearchTree::new(&cuts);
            let mut values: Vec<f32> = (-1..2 * n as i32 + 1).map(|v| v as f32).collect();
            values.extend(odd);
            values.resize(values.len().next_multiple_of(ROWS), 0.0);
            for values in values.as_chunks::<ROWS>().0 {
                let mut ranks = [0; ROWS];
                tree.ranks(vectors, values, &mut ranks);
                for (value, rank) in values.iter().zip(ranks) {
                    let below = cuts.iter().filter(|cut| *cut < value).count();
                    assert_eq!(i32::from(rank) + 128, below as i32, "{value} of {n}");
                }
            }
        }
    }

    #[test]
    fn ranks_count_the_cuts_below_with_all_vectors() {
        check(Scalar);
        #[cfg(target_arch = "x86_64")]
        {
            V3::try_new().into_iter().for_each(check);
            V4::try_new().into_iter().for_each(check);
        }
    }
}
