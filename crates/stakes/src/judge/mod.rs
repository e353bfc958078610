//! How good is a model? Its figures on lists or rows that it was not trained on, beside those that it has
//! to beat: a plain regression of the cost, the best single feature, a random order.
//!
//! Use it right after training ([`Fitted::judge`]); [`evaluate`](crate::evaluate) measures models on other
//! data.

mod classes;
mod current;
mod ranking;
mod reached;
mod words;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use stakes_core::data::Dataset;
use stakes_eval::study::Scores;
use stakes_model::Model;

pub use classes::{ClassResult, ClassVerdict, Confusion, Figure};
pub use current::CurrentPolicy;
pub use ranking::Verdict;
pub use reached::{Amounts, Reached, reached};
pub use words::noun;

use crate::fit::{Division, Fitted};
use crate::judged_lists::judged_lists;
use crate::observer::{Silent, or_silent};
use crate::{Error, Note, Observer};

/// What a model is compared with.
#[derive(Debug, Clone)]
pub struct JudgeOptions {
    /// Whether a plain regression is trained on the same lists.
    pub regression: bool,
    /// The seed of its random draws.
    pub seed: u64,
    /// How it is decided now which items are acted on.
    pub current: Option<CurrentPolicy>,
    /// What costs are counted in.
    pub amounts: Amounts,
}

impl Default for JudgeOptions {
    fn default() -> Self {
        JudgeOptions { regression: true, seed: 0, current: None, amounts: Amounts::default() }
    }
}

/// How good a model is, on lists or rows that it was not trained on; `None` where there are none.
///
/// As JSON it has the fields `results` and `comparisons` of a [`Verdict`], which are empty for
/// classes, the field `verdict` ([`Reached`]), and for classes the field `classes`.
#[derive(Debug, Clone)]
pub enum Judged {
    /// As a ranking.
    Ranking(Option<Verdict>),
    /// By the classes of rows.
    Classes(Option<ClassVerdict>),
}

impl Judged {
    /// Returns notes on what is missing.
    pub fn notes(&self) -> &[Note] {
        match self {
            Judged::Ranking(Some(verdict)) => &verdict.notes,
            Judged::Ranking(None) | Judged::Classes(_) => &[],
        }
    }
}

impl Serialize for Judged {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let study = match self {
            Judged::Ranking(verdict) => verdict.as_ref().map(|verdict| &verdict.study),
            Judged::Classes(_) => None,
        };
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("results", study.map_or(&[][..], |study| &study.results))?;
        map.serialize_entry("comparisons", study.map_or(&[][..], |study| &study.comparisons))?;
        if let Judged::Ranking(Some(Verdict { reached: Some(reached), .. })) = self {
            map.serialize_entry("verdict", reached)?;
        }
        if let Judged::Classes(verdict) = self {
            map.serialize_entry("classes", verdict)?;
        }
        map.end()
    }
}

impl Fitted {
    /// Judges the model by the metric of the goal, or by the classes of rows: on the validation
    /// lists, or else on the training lists by models that were not trained on them.
    pub fn judge(
        &self,
        division: &Division<'_>,
        options: &JudgeOptions,
        observer: Option<&mut dyn Observer>,
    ) -> Result<Judged, Error> {
        let mut silent = Silent;
        let observer = or_silent(observer, &mut silent);
        let Some(Unseen { model, data, scores }) = self.unseen(division)? else {
            return Ok(match division.classes {
                None => Judged::Ranking(None),
                Some(_) => Judged::Classes(None),
            });
        };
        Ok(match &division.classes {
            None => {
                let verdict = ranking::judge(self, model, scores, division, options, observer)?;
                Judged::Ranking(Some(verdict))
            }
            Some(classes) => {
                let mut scores = [Scores { name: model.learner.clone(), values: scores }];
                let data = judged_lists(data, &mut scores);
                let [Scores { name, values }] = &scores;
                let verdict = classes::judge(classes, name, values, &data, division)?;
                Judged::Classes(Some(verdict))
            }
        })
    }

    /// What the model is judged on; `None` where there is nothing.
    fn unseen<'f>(&'f self, division: &'f Division<'_>) -> Result<Option<Unseen<'f>>, Error> {
        let Some(model) = &self.model else { return Ok(None) };
        Ok(match (&division.validation, &self.out_of_fold) {
            (Some(data), _) => Some(Unseen { model, data, scores: model.score(data)? }),
            (None, Some(scores)) => {
                Some(Unseen { model, data: &division.training, scores: scores.clone() })
            }
            (None, None) => None,
        })
    }
}

/// A model, and data with scores by models that were not trained on them; NaN where there are none.
struct Unseen<'f> {
    model: &'f Model,
    data: &'f Dataset,
    scores: Vec<f64>,
}
