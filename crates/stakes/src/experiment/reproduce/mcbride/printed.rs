//! Tables 3 and 4 of the paper, as printed: R_CS in percent.

/// A row of Table 3, or of Table 4 where only that has it.
pub(super) struct Printed {
    /// What the paper calls it.
    pub(super) name: &'static str,
    /// Our learner.
    pub(super) learner: &'static str,
    /// The learner that it improves, if it is one of the paper's own.
    pub(super) improves: Option<&'static str>,
    /// Whether it is a regression.
    pub(super) regression: bool,
    /// For each data set the two cut-offs; NaN where nothing is printed.
    pub(super) numbers: [[f64; 2]; 5],
}

const NONE: [f64; 2] = [f64::NAN; 2];

const fn new(
    name: &'static str,
    learner: &'static str,
    improves: &'static str,
    numbers: [[f64; 2]; 5],
) -> Printed {
    Printed { name, learner, improves: Some(improves), regression: false, numbers }
}

const fn known(name: &'static str, learner: &'static str, numbers: [[f64; 2]; 5]) -> Printed {
    Printed { name, learner, improves: None, regression: false, numbers }
}

const fn regression(name: &'static str, learner: &'static str, numbers: [[f64; 2]; 5]) -> Printed {
    Printed { name, learner, improves: None, regression: true, numbers }
}

/// High-risk outages, customers out, crime, forest fires, concrete.
pub(super) const ROWS: [Printed; 15] = [
    new(
        "CS-MART",
        "cs-mart",
        "lambdamart",
        [[11.3, 27.2], [19.2, 25.3], [96.9, 98.2], [19.1, 18.3], [91.0, 94.3]],
    ),
    new(
        "CR-MART (Table 4)",
        "cr-mart",
        "lambdamart",
        [[8.7, 25.1], [12.8, 21.9], NONE, NONE, NONE],
    ),
    known(
        "LambdaMART",
        "lambdamart",
        [[8.5, 22.4], [6.0, 12.4], [83.9, 87.1], [9.8, 25.2], [90.5, 93.6]],
    ),
    new(
        "CS-C.Ascent",
        "cs-coordinate-ascent",
        "coordinate-ascent",
        [[10.5, 26.6], [17.0, 26.2], [97.6, 98.2], [24.0, 28.4], [91.0, 92.7]],
    ),
    new(
        "CR-C.Ascent (Table 4)",
        "cr-coordinate-ascent",
        "coordinate-ascent",
        [[8.1, 23.7], [11.2, 19.5], NONE, NONE, NONE],
    ),
    known(
        "C.Ascent",
        "coordinate-ascent",
        [[7.2, 21.6], [10.0, 17.2], [46.8, 44.1], [20.2, 26.8], [88.7, 91.1]],
    ),
    new(
        "CS-AdaRank",
        "cs-adarank",
        "adarank",
        [[9.7, 25.1], [13.8, 25.9], [97.9, 97.2], [29.4, 38.4], [84.0, 87.6]],
    ),
    known(
        "AdaRank",
        "adarank",
        [[7.3, 23.0], [1.7, 4.7], [17.4, 37.4], [14.9, 22.8], [87.9, 86.3]],
    ),
    new(
        "CR-RankNet",
        "cr-ranknet",
        "ranknet",
        [[7.0, 23.2], [10.5, 20.4], [75.9, 79.4], [20.4, 33.7], [89.4, 87.6]],
    ),
    known(
        "RankNet",
        "ranknet",
        [[3.1, 11.8], [5.9, 16.2], [75.1, 77.7], [19.5, 30.8], [84.0, 87.0]],
    ),
    new("CR-ListNet", "cr-listnet", "listnet", [NONE, NONE, NONE, [25.5, 34.5], [77.6, 80.0]]),
    known("ListNet", "listnet", [NONE, NONE, NONE, [9.7, 21.6], [75.6, 81.6]]),
    regression(
        "Linear Regression",
        "ridge",
        [[0.8, 8.1], [5.6, 13.0], [85.7, 87.2], [21.2, 29.6], [90.4, 93.2]],
    ),
    regression(
        "Random Forests",
        "random-forest",
        [[8.1, 24.7], [11.9, 20.6], [92.5, 94.3], [21.0, 27.9], [90.0, 92.2]],
    ),
    regression(
        "MART",
        "mart",
        [[9.0, 23.2], [11.3, 19.4], [83.6, 85.9], [14.3, 23.6], [83.6, 85.8]],
    ),
];
