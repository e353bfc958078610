//! A cone of directions, given by its extreme rays, and its cuts by hyperplanes.
//!
//! The double description method (Motzkin et al. 1953; Fukuda and Prodon 1996): when a cone is cut by a hyperplane, the
//! rays on either side remain, and a new one arises on the hyperplane between any two rays of different sides that are
//! adjacent, that is, if no other ray lies on all the facets that they share. On average the cells of an arrangement of
//! hyperplanes have as many rays as a cube has corners, which makes this practical up to about ten dimensions.
//!
//! Example: the quadrant of rays (1, 0) and (0, 1), cut where both are equal: a new ray (1, 1).

use super::pairs::TOLERANCE;
use crate::problem::dot;

/// A set of facets as bits.
type Facets = u128;
const MAX_FACETS: usize = Facets::BITS as usize;

/// The maximum number of pairs of rays on different sides that a cut examines. In many dimensions the number of rays
/// explodes.
const MAX_PAIRS: usize = 30_000_000;

/// A pointed cone with an interior.
#[derive(Debug, Clone)]
pub(crate) struct Cone {
    dims: usize,
    /// The extreme rays, of length 1, `dims` numbers each.
    rays: Vec<f64>,
    /// The facets that each ray lies on.
    on: Vec<Facets>,
    facets: usize,
}

/// The rays of the two parts of a cone that was cut by a hyperplane.
pub(crate) struct Cut {
    /// The rays on the positive and on the negative side.
    pub(crate) sides: [Vec<usize>; 2],
    /// The new rays on the hyperplane, which belong to both parts.
    pub(crate) new_rays: Vec<f64>,
    new_on: Vec<Facets>,
    /// The rays of the cone that lie on the hyperplane and belong to both parts.
    level: Vec<usize>,
}

impl Cone {
    /// Cones that cover all directions: a regular simplex has dims + 1 corners, and each cone is spanned by all but one
    /// of them.
    pub(crate) fn all(dims: usize) -> Vec<Cone> {
        let size = dims as f64;
        let shift = -(1.0 + 1.0 / (size + 1.0).sqrt()) / size;
        let mut corners: Vec<Vec<f64>> = (0..dims)
            .map(|corner| (0..dims).map(|d| shift + f64::from(u8::from(d == corner))).collect())
            .collect();
        corners.push(vec![1.0 / (size + 1.0).sqrt(); dims]);
        corners.iter_mut().for_each(|corner| normalise(corner));
        let without = |left_out: usize| {
            let rays = corners.iter().enumerate().filter(|(corner, _)| *corner != left_out);
            let rays: Vec<f64> = rays.flat_map(|(_, ray)| ray.iter().copied()).collect();
            // There are as many facets as rays; ray i lies on all but facet i.
            let every = Facets::MAX >> (MAX_FACETS - dims);
            let on = (0..dims).map(|ray| every & !(1 << ray)).collect();
            Cone { dims, rays, on, facets: dims }
        };
        (0..=dims).map(without).collect()
    }

    /// The extreme rays.
    pub(crate) fn rays(&self) -> impl ExactSizeIterator<Item = &[f64]> {
        self.rays.chunks_exact(self.dims)
    }

    /// The number of rays.
    pub(crate) fn len(&self) -> usize {
        self.on.len()
    }

    /// A direction in the interior: the normalised sum of the rays.
    pub(crate) fn centre(&self) -> Vec<f64> {
        let mut centre = vec![0.0; self.dims];
        for ray in self.rays() {
            centre.iter_mut().zip(ray).for_each(|(sum, part)| *sum += part);
        }
        normalise(&mut centre);
        centre
    }

    /// The size in memory, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.len() * (self.dims * 8 + size_of::<Facets>()) + size_of::<Cone>()
    }

    /// Cuts the cone by a hyperplane. `None` if it has too many facets or rays.
    pub(crate) fn cut(&self, hyperplane: &[f64]) -> Option<Cut> {
        if self.facets >= MAX_FACETS {
            return None;
        }
        let heights: Vec<f64> = self.rays().map(|ray| dot(ray, hyperplane)).collect();
        let of = |side: &dyn Fn(f64) -> bool| -> Vec<usize> {
            (0..self.len()).filter(|&ray| side(heights[ray])).collect()
        };
        let (above, below) = (of(&|h| h > TOLERANCE), of(&|h| h < -TOLERANCE));
        let level = of(&|h| h.abs() <= TOLERANCE);
        if above.len() * below.len() > MAX_PAIRS {
            return None;
        }
        let (mut new_rays, mut new_on) = (Vec::new(), Vec::new());
        for &a in &above {
            for &b in &below {
                let shared = self.on[a] & self.on[b];
                if shared.count_ones() as usize + 2 < self.dims || !self.are_adjacent(a, b, shared)
                {
                    continue;
                }
                let ray = |r: usize| self.rays[r * self.dims..][..self.dims].iter();
                let between = |(x, y): (&f64, &f64)| heights[a] * y - heights[b] * x;
                let at = new_rays.len();
                new_rays.extend(ray(a).zip(ray(b)).map(between));
                normalise(&mut new_rays[at..]);
                new_on.push(shared | 1 << self.facets);
            }
        }
        Some(Cut { sides: [above, below], new_rays, new_on, level })
    }

    /// Whether no other ray lies on all facets that two rays share.
    fn are_adjacent(&self, a: usize, b: usize, shared: Facets) -> bool {
        let holds = |(ray, on): (usize, &Facets)| shared & !on == 0 && ray != a && ray != b;
        !self.on.iter().enumerate().any(holds)
    }

    /// The part of the cone on one side of a cut.
    pub(crate) fn side(&self, cut: &Cut, side: usize) -> Cone {
        let mut cone =
            Cone { dims: self.dims, rays: Vec::new(), on: Vec::new(), facets: self.facets + 1 };
        let mut push = |ray: usize, on: Facets| {
            cone.rays.extend_from_slice(&self.rays[ray * self.dims..][..self.dims]);
            cone.on.push(self.on[ray] | on);
        };
        cut.sides[side].iter().for_each(|&ray| push(ray, 0));
        cut.level.iter().for_each(|&ray| push(ray, 1 << self.facets));
        cone.rays.extend_from_slice(&cut.new_rays);
        cone.on.extend_from_slice(&cut.new_on);
        cone.drop_redundant_facets();
        cone
    }

    /// The old rays of one side of a cut, including those on the hyperplane.
    pub(crate) fn remaining_rays<'c>(
        &self,
        cut: &'c Cut,
        side: usize,
    ) -> impl Iterator<Item = usize> + 'c {
        cut.sides[side].iter().chain(&cut.level).copied()
    }

    /// Drops hyperplanes that no longer bound the cone: a facet has at least dims - 1 rays.
    fn drop_redundant_facets(&mut self) {
        let mut counts = [0usize; MAX_FACETS];
        for on in &self.on {
            let mut rest = *on;
            while rest != 0 {
                counts[rest.trailing_zeros() as usize] += 1;
                rest &= rest - 1;
            }
        }
        let kept: Vec<usize> = (0..self.facets).filter(|&f| counts[f] + 1 >= self.dims).collect();
        if kept.len() < self.facets {
            for on in &mut self.on {
                let before = *on;
                *on = kept
                    .iter()
                    .enumerate()
                    .fold(0, |bits, (new, old)| bits | (before >> old & 1) << new);
            }
            self.facets = kept.len();
        }
    }
}

fn normalise(direction: &mut [f64]) {
    let length = direction.iter().map(|part| part * part).sum::<f64>().sqrt();
    if length > 0.0 {
        direction.iter_mut().for_each(|part| *part /= length);
    }
}
