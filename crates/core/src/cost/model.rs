//! Cost(x, y): what acting on an item saves (paper 000, section 3).
//!
//! Expressions are parsed by `exmex`, a small, maintained crate for mathematical
//! expressions under a permissive licence (the best known alternative, `evalexpr`, has
//! become AGPL).

use exmex::{Express, FlatEx};

use crate::data::{DataError, DataProblem, Dataset, Place};
use crate::metric::exp2_gain;

/// How the cost of an item is found.
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
    Expression(String),
}

/// A cost that cannot be had.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum CostError {
    /// The expression has a mistake.
    #[error(
        "the cost `{text}` cannot be read: {reason}; write an expression over columns such as \
         `customers * hours * 12.5`, with {{braces}} around names that hold other signs than \
         letters, digits and _"
    )]
    Syntax {
        /// The expression.
        text: String,
        /// What the parser says.
        reason: String,
    },
    /// The data lacks what the cost needs, or the cost of an item is out of bounds.
    #[error(transparent)]
    Data(#[from] DataError),
}

impl CostModel {
    /// `y`, `exp2`, the name of a column, or an expression over columns.
    pub fn parse(text: &str) -> Result<Self, CostError> {
        match text.trim() {
            "y" => return Ok(CostModel::Impact),
            "exp2" => return Ok(CostModel::Exp2),
            _ => {}
        }
        let text = text.trim();
        if is_plain_name(text) {
            return Ok(CostModel::Column(text.to_owned()));
        }
        let expression = compile(text)?;
        match expression.var_names() {
            [only] if text == only || text == format!("{{{only}}}") => {
                Ok(CostModel::Column(only.clone()))
            }
            [] => Err(CostError::Syntax {
                text: text.to_owned(),
                reason: "it names no column, so every item would cost the same".into(),
            }),
            _ => Ok(CostModel::Expression(text.to_owned())),
        }
    }

    /// Whether the cost depends on nothing but the impact.
    pub fn is_of_impact(&self) -> bool {
        matches!(self, CostModel::Impact | CostModel::Exp2)
    }

    /// The columns it reads, apart from the impact.
    pub fn columns(&self) -> Vec<String> {
        match self {
            CostModel::Impact | CostModel::Exp2 => Vec::new(),
            CostModel::Column(name) => vec![name.clone()],
            CostModel::Expression(text) => compile(text)
                .map(|e| e.var_names().iter().filter(|n| *n != "y").cloned().collect())
                .unwrap_or_default(),
        }
    }

    /// The cost of every item, checked: finite and not negative.
    pub fn costs(&self, data: &Dataset) -> Result<Vec<f64>, CostError> {
        let costs = match self {
            CostModel::Impact => impact(data)?.to_vec(),
            CostModel::Exp2 => impact(data)?.iter().map(|&y| exp2_gain(y)).collect(),
            CostModel::Column(name) => data.numbers(name)?,
            CostModel::Expression(text) => evaluate(text, data)?,
        };
        let Some(item) = costs.iter().position(|c| !(c.is_finite() && *c >= 0.0)) else {
            return Ok(costs);
        };
        let problem = match costs[item] {
            cost if cost.is_nan() => DataProblem::Format(format!(
                "the cost {self} has no value here: a column it reads is empty, or the sum makes \
                 no sense; fill the column in, or leave the row out"
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
            CostModel::Expression(text) => f.write_str(text),
        }
    }
}

fn is_plain_name(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.')
}

fn compile(text: &str) -> Result<FlatEx<f64>, CostError> {
    exmex::parse::<f64>(&plain_numbers(text)).map_err(|e| {
        let reason = match e.to_string() {
            counts if counts.contains("ops and") => {
                "two names or numbers stand side by side, or an operator lacks one".into()
            }
            reason => reason,
        };
        CostError::Syntax { text: text.to_owned(), reason }
    })
}

/// Names that the parser takes for numbers of mathematics. Here they are columns.
const CONSTANTS: [&[u8]; 5] = [b"E", b"PI", b"TAU", "π".as_bytes(), "τ".as_bytes()];

/// Numbers such as `1.5e6` written out, which the parser would take for a number and a name,
/// and the names of constants in braces.
fn plain_numbers(text: &str) -> String {
    let bytes = text.as_bytes();
    let digits = |from: usize| bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
    let (mut out, mut done, mut at) = (String::new(), 0, 0);
    let mut in_braces = false;
    while at < bytes.len() {
        in_braces = bytes[at] == b'{' || (in_braces && bytes[at] != b'}');
        let starts = bytes[at].is_ascii_digit() || bytes[at] == b'.';
        if in_braces || !starts {
            // A name with all its digits is passed by at once.
            let name = |b: &&u8| b.is_ascii_alphanumeric() || **b == b'_' || !b.is_ascii();
            let length =
                if in_braces { 1 } else { bytes[at..].iter().take_while(name).count().max(1) };
            if !in_braces && CONSTANTS.contains(&&bytes[at..at + length]) {
                out += &format!("{}{{{}}}", &text[done..at], &text[at..at + length]);
                done = at + length;
            }
            at += length;
            continue;
        }
        let mut end = at + digits(at);
        end += bytes.get(end).map_or(0, |b| if *b == b'.' { 1 + digits(end + 1) } else { 0 });
        if bytes.get(end).is_some_and(|b| b.eq_ignore_ascii_case(&b'e')) {
            let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
            let exponent = digits(end + 1 + sign);
            let whole = at..end + 1 + sign + exponent;
            if let (true, Ok(value)) = (exponent > 0, text[whole.clone()].parse::<f64>())
                && value.is_finite()
            {
                out += &text[done..at];
                out += &value.to_string();
                (done, end) = (whole.end, whole.end);
            }
        }
        at = end.max(at + 1);
    }
    out + &text[done..]
}

fn impact(data: &Dataset) -> Result<&[f64], DataError> {
    data.impact().ok_or_else(|| {
        let problem = DataProblem::Format(
            "no impact column is named; say which column holds what each item cost \
             (--impact NAME), or give a cost over columns"
                .into(),
        );
        DataError::new(Place::source(data.source()), problem)
    })
}

fn evaluate(text: &str, data: &Dataset) -> Result<Vec<f64>, CostError> {
    let expression = compile(text)?;
    let columns = expression
        .var_names()
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
            expression
                .eval(&inputs)
                .map_err(|e| CostError::Syntax { text: text.to_owned(), reason: e.to_string() })
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
        let costs = |text: &str| CostModel::parse(text).unwrap().costs(&data()).unwrap();
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
        let cost = |text: &str| CostModel::parse(text).unwrap().costs(&data).unwrap()[0];
        assert_eq!(cost("E * 1"), 300.0);
        assert_eq!((cost("y"), cost("y * 1")), (6.0, 6.0));
    }

    #[test]
    fn what_cannot_be_a_cost_is_explained() {
        let error = |text: &str| match CostModel::parse(text) {
            Ok(model) => model.costs(&data()).unwrap_err().to_string(),
            Err(error) => error.to_string(),
        };
        assert!(error("customrs").contains("did you mean `customers`?"));
        assert!(error("hours - 1").starts_with("s.csv:3: hours - 1 is -0.5; it must be"));
        assert!(error("customers *").contains("cannot be read"));
        assert!(error("12.5").contains("names no column"));
        assert!(error("1e3").contains("names no column"));
        assert!(error("customers hours").contains("stand side by side"));
        assert!(error("hours * 1e999").contains("cannot be read"));
        assert!(error("ln(0 - hours)").contains("has no value here"));
    }

    #[test]
    fn only_numbers_are_written_out() {
        let cases = [
            ("1e3", "1000"),
            ("2*1.5E+2+.5e1", "2*150+5"),
            ("x1e3 + {a 1e3} + a_2e5", "x1e3 + {a 1e3} + a_2e5"),
            ("1e + 2e- + 3ex + 1e999", "1e + 2e- + 3ex + 1e999"),
            ("\u{e9}1e3", "\u{e9}1e3"),
            ("", ""),
        ];
        for (text, plain) in cases {
            assert_eq!(plain_numbers(text), plain);
        }
    }
}
