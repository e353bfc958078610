//! From the names in a file and the roles in the options to column numbers.

use std::collections::HashSet;

use stakes_core::data::{Columns, DataError, DataProblem, Feature, Place};
use stakes_core::suggest;

use crate::{ReadError, Roles};

/// Where each part of a row stands in the file.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    pub(crate) list: Option<usize>,
    pub(crate) impact: Option<usize>,
    pub(crate) id: Option<usize>,
    pub(crate) group: Option<usize>,
    pub(crate) weight: Option<usize>,
    pub(crate) price: Option<usize>,
    pub(crate) time: Option<usize>,
    /// Column and what was asked of it.
    pub(crate) features: Vec<(usize, Wanted)>,
    pub(crate) extras: Vec<usize>,
}

/// What the roles say about a feature's kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// Whatever the values look like.
    Any,
    Categorical,
    Numeric,
}

impl Plan {
    /// Finds every named column, or says which is not there.
    pub(crate) fn new(source: &str, names: &[String], roles: &Roles) -> Result<Plan, ReadError> {
        roles.check(source)?;
        // Names that are dropped may repeat: all of them go.
        let is_dropped = |name: &str| roles.drop.iter().any(|drop| drop.trim() == name);
        let mut seen = HashSet::new();
        if let Some(name) = names.iter().find(|name| !seen.insert(*name) && !is_dropped(name)) {
            let problem = DataProblem::DuplicateColumn(name.clone());
            return Err(DataError::new(Place::source(source), problem).into());
        }
        let find = |name: &String| {
            let at = names.iter().position(|n| n == name.trim());
            at.ok_or_else(|| unknown_column(source, name, names.iter().map(String::as_str)))
        };
        let role = |name: &Option<String>| name.as_ref().map(find).transpose();
        let all = |list: &[String]| list.iter().map(find).collect::<Result<Vec<_>, _>>();
        let mut plan = Plan {
            list: role(&roles.list)?,
            impact: role(&roles.impact)?,
            id: role(&roles.id)?,
            group: role(&roles.group)?,
            weight: role(&roles.weight)?,
            price: role(&roles.price)?,
            time: role(&roles.time)?,
            features: Vec::new(),
            extras: all(&roles.extras)?,
        };
        all(&roles.drop)?;
        let (categorical, numeric) = (all(&roles.categorical)?, all(&roles.numeric)?);
        let mut taken = vec![false; names.len()];
        for at in plan.role_columns().into_iter().flatten().chain(plan.extras.clone()) {
            taken[at] = true;
        }
        (0..names.len()).filter(|&at| is_dropped(&names[at])).for_each(|at| taken[at] = true);
        let mut wanted = vec![Wanted::Any; names.len()];
        categorical.iter().for_each(|&at| wanted[at] = Wanted::Categorical);
        numeric.iter().for_each(|&at| wanted[at] = Wanted::Numeric);
        let free = (0..names.len()).filter(|&at| !taken[at]);
        plan.features = free.map(|at| (at, wanted[at])).collect();
        Ok(plan)
    }

    /// Turns features into extras: those, by their number, that are to be kept exactly.
    pub(crate) fn keep_exact(&mut self, which: impl Fn(usize) -> bool) {
        let features = std::mem::take(&mut self.features).into_iter().enumerate();
        for (j, feature) in features {
            if which(j) {
                self.extras.push(feature.0);
            } else {
                self.features.push(feature);
            }
        }
    }

    fn role_columns(&self) -> [Option<usize>; 7] {
        [self.list, self.impact, self.id, self.group, self.weight, self.price, self.time]
    }

    /// The columns of roles and extras, ascending.
    #[cfg(feature = "arrow")]
    pub(crate) fn not_features(&self) -> Vec<usize> {
        let mut used: Vec<usize> = self.role_columns().into_iter().flatten().collect();
        used.extend(&self.extras);
        used.sort_unstable();
        used.dedup();
        used
    }

    /// The columns as the builder wants them declared; kinds of features come later.
    pub(crate) fn columns(&self, names: &[String]) -> Columns {
        let name = |at: Option<usize>| at.map(|at| names[at].clone());
        Columns {
            list: name(self.list),
            impact: name(self.impact),
            id: name(self.id),
            weight: name(self.weight),
            group: name(self.group),
            price: name(self.price),
            time: name(self.time),
            class: None,
            features: self.features.iter().map(|(at, _)| Feature::numeric(&names[*at])).collect(),
            extras: self.extras.iter().map(|&at| names[at].clone()).collect(),
        }
    }
}

/// "There is no column x; did you mean y?"
pub(crate) fn unknown_column<'a>(
    source: &str,
    name: &str,
    known: impl IntoIterator<Item = &'a str> + Clone,
) -> ReadError {
    let hint = suggest::hint(name, known);
    let problem = DataProblem::UnknownColumn { name: name.to_owned(), hint };
    DataError::new(Place::source(source), problem).into()
}
