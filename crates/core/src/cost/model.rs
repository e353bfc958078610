//! Cost(x, y): what acting on an item saves (McBride et al. 2019, section 3).

use std::str::FromStr;

use super::Expression;
use crate::data::{DataError, DataProblem, Dataset, Place, is_near_zero};
use crate::metric::exp2_gain;

/// The maximum length of an expression: one of a damaged file would take minutes to parse.
const MAX_LENGTH: usize = 10_000;

/// How the cost of an item is computed.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum CostModel {
    /// The impact itself.
    #[default]
    Impact,
    /// 2^impact - 1.
    Exp2,
    /// Another column.
    Column(String),
    /// An expression over columns; `y` stands for the impact.
    Expression(Expression),
}

/// The error of a cost that cannot be computed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum CostError {
    /// The expression cannot be parsed.
    #[error(
        "the cost `{text}` cannot be read: {reason}; write an expression over columns such as \
         `customers * hours * 12.5`, with {{braces}} around names that begin with min, max or \
         atan2 or hold other characters than letters, digits and _"
    )]
    Syntax {
        /// The expression.
        text: String,
        /// The parser's message.
        reason: String,
    },
    /// The expression is longer than anything that people write.
    #[error("the cost has {length} characters; at most {MAX_LENGTH} are allowed")]
    TooLong {
        /// The number of characters.
        length: usize,
    },
    /// The data lacks a column that the cost needs, or the cost of an item is not allowed.
    #[error(transparent)]
    Data(#[from] DataError),
}

/// `y`, `exp2`, the name of a column, or an expression over columns.
impl FromStr for CostModel {
    type Err = CostError;

    fn from_str(text: &str) -> Result<Self, CostError> {
        match text.trim() {
            "y" => return Ok(CostModel::Impact),
            "exp2" => return Ok(CostModel::Exp2),
            _ => {}
        }
        let text = text.trim();
        if text.len() > MAX_LENGTH {
            return Err(CostError::TooLong { length: text.len() });
        }
        if is_plain_name(text) {
            return Ok(CostModel::Column(text.to_owned()));
        }
        let expression = Expression::new(text)?;
        match expression.columns() {
            [only] if text == only || text == format!("{{{only}}}") => {
                Ok(CostModel::Column(only.clone()))
            }
            [] => Err(CostError::Syntax {
                text: text.to_owned(),
                reason: "it names no column, so every item would cost the same".into(),
            }),
            _ => Ok(CostModel::Expression(expression)),
        }
    }
}

impl CostModel {
    /// Whether the cost depends on nothing but the impact.
    pub fn is_of_impact(&self) -> bool {
        matches!(self, CostModel::Impact | CostModel::Exp2)
    }

    /// Returns the columns that the cost reads, apart from the impact.
    pub fn columns(&self) -> Vec<String> {
        match self {
            CostModel::Impact | CostModel::Exp2 => Vec::new(),
            CostModel::Column(name) => vec![name.clone()],
            CostModel::Expression(expression) => {
                expression.columns().iter().filter(|name| *name != "y").cloned().collect()
            }
        }
    }

    /// Returns the value for every item, whatever it is.
    pub fn values(&self, data: &Dataset) -> Result<Vec<f64>, CostError> {
        match self {
            CostModel::Impact => Ok(impact(data)?.to_vec()),
            CostModel::Exp2 => Ok(impact(data)?.iter().map(|&y| exp2_gain(y)).collect()),
            CostModel::Column(name) => Ok(data.numbers(name)?),
            CostModel::Expression(expression) => evaluate(expression, data),
        }
    }

    /// Returns the cost of every item, checked to be finite and not negative.
    pub fn costs(&self, data: &Dataset) -> Result<Vec<f64>, CostError> {
        let costs = self.values(data)?;
        let is_allowed = |c: &f64| c.is_finite() && *c >= 0.0 && !is_near_zero(*c);
        let Some(item) = costs.iter().position(|c| !is_allowed(c)) else {
            return Ok(costs);
        };
        let problem = match costs[item] {
            cost if is_near_zero(cost) => {
                DataProblem::NearZero { column: format!("the cost {self}"), met: cost }
            }
            cost if cost.is_nan() => DataProblem::Format(format!(
                "the cost {self} has no value here: a column it reads is empty, or the expression is \
                 undefined; fill in the column, or leave out the row"
            )),
            met => DataProblem::NotACost { column: self.to_string(), met },
        };
        Err(DataError::new(data.place(item), problem).into())
    }
}

impl std::fmt::Display for CostModel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            CostModel::Impact => f.write_str("y"),
            CostModel::Exp2 => f.write_str("exp2"),
            CostModel::Column(name) => f.write_str(name),
            CostModel::Expression(expression) => expression.fmt(f),
        }
    }
}

fn is_plain_name(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.')
}

fn impact(data: &Dataset) -> Result<&[f64], DataError> {
    let missing = || DataError::new(Place::source(data.source()), DataProblem::NoImpact);
    data.impact().ok_or_else(missing)
}

fn evaluate(expression: &Expression, data: &Dataset) -> Result<Vec<f64>, CostError> {
    let columns = expression
        .columns()
        .iter()
        .map(|name| match name.as_str() {
            "y" => impact(data).map(<[f64]>::to_vec),
            name => data.numbers(name),
        })
        .collect::<Result<Vec<_>, _>>()?;
    let mut inputs = vec![0.0; columns.len()];
    (0..data.len())
        .map(|item| {
            inputs.iter_mut().zip(&columns).for_each(|(input, column)| *input = column[item]);
            expression.value(&inputs)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::data::{Columns, DatasetBuilder, Feature, Row};

    fn data() -> Dataset {
        let columns = Columns {
            impact: Some("customers".into()),
            extras: vec!["crew.hours".into()],
            ..Columns::of_features(vec![Feature::numeric("hours")])
        };
        let mut b = DatasetBuilder::new("s.csv", columns).unwrap();
        for (line, impact, hours) in [(2, 3.0, 2.0), (3, 10.0, 0.5)] {
            let row = Row { line, impact: Some(impact), ..Row::default() };
            b.push(Row { features: &[hours], extras: &[1.5], ..row }).unwrap();
        }
        b.finish().unwrap()
    }

    #[test]
    fn every_form_of_cost() {
        let costs = |text: &str| text.parse::<CostModel>().unwrap().costs(&data()).unwrap();
        assert_eq!(costs("y"), [3.0, 10.0]);
        assert_eq!(costs("exp2"), [7.0, 1023.0]);
        assert_eq!(costs("hours"), [2.0, 0.5]);
        assert_eq!(costs("customers * hours * 12.5"), [75.0, 62.5]);
        assert_eq!(costs("y + {crew.hours}"), [4.5, 11.5]);
        assert_eq!(costs("crew.hours"), [1.5, 1.5]);
        assert_eq!(costs("1.5e3*y + 2E-1 - 2e-1"), [4500.0, 15000.0]);
    }

    #[test]
    fn columns_win_over_constants_and_y_is_the_impact() {
        let columns = Columns {
            impact: Some("z".into()),
            extras: vec!["E".into(), "y".into()],
            ..Columns::default()
        };
        let mut b = DatasetBuilder::new("s.csv", columns).unwrap();
        b.push(Row { impact: Some(6.0), extras: &[300.0, 10.0], ..Row::default() }).unwrap();
        let data = b.finish().unwrap();
        let cost = |text: &str| text.parse::<CostModel>().unwrap().costs(&data).unwrap()[0];
        assert_eq!(cost("E * 1"), 300.0);
        assert_eq!((cost("y"), cost("y * 1")), (6.0, 6.0));
        for name in ["e", "E", "PI", "TAU", "π", "τ"] {
            let columns = format!("{name} * 1").parse::<CostModel>().unwrap().columns();
            assert_eq!(columns, [name]);
        }
    }

    #[test]
    fn what_cannot_be_a_cost_is_explained() {
        let error = |text: &str| match text.parse::<CostModel>() {
            Ok(model) => model.costs(&data()).unwrap_err().to_string(),
            Err(error) => error.to_string(),
        };
        assert!(error("customrs").contains("did you mean `customers`?"));
        assert!(error("hours - 1").starts_with("s.csv:3: hours - 1 is -0.5; it must be"));
        assert!(error("customers *").contains("cannot be read"));
        assert!(error("12.5").contains("names no column"));
        assert!(error("1e3").contains("names no column"));
        assert!(error("customers hours").contains("two names or numbers without an operator"));
        assert!(error("customers * minutes").contains("{braces} around names that begin with min"));
        assert!(error("hours * 1e999").contains("cannot be read"));
        assert!(error("ln(0 - hours)").contains("has no value here"));
    }

    #[test]
    fn numbers_may_have_exponents_and_names_may_look_like_them() {
        let columns = |text: &str| text.parse::<CostModel>().unwrap().columns();
        assert_eq!(columns("x1e3 + {a 1e3} + a_2e5"), ["a 1e3", "a_2e5", "x1e3"]);
        assert_eq!(columns("\u{e9}1e3"), ["\u{e9}1e3"]);
        assert_eq!(columns("2e3 * e + E - 1e-3"), ["E", "e"]);
        let one = |text: &str| text.parse::<CostModel>().unwrap().costs(&data()).unwrap()[0];
        assert_eq!(one("y * 0 + 1e3"), 1000.0);
        assert_eq!(one("y * 0 + 2*1.5E+2+.5e1"), 305.0);
        assert_eq!(one("y * 0 + 25e-2"), 0.25);
        for bad in ["y + 1e", "y + 2e-", "y + 3ex", "y * 1..5e3", "y * 1e400", ""] {
            let error = bad.parse::<CostModel>().unwrap_err().to_string();
            assert!(error.contains("cannot be read"), "{error}");
        }
    }
}
