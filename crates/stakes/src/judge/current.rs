//! How it is decided today which items are acted on: what a model has to beat.

use std::collections::HashMap;

use stakes_core::cost::CostModel;
use stakes_core::data::{Dataset, Feature, FeatureKind};
use stakes_eval::study::Scores;
use stakes_learn::CurrentFeature;

use crate::evaluate::scores;
use crate::{Error, Note};

/// The present way to decide which items are acted on, highest first.
#[derive(Debug, Clone)]
pub struct CurrentPolicy {
    /// What it is called: `customers`.
    pub name: String,
    order: Order,
}

#[derive(Debug, Clone)]
enum Order {
    /// At random.
    Random,
    /// By a column, or an expression of columns.
    Expression(CostModel),
    /// By given scores: of each line of the data.
    Scores(HashMap<u64, f64>),
}

impl CurrentPolicy {
    /// A column (`customers`), an expression of columns (`customers * age`, `-age` for the lowest first), or
    /// `random`.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let name = text.trim().to_owned();
        let order = match name.as_str() {
            "random" => Order::Random,
            text => Order::Expression(text.parse().map_err(Error::Current)?),
        };
        Ok(CurrentPolicy { name, order })
    }

    /// The scores of a file: a number per row of the data, or a CSV with list, id and score.
    pub fn read(
        name: &str,
        path: &str,
        data: &Dataset,
    ) -> Result<(CurrentPolicy, Option<Note>), Error> {
        let (scores, note) = scores::read_file(name, path, data)?;
        Ok((CurrentPolicy::of_scores(scores, data)?, note))
    }

    /// Scores of the items of the data.
    pub fn of_scores(scores: Scores, data: &Dataset) -> Result<CurrentPolicy, Error> {
        scores::check_finite(data, &scores)?;
        let lines = (0..data.len()).map(|item| data.line(item));
        let order = Order::Scores(lines.zip(scores.values).collect());
        Ok(CurrentPolicy { name: scores.name, order })
    }

    /// Whether items are acted on at random.
    pub fn is_random(&self) -> bool {
        matches!(self.order, Order::Random)
    }

    /// The columns that it reads.
    pub fn columns(&self) -> Vec<String> {
        match &self.order {
            Order::Expression(expression) => expression.columns(),
            Order::Random | Order::Scores(_) => Vec::new(),
        }
    }

    /// The numeric feature that it is, if it is one.
    pub fn feature(&self, data: &Dataset) -> Option<CurrentFeature> {
        let (name, descending) = match self.name.strip_prefix('-') {
            Some(name) => (name.trim(), false),
            None => (self.name.as_str(), true),
        };
        let is_it =
            |feature: &Feature| feature.name == name && feature.kind == FeatureKind::Numeric;
        let is_known = data.feature_info().iter().any(is_it);
        is_known.then(|| CurrentFeature { feature: name.to_owned(), descending })
    }

    /// The scores of all items; `None` for a random order. The data are those of the file of scores, or a
    /// part of them.
    pub fn scores(&self, data: &Dataset) -> Result<Option<Scores>, Error> {
        let values = match &self.order {
            Order::Random => return Ok(None),
            Order::Expression(expression) => expression.values(data).map_err(Error::Current)?,
            Order::Scores(by_line) => {
                let score = |item| by_line.get(&data.line(item)).copied().unwrap_or(f64::NAN);
                (0..data.len()).map(score).collect()
            }
        };
        let scores = Scores { name: self.name.clone(), values };
        scores::check_finite(data, &scores)?;
        Ok(Some(Scores { name: self.row_name(), ..scores }))
    }

    /// What it is called in tables.
    pub fn row_name(&self) -> String {
        format!("{} (as now)", self.name)
    }
}
