//! Counts how many of up to 255 cuts are below a value, for [`GROUP`] values at a time.
//!
//! The cuts are a binary search tree in heap order: the root is node 1, and the children of node i are
//! 2i, for values up to its cut, and 2i + 1. Example: cuts 1, 3, 5 are the nodes 3, 1, 5; the value 4
//! visits 1, 3, 6, and 6 less the 4 places of the last level is its rank 2.
//!
//! A level is a small table, and AVX2 and AVX-512 have an instruction that looks up a vector of indices
//! in a vector of numbers without a memory access. Tried and slower: buckets by the upper bits of the
//! value and a short search within the bucket (single lookups from memory, half as fast). Not worth
//! it: lookups in two vectors at once, which only AVX-512 has.

use pulp::Scalar;
#[cfg(target_arch = "x86_64")]
use pulp::{
    Simd, cast,
    x86::{V3, V4},
};

/// The maximum number of cuts of a tree.
pub(super) const MAX_CUTS: usize = 255;

/// The number of values that are searched at a time.
pub(super) const GROUP: usize = 16;

/// The search tree of some cuts.
#[derive(Debug, Clone)]
pub(super) struct SearchTree {
    /// Entry 0 is unused; nodes without a cut are infinity, which no value exceeds.
    nodes: Box<[f32; MAX_CUTS + 1]>,
    levels: u32,
}

impl SearchTree {
    /// Builds the tree of up to [`MAX_CUTS`] cuts in ascending order.
    pub(super) fn new(cuts: &[f32]) -> Self {
        let mut nodes = Box::new([f32::INFINITY; MAX_CUTS + 1]);
        let levels = usize::BITS - cuts.len().leading_zeros();
        for level in 0..levels {
            let (first, gap) = (1 << level, 1 << (levels - level));
            for (node, &cut) in cuts.iter().skip(gap / 2 - 1).step_by(gap).enumerate() {
                nodes[first + node] = cut;
            }
        }
        SearchTree { nodes, levels }
    }

    /// The number of cuts below each value, less 128; for a missing value there are none below.
    #[inline(always)]
    pub(super) fn ranks<V: Vectors>(&self, vectors: V, values: &[f32; GROUP]) -> [i8; GROUP] {
        let first = 1u32 << self.levels;
        vectors.descend(self, values).map(|at| at.wrapping_sub(first + 128) as i8)
    }
}

/// A vector width that a processor may support.
pub(super) trait Vectors: Copy {
    /// The node below the last level that each value reaches.
    fn descend(self, tree: &SearchTree, values: &[f32; GROUP]) -> [u32; GROUP];
}

/// For every processor.
impl Vectors for Scalar {
    #[inline(always)]
    fn descend(self, tree: &SearchTree, values: &[f32; GROUP]) -> [u32; GROUP] {
        let mut at = [1; GROUP];
        for _ in 0..tree.levels {
            for (at, &value) in at.iter_mut().zip(values) {
                // The remainder changes nothing, but avoids a bounds check.
                let cut = tree.nodes[*at as usize % (MAX_CUTS + 1)];
                *at = 2 * *at + u32::from(cut < value);
            }
        }
        at
    }
}

#[cfg(target_arch = "x86_64")]
impl Vectors for V3 {
    #[inline(always)]
    fn descend(self, tree: &SearchTree, values: &[f32; GROUP]) -> [u32; GROUP] {
        descend(self, tree, values)
    }
}

#[cfg(target_arch = "x86_64")]
impl Vectors for V4 {
    #[inline(always)]
    fn descend(self, tree: &SearchTree, values: &[f32; GROUP]) -> [u32; GROUP] {
        descend(self, tree, values)
    }
}

/// Vectors with the lookup instruction.
#[cfg(target_arch = "x86_64")]
trait Lookup: Simd {
    /// The numbers of the table at these indices, of which only the lower bits are used.
    fn lookup(self, table: Self::f32s, places: Self::u32s) -> Self::f32s;
}

#[cfg(target_arch = "x86_64")]
impl Lookup for V3 {
    #[inline(always)]
    fn lookup(self, table: Self::f32s, places: Self::u32s) -> Self::f32s {
        cast(self.avx2._mm256_permutevar8x32_ps(cast(table), cast(places)))
    }
}

#[cfg(target_arch = "x86_64")]
impl Lookup for V4 {
    #[inline(always)]
    fn lookup(self, table: Self::f32s, places: Self::u32s) -> Self::f32s {
        cast(self.avx512f._mm512_permutexvar_ps(cast(places), cast(table)))
    }
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn descend<S: Lookup>(simd: S, tree: &SearchTree, values: &[f32; GROUP]) -> [u32; GROUP] {
    let (tables, _) = S::as_simd_f32s(&tree.nodes[..]);
    let mut places = [0; GROUP];
    let vectors = S::as_mut_simd_u32s(&mut places).0.iter_mut().zip(S::as_simd_f32s(values).0);
    // This many levels are in the first table; the next level is one table, then 2, 4, 8 or 16.
    let small = S::F32_LANES.ilog2();
    for (place, &value) in vectors {
        let mut at = simd.splat_u32s(1);
        for _ in 0..tree.levels.min(small) {
            at = below(simd, simd.lookup(tables[0], at), value, at);
        }
        if tree.levels > small {
            at = below(simd, cuts::<S, 1>(simd, tables, at), value, at);
        }
        if tree.levels > small + 1 {
            at = below(simd, cuts::<S, 2>(simd, tables, at), value, at);
        }
        if tree.levels > small + 2 {
            at = below(simd, cuts::<S, 4>(simd, tables, at), value, at);
        }
        if tree.levels > small + 3 {
            at = below(simd, cuts::<S, 8>(simd, tables, at), value, at);
        }
        if tree.levels > small + 4 {
            at = below(simd, cuts::<S, 16>(simd, tables, at), value, at);
        }
        *place = at;
    }
    places
}

/// The cuts of nodes in a level of N tables: looked up in each, then selected bit by bit.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn cuts<S: Lookup, const N: usize>(simd: S, tables: &[S::f32s], at: S::u32s) -> S::f32s {
    let mut found = [tables[0]; N];
    for (found, &table) in found.iter_mut().zip(&tables[N..2 * N]) {
        *found = simd.lookup(table, at);
    }
    let mut half = N / 2;
    while half > 0 {
        let bit = simd.splat_u32s((half * S::F32_LANES) as u32);
        let upper = simd.equal_u32s(simd.and_u32s(at, bit), bit);
        for i in 0..half {
            found[i] = simd.select_f32s(upper, found[i + half], found[i]);
        }
        half /= 2;
    }
    found[0]
}

/// The children that values go to from nodes with these cuts.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn below<S: Simd>(simd: S, cuts: S::f32s, values: S::f32s, at: S::u32s) -> S::u32s {
    let (one, zero) = (simd.splat_u32s(1), simd.splat_u32s(0));
    let right = simd.select_u32s(simd.less_than_f32s(cuts, values), one, zero);
    simd.add_u32s(simd.add_u32s(at, at), right)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(vectors: impl Vectors) {
        let odd = [f32::NAN, f32::NEG_INFINITY, f32::MIN, -0.0, f32::MAX, f32::INFINITY];
        for n in 0..=MAX_CUTS {
            let cuts: Vec<f32> = (0..n).map(|cut| cut as f32 * 2.0).collect();
            let tree = SearchTree::new(&cuts);
            let mut values: Vec<f32> = (-1..2 * n as i32 + 1).map(|v| v as f32).collect();
            values.extend(odd);
            values.resize(values.len().next_multiple_of(GROUP), 0.0);
            for values in values.as_chunks::<GROUP>().0 {
                for (value, rank) in values.iter().zip(tree.ranks(vectors, values)) {
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
