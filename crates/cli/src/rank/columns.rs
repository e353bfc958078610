//! Which columns of new data play which part: those of the training data, where they are
//! there, unless others are named.

use stakes::cost::CostModel;
use stakes::data::Dataset;
use stakes::learn::Model;

use crate::args::DataArgs;
use crate::output::{counted, note};

/// Reads data to be ranked. What is known only afterwards (the impact, what the cost reads)
/// is left out if it is there.
pub(crate) fn read(args: &DataArgs, model: &Model, needs_price: bool) -> anyhow::Result<Dataset> {
    read_as(args, model, needs_price, None)
}

/// Reads data whose impact is known, with the columns that the cost reads.
pub(crate) fn read_known(args: &DataArgs, model: &Model) -> anyhow::Result<Dataset> {
    read_as(args, model, model.goal.budget().is_some(), Some(&model.goal.cost))
}

fn read_as(
    args: &DataArgs,
    model: &Model,
    needs_price: bool,
    known: Option<&CostModel>,
) -> anyhow::Result<Dataset> {
    let mut args = args.clone();
    let roles = &mut args.roles;
    let of_model = |role: &str| model.columns.get(role).cloned();
    let outcomes = known.map_or_else(Vec::new, CostModel::columns);
    if args.data == "-" {
        // Stdin can be read only once: what is needed must be there.
        roles.list = roles.list.take().or_else(|| of_model("list"));
        roles.id = roles.id.take().or_else(|| of_model("id"));
        roles.price = roles.price.take().or_else(|| of_model("price").filter(|_| needs_price));
        let impact = roles.impact.take().or_else(|| of_model("impact"));
        roles.impact = impact.filter(|_| known.is_some());
        return args.read(outcomes.clone(), outcomes);
    }
    let there = stakes::io::columns(&args.data, args.format)?;
    if args.is_letor(&there) {
        let numeric = model.features.iter().filter(|f| f.categories.is_none());
        let data = args.read(outcomes.clone(), outcomes)?;
        return Ok(data.with_zero_features(numeric.map(|f| f.name.as_str())));
    }
    let roles = &mut args.roles;
    let is_there = |name: &String| there.contains(name);
    let fill = |role: &mut Option<String>, name: &str| {
        *role = role.take().or_else(|| of_model(name).filter(is_there));
    };
    fill(&mut roles.list, "list");
    fill(&mut roles.id, "id");
    let gone = |role: &Option<String>, name: &str| of_model(name).filter(|_| role.is_none());
    if let Some(list) = gone(&roles.list, "list") {
        note(format!(
            "there is no column {list}, which told lists apart in training: all items are one \
             list (--list COLUMN)"
        ));
    }
    if let Some(id) = gone(&roles.id, "id") {
        note(format!(
            "there is no column {id}, which named items in training: lines of the file name them \
             (--id COLUMN)"
        ));
    }
    fill(&mut roles.price, "price");
    if known.is_some() {
        fill(&mut roles.impact, "impact");
    }
    let impact = roles.impact.take();
    // Names that look like numbers in this file alone are still names.
    let names = model.features.iter().filter(|f| f.categories.is_some()).map(|f| &f.name);
    roles.categorical.extend(names.filter(|name| is_there(name)).cloned());
    roles.categorical.sort();
    roles.categorical.dedup();
    // The rest is not looked at, whatever it holds.
    let mut unread: Vec<String> = model.goal.cost.columns();
    unread.extend(["impact", "weight", "group", "time"].iter().filter_map(|role| of_model(role)));
    unread.extend(
        [&mut roles.weight, &mut roles.group, &mut roles.time].into_iter().filter_map(Option::take),
    );
    match known {
        Some(_) => {
            roles.impact = impact;
            unread.retain(|name| !outcomes.contains(name));
        }
        None => unread.extend(impact),
    }
    let used = [&roles.list, &roles.id, &roles.price, &roles.impact];
    let feature = |name: &String| model.features.iter().any(|f| f.name == *name);
    unread.retain(|name| is_there(name) && !feature(name) && !used.contains(&&Some(name.clone())));
    roles.drop.extend(unread);
    roles.drop.sort();
    roles.drop.dedup();
    args.read(outcomes.clone(), outcomes)
}

/// Says what of the data is not used.
pub(crate) fn remark(model: &Model, data: &Dataset) -> anyhow::Result<()> {
    let matched = model.match_columns(data)?;
    // What had a part in training is no surprise.
    let had_a_part = |name: &String| model.columns.values().any(|column| column == name);
    let extra: Vec<String> = matched.extra.into_iter().filter(|name| !had_a_part(name)).collect();
    super::tell("columns that the model does not read", &extra);
    for unknown in &matched.unknown {
        let what = format!(
            "{} of {} unknown to the model, treated as missing in {}",
            counted_categories(unknown.categories),
            unknown.feature,
            counted(unknown.items, "item")
        );
        super::tell(&what, &unknown.examples);
    }
    Ok(())
}

pub(crate) fn counted_categories(n: usize) -> String {
    if n == 1 { "1 category".into() } else { format!("{n} categories") }
}
