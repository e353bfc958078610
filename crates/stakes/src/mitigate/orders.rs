//! The order of lists that were not learned from, for every strength.

use stakes_core::cost::Capacity;
use stakes_core::data::Dataset;
use stakes_core::goal::Goal;
use stakes_eval::study::Scores;
use stakes_fair::{GroupLimit, MinShare, constrained, with_min_shares};
use stakes_learn::{Configured, Flow, learner};
use stakes_model::Model;

use super::reduction::{Iterate, Reduction};
use super::{Method, MitigateOptions, Outcome};
use crate::experiment::Setting;
use crate::fit::Fit;
use crate::rank::{expected_costs, items_in_order};
use crate::{Error, Observer};

/// The scores of the tested lists by strength, and the trainings behind them where they are several.
pub(super) struct Orders {
    pub(super) scores: Vec<Scores>,
    pub(super) iterates: Vec<Vec<Iterate>>,
}

/// Trains in every fold, and gives the scores of the tested lists by strength.
pub(super) fn out_of_fold(
    setting: &Setting<'_>,
    protected: u32,
    k: usize,
    strengths: &[f64],
    options: &MitigateOptions,
    observer: &mut dyn Observer,
) -> Result<Outcome<Orders>, Error> {
    let method = options.method;
    let lists = setting.tested_lists();
    let judged = setting.data.take_lists(&lists);
    let mut scores: Vec<Vec<f64>> = vec![vec![0.0; judged.len()]; strengths.len()];
    let mut iterates = vec![Vec::new(); strengths.len()];
    let trained = if method.info().trains { strengths.len() } else { 1 };
    let (mut done, of) = (0, setting.folds.len() * trained);
    for fold in &setting.folds {
        let (known, tested) = (setting.known(fold), setting.tested(fold));
        for strength in 0..trained {
            let given = strengths[strength];
            observer.stage(&format!("{}, {method} {given}", fold.label));
            let learner = learner_of(setting, protected, options, given)?;
            let model = if method == Method::Reduction {
                let names = setting.data.groups().map_or(&[][..], |(_, names)| names);
                let (protected, fold) = (names[protected as usize].as_str(), fold.label.as_str());
                let reduction = Reduction { setting, learner, protected, strength: given, fold };
                let found = reduction.fit(&known, observer)?;
                found.map(|(model, steps)| {
                    iterates[strength].extend(steps);
                    model
                })
            } else {
                let known = match method {
                    Method::Reweigh => reweighed(&known, protected, given),
                    _ => known.clone(),
                };
                let fit = Fit::configured(learner).seed(setting.seed);
                let fitted = fit.fit_with(&known, &setting.goal, Some(observer))?;
                fitted.model.filter(|_| fitted.interruption.is_none())
            };
            let Some(model) = model else { return Ok(Outcome::Interrupted { done, of }) };
            let raw = model.priorities(model.score(&tested)?, &tested, setting.goal.reach);
            let mut put = |strength: usize, new: &[f64]| {
                for (list, &number) in fold.test.iter().enumerate() {
                    let at = lists.partition_point(|&other| other < number);
                    let (from, to) = (tested.items(list), judged.items(at));
                    scores[strength][to].copy_from_slice(&new[from]);
                }
            };
            match method.info().trains {
                true => put(strength, &raw),
                false => {
                    for (strength, &given) in strengths.iter().enumerate() {
                        let goal = &setting.goal;
                        let new =
                            reranked(method, given, k, goal, &model, &tested, &raw, protected)?;
                        put(strength, &new);
                    }
                }
            }
            done += 1;
            if observer.finished(done, of) == Flow::Stop && done < of {
                return Ok(Outcome::Interrupted { done, of });
            }
        }
    }
    let named =
        |(strength, values): (&f64, Vec<f64>)| Scores { name: strength.to_string(), values };
    let scores = strengths.iter().zip(scores).map(named).collect();
    Ok(Outcome::Finished(Box::new(Orders { scores, iterates })))
}

/// The learner of a strength.
fn learner_of(
    setting: &Setting<'_>,
    protected: u32,
    options: &MitigateOptions,
    strength: f64,
) -> Result<Configured, Error> {
    let method = options.method;
    let mut configured = match &options.learner {
        Some(configured) => configured.clone(),
        None => Configured::from(learner(method.info().learner).map_err(Error::UnknownLearner)?),
    };
    let (name, allowed) = (configured.learner.name(), method.learners());
    if !allowed.is_empty() && !allowed.contains(&name) {
        return Err(Error::Mitigate(format!(
            "{method} does not go with the learner {name}; allowed are {}",
            allowed.join(" and ")
        )));
    }
    let names = setting.data.groups().map_or(&[][..], |(_, names)| names);
    let key = match method {
        Method::PairCosts => "group-cost",
        Method::Penalty => "penalty",
        Method::Preference => "preference",
        _ => return Ok(configured),
    };
    configured.set(key, &strength.to_string())?;
    if method != Method::Preference {
        configured.set("protected", &names[protected as usize])?;
    }
    Ok(configured)
}

/// The data with the weights of members multiplied.
fn reweighed(data: &Dataset, protected: u32, strength: f64) -> Dataset {
    let codes = data.groups().map_or(&[][..], |(codes, _)| codes);
    let own = |item: usize| data.weight().map_or(1.0, |weight| weight[item]);
    let factor = |code: u32| if code == protected { strength } else { 1.0 };
    let weight = codes.iter().enumerate().map(|(item, &code)| own(item) * factor(code)).collect();
    data.clone().with_weight(weight)
}

/// Scores that give another order of every list.
#[allow(clippy::too_many_arguments)] // What an order depends on.
fn reranked(
    method: Method,
    strength: f64,
    k: usize,
    goal: &Goal,
    model: &Model,
    data: &Dataset,
    scores: &[f64],
    protected: u32,
) -> Result<Vec<f64>, Error> {
    let codes = data.groups().map_or(&[][..], |(codes, _)| codes);
    let expected = expected_costs(model, scores);
    let values = expected.as_deref().unwrap_or(scores);
    let mut new = vec![0.0; data.len()];
    for (list, items) in data.lists().enumerate() {
        let order = items_in_order(data, scores, list);
        let members: Vec<bool> = order.iter().map(|&item| codes[item] == protected).collect();
        let share = members.iter().filter(|member| **member).count() as f64 / members.len() as f64;
        let share = (strength * share).min(1.0);
        let places: Vec<usize> = (0..order.len()).collect();
        let found = match method {
            Method::Thresholds => {
                let k = k.min(order.len());
                let mut at_least = vec![0; k];
                if let Some(last) = at_least.last_mut() {
                    *last = (share * k as f64 + 1e-9).floor() as usize;
                }
                let values: Vec<f64> = order.iter().map(|&item| values[item]).collect();
                let limit = GroupLimit { members: &members, at_least, at_most: None };
                let discounts = goal.policy.probabilities(Capacity::Items(k), k);
                constrained(&values, &discounts, &[limit])?.order
            }
            _ => {
                let rule = MinShare { share, significance: None };
                with_min_shares(&places, &[(&members[..], rule)])
            }
        };
        for (place, &at) in found.iter().enumerate() {
            new[order[at]] = (items.len() - place) as f64;
        }
    }
    Ok(new)
}
