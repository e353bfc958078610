//! Limits of a plan from columns of the data.

use stakes_core::data::Dataset;
use stakes_plan::Limit;

use super::PlanOptions;
use crate::Error;
use crate::per_group::PerGroup;

/// All limits, over the items of the data.
pub(super) fn of(data: &Dataset, options: &PlanOptions) -> Result<Vec<Limit>, Error> {
    let mut limits = Vec::new();
    if let Some((budget, price)) = options.budget.zip(data.price()) {
        limits.push(Limit::at_most("the budget", budget, price.iter().copied()));
    }
    if let Some(k) = options.k {
        limits.push(Limit::at_most_of("the number of items", k, 0..data.len()));
    }
    for (column, amount) in &options.resources {
        limits.push(Limit::at_most(column, *amount, data.numbers(column)?));
    }
    for (groups, is_least) in [(&options.at_most, false), (&options.at_least, true)] {
        for group in groups {
            limits.extend(per_group(data, group, is_least)?);
        }
    }
    Ok(limits)
}

fn per_group(data: &Dataset, group: &PerGroup, is_least: bool) -> Result<Vec<Limit>, Error> {
    let groups = group.groups(data)?;
    let words = if is_least { "at least" } else { "at most" };
    let limit = |(value, items): (String, Vec<usize>)| {
        let name = format!("{words} {} of {} {value}", group.number, group.column);
        match is_least {
            true => Limit::at_least_of(&name, group.number, items),
            false => Limit::at_most_of(&name, group.number, items),
        }
    };
    Ok(groups.into_iter().map(limit).collect())
}
