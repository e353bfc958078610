//! A program in the form that HiGHS expects: columns, and the rows of a sparse matrix.

/// Whether smaller or larger objectives are better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sense {
    /// Smaller is better.
    Minimise,
    /// Larger is better.
    Maximise,
}

impl Sense {
    /// The worst possible objective: an infinity.
    pub fn worst(self) -> f64 {
        -self.best()
    }

    /// The best possible objective: an infinity.
    pub fn best(self) -> f64 {
        match self {
            Sense::Minimise => f64::NEG_INFINITY,
            Sense::Maximise => f64::INFINITY,
        }
    }

    /// The better of two objectives.
    pub fn better(self, one: f64, other: f64) -> f64 {
        match self {
            Sense::Minimise => one.min(other),
            Sense::Maximise => one.max(other),
        }
    }

    /// The worse of two objectives.
    pub fn worse(self, one: f64, other: f64) -> f64 {
        -self.better(-one, -other)
    }
}

/// A linear or mixed-integer linear program.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// Whether to minimise or to maximise.
    pub sense: Sense,
    /// The constant term of the objective.
    pub offset: f64,
    pub(crate) objective: Vec<f64>,
    pub(crate) lower: Vec<f64>,
    pub(crate) upper: Vec<f64>,
    pub(crate) integer: Vec<bool>,
    pub(crate) row_lower: Vec<f64>,
    pub(crate) row_upper: Vec<f64>,
    /// The start of each row's terms, and the end of the last one.
    pub(crate) starts: Vec<usize>,
    pub(crate) indices: Vec<usize>,
    pub(crate) values: Vec<f64>,
}

impl Model {
    /// A model without columns and rows.
    pub fn new(sense: Sense) -> Self {
        Model {
            sense,
            offset: 0.0,
            objective: Vec::new(),
            lower: Vec::new(),
            upper: Vec::new(),
            integer: Vec::new(),
            row_lower: Vec::new(),
            row_upper: Vec::new(),
            starts: vec![0],
            indices: Vec::new(),
            values: Vec::new(),
        }
    }

    /// Adds a variable and returns its index. Bounds may be infinite.
    pub fn add_column(&mut self, lower: f64, upper: f64, objective: f64, integer: bool) -> usize {
        self.lower.push(lower);
        self.upper.push(upper);
        self.objective.push(objective);
        self.integer.push(integer);
        self.objective.len() - 1
    }

    /// Adds a constraint, lower <= sum of coefficient x column <= upper, with each column at most once. Bounds may be
    /// infinite. HiGHS treats coefficients below 1e-9 as 0.
    pub fn add_row(
        &mut self,
        lower: f64,
        upper: f64,
        terms: impl IntoIterator<Item = (usize, f64)>,
    ) {
        self.row_lower.push(lower);
        self.row_upper.push(upper);
        for (column, coefficient) in terms {
            self.indices.push(column);
            self.values.push(coefficient);
        }
        self.starts.push(self.indices.len());
    }

    /// The number of columns.
    pub fn columns(&self) -> usize {
        self.objective.len()
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.row_lower.len()
    }

    /// Whether any column must be an integer.
    pub fn mixed_integer(&self) -> bool {
        self.integer.contains(&true)
    }

    /// A bound on the objective from dual values (prices) of the rows, valid for any prices by weak duality. With prices
    /// y and reduced objective d = c - A'y, it is the best d.x within the columns' bounds plus the best y.r
    /// within the rows' bounds. With the optimal prices of a linear program it is the optimum. Integrality is
    /// ignored.
    pub fn dual_bound(&self, prices: &[f64]) -> f64 {
        let best = |factor: f64, lower: f64, upper: f64| {
            if factor == 0.0 { 0.0 } else { self.sense.better(factor * lower, factor * upper) }
        };
        let mut reduced = self.objective.clone();
        let mut bound = self.offset;
        for (row, price) in prices.iter().enumerate().take(self.rows()) {
            for at in self.starts[row]..self.starts[row + 1] {
                reduced[self.indices[at]] -= price * self.values[at];
            }
            bound += best(*price, self.row_lower[row], self.row_upper[row]);
        }
        for (column, factor) in reduced.iter().enumerate() {
            bound += best(*factor, self.lower[column], self.upper[column]);
        }
        if bound.is_nan() { self.sense.best() } else { bound }
    }

    /// The first fault of an invalid model.
    pub(crate) fn fault(&self) -> Option<String> {
        let (columns, rows, terms) = (self.columns(), self.rows(), self.indices.len());
        let max = i32::MAX as usize;
        if columns >= max || rows >= max || terms >= max {
            return Some(format!(
                "it has {columns} columns, {rows} rows and {terms} terms; allowed are fewer than {max} each"
            ));
        }
        if let Some(column) = self.indices.iter().find(|column| **column >= columns) {
            return Some(format!(
                "a row uses column {column}, but the number of columns is {columns}"
            ));
        }
        let given = self.objective.iter().chain(&self.values).chain([&self.offset]);
        let bounds = self.lower.iter().chain(&self.upper).chain(&self.row_lower);
        let bound = bounds.chain(&self.row_upper).find(|bound| bound.is_nan());
        let bad = given.into_iter().find(|given| !given.is_finite()).or(bound);
        bad.map(|bad| format!("a coefficient, an objective, the offset or a bound is {bad}"))
    }
}
