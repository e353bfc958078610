//! Table 1 as printed: DCG, mean and deviation over ten random halves, of training and test half.

use super::super::report::Number;

/// The columns of Table 1.
pub(super) const METHODS: usize = 8;

/// LR, SVM, RankBoost, P-Norm Push, re-ranking of three sizes and of all.
pub(super) type Row = [(f64, f64); METHODS];

/// A set with its rows of the training and of the test halves.
pub(super) struct Printed {
    pub(super) name: &'static str,
    pub(super) train: Row,
    pub(super) test: Row,
}

impl Printed {
    pub(super) fn number(&self, half: usize, method: usize) -> Number {
        let (value, deviation) = [&self.train, &self.test][half][method];
        Number { value, deviation: Some(deviation) }
    }
}

#[rustfmt::skip]
pub(super) const TABLE: [Printed; 6] = [
    Printed {
        name: "Abalone19",
        train: [(3.63, 0.43), (3.41, 0.47), (3.40, 0.65), (3.44, 0.47), (4.89, 0.58), (4.45, 0.50), (4.13, 0.53), (2.54, 0.35)],
        test: [(2.96, 0.42), (3.02, 0.53), (2.66, 0.49), (3.03, 0.50), (3.08, 0.49), (2.89, 0.35), (2.76, 0.38), (2.42, 0.48)],
    },
    Printed {
        name: "UIS",
        train: [(18.86, 1.32), (18.46, 1.38), (19.44, 1.44), (18.78, 1.40), (20.45, 1.23), (19.76, 1.27), (19.26, 1.05), (18.84, 1.44)],
        test: [(17.88, 1.11), (17.81, 1.21), (17.70, 1.40), (17.89, 1.13), (18.00, 1.31), (18.64, 1.51), (17.79, 1.73), (17.89, 0.67)],
    },
    Printed {
        name: "Travel",
        train: [(28.16, 1.60), (27.59, 1.61), (26.57, 1.60), (28.09, 1.62), (28.30, 1.63), (28.24, 1.56), (27.12, 1.45), (26.94, 1.36)],
        test: [(27.32, 1.70), (26.81, 1.76), (24.95, 1.63), (27.24, 1.66), (27.61, 1.70), (27.39, 1.60), (26.00, 2.26), (26.31, 1.83)],
    },
    Printed {
        name: "NHANES",
        train: [(14.69, 1.63), (13.83, 1.87), (13.75, 2.01), (14.46, 1.57), (15.48, 1.69), (15.02, 1.93), (14.73, 1.59), (13.87, 1.25)],
        test: [(13.06, 1.74), (12.98, 1.79), (12.10, 1.75), (13.18, 1.82), (13.26, 1.50), (12.71, 1.61), (12.94, 1.55), (13.09, 1.82)],
    },
    Printed {
        name: "Pima",
        train: [(35.50, 1.66), (35.30, 1.61), (35.80, 1.44), (35.64, 1.67), (35.75, 1.67), (35.43, 1.69), (34.85, 1.96), (34.77, 2.03)],
        test: [(34.18, 1.81), (34.03, 1.83), (33.83, 1.65), (34.24, 1.82), (34.44, 1.76), (33.56, 1.87), (33.72, 2.21), (33.65, 2.01)],
    },
    Printed {
        name: "Gaussians",
        train: [(69.25, 2.70), (69.28, 2.70), (71.31, 2.15), (69.24, 2.70), (71.71, 2.22), (71.76, 2.18), (71.58, 2.29), (64.70, 2.53)],
        test: [(64.69, 2.45), (64.73, 2.45), (67.13, 2.06), (64.65, 2.43), (68.03, 2.27), (67.91, 2.27), (67.79, 2.30), (59.89, 2.26)],
    },
];
