//! What LightGBM's `predict` makes of the sum of trees, by objective.

use stakes_model::Link;
use stakes_model::tree::{Tree, scale_leaves};

use crate::import::error::Fault;

/// The meaning of a sum of trees.
pub(super) struct Objective {
    pub(super) link: Link,
    /// What the sum is multiplied by before the link.
    factor: f64,
    pub(super) note: Option<String>,
}

impl Objective {
    /// Reads the text of the field, such as `binary sigmoid:1`.
    pub(super) fn parse(text: Option<&str>) -> Result<Self, Fault> {
        let mut words = text.unwrap_or_default().split_ascii_whitespace();
        let name = words.next().unwrap_or_default();
        let words: Vec<&str> = words.collect();
        let mut objective = Objective { link: Link::Identity, factor: 1.0, note: None };
        match name {
            "regression" | "l2" | "mean_squared_error" if words.contains(&"sqrt") => {
                return Err(Fault::refused(
                    "it predicts squares of a regression of roots (reg_sqrt), which models of stakes cannot; \
                     train without reg_sqrt",
                ));
            }
            "regression" | "regression_l1" | "huber" | "fair" | "quantile" | "mape"
            | "lambdarank" | "rank_xendcg" => {}
            "" | "none" | "custom" => {
                objective.note = Some(
                    "the objective is not known, so the score is the plain sum of the trees"
                        .to_owned(),
                );
            }
            "poisson" | "gamma" | "tweedie" => objective.link = Link::Exp,
            "binary" => {
                objective.link = Link::Logistic;
                let sigmoid = words.iter().find_map(|word| word.strip_prefix("sigmoid:"));
                objective.factor = match sigmoid.map(str::parse::<f64>) {
                    None => 1.0,
                    Some(Ok(sigmoid)) if sigmoid.is_finite() && sigmoid > 0.0 => sigmoid,
                    Some(_) => {
                        let what = format!("`{}`: the sigmoid must be above 0", words.join(" "));
                        return Err(Fault::new("objective", what));
                    }
                };
            }
            "cross_entropy" | "xentropy" => objective.link = Link::Logistic,
            other => {
                return Err(Fault::refused(format!(
                    "its objective is `{other}`, whose predictions models of stakes cannot make; objectives of \
                     one score can be imported: regression, tweedie, poisson, gamma, binary, lambdarank, ..."
                )));
            }
        }
        Ok(objective)
    }

    pub(super) fn scale(&self, trees: &mut [Tree]) {
        if self.factor != 1.0 {
            scale_leaves(trees, self.factor);
        }
    }
}
