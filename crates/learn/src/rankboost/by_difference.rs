//! The weight of several weak rankers that enter together, and how it changes the masses of pairs.
//!
//! Their sum g is taken as one weak ranker. With M_d the mass of the pairs for which g(better) - g(worse) = d,
//! the weight a minimises sum of M_d e^(-ad) over d other than 0, plus M_0, or M_0 cosh(a) where ties count as half
//! right and half wrong (RankBoost+). The share of one pair is added to M_1 and M_-1, as for single weak rankers
//! (`alpha.rs`). The loss is convex, so its derivative is bisected.
//!
//! Example (Salomon 2020, observation 3): of 36 pairs the sum of three orders 8 correctly and ties 28:
//! a = 1/2 ln(9/1), or with ties 1/2 ln(23/15).

use super::alpha::Ties;

/// Masses or factors of pairs by the difference of the outputs of their items, from -most to most.
pub(crate) struct ByDifference(pub(crate) Vec<f64>);

impl ByDifference {
    /// The largest difference.
    fn most(&self) -> i32 {
        (self.0.len() / 2) as i32
    }

    /// Every difference with its value.
    fn each(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        (-self.most()..).zip(&self.0).map(|(difference, value)| (f64::from(difference), *value))
    }

    /// The mass of pairs in order less that of the others, by how far they are apart.
    #[cfg(test)]
    pub(crate) fn slope(&self) -> f64 {
        self.each().map(|(difference, mass)| difference * mass).sum()
    }

    /// The weight that minimises the loss; 0 if none above 0 does.
    pub(crate) fn weight(&self, smoothing: f64, ties: Ties) -> f64 {
        let rises = |weight: f64| {
            let one = |(difference, mass): (f64, f64)| match difference {
                0.0 if ties == Ties::Half => mass * weight.sinh(),
                0.0 => 0.0,
                _ => {
                    let mass = mass + if difference.abs() == 1.0 { smoothing } else { 0.0 };
                    -difference * mass * (-weight * difference).exp()
                }
            };
            self.each().map(one).sum::<f64>() >= 0.0
        };
        let (mut low, mut high) = (0.0, 1.0);
        // Beyond this, exponentials overflow; pairs weigh too little there to be seen.
        while !rises(high) && high < 100.0 {
            (low, high) = (high, 2.0 * high);
        }
        for _ in 0..80 {
            let middle = 0.5 * (low + high);
            if rises(middle) { high = middle } else { low = middle }
        }
        if low == 0.0 && high < 1e-15 { 0.0 } else { 0.5 * (low + high) }
    }

    /// The factors of pairs after a step with this weight, so that masses add up to 1 again, and what they added up to.
    pub(crate) fn factors(&self, weight: f64, ties: Ties) -> (ByDifference, f64) {
        let factor = |(difference, _): (f64, f64)| match difference {
            0.0 if ties == Ties::Half => weight.cosh(),
            _ => (-weight * difference).exp(),
        };
        let factors: Vec<f64> = self.each().map(factor).collect();
        let z: f64 = self.0.iter().zip(&factors).map(|(mass, factor)| mass * factor).sum();
        (ByDifference(factors.iter().map(|factor| factor / z).collect()), z)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Salomon 2020, observation 3 (elections): right, wrong and tied pairs of 36.
    fn of_36(right: f64, wrong: f64, tied: f64) -> ByDifference {
        ByDifference([wrong, tied, right].map(|pairs| pairs / 36.0).to_vec())
    }

    #[test]
    fn the_elections() {
        let near = |found: f64, expected: f64| assert!((found - expected).abs() < 5e-7, "{found}");
        for (masses, stay, half) in [
            (of_36(7.0, 7.0, 22.0), 0.0, 0.0),
            (of_36(14.0, 6.0, 16.0), 0.381_070, 0.213_722),
            (of_36(8.0, 0.0, 28.0), 1.098_612, 0.213_722),
        ] {
            near(masses.weight(1.0 / 36.0, Ties::Stay), stay);
            near(masses.weight(1.0 / 36.0, Ties::Half), half);
        }
        near(of_36(14.0, 6.0, 16.0).weight(0.0, Ties::Stay), 0.423_649);
        near(of_36(14.0, 6.0, 16.0).weight(0.0, Ties::Half), 0.225_993);
        assert!((of_36(14.0, 6.0, 16.0).slope() - 8.0 / 36.0).abs() < 1e-15);
    }

    /// The weight is the lowest point of the loss, also where items differ by more than 1.
    #[test]
    fn weights_minimise() {
        let masses = ByDifference(vec![0.05, 0.15, 0.2, 0.35, 0.25]);
        for ties in [Ties::Stay, Ties::Half] {
            let found = masses.weight(0.0, ties);
            let z = |weight: f64| masses.factors(weight, ties).1;
            assert!(found > 0.0 && z(found) < z(found - 1e-4) && z(found) < z(found + 1e-4));
            let (factors, _) = masses.factors(found, ties);
            let all: f64 =
                masses.0.iter().zip(&factors.0).map(|(mass, factor)| mass * factor).sum();
            assert!((all - 1.0).abs() < 1e-12);
        }
    }
}
