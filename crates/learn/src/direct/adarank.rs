//! AdaRank: boosting of single inputs by a metric (Xu and Li 2007), and CS-AdaRank (McBride et al.
//! 2019, section 4).
//!
//! P is a distribution over lists, and E_i the metric's value of list i. A round chooses the input
//! and direction with the largest sum P_i E_i, adds it to the score with the weight
//! alpha = 1/2 ln( sum P_i (1 + E_i) / sum P_i (1 - E_i) ), and sets
//! P_i = first_i exp(-E_i(score so far)) up to a factor, so that badly ordered lists get more
//! weight. first_i is the share of list i in the figure: the same for all lists in a mean such as
//! NDCG's, proportional to Ideal_i in R_CS, whose E_i is R_i (CS-AdaRank). The model is a linear
//! score.
//!
//! CS-AdaRank's objective is printed as E_i = R_i / sum Ideal, with the same first_i for all lists:
//! that weights all lists alike and is not proportional to R_CS, as it is meant to be. Its three
//! readings are a [`Reading`].
//!
//! Costs c_i of lists, if there are any, are used as those of pairs are in RankBoost (Salomon 2020,
//! section 3.3.3): `before`, first_i is multiplied by c_i; `during`, P_i is multiplied by c_i^(t/T) in
//! round t of T; `after`, inputs are chosen without costs, and each gets the weight alpha that it has
//! with P_i times c_i, P by the score of the weights so found.
//!
//! Example: two lists with E = (1, 0) by one input and (0.2, 0.6) by another: with P = (1/2, 1/2)
//! the first is chosen, alpha = 1/2 ln 3; then P is (0.27, 0.73) and the second is better.

use rayon::prelude::*;

use super::params::ListCosts;
use super::target::Target;
use crate::dense::Dense;
use crate::error::FitError;
use crate::run::Steps;

/// When to stop, and how lists are weighted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rules {
    /// Stop after this many rounds in which the metric has not improved by `tolerance`.
    pub(crate) patience: usize,
    pub(crate) tolerance: f64,
    /// Maximum number of consecutive rounds that choose the same input.
    pub(crate) selections: usize,
    /// P_i = first_i exp(-sharpness E_i).
    pub(crate) sharpness: f64,
    pub(crate) reading: Reading,
    /// The cost that is counted as 1.
    pub(crate) unit: f64,
    /// Whether validation lists choose the round; otherwise the round with the best metric is
    /// chosen.
    pub(crate) validated: bool,
}

/// The definition of E_i and of the first P.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// The list's value R_i, with lists weighted by their share in the figure.
    Corrected,
    /// The list's value times its share in the figure, A_i / sum Ideal, with equal weights of lists.
    Share,
    /// R_i / sum Ideal as it is printed, with equal weights of lists. It depends on the unit of
    /// costs; unless that is so large that sum Ideal is about 1, P hardly ever changes.
    Printed,
}

/// What lists cost, and when that is used.
#[derive(Debug, Clone)]
pub(crate) struct CostOfLists {
    pub(crate) when: ListCosts,
    pub(crate) costs: Vec<f64>,
    /// The number of rounds that there are going to be.
    pub(crate) rounds: usize,
}

/// AdaRank after some rounds.
pub(crate) struct AdaRank<'a> {
    rules: Rules,
    costs: Option<CostOfLists>,
    target: &'a Target<'a>,
    inputs: &'a Dense,
    /// E of each list by each input alone, ascending and descending.
    alone: Vec<[Vec<f64>; 2]>,
    /// The factor from each list's value to its E.
    factors: Vec<f64>,
    /// P in the first round, up to a factor.
    first: Vec<f64>,
    /// The weights by which inputs are chosen.
    weights: Vec<f64>,
    /// The weights with costs, if they come after.
    costed: Option<Vec<f64>>,
    state: State,
    /// The weights of the model.
    model: Vec<f64>,
}

/// The state between rounds, apart from the weights.
#[derive(Debug, Clone, Copy)]
struct State {
    /// The best figure so far.
    best: f64,
    /// The number of rounds since the figure last improved by `tolerance`, and the figure then.
    since: usize,
    mark: f64,
    /// The last input, and the number of consecutive rounds that chose it.
    last: usize,
    in_a_row: usize,
}

/// The maximum of sum P E, so that alpha is finite.
const MAX_EDGE: f64 = 1.0 - 1e-12;

impl<'a> AdaRank<'a> {
    /// Prepares the first round.
    pub(crate) fn new(
        target: &'a Target<'a>,
        inputs: &'a Dense,
        rules: Rules,
    ) -> Result<Self, FitError> {
        let factors = match rules.reading {
            Reading::Corrected => vec![1.0; target.shares().len()],
            Reading::Share => target.shares().to_vec(),
            Reading::Printed => {
                vec![(target.total() * rules.unit).recip(); target.shares().len()]
            }
        };
        let first = match rules.reading {
            Reading::Corrected => target.shares().to_vec(),
            Reading::Share | Reading::Printed => {
                let lists = target.shares().iter().zip(target.list_weights());
                lists.map(|(share, weight)| if *share > 0.0 { *weight } else { 0.0 }).collect()
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
        let model = weights.clone();
        let (costs, costed) = (None, None);
        Ok(AdaRank {
            rules,
            costs,
            target,
            inputs,
            alone,
            factors,
            first,
            weights,
            costed,
            state,
            model,
        })
    }

    /// Lists cost something.
    pub(crate) fn with_costs(mut self, costs: CostOfLists) -> Self {
        if costs.when == ListCosts::After {
            self.costed = Some(self.weights.clone());
        }
        self.costs = Some(costs);
        self
    }

    /// Returns the metric's value of each list by a score with these weights.
    fn together(&self, weights: &[f64]) -> Result<Vec<f64>, FitError> {
        let mut scores = vec![0.0; self.inputs.rows()];
        self.inputs.times(weights, &mut scores);
        self.target.list_values(&scores)
    }

    /// The factors of the costs of lists in a round, by the power that they then have.
    fn power(&self, round: usize) -> Option<(&[f64], f64)> {
        let CostOfLists { when, costs, rounds } = self.costs.as_ref()?;
        let power = match when {
            ListCosts::None | ListCosts::After => return None,
            ListCosts::Before => 1.0,
            ListCosts::During => (round + 1).min(*rounds) as f64 / *rounds as f64,
        };
        Some((costs, power))
    }

    /// E of each list by one input alone, ascending and descending.
    #[cfg(test)]
    pub(super) fn alone(&self, input: usize) -> &[Vec<f64>; 2] {
        &self.alone[input]
    }

    /// Returns P, which adds up to 1.
    pub(super) fn distribution(&self, round: usize) -> Result<Vec<f64>, FitError> {
        self.distribution_by(&self.weights, round, self.power(round))
    }

    /// Returns P by a score with these weights, times costs to a power.
    fn distribution_by(
        &self,
        weights: &[f64],
        round: usize,
        costs: Option<(&[f64], f64)>,
    ) -> Result<Vec<f64>, FitError> {
        let mut p = self.first.clone();
        if let Some((costs, power)) = costs {
            p.iter_mut().zip(costs).for_each(|(p, cost)| *p *= cost.powf(power));
        }
        if round > 0 {
            let values = times(self.together(weights)?, &self.factors);
            let sharpness = self.rules.sharpness;
            p.iter_mut().zip(values).for_each(|(p, e)| *p *= (-sharpness * e).exp());
        }
        let all: f64 = p.iter().sum();
        p.iter_mut().for_each(|p| *p /= all);
        Ok(p)
    }

    /// Returns the best input, its direction and its sum of P E.
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

impl AdaRank<'_> {
    /// The weights of the score so far.
    fn final_weights(&self) -> &[f64] {
        self.costed.as_ref().unwrap_or(&self.weights)
    }
}

/// The weight of an input with this sum of P E.
fn alpha(edge: f64) -> f64 {
    let edge = edge.clamp(-MAX_EDGE, MAX_EDGE);
    0.5 * ((1.0 + edge) / (1.0 - edge)).ln()
}

impl Steps for AdaRank<'_> {
    fn step(&mut self, round: usize) -> Result<bool, FitError> {
        if self.state.since >= self.rules.patience {
            return Ok(false);
        }
        let Some((input, way, edge)) = self.choose(&self.distribution(round)?) else {
            return Ok(false);
        };
        let sign = if way == 0 { 1.0 } else { -1.0 };
        if let (Some(costed), Some(costs)) = (&self.costed, &self.costs) {
            let p = self.distribution_by(costed, round, Some((&costs.costs, 1.0)))?;
            let edge = self.alone[input][way].iter().zip(p).map(|(e, p)| p * e).sum();
            self.costed.iter_mut().for_each(|weights| weights[input] += sign * alpha(edge));
        }
        self.weights[input] += sign * alpha(edge);
        let State { best, since, mark, last, in_a_row } = self.state;
        let values = self.together(self.final_weights())?;
        let figure: f64 = values.iter().zip(self.target.shares()).map(|(e, share)| e * share).sum();
        if self.rules.validated || figure > best {
            self.model = self.final_weights().to_vec();
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
        &self.model
    }

    fn memory(&self) -> Vec<f64> {
        let State { best, since, mark, last, in_a_row } = self.state;
        let state = [best, since as f64, mark, last as f64, in_a_row as f64];
        let weights = self.weights.iter().chain(self.costed.iter().flatten());
        weights.copied().chain(state).collect()
    }

    fn resume(&mut self, numbers: &[f64], memory: &[f64]) {
        let (weights, rest) = memory.split_at(self.weights.len());
        self.model = numbers.to_vec();
        self.weights = weights.to_vec();
        let (costed, state) = rest.split_at(self.costed.as_ref().map_or(0, Vec::len));
        self.costed.iter_mut().for_each(|weights| weights.copy_from_slice(costed));
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
