//! Expressions over columns, such as `customers * hours * 12.5`.
//!
//! They are parsed by `exmex`, a small, maintained crate for mathematical expressions under a
//! permissive licence (the best known alternative, `evalexpr`, has become AGPL), with its
//! functions and operators, but without its constants: `E` and `PI` are columns here.

use std::fmt;
use std::sync::Arc;

use exmex::{
    Express, FlatEx, FloatOpsFactory, MakeOperators, MatchLiteral, NumberMatcher, Operator,
};

use super::CostError;

/// An expression over columns, parsed once.
#[derive(Clone)]
pub struct Expression {
    text: String,
    /// Shared by all copies of a goal.
    compiled: Arc<FlatEx<f64, Functions, Numbers>>,
}

impl Expression {
    /// Parses an expression.
    pub(super) fn new(text: &str) -> Result<Self, CostError> {
        let compiled = FlatEx::parse(text).map_err(|e| {
            let reason = match e.to_string() {
                counts if counts.contains("ops and") => {
                    "two names or numbers without an operator between them, or an operator without \
                     a name or number"
                        .into()
                }
                reason => reason,
            };
            CostError::Syntax { text: text.to_owned(), reason }
        })?;
        Ok(Expression { text: text.to_owned(), compiled: Arc::new(compiled) })
    }

    /// The columns that it reads; `y` stands for the impact.
    pub fn columns(&self) -> &[String] {
        self.compiled.var_names()
    }

    /// The value for numbers in the order of the columns.
    pub(super) fn value(&self, numbers: &[f64]) -> Result<f64, CostError> {
        let syntax = |reason| CostError::Syntax { text: self.text.clone(), reason };
        self.compiled.eval(numbers).map_err(|error| syntax(error.to_string()))
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Expression({:?})", self.text)
    }
}

/// Expressions are equal if their texts are.
impl PartialEq for Expression {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

/// The operators and functions of `exmex` without its constants. (Its tokeniser finds binary
/// operators such as `min` also at the start of a name, `minutes`, which needs braces.)
#[derive(Debug, Clone)]
struct Functions;

impl MakeOperators<f64> for Functions {
    fn make<'a>() -> Vec<Operator<'a, f64>> {
        let mut operators = FloatOpsFactory::<f64>::make();
        operators.retain(|operator| operator.constant().is_none());
        operators
    }
}

/// Finite numbers, with or without an exponent: `12.5`, `.5`, `1.5e6`, `2E-3`.
#[derive(Debug, Clone)]
struct Numbers;

impl MatchLiteral for Numbers {
    fn is_literal(text: &str) -> Option<&str> {
        let mantissa = NumberMatcher::is_literal(text)?;
        let literal = &text[..mantissa.len() + exponent_length(&text[mantissa.len()..])];
        literal.parse().is_ok_and(f64::is_finite).then_some(literal)
    }
}

/// The length of the exponent that `text` begins with; 0 if there is none.
fn exponent_length(text: &str) -> usize {
    let Some(signed) = text.strip_prefix(['e', 'E']) else { return 0 };
    let unsigned = signed.strip_prefix(['+', '-']).unwrap_or(signed);
    match unsigned.bytes().take_while(u8::is_ascii_digit).count() {
        0 => 0,
        digits => text.len() - unsigned.len() + digits,
    }
}
