//! How each ray of a cone orders each pair of items.

use super::pairs::Pairs;
use super::space::Space;

/// For each ray two bits per pair: whether the item with the smaller gain is above or level, and below or level.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    stride: usize,
    above: Vec<u64>,
    below: Vec<u64>,
    scores: Vec<f64>,
}

impl Marks {
    /// Computes the marks of these rays, those for below only if they are needed.
    pub(crate) fn new<'r>(
        pairs: &Pairs,
        space: &Space,
        rays: impl Iterator<Item = &'r [f64]>,
        with_below: bool,
    ) -> Self {
        let mut marks = Marks { stride: pairs.stride(), ..Marks::default() };
        for ray in rays {
            space.scores(ray, &mut marks.scores);
            pairs.mark_above(&marks.scores, &mut marks.above);
            if with_below {
                pairs.mark_below(&marks.scores, &mut marks.below);
            }
        }
        marks
    }

    /// The number of rays.
    pub(crate) fn len(&self) -> usize {
        self.above.len() / self.stride
    }

    /// The marks of a ray for above.
    pub(crate) fn above(&self, ray: usize) -> &[u64] {
        &self.above[ray * self.stride..][..self.stride]
    }

    /// The marks of a ray for below.
    pub(crate) fn below(&self, ray: usize) -> &[u64] {
        &self.below[ray * self.stride..][..self.stride]
    }

    /// The marks of all rays for above, ray after ray.
    pub(crate) fn all_above(&self) -> &[u64] {
        &self.above
    }

    /// The marks of all rays for below, ray after ray.
    pub(crate) fn all_below(&self) -> &[u64] {
        &self.below
    }

    /// Sets `above` to the pairs marked above in all of these rays.
    pub(crate) fn above_all(&self, rays: impl Iterator<Item = usize>, above: &mut Vec<u64>) {
        above.clear();
        above.resize(self.stride, u64::MAX);
        self.and_above(rays, above);
    }

    /// Removes from `above` the pairs that are not marked above in all of these rays.
    pub(crate) fn and_above(&self, rays: impl Iterator<Item = usize>, above: &mut [u64]) {
        for ray in rays {
            above.iter_mut().zip(self.above(ray)).for_each(|(all, one)| *all &= one);
        }
    }

    /// Sets `below` to the pairs marked below in all rays.
    pub(crate) fn below_all(&self, below: &mut Vec<u64>) {
        below.clear();
        below.resize(self.stride, u64::MAX);
        for ray in 0..self.len() {
            below.iter_mut().zip(self.below(ray)).for_each(|(all, one)| *all &= one);
        }
    }
}
