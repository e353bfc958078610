//! Which items of each list to act on, within what there is.
//!
//! A ranking stops where the money ends; a plan takes what is worth most together: by expected saving per
//! price, filling what is left, within several resources and limits per group. Every plan comes with a bound:
//! no other plan is expected to save more.
//!
//! ```
//! use stakes::plan::{PlanOptions, plan};
//! use stakes::prelude::*;
//! let text = b"id,saves,hours,region\na,10,5,north\nb,7,4,north\nc,6,3,south\n";
//! let data = parse_csv_bytes(text, Roles::new().id("id").price("hours"))?;
//! let options = PlanOptions { budget: Some(7.0), ..PlanOptions::default() };
//! let planned = plan(&data, &data.numbers("saves")?, &options)?;
//! assert_eq!(planned.lists[0].chosen, ["c", "b"]); // the most per hour first
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod by_model;
mod current;
mod forecast;
mod growth;
mod limits;
mod page;

use std::collections::HashMap;

use serde::Serialize;
use stakes_core::data::Dataset;
use stakes_core::suggest::hint;
use stakes_model::Model;
use stakes_plan::{Limit, Plan, PlanError, Problem};

pub use crate::per_group::PerGroup;
pub use by_model::{PlannedBy, plan_by};
pub use current::CurrentPlan;
pub use forecast::{Forecast, ItemForecast, TotalForecast};
pub use growth::Step;

use forecast::Forecaster;

use crate::Error;
use crate::rank::{Because, Reasons};
use crate::text::{Page, csv_cell};

/// What there is, and what must hold. Each list has all of it to itself.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PlanOptions {
    /// At most this many items.
    pub k: Option<usize>,
    /// At most this much of the price.
    pub budget: Option<f64>,
    /// At most this much of columns: hours of crews, trucks.
    pub resources: Vec<(String, f64)>,
    /// At most so many items of a group.
    pub at_most: Vec<PerGroup>,
    /// At least so many items of a group.
    pub at_least: Vec<PerGroup>,
    /// Ids of items that are taken in any case.
    pub must: Vec<String>,
    /// Ids of items that are not taken: already done, out of reach.
    pub must_not: Vec<String>,
    /// What is done today: a score for each item, the highest first as long as they fit.
    pub current: Option<Vec<f64>>,
    /// What a model says items may come to; it is then reported beside what they are expected to save.
    pub forecast: Option<Forecast>,
}

/// The plans of all lists.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Planned {
    /// List after list, in the order of the data.
    pub lists: Vec<PlannedList>,
}

/// The plan of one list.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlannedList {
    /// The list.
    pub list: String,
    /// The items to act on, the most expected saving per price first.
    pub chosen: Vec<String>,
    /// The sum of their prices, if there are prices.
    pub spent: Option<f64>,
    /// What acting on them is expected to save.
    pub expected: f64,
    /// What they may come to, if a model says so.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub forecast: Option<TotalForecast>,
    /// No plan is expected to save more.
    pub bound: f64,
    /// Whether the plan is proven to be the best.
    pub proven: bool,
    /// How far it may be from the best, as a share.
    pub gap: f64,
    /// How much of each limit is used, and what one more unit of it would be worth.
    pub limits: Vec<UsedLimit>,
    /// The chosen items with their figures, in the same order.
    pub items: Vec<PlannedItem>,
    /// The plan with less and with more of what there is.
    pub growth: Vec<Step>,
    /// What today's order would take, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub current: Option<CurrentPlan>,
}

/// An item of a plan.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlannedItem {
    /// Its id, or its line where there are none.
    pub id: String,
    /// What acting on it is expected to save.
    pub expected: f64,
    /// Its price, if there are prices.
    pub price: Option<f64>,
    /// How it differs from the mean of its list, if that is asked for ([`Planned::explain`]).
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub because: Option<Because>,
    /// Its index in the data.
    #[serde(skip)]
    pub item: usize,
    /// What it may come to, if a model says so.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub forecast: Option<ItemForecast>,
}

/// A limit and what a plan does with it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct UsedLimit {
    /// What is limited.
    pub name: String,
    /// The limit.
    pub amount: f64,
    /// How much the plan uses.
    pub used: f64,
    /// What one more unit would be worth, about.
    pub worth: f64,
}

/// Plans each list: `expected` is what acting on each item of the data is expected to save.
pub fn plan(data: &Dataset, expected: &[f64], options: &PlanOptions) -> Result<Planned, Error> {
    options.check(data)?;
    let limits = limits::of(data, options)?;
    let [must, must_not] = [&options.must, &options.must_not].map(|ids| find(data, ids));
    let (must, must_not) = (must?, must_not?);
    let asked = Asked {
        data,
        expected,
        options,
        limits: &limits,
        must: &must,
        must_not: &must_not,
        forecaster: (options.forecast.as_ref())
            .map(|forecast| Forecaster::new(forecast, options.k.unwrap_or(0))),
    };
    let lists = (0..data.n_lists()).map(|list| asked.plan(list));
    Ok(Planned { lists: lists.collect::<Result<_, Error>>()? })
}

impl PlanOptions {
    /// Whether anything keeps a plan from taking everything.
    pub fn is_limited(&self) -> bool {
        let has_resources = self.budget.is_some() || !self.resources.is_empty();
        self.k.is_some() || has_resources || !self.at_most.is_empty()
    }

    fn check(&self, data: &Dataset) -> Result<(), Error> {
        if !self.is_limited() {
            return Err(Error::Plan(
                "nothing limits the plan, so everything would be taken; give a number of items, a budget, \
                 or another limit"
                    .to_owned(),
            ));
        }
        if self.budget.is_some() && data.price().is_none() {
            return Err(Error::Plan(format!(
                "{}: a budget needs prices, and no column has that role",
                data.source()
            )));
        }
        let amounts = self.resources.iter().map(|(name, amount)| (name.as_str(), *amount));
        for (name, amount) in amounts.chain(self.budget.map(|budget| ("the budget", budget))) {
            if !(amount >= 0.0 && amount.is_finite()) {
                return Err(Error::Plan(format!("{name} is {amount}; it must be 0 or more")));
            }
        }
        Ok(())
    }
}

/// What all lists share.
struct Asked<'a> {
    data: &'a Dataset,
    expected: &'a [f64],
    options: &'a PlanOptions,
    limits: &'a [Limit],
    /// By item of the data.
    must: &'a [usize],
    must_not: &'a [usize],
    forecaster: Option<Forecaster<'a>>,
}

impl Asked<'_> {
    fn plan(&self, list: usize) -> Result<PlannedList, Error> {
        let items = self.data.items(list);
        let problem = self.problem(list);
        let found = self.solve(list, &problem)?;
        let price = |item: usize| self.data.price().map(|price| price[items.start + item]);
        let mut chosen = found.chosen.clone();
        let ratio = |item: usize| {
            let expected = problem.values[item];
            price(item).map_or(expected, |price| expected / price.max(f64::MIN_POSITIVE))
        };
        chosen.sort_by(|&a, &b| ratio(b).total_cmp(&ratio(a)).then(a.cmp(&b)));
        let id = |item: usize| self.id(items.start + item);
        let item = |&item: &usize| PlannedItem {
            id: id(item),
            expected: problem.values[item],
            price: price(item),
            because: None,
            item: items.start + item,
            forecast: self.forecaster.as_ref().and_then(|model| model.item(items.start + item)),
        };
        let used = problem.limits.iter().zip(&found.used).zip(&found.worth);
        Ok(PlannedList {
            list: self.data.list_id(list).to_owned(),
            chosen: chosen.iter().map(|&item| id(item)).collect(),
            spent: self
                .data
                .price()
                .map(|price| found.chosen.iter().map(|&item| price[items.start + item]).sum()),
            expected: found.value,
            forecast: self.forecaster.as_ref().and_then(|model| {
                let rows: Vec<usize> = found.chosen.iter().map(|item| items.start + item).collect();
                model.total(&rows, items.len(), found.value)
            }),
            bound: found.bound,
            proven: found.is_proven,
            gap: found.gap(),
            limits: used
                .map(|((limit, used), worth)| UsedLimit {
                    name: limit.name.clone(),
                    amount: limit.amount,
                    used: *used,
                    worth: *worth,
                })
                .collect(),
            items: chosen.iter().map(item).collect(),
            growth: growth::steps(self, list, &problem, &found),
            current: self.options.current.as_ref().map(|scores| {
                CurrentPlan::new(&problem, &scores[items.clone()], &found.chosen, id)
            }),
        })
    }

    /// The list as a problem: its items from 0 on.
    fn problem(&self, list: usize) -> Problem {
        let items = self.data.items(list);
        let own = |all: &[usize]| -> Vec<usize> {
            all.iter().filter(|item| items.contains(item)).map(|item| item - items.start).collect()
        };
        let limit = |limit: &Limit| {
            let first = limit.uses.partition_point(|(item, _)| *item < items.start);
            let last = limit.uses.partition_point(|(item, _)| *item < items.end);
            let uses = limit.uses[first..last].iter().map(|(item, a)| (item - items.start, *a));
            Limit { uses: uses.collect(), ..limit.clone() }
        };
        Problem {
            values: self.expected[items.clone()].to_vec(),
            limits: self.limits.iter().map(limit).collect(),
            must: own(self.must),
            must_not: own(self.must_not),
        }
    }

    fn solve(&self, list: usize, problem: &Problem) -> Result<Plan, Error> {
        stakes_plan::plan(problem).map_err(|error| {
            let first = self.data.items(list).start;
            let why = match error {
                PlanError::Value { item, met } => format!(
                    "item {} is expected to save {met}; it must be a finite number, 0 or more",
                    self.id(first + item)
                ),
                PlanError::Amount { limit, item, met } => format!(
                    "item {} takes {met} of {limit}; it must be a finite number, 0 or more",
                    self.id(first + item)
                ),
                PlanError::MustAndMustNot { item } => {
                    format!("item {} must be taken and must not be taken", self.id(first + item))
                }
                other => other.to_string(),
            };
            Error::Plan(format!("list {}: {why}", self.data.list_id(list)))
        })
    }

    fn id(&self, item: usize) -> String {
        match self.data.item_id(item) {
            Some(id) => id.to_owned(),
            None => self.data.line(item).to_string(),
        }
    }
}

/// The items of these ids, in the order of the data; an id may be in several lists.
fn find(data: &Dataset, ids: &[String]) -> Result<Vec<usize>, Error> {
    let mut is_found: HashMap<&str, bool> = ids.iter().map(|id| (id.as_str(), false)).collect();
    let mut found = Vec::new();
    for item in 0..data.len() {
        if let Some(is_found) = data.item_id(item).and_then(|id| is_found.get_mut(id)) {
            *is_found = true;
            found.push(item);
        }
    }
    let Some(id) = ids.iter().find(|id| !is_found[id.as_str()]) else { return Ok(found) };
    let known: Vec<&str> = (0..data.len()).filter_map(|item| data.item_id(item)).collect();
    Err(Error::Plan(match known.is_empty() {
        true => format!("{}: items have no ids, so `{id}` is none of them", data.source()),
        false => format!("{}: there is no item `{id}`; {}", data.source(), hint(id, known)),
    }))
}

impl Planned {
    /// Adds to each item up to `reasons` features by which the model expects more of it than of the mean of
    /// its list.
    pub fn explain(&mut self, model: &Model, data: &Dataset, reasons: usize) -> Result<(), Error> {
        if model.rerank.is_some() {
            return Err(Error::TwoStages);
        }
        let reasons = Reasons::new(model, data, reasons)?;
        for (number, list) in self.lists.iter_mut().enumerate() {
            let items: Vec<usize> = list.items.iter().map(|item| item.item).collect();
            let because = reasons.against_mean(data.items(number), &items);
            list.items.iter_mut().zip(because).for_each(|(item, b)| item.because = Some(b));
        }
        Ok(())
    }

    /// The items of all plans, a line each.
    pub fn csv(&self) -> String {
        let items = || self.lists.iter().flat_map(|list| &list.items);
        let has_forecasts = items().any(|item| item.forecast.is_some());
        let has_reasons = items().any(|item| item.because.is_some());
        let mut text = String::from("list,place,id,expected_cost,price");
        text += if has_forecasts { ",chance,item_low,item_high" } else { "" };
        text += if has_reasons { ",because\n" } else { "\n" };
        for list in &self.lists {
            for (place, item) in (1..).zip(&list.items) {
                let PlannedItem { id, expected, price, because, forecast, .. } = item;
                let price = price.map_or(String::new(), |price| price.to_string());
                let (list, id) = (csv_cell(&list.list), csv_cell(id));
                text += &format!("{list},{place},{id},{expected},{price}");
                if let Some(ItemForecast { chance, item_low, item_high }) = forecast {
                    text += &format!(",{chance},{item_low},{item_high}");
                }
                if let Some(because) = because {
                    text += &format!(",{}", csv_cell(&because.to_string()));
                }
                text.push('\n');
            }
        }
        text
    }

    /// Writes the plans as a page, with at most so many items of each list.
    pub fn write(&self, page: &mut Page, most: usize) {
        page::write(page, self, most);
    }
}
