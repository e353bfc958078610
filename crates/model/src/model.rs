//! A trained model: all that scoring needs, and a record of how it was trained.

use std::collections::BTreeMap;

use serde::Serialize;
use stakes_core::data::Dataset;
use stakes_core::goal::Goal;

use crate::{
    Bound, Calibration, Checkpoint, Fingerprint, ListScaling, MatchedColumns, ModelError,
    ModelFeature, Profile, Rerank, RoleColumns, Scorer, StageSummary, TrainingList,
};

/// A trained model.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// The name of the learner.
    pub learner: String,
    /// All parameters of the learner, as text.
    pub parameters: BTreeMap<String, String>,
    /// The seed of all random draws.
    pub seed: u64,
    /// The goal that the model was trained for.
    pub goal: Goal,
    /// The columns that had a role in training; new data are read with the same roles.
    pub columns: RoleColumns,
    /// The features that the model reads, in the order of [`crate::tree::Node::feature`].
    pub features: Vec<ModelFeature>,
    /// How the numbers of a list are scaled before scoring.
    pub list_scaling: ListScaling,
    /// The fingerprint of the training data.
    pub data: Fingerprint,
    /// A summary of each stage of training.
    pub stages: Vec<StageSummary>,
    /// The members of a blend; empty for a single learner.
    pub members: Vec<Member>,
    /// The score; for a model that re-ranks, the score of its first stage.
    pub scorer: Scorer,
    /// Whether scores are in proportion to expected costs, so that money is best spent by score per price
    /// ([`Model::priorities`]).
    pub scores_costs: bool,
    /// The expected cost by score, if there were enough held-out lists to fit it.
    pub calibration: Option<Calibration>,
    /// A bound on the rank loss on new pairs, for learners that have one.
    pub bound: Option<Bound>,
    /// The second stage, if the model re-ranks.
    pub rerank: Option<Rerank>,
    /// The lists that it was trained on, in the order of their fingerprints; empty if they are not known.
    pub training_lists: Vec<TrainingList>,
    /// What training looked like; unknown in models of older versions, and of classes.
    pub profile: Option<Profile>,
}

impl Model {
    /// The model that a run made, without a record of its stages.
    pub fn new(run: Checkpoint, scorer: Scorer) -> Self {
        Model {
            learner: run.learner,
            parameters: run.parameters,
            seed: run.seed,
            goal: run.goal,
            columns: run.columns,
            features: run.features,
            list_scaling: ListScaling::None,
            data: run.data,
            stages: Vec::new(),
            members: Vec::new(),
            scorer,
            scores_costs: false,
            calibration: None,
            bound: None,
            rerank: None,
            training_lists: Vec::new(),
            profile: None,
        }
    }

    /// Finds the model's features in the data.
    pub fn match_columns(&self, data: &Dataset) -> Result<MatchedColumns, ModelError> {
        MatchedColumns::new(&self.features, self.list_scaling, data)
    }

    /// The first stage of a model that re-ranks, as a model; a copy if there is no second stage.
    pub fn first_stage(&self) -> Model {
        let mut model = Model { rerank: None, ..self.clone() };
        if let Some(rerank) = &self.rerank {
            model.profile = None;
            model.learner = rerank.base.clone();
            model.parameters = rerank.base_parameters.clone();
            model.stages.pop();
            model.calibration = None;
            model.forget_scores();
        }
        model
    }

    /// The linear score of the second stage, as a model; `None` if there is no second stage.
    pub fn second_stage(&self) -> Option<Model> {
        let rerank = self.rerank.as_ref()?;
        let mut model = Model {
            rerank: None,
            members: Vec::new(),
            stages: Vec::new(),
            calibration: None,
            bound: None,
            profile: None,
            scores_costs: false,
            scorer: Scorer::linear(rerank.net.clone()),
            ..self.clone()
        };
        model.forget_scores();
        Some(model)
    }
}

/// A learner that is part of a blend.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Member {
    /// The name of the learner.
    pub learner: String,
    /// All parameters of the learner, as text.
    pub parameters: BTreeMap<String, String>,
    /// The value of the goal's metric on held-out lists; `None` if there were none.
    pub figure: Option<f64>,
    /// The weight in the blend; the weights of all members sum to 1.
    pub weight: f64,
}
