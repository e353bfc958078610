//! What XGBoost's `predict` makes of the sum of trees, and the constant that the sum begins with.

use stakes_model::Link;

use crate::import::error::Fault;

/// The link function and the start, by the name of the objective and `base_score`, which is a prediction and no
/// sum: 0.5 is the chance one half.
pub(super) fn meaning(objective: &str, base_score: &str) -> Result<(Link, f64), Fault> {
    // One number, in brackets from version 3.1 on.
    let text = base_score.trim_matches(['[', ']']);
    let base: f32 = match text.parse() {
        Ok(base) if f32::is_finite(base) => base,
        _ => {
            let what = format!("is `{base_score}`; it must be one number");
            return Err(Fault::new("base_score", what));
        }
    };
    let in_range = |allowed: bool, what: &str| match allowed {
        true => Ok(()),
        false => Err(Fault::new("base_score", format!("is {base}; {what}"))),
    };
    let logit = || {
        in_range(base > 0.0 && base < 1.0, "it must be between 0 and 1")?;
        // In 32 bits, as XGBoost.
        Ok(f64::from(-(1.0 / base - 1.0).ln()))
    };
    Ok(match objective {
        "reg:squarederror"
        | "reg:linear"
        | "reg:squaredlogerror"
        | "reg:absoluteerror"
        | "reg:pseudohubererror"
        | "reg:quantileerror"
        | "rank:ndcg"
        | "rank:map"
        | "rank:pairwise" => (Link::Identity, f64::from(base)),
        // A sum from version 3.1 on, a chance before.
        "binary:logitraw" if base_score.starts_with('[') => (Link::Identity, f64::from(base)),
        "binary:logitraw" => (Link::Identity, logit()?),
        "binary:logistic" | "reg:logistic" => (Link::Logistic, logit()?),
        "reg:tweedie" | "reg:gamma" | "count:poisson" | "survival:cox" | "survival:aft" => {
            in_range(base > 0.0, "it must be above 0")?;
            (Link::Exp, f64::from(base.ln()))
        }
        other => {
            return Err(Fault::refused(format!(
                "its objective is `{other}`, whose predictions models of stakes cannot make; objectives of one \
                 score can be imported: reg:squarederror, reg:tweedie, count:poisson, binary:logistic, \
                 rank:ndcg, ..."
            )));
        }
    })
}
