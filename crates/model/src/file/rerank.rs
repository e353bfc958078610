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
use super::{Bad, bad};
use crate::{Above, ModelFeature, Proof, Rerank};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RerankFile {
    base: BaseFile,
    above: Above,
    proof: Proof,
    /// Not there where it is 0.
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
        page.field("above", &rerank.above);
        page.field("proof", &rerank.proof);
        if rerank.base_weight != 0.0 {
            page.field("base_weight", &rerank.base_weight);
        }
        super::net::write(page, &rerank.net);
    });
}

impl RerankFile {
    pub(super) fn check(self, features: &[ModelFeature]) -> Result<Rerank, Bad> {
        if let Above::Score(threshold) = self.above
            && !threshold.is_finite()
        {
            return Err(bad("above", format!("is {threshold}; a finite score is needed")));
        }
        let Proof { before, value, bound, .. } = self.proof;
        let numbers = [before, value, bound, self.proof.seconds.unwrap_or(0.0)];
        if let Some(met) = numbers.iter().find(|number| !number.is_finite()) {
            return Err(bad("proof", format!("has {met}; finite numbers are needed")));
        }
        if !self.base_weight.is_finite() {
            let met = self.base_weight;
            return Err(bad("base_weight", format!("is {met}; a finite number is needed")));
        }
        let net = self.net.check(features).map_err(|bad| bad.under("net"))?;
        if net.layers.len() != 1 {
            return Err(bad("net", format!("has {} layers; one is needed", net.layers.len())));
        }
        Ok(Rerank {
            base: super::check::learner(self.base.learner).map_err(|bad| bad.under("base"))?,
            base_parameters: self.base.parameters,
            above: self.above,
            net,
            base_weight: self.base_weight,
            proof: self.proof,
        })
    }
}
