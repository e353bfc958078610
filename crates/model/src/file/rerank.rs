//! The second stage of a model that re-ranks.
//!
//! ```json
//! "rerank": {
//!   "base": {"learner":"logistic","parameters":{"c":"auto"}},
//!   "above": {"score":0.25},
//!   "proof": {"objective":"rcs@10","items":50,"lists":1,"before":0.5,"value":0.625,"bound":0.75,
//!             "nodes":900,"method":"cones","ended":"limit","seconds":60.5},
//!   "base_weight": 0.5,
//!   "net": {"inputs":[...],"layers":[...]}
//! }
//! ```

use serde::{Deserialize, Serialize};

use super::layout::{Bracket, Page};
use super::shape::{NetFile, Texts};
use super::{Invalid, invalid};
use crate::{ModelFeature, Proof, Rerank, RerankScope};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RerankFile {
    base: BaseFile,
    above: RerankScope,
    proof: Proof,
    /// Not written where it is 0.
    #[serde(default)]
    base_weight: f64,
    net: NetFile,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BaseFile {
    learner: String,
    parameters: Texts,
}

pub(super) fn write(page: &mut Page, rerank: &Rerank) {
    page.spread("rerank", Bracket::Object, |page| {
        let (learner, parameters) = (rerank.base.clone(), rerank.base_parameters.clone());
        page.field("base", &BaseFile { learner, parameters });
        page.field("above", &rerank.scope);
        page.field("proof", &rerank.proof);
        if rerank.base_weight != 0.0 {
            page.field("base_weight", &rerank.base_weight);
        }
        super::net::write(page, &rerank.net);
    });
}

impl RerankFile {
    pub(super) fn check(self, features: &[ModelFeature]) -> Result<Rerank, Invalid> {
        if let RerankScope::Score(threshold) = self.above
            && !threshold.is_finite()
        {
            return Err(invalid("above", format!("is {threshold}; must be a finite score")));
        }
        let Proof { before, value, bound, penalty, .. } = self.proof;
        let numbers = [before, value, bound, penalty, self.proof.seconds.unwrap_or(0.0)];
        if let Some(met) = numbers.iter().find(|number| !number.is_finite()) {
            return Err(invalid("proof", format!("has the value {met}; values must be finite")));
        }
        if !self.base_weight.is_finite() {
            let met = self.base_weight;
            return Err(invalid("base_weight", format!("is {met}; must be finite")));
        }
        let net = self.net.check(features).map_err(|invalid| invalid.under("net"))?;
        if net.layers.len() != 1 {
            return Err(invalid("net", format!("has {} layers; must have one", net.layers.len())));
        }
        Ok(Rerank {
            base: super::header::learner(self.base.learner)
                .map_err(|invalid| invalid.under("base"))?,
            base_parameters: self.base.parameters,
            scope: self.above,
            net,
            base_weight: self.base_weight,
            proof: self.proof,
        })
    }
}
