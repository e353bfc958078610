//! Rays and how they order each pair.

use super::pairs::Pairs;
use super::space::Space;

/// For each ray, the lesser items above or level, and below or level.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    stride: usize,
    above: Vec<u64>,
    below: Vec<u64>,
    scores: Vec<f64>,
}

impl Marks {
    /// Of these rays; what is below only if anybody will ask for it.
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

    /// Number of rays.
    pub(crate) fn len(&self) -> usize {
        self.above.len() / self.stride
    }

    /// Of a ray.
    pub(crate) fn above(&self, ray: usize) -> &[u64] {
        &self.above[ray * self.stride..][..self.stride]
    }

    /// Of a ray.
    pub(crate) fn below(&self, ray: usize) -> &[u64] {
        &self.below[ray * self.stride..][..self.stride]
    }

    /// Of all rays, one after the other.
    pub(crate) fn all_above(&self) -> &[u64] {
        &self.above
    }

    /// Of all rays, one after the other.
    pub(crate) fn all_below(&self) -> &[u64] {
        &self.below
    }

    /// What stands above in all of these rays.
    pub(crate) fn above_all(&self, rays: impl Iterator<Item = usize>, above: &mut Vec<u64>) {
        above.clear();
        above.resize(self.stride, u64::MAX);
        self.and_above(rays, above);
    }

    /// Takes away what does not stand above in all of these rays.
    pub(crate) fn and_above(&self, rays: impl Iterator<Item = usize>, above: &mut [u64]) {
        for ray in rays {
            above.iter_mut().zip(self.above(ray)).for_each(|(all, one)| *all &= one);
        }
    }

    /// What stands below in all rays.
    pub(crate) fn below_all(&self, below: &mut Vec<u64>) {
        below.clear();
        below.resize(self.stride, u64::MAX);
        for ray in 0..self.len() {
            below.iter_mut().zip(self.below(ray)).for_each(|(all, one)| *all &= one);
        }
    }
}
