//! Sums of a smooth kernel over many items, at many places, in a time linear in their number.
//!
//! F(x) = sum over items j of charge_j f(x - x_j)
//!
//! The line is divided into cells of width [`WIDTH`]. Between two cells f is a polynomial of degree
//! [`TERMS`] - 1 in each of the two places, to nearly full precision: f is analytic up to i pi, so
//! its Chebyshev coefficients shrink by a factor of 6.4 from one to the next (Trefethen 2013,
//! chapter 8). This is the fast multipole method (Greengard and Rokhlin 1987) with one level of
//! cells: the items of a cell are represented by their moments sum_j charge_j T_k(v_j), a small
//! matrix translates the moments of one cell into a polynomial for another, and an item evaluates
//! the polynomial of its cell. Cells more than [`REACH`] apart are more than 40 apart: there f is
//! equal to its asymptote to 1e-17.

use std::sync::OnceLock;

use crate::loss::logistic::{sigmoid, softplus};

/// The width of a cell.
const WIDTH: f64 = 2.0;
/// The number of coefficients of a cell's polynomial.
pub(super) const TERMS: usize = 16;
/// The maximum distance of cells between which polynomials are used; beyond it asymptotes are.
const REACH: usize = 20;
/// The largest number of a cell; places beyond it are far from all others anyway.
const MAX_CELL: f64 = 1e15;

type Terms = [f64; TERMS];
type Matrix = [Terms; TERMS];

/// A kernel f(x) that tends to 0 for large x.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kernel {
    /// 1 / (1 + e^x), with the asymptote 1 for very negative x.
    Rho,
    /// log(1 + e^-x), with the asymptote -x for very negative x.
    Softplus,
}

impl Kernel {
    fn at(self, x: f64) -> f64 {
        match self {
            Kernel::Rho => sigmoid(-x),
            Kernel::Softplus => softplus(-x),
        }
    }

    /// The matrices between cells at distances from -REACH to REACH.
    fn matrices(self) -> &'static [Matrix] {
        static RHO: OnceLock<Vec<Matrix>> = OnceLock::new();
        static SOFTPLUS: OnceLock<Vec<Matrix>> = OnceLock::new();
        let of = || -> Vec<Matrix> {
            let cells = -(REACH as i32)..=REACH as i32;
            cells.map(|apart| self.matrix(f64::from(apart) * WIDTH)).collect()
        };
        match self {
            Kernel::Rho => RHO.get_or_init(of),
            Kernel::Softplus => SOFTPLUS.get_or_init(of),
        }
    }

    /// Coefficients of f(apart + (u - v) WIDTH / 2) = sum m[l][k] T_k(u) T_l(v).
    fn matrix(self, apart: f64) -> Matrix {
        let n = TERMS as f64;
        let angle = |i: usize| (i as f64 + 0.5) * std::f64::consts::PI / n;
        let half = WIDTH / 2.0;
        let mut matrix = [[0.0; TERMS]; TERMS];
        for i in 0..TERMS {
            for j in 0..TERMS {
                let f = self.at(apart + half * (angle(i).cos() - angle(j).cos()));
                for (l, row) in matrix.iter_mut().enumerate() {
                    for (k, entry) in row.iter_mut().enumerate() {
                        let share = if k == 0 { 1.0 } else { 2.0 } * if l == 0 { 1.0 } else { 2.0 };
                        let along = (k as f64 * angle(i)).cos() * (l as f64 * angle(j)).cos();
                        *entry += f * share * along / (n * n);
                    }
                }
            }
        }
        matrix
    }
}

/// The positions of items in cells.
#[derive(Default)]
pub(super) struct Places {
    /// The cells that have items, ascending.
    cells: Vec<u64>,
    /// The cell of each item, as an index into `cells`.
    cell: Vec<u32>,
    /// T_0, T_1, ... of each item's position in its cell.
    basis: Vec<Terms>,
}

impl Places {
    /// Finds the cells of items at these places, which are not negative.
    pub(super) fn find(&mut self, places: &[f64]) {
        let cell_of = |x: f64| (x / WIDTH).floor().clamp(0.0, MAX_CELL) as u64;
        self.cells.clear();
        self.cells.extend(places.iter().map(|&x| cell_of(x)));
        let own = self.cells.clone();
        self.cells.sort_unstable();
        self.cells.dedup();
        let place = |cell: &u64| self.cells.binary_search(cell).unwrap_or_default() as u32;
        self.cell.clear();
        self.cell.extend(own.iter().map(place));
        self.basis.clear();
        self.basis.extend(places.iter().zip(&own).map(|(x, &cell)| {
            let u = (2.0 * (x / WIDTH - cell as f64) - 1.0).clamp(-1.0, 1.0);
            let mut terms = [1.0; TERMS];
            terms[1] = u;
            for k in 2..TERMS {
                terms[k] = 2.0 * u * terms[k - 1] - terms[k - 2];
            }
            terms
        }));
    }

    fn centre(&self, cell: usize) -> f64 {
        (self.cells[cell] as f64 + 0.5) * WIDTH
    }
}

/// The function F, as a polynomial for each cell.
#[derive(Default)]
pub(super) struct Field {
    moments: Vec<Terms>,
    values: Vec<Terms>,
    slopes: Vec<Terms>,
    /// The sum of all charges.
    pub(super) total: f64,
}

impl Field {
    /// Computes the field of these items.
    pub(super) fn make(
        &mut self,
        kernel: Kernel,
        places: &Places,
        items: &[u32],
        charge: impl Fn(usize) -> f64,
    ) {
        let n = places.cells.len();
        for terms in [&mut self.moments, &mut self.values, &mut self.slopes] {
            terms.clear();
            terms.resize(n, [0.0; TERMS]);
        }
        self.total = 0.0;
        for &item in items {
            let (item, charge) = (item as usize, charge(item as usize));
            self.total += charge;
            add(&mut self.moments[places.cell[item] as usize], charge, &places.basis[item]);
        }
        let matrices = kernel.matrices();
        // Cells from `far` on are so far ahead that f is its asymptote.
        let mut far = n;
        let (mut charges, mut charges_at) = (0.0, 0.0);
        for to in (0..n).rev() {
            let reach = places.cells[to] + REACH as u64;
            while far > 0 && places.cells[far - 1] > reach {
                far -= 1;
                charges += self.moments[far][0];
                charges_at += self.moments[far][0] * places.centre(far)
                    + self.moments[far][1] * (WIDTH / 2.0);
            }
            let values = &mut self.values[to];
            match kernel {
                Kernel::Rho => values[0] = charges,
                Kernel::Softplus => {
                    values[0] = charges_at - charges * places.centre(to);
                    values[1] = -charges * (WIDTH / 2.0);
                }
            }
            for from in (0..far).rev() {
                let apart = places.cells[to] as i64 - places.cells[from] as i64;
                if apart > REACH as i64 {
                    break;
                }
                let matrix = &matrices[(apart + REACH as i64) as usize];
                for (moment, row) in self.moments[from].iter().zip(matrix) {
                    add(values, *moment, row);
                }
            }
            self.slopes[to] = slope(values);
        }
    }

    /// Returns F at the place of an item.
    pub(super) fn value(&self, places: &Places, item: usize) -> f64 {
        dot(&self.values[places.cell[item] as usize], &places.basis[item])
    }

    /// Returns the derivative of F at the place of an item.
    pub(super) fn slope(&self, places: &Places, item: usize) -> f64 {
        dot(&self.slopes[places.cell[item] as usize], &places.basis[item])
    }
}

fn add(to: &mut Terms, factor: f64, terms: &Terms) {
    to.iter_mut().zip(terms).for_each(|(to, term)| *to += factor * term);
}

fn dot(a: &Terms, b: &Terms) -> f64 {
    let mut products = [0.0; TERMS];
    products.iter_mut().zip(a).zip(b).for_each(|((to, a), b)| *to = a * b);
    // The halves are added to each other: vectorised, and always in the same order.
    let mut half = TERMS / 2;
    while half > 0 {
        let (low, high) = products.split_at_mut(half);
        low.iter_mut().zip(high).for_each(|(low, high)| *low += *high);
        half /= 2;
    }
    products[0]
}

/// Returns the derivative of a Chebyshev series, by the usual recurrence.
fn slope(of: &Terms) -> Terms {
    let mut slope = [0.0; TERMS];
    for k in (1..TERMS).rev() {
        let next = if k + 1 < TERMS { slope[k + 1] } else { 0.0 };
        slope[k - 1] = next + 2.0 * k as f64 * of[k];
    }
    slope[0] /= 2.0;
    slope.map(|term| term * (2.0 / WIDTH))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_a_double_loop() {
        for spread in [0.5, 7.0, 60.0, 900.0, 1e6] {
            let n = 300;
            let at = |i: usize| ((i * 7919) % 1009) as f64 / 1009.0;
            let x: Vec<f64> = (0..n).map(|i| spread * at(i)).collect();
            let charge = |i: usize| at(3 * i + 1) - 0.2;
            let items: Vec<u32> = (0..n as u32).filter(|i| i % 3 != 0).collect();
            let (mut places, mut field) = (Places::default(), Field::default());
            places.find(&x);
            for kernel in [Kernel::Rho, Kernel::Softplus] {
                field.make(kernel, &places, &items, charge);
                for i in 0..n {
                    let sum = |f: &dyn Fn(f64) -> f64| -> f64 {
                        items.iter().map(|&j| charge(j as usize) * f(x[i] - x[j as usize])).sum()
                    };
                    let value = sum(&|x| kernel.at(x));
                    let found = field.value(&places, i);
                    let scale = 1.0 + spread * f64::from(u8::from(kernel == Kernel::Softplus));
                    assert!((found - value).abs() < 1e-10 * scale, "{kernel:?} {found} {value}");
                    let slope = match kernel {
                        Kernel::Rho => sum(&|x| -sigmoid(x) * sigmoid(-x)),
                        Kernel::Softplus => sum(&|x| -sigmoid(-x)),
                    };
                    let found = field.slope(&places, i);
                    assert!((found - slope).abs() < 1e-9, "{kernel:?} {found} {slope}");
                }
            }
        }
    }
}
