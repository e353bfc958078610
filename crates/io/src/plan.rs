//! From the names of a file's columns and the roles in the options to column numbers.

use std::collections::HashSet;

use stakes_core::data::{Columns, DataError, DataProblem, Feature, Place, Role};
use stakes_core::suggest;

use crate::{ReadError, Roles};

/// The column of each part of a row.
#[derive(Debug)]
pub(crate) struct Plan {
    /// The columns of the roles, in the order of [`Role::ALL`].
    roles: [Option<usize>; Role::ALL.len()],
    /// The columns of the features, and the kinds that were requested.
    pub(crate) features: Vec<(usize, Wanted)>,
    pub(crate) extras: Vec<usize>,
}

/// The kind that [`Roles`] ask of a feature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// The kind that the values look like.
    Any,
    Categorical,
    Numeric,
}

impl Plan {
    /// Finds every column that the roles name, or refuses the first that is missing.
    pub(crate) fn new(source: &str, names: &[String], roles: &Roles) -> Result<Plan, ReadError> {
        roles.check(source)?;
        // A dropped name may repeat: all its columns are dropped.
        let is_dropped = |name: &str| roles.drop.iter().any(|drop| drop.trim() == name);
        let mut seen = HashSet::new();
        if let Some(name) = names.iter().find(|name| !seen.insert(*name) && !is_dropped(name)) {
            let problem = DataProblem::DuplicateColumn(name.clone());
            return Err(DataError::new(Place::source(source), problem).into());
        }
        let find = |name: &str| {
            let at = names.iter().position(|n| n == name.trim());
            at.ok_or_else(|| unknown_column(source, name, names.iter().map(String::as_str)))
        };
        let all = |list: &[String]| list.iter().map(|n| find(n)).collect::<Result<Vec<_>, _>>();
        let mut plan =
            Plan { roles: [None; Role::ALL.len()], features: Vec::new(), extras: Vec::new() };
        for (role, name) in roles.columns() {
            plan.roles[role as usize] = Some(find(name)?);
        }
        plan.extras = all(&roles.extras)?;
        all(&roles.drop)?;
        let (categorical, numeric) = (all(&roles.categorical)?, all(&roles.numeric)?);
        let mut taken = vec![false; names.len()];
        for at in plan.roles.into_iter().flatten().chain(plan.extras.clone()) {
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

    /// The column of a role.
    pub(crate) fn role(&self, role: Role) -> Option<usize> {
        self.roles[role as usize]
    }

    /// The columns that must be numbers.
    pub(crate) fn numeric(&self) -> Vec<usize> {
        let roles = [Role::Impact, Role::Weight, Role::Price].into_iter();
        let roles = roles.filter_map(|role| self.role(role)).chain(self.extras.iter().copied());
        let features = self.features.iter().filter(|(_, wanted)| *wanted == Wanted::Numeric);
        roles.chain(features.map(|(at, _)| *at)).collect()
    }

    /// Turns the features whose numbers `which` accepts into extras, to keep them exactly.
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

    /// The columns of roles and extras, ascending.
    #[cfg(feature = "arrow")]
    pub(crate) fn not_features(&self) -> Vec<usize> {
        let mut used: Vec<usize> = self.roles.into_iter().flatten().collect();
        used.extend(&self.extras);
        used.sort_unstable();
        used.dedup();
        used
    }

    /// The columns to declare to the builder; all features are numeric so far.
    pub(crate) fn columns(&self, names: &[String]) -> Columns {
        Columns {
            features: self.features.iter().map(|(at, _)| Feature::numeric(&names[*at])).collect(),
            extras: self.extras.iter().map(|&at| names[at].clone()).collect(),
            ..Columns::of_roles(|role| Some(names[self.role(role)?].clone()))
        }
    }
}

/// The error of a missing column: "there is no column x; did you mean y?"
pub(crate) fn unknown_column<'a>(
    source: &str,
    name: &str,
    known: impl IntoIterator<Item = &'a str> + Clone,
) -> ReadError {
    let hint = suggest::hint(name, known);
    let problem = DataProblem::UnknownColumn { name: name.to_owned(), hint };
    DataError::new(Place::source(source), problem).into()
}
