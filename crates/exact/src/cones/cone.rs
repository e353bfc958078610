//! A cone of directions by its extreme rays, and how it is cut in two.
//!
//! The double description method (Motzkin and others, 1953; Fukuda and Prodon, Double description method
//! revisited, 1996): cut by a hyperplane, the rays on either side stay, and new ones arise on it between two
//! rays of different sides that are neighbours, that is if no other ray lies on all the facets that
//! they share. Cells of an arrangement of hyperplanes have as many rays as a cube has corners on average, which
//! makes this practical up to ten dimensions or so.
//!
//! Example: the quadrant of rays (1, 0) and (0, 1), cut where both are equal: a new ray (1, 1).

use super::pairs::TOLERANCE;
use crate::problem::dot;

/// Facets are bits of such a word.
type Facets = u128;
const MOST_FACETS: usize = Facets::BITS as usize;

/// Pairs of rays on different sides that are looked at. In many dimensions rays multiply beyond measure.
const MOST_PAIRS: usize = 30_000_000;

/// A pointed cone with an interior.
#[derive(Debug, Clone)]
pub(crate) struct Cone {
    dims: usize,
    /// Of length 1, `dims` numbers to each.
    rays: Vec<f64>,
    /// The facets that each ray lies on.
    on: Vec<Facets>,
    facets: usize,
}

/// A cut: the rays of the first side, those of the second, rays on the cut belonging to both.
pub(crate) struct Cut {
    /// Rays that stay, of the positive and of the negative side.
    pub(crate) sides: [Vec<usize>; 2],
    /// New rays.
    pub(crate) born: Vec<f64>,
    born_on: Vec<Facets>,
    /// Rays of the cone that lie on the cut.
    level: Vec<usize>,
}

impl Cone {
    /// Cones that cover all directions: those of the corners of a regular simplex, all but one of them each.
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
            // A facet for each ray: the one that it does not lie on.
            let every = Facets::MAX >> (MOST_FACETS - dims);
            let on = (0..dims).map(|ray| every & !(1 << ray)).collect();
            Cone { dims, rays, on, facets: dims }
        };
        (0..=dims).map(without).collect()
    }

    /// Its rays.
    pub(crate) fn rays(&self) -> impl ExactSizeIterator<Item = &[f64]> {
        self.rays.chunks_exact(self.dims)
    }

    /// Number of rays.
    pub(crate) fn len(&self) -> usize {
        self.on.len()
    }

    /// A direction in its interior.
    pub(crate) fn centre(&self) -> Vec<f64> {
        let mut centre = vec![0.0; self.dims];
        for ray in self.rays() {
            centre.iter_mut().zip(ray).for_each(|(sum, part)| *sum += part);
        }
        normalise(&mut centre);
        centre
    }

    /// Bytes in memory.
    pub(crate) fn bytes(&self) -> usize {
        self.len() * (self.dims * 8 + size_of::<Facets>()) + size_of::<Cone>()
    }

    /// Cuts by a hyperplane. `None` if it has more facets than can be counted, or too many rays.
    pub(crate) fn cut(&self, hyperplane: &[f64]) -> Option<Cut> {
        if self.facets >= MOST_FACETS {
            return None;
        }
        let heights: Vec<f64> = self.rays().map(|ray| dot(ray, hyperplane)).collect();
        let of = |side: &dyn Fn(f64) -> bool| -> Vec<usize> {
            (0..self.len()).filter(|&ray| side(heights[ray])).collect()
        };
        let (above, below) = (of(&|h| h > TOLERANCE), of(&|h| h < -TOLERANCE));
        let level = of(&|h| h.abs() <= TOLERANCE);
        if above.len() * below.len() > MOST_PAIRS {
            return None;
        }
        let (mut born, mut born_on) = (Vec::new(), Vec::new());
        for &a in &above {
            for &b in &below {
                let shared = self.on[a] & self.on[b];
                if shared.count_ones() as usize + 2 < self.dims || !self.neighbours(a, b, shared) {
                    continue;
                }
                let ray = |r: usize| self.rays[r * self.dims..][..self.dims].iter();
                let between = |(x, y): (&f64, &f64)| heights[a] * y - heights[b] * x;
                let at = born.len();
                born.extend(ray(a).zip(ray(b)).map(between));
                normalise(&mut born[at..]);
                born_on.push(shared | 1 << self.facets);
            }
        }
        Some(Cut { sides: [above, below], born, born_on, level })
    }

    /// Whether no other ray lies on all facets that two rays share.
    fn neighbours(&self, a: usize, b: usize, shared: Facets) -> bool {
        let holds = |(ray, on): (usize, &Facets)| shared & !on == 0 && ray != a && ray != b;
        !self.on.iter().enumerate().any(holds)
    }

    /// One side of a cut.
    pub(crate) fn side(&self, cut: &Cut, side: usize) -> Cone {
        let mut cone =
            Cone { dims: self.dims, rays: Vec::new(), on: Vec::new(), facets: self.facets + 1 };
        let mut push = |ray: usize, on: Facets| {
            cone.rays.extend_from_slice(&self.rays[ray * self.dims..][..self.dims]);
            cone.on.push(self.on[ray] | on);
        };
        cut.sides[side].iter().for_each(|&ray| push(ray, 0));
        cut.level.iter().for_each(|&ray| push(ray, 1 << self.facets));
        cone.rays.extend_from_slice(&cut.born);
        cone.on.extend_from_slice(&cut.born_on);
        cone.forget_facets();
        cone
    }

    /// The rays that stay on a side, those on the cut among them.
    pub(crate) fn staying<'c>(
        &self,
        cut: &'c Cut,
        side: usize,
    ) -> impl Iterator<Item = usize> + 'c {
        cut.sides[side].iter().chain(&cut.level).copied()
    }

    /// Forgets hyperplanes that bound nothing any more: a facet has dims - 1 rays at least.
    fn forget_facets(&mut self) {
        let mut counts = [0usize; MOST_FACETS];
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
                let was = *on;
                *on = kept
                    .iter()
                    .enumerate()
                    .fold(0, |bits, (new, old)| bits | (was >> old & 1) << new);
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
