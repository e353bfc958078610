//! AdaRank: boosting of single inputs by what lists say of them (Xu and Li, AdaRank: a boosting
//! algorithm for information retrieval, 2007; McBride et al., Cost-sensitive learning to rank).
//!
//! Lists have a distribution P. A round takes the input, in the direction, whose values E_i of
//! lists have the largest sum P_i E_i, with the weight
//! alpha = 1/2 ln( sum P_i (1 + E_i) / sum P_i (1 - E_i) ), and then
//! P_i = first_i exp(-E_i(all so far)) up to a factor: lists that are still badly ordered count
//! more. first_i is how much list i counts in the figure: the same for all in a mean such as NDCG's,
//! Ideal_i in R_CS, whose E_i is R_i (CS-AdaRank). What is learnt is a linear score.
//!
//! The literal reading of CS-AdaRank's printed objective has E_i = A_i / sum Ideal and all lists
//! alike at first.
//!
//! Example: two lists with E = (1, 0) by one input and (0.2, 0.6) by another: P = (1/2, 1/2)
//! takes the first, alpha = 1/2 ln 3; then P is (0.27, 0.73) and the second leads.

use rayon::prelude::*;

use super::target::Target;
use crate::dense::Dense;
use crate::error::FitError;
use crate::run::Steps;

/// When to stop, and how lists are weighed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rules {
    /// It ends when so many rounds have not added `tolerance` to the metric.
    pub(crate) patience: usize,
    pub(crate) tolerance: f64,
    /// Rounds in a row that an input may be taken.
    pub(crate) selections: usize,
    /// P_i = first_i exp(-sharpness E_i).
    pub(crate) sharpness: f64,
    pub(crate) reading: Reading,
    /// Whether validation lists choose the round; else the best by the metric is the model.
    pub(crate) validated: bool,
}

/// What a list's E is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// The list's value, lists counting as they do in the figure.
    Corrected,
    /// What the list's value adds to the figure, lists counting alike.
    Literal,
}

/// The ensemble, round by round.
pub(crate) struct AdaRank<'a> {
    rules: Rules,
    target: &'a Target<'a>,
    inputs: &'a Dense,
    /// E of each list by each input, upwards and downwards.
    alone: Vec<[Vec<f64>; 2]>,
    /// What a list's value is multiplied with to be its E.
    factors: Vec<f64>,
    /// P before the first round, up to a factor.
    first: Vec<f64>,
    weights: Vec<f64>,
    state: State,
    /// The weights of the model.
    shown: Vec<f64>,
}

/// What is remembered from round to round beside weights.
#[derive(Debug, Clone, Copy)]
struct State {
    /// The best figure so far.
    best: f64,
    /// Rounds since `tolerance` was last added to it, and what it was then.
    since: usize,
    mark: f64,
    /// The last input, and how many rounds in a row it was taken.
    last: usize,
    in_a_row: usize,
}

/// The largest and smallest sum of P E: alpha is finite.
const SURE: f64 = 1.0 - 1e-12;

impl<'a> AdaRank<'a> {
    /// Before the first round.
    pub(crate) fn new(
        target: &'a Target<'a>,
        inputs: &'a Dense,
        rules: Rules,
    ) -> Result<Self, FitError> {
        let factors = match rules.reading {
            Reading::Corrected => vec![1.0; target.shares().len()],
            Reading::Literal => target.shares().to_vec(),
        };
        let first = match rules.reading {
            Reading::Corrected => target.shares().to_vec(),
            Reading::Literal => {
                let counts = target.shares().iter().zip(target.counts());
                counts.map(|(share, count)| if *share > 0.0 { *count } else { 0.0 }).collect()
            }
        };
        let values = |column: Vec<f64>| -> Result<[Vec<f64>; 2], FitError> {
            let down: Vec<f64> = column.iter().map(|x| -x).collect();
            let [up, down] = [target.list_values(&column)?, target.list_values(&down)?];
            Ok([times(up, &factors), times(down, &factors)])
        };
        let alone =
            inputs.columns().into_par_iter().map(values).collect::<Result<_, FitError>>()?;
        let weights = vec![0.0; inputs.width()];
        let state = State { best: f64::MIN, since: 0, mark: f64::MIN, last: 0, in_a_row: 0 };
        let shown = weights.clone();
        Ok(AdaRank { rules, target, inputs, alone, factors, first, weights, state, shown })
    }

    /// E of each list by all that was taken so far.
    fn together(&self) -> Result<Vec<f64>, FitError> {
        let mut scores = vec![0.0; self.inputs.rows()];
        self.inputs.times(&self.weights, &mut scores);
        self.target.list_values(&scores)
    }

    /// P of the lists, which adds up to 1.
    fn distribution(&self, round: usize) -> Result<Vec<f64>, FitError> {
        let mut p = self.first.clone();
        if round > 0 {
            let values = times(self.together()?, &self.factors);
            let sharpness = self.rules.sharpness;
            p.iter_mut().zip(values).for_each(|(p, e)| *p *= (-sharpness * e).exp());
        }
        let all: f64 = p.iter().sum();
        p.iter_mut().for_each(|p| *p /= all);
        Ok(p)
    }

    /// The best input and direction, and its sum of P E.
    fn choose(&self, p: &[f64]) -> Option<(usize, usize, f64)> {
        let too_often = self.state.in_a_row >= self.rules.selections;
        let edge = |values: &[f64]| -> f64 { values.iter().zip(p).map(|(e, p)| p * e).sum() };
        let edges: Vec<[f64; 2]> =
            self.alone.par_iter().map(|[up, down]| [edge(up), edge(down)]).collect();
        let mut best: Option<(usize, usize, f64)> = None;
        for (input, edges) in edges.iter().enumerate() {
            if too_often && input == self.state.last {
                continue;
            }
            for (way, &edge) in edges.iter().enumerate() {
                if edge > best.map_or(0.0, |(_, _, edge)| edge) {
                    best = Some((input, way, edge));
                }
            }
        }
        best
    }
}

impl Steps for AdaRank<'_> {
    fn step(&mut self, round: usize) -> Result<bool, FitError> {
        if self.state.since >= self.rules.patience {
            return Ok(false);
        }
        let Some((input, way, edge)) = self.choose(&self.distribution(round)?) else {
            return Ok(false);
        };
        let edge = edge.min(SURE);
        let alpha = 0.5 * ((1.0 + edge) / (1.0 - edge)).ln();
        self.weights[input] += if way == 0 { alpha } else { -alpha };
        let State { best, since, mark, last, in_a_row } = self.state;
        let values = self.together()?;
        let figure: f64 = values.iter().zip(self.target.shares()).map(|(e, share)| e * share).sum();
        if self.rules.validated || figure > best {
            self.shown.clone_from(&self.weights);
        }
        let has_risen = figure > mark + self.rules.tolerance;
        self.state = State {
            best: figure.max(best),
            since: if has_risen { 0 } else { since + 1 },
            mark: if has_risen { figure } else { mark },
            last: input,
            in_a_row: if round > 0 && input == last { in_a_row + 1 } else { 1 },
        };
        Ok(true)
    }

    fn numbers(&self) -> &[f64] {
        &self.shown
    }

    fn memory(&self) -> Vec<f64> {
        let State { best, since, mark, last, in_a_row } = self.state;
        let state = [best, since as f64, mark, last as f64, in_a_row as f64];
        self.weights.iter().copied().chain(state).collect()
    }

    fn resume(&mut self, numbers: &[f64], memory: &[f64]) {
        let (weights, state) = memory.split_at(self.weights.len());
        self.shown = numbers.to_vec();
        self.weights = weights.to_vec();
        self.state = State {
            best: state[0],
            since: state[1] as usize,
            mark: state[2],
            last: state[3] as usize,
            in_a_row: state[4] as usize,
        };
    }
}

fn times(mut values: Vec<f64>, factors: &[f64]) -> Vec<f64> {
    values.iter_mut().zip(factors).for_each(|(value, factor)| *value *= factor);
    values
}
