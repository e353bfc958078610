//! Classes by ranking (Salomon 2020, section 4.3.2): every row becomes a list of candidates, one
//! for each class, and the right one should be ranked above all others.
//!
//! A candidate has the features of its row and its class as one more, a category; so code that
//! scores, explains or writes models need not know about classes. It takes a row's memory times
//! the number of classes, not times its square, as coding each class's features apart would.
//!
//! ```
//! use stakes_core::data::{Columns, DatasetBuilder, Feature, Row};
//! use stakes_learn::multiclass::Classes;
//! let sign = Feature::categorical("sign", vec!["wave".into(), "circle".into()]);
//! let columns = Columns::of_features(vec![Feature::numeric("x"), sign]);
//! let mut builder = DatasetBuilder::new("signs", columns)?;
//! builder.push(Row { line: 2, features: &[0.5, 0.0], ..Row::default() })?;
//! builder.push(Row { line: 3, features: &[0.7, 1.0], ..Row::default() })?;
//! let data = builder.finish()?;
//! let classes = Classes::of(&data, "sign")?;
//! assert_eq!(classes.names, ["circle", "wave"]);
//! let candidates = classes.candidates(&data, true)?;
//! // The first row is a wave.
//! assert_eq!(candidates.impact().unwrap(), [0.0, 1.0, 1.0, 0.0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod costs;

use stakes_core::data::{
    Columns, DataError, DataProblem, Dataset, DatasetBuilder, Feature, FeatureKind, Role, Row,
};
use stakes_core::display::counted;
use stakes_core::suggest;

pub use costs::ClassCosts;

use stakes_model::{MAX_CATEGORIES, Model};

/// The name of lists and impact of candidates; columns of files are hardly ever called this.
const ROW: &str = "(row)";
const RIGHT: &str = "(right)";

/// The classes, and the column that holds them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Classes {
    /// The column.
    pub column: String,
    /// Their names, in order.
    pub names: Vec<String>,
}

impl Classes {
    /// The classes in a categorical feature of the data.
    pub fn of(data: &Dataset, column: &str) -> Result<Self, DataError> {
        let feature = position(data, column).ok_or_else(|| {
            let names = data.feature_info().iter().map(|f| f.name.as_str());
            let hint = suggest::hint(column, names);
            refuse_all(data, format!("there is no column `{column}` for the class; {hint}"))
        })?;
        let FeatureKind::Categorical(known) = &data.feature_info()[feature].kind else {
            return Err(refuse_all(data, format!("the class `{column}` must be read as names")));
        };
        let mut seen = vec![false; known.len()];
        for item in 0..data.len() {
            seen[class_of(data, item, feature)?] = true;
        }
        let there = known.iter().zip(seen).filter(|(_, seen)| *seen);
        let mut names: Vec<String> = there.map(|(name, _)| name.clone()).collect();
        names.sort();
        if !(2..=MAX_CATEGORIES).contains(&names.len()) {
            return Err(refuse_all(
                data,
                format!(
                    "column `{column}` has {}; 2 to {MAX_CATEGORIES} are allowed",
                    counted(names.len(), "class")
                ),
            ));
        }
        Ok(Classes { column: column.to_owned(), names })
    }

    /// The classes that a model predicts, if it was trained for classes.
    pub fn of_model(model: &Model) -> Option<Self> {
        let column = model.columns.get(&Role::Class)?;
        let feature = model.features.iter().find(|feature| feature.name == *column)?;
        Some(Classes { column: column.clone(), names: feature.categories.clone()? })
    }

    /// The candidates of all rows: a list for each row, by its id or its line, and in it an item
    /// for each class, in their order. If the class is `known`, the right candidate has the
    /// impact 1 and the others 0.
    pub fn candidates(&self, data: &Dataset, known: bool) -> Result<Dataset, DataError> {
        let feature = position(data, &self.column);
        let right = match known {
            true => Some(self.right(data)?),
            false => None,
        };
        let others = (0..data.feature_info().len()).filter(|&j| Some(j) != feature);
        let others: Vec<usize> = others.collect();
        let class = Feature::categorical(&self.column, self.names.clone());
        let features = others.iter().map(|&j| data.feature_info()[j].clone());
        let columns = Columns {
            list: Some(ROW.into()),
            impact: known.then(|| RIGHT.into()),
            weight: data.columns().weight.clone(),
            class: Some(self.column.clone()),
            time: data.columns().time.clone(),
            ..Columns::of_features([class].into_iter().chain(features).collect())
        };
        let mut builder = DatasetBuilder::new(data.source(), columns)?;
        let mut row: Vec<f32> = Vec::with_capacity(others.len() + 1);
        for item in 0..data.len() {
            row.clear();
            row.push(0.0);
            row.extend(others.iter().map(|&j| data.features().row(item)[j]));
            let line = data.line(item);
            let name = data.item_id(item).map_or_else(|| line.to_string(), str::to_owned);
            for class in 0..self.names.len() {
                row[0] = class as f32;
                builder.push(Row {
                    line,
                    list: &name,
                    impact: right.as_ref().map(|right| f64::from(u8::from(right[item] == class))),
                    weight: data.weight().map(|weight| weight[item]),
                    time: data.time().map(|time| time.text(item)),
                    features: &row,
                    ..Row::default()
                })?;
            }
        }
        builder.finish()
    }

    /// The number of every row's class.
    pub fn right(&self, data: &Dataset) -> Result<Vec<usize>, DataError> {
        let feature = position(data, &self.column).ok_or_else(|| {
            refuse_all(data, format!("there is no column `{}` for the class", self.column))
        })?;
        let FeatureKind::Categorical(names) = &data.feature_info()[feature].kind else {
            let what = format!("the class `{}` must be read as names", self.column);
            return Err(refuse_all(data, what));
        };
        let own = |name: &String| self.names.iter().position(|n| n == name);
        let own: Vec<Option<usize>> = names.iter().map(own).collect();
        let of = |item| {
            let code = class_of(data, item, feature)?;
            own[code].ok_or_else(|| {
                let what = format!(
                    "class `{}` is not one of the training classes ({})",
                    names[code],
                    self.names.join(", ")
                );
                DataError::new(data.place(item), DataProblem::Format(what))
            })
        };
        (0..data.len()).map(of).collect()
    }

    /// The class of the highest score in each list of candidates; of equals the first.
    pub fn chosen(&self, scores: &[f64]) -> Vec<usize> {
        let of = |scores: &[f64]| {
            let better = |best: usize, at: usize| if scores[at] > scores[best] { at } else { best };
            (1..scores.len()).fold(0, better)
        };
        scores.chunks(self.names.len()).map(of).collect()
    }
}

fn position(data: &Dataset, column: &str) -> Option<usize> {
    data.feature_info().iter().position(|feature| feature.name == column)
}

/// The code of a row's class in the data.
fn class_of(data: &Dataset, item: usize, feature: usize) -> Result<usize, DataError> {
    let code = data.features().row(item)[feature];
    if code.is_nan() {
        let what = format!(
            "there is no class in column `{}`; fill it in, or leave the row out",
            data.feature_info()[feature].name
        );
        return Err(DataError::new(data.place(item), DataProblem::Format(what)));
    }
    Ok(code as usize)
}

fn refuse_all(data: &Dataset, what: String) -> DataError {
    let place = stakes_core::data::Place::source(data.source());
    DataError::new(place, DataProblem::Format(what))
}
