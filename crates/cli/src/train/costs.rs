//! Costs of pairs or of classes that a parameter names a file of.

use stakes::learn::multiclass::ClassCosts;
use stakes::learn::{GivenCosts, GivenPair, Learner};

/// Reads the file that `pair-costs` or `class-costs` names, if one does.
pub(crate) fn given(learner: &dyn Learner, classes: bool) -> anyhow::Result<Option<GivenCosts>> {
    let mut texts = learner.texts();
    let mut named = |key: &str, none: &str| texts.remove(key).filter(|value| *value != none);
    let (pairs, table) = (named("pair-costs", "none"), named("class-costs", "auto"));
    match (pairs, table) {
        (Some(_), _) if classes => anyhow::bail!(
            "pair-costs are of items; what it costs to take one class for another is class-costs"
        ),
        (_, Some(_)) if !classes => {
            anyhow::bail!("class-costs go with --task multiclass; costs of items are pair-costs")
        }
        (Some(path), _) => {
            let rows = stakes::io::read_pair_costs(&path)?.into_iter();
            let pair = |row: stakes::io::PairCost| GivenPair {
                line: row.line,
                list: row.list,
                better: row.better,
                worse: row.worse,
                cost: row.cost,
            };
            Ok(Some(GivenCosts::Pairs(path, rows.map(pair).collect())))
        }
        (_, Some(path)) => {
            let table = stakes::io::read_class_costs(&path)?;
            Ok(Some(GivenCosts::Classes(path, ClassCosts::given(table.names, table.costs))))
        }
        (None, None) => Ok(None),
    }
}
