//! Expressions over columns, such as `customers * hours * 12.5`.
//!
//! They are parsed by `exmex`, a small, maintained crate for mathematical expressions under a
//! permissive licence (the best known alternative, `evalexpr`, has become AGPL), with its
//! functions and operators, but without its constants: `E` and `PI` are columns here.

use exmex::{
    Express, FlatEx, FloatOpsFactory, MakeOperators, MatchLiteral, NumberMatcher, Operator,
};

use super::CostError;

/// A parsed expression.
pub(super) type Expression = FlatEx<f64, Functions, Numbers>;

/// Parses an expression.
pub(super) fn compile(text: &str) -> Result<Expression, CostError> {
    Expression::parse(text).map_err(|e| {
        let reason = match e.to_string() {
            counts if counts.contains("ops and") => {
                "two names or numbers without an operator between them, or an operator without a \
                 name or number"
                    .into()
            }
            reason => reason,
        };
        CostError::Syntax { text: text.to_owned(), reason }
    })
}

/// The operators and functions of `exmex` without its constants. (Its tokeniser finds binary
/// operators such as `min` also at the start of a name, `minutes`, which needs braces.)
#[derive(Debug, Clone)]
pub(super) struct Functions;

impl MakeOperators<f64> for Functions {
    fn make<'a>() -> Vec<Operator<'a, f64>> {
        let mut operators = FloatOpsFactory::<f64>::make();
        operators.retain(|operator| operator.constant().is_none());
        operators
    }
}

/// Finite numbers, with or without an exponent: `12.5`, `.5`, `1.5e6`, `2E-3`.
#[derive(Debug, Clone)]
pub(super) struct Numbers;

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
