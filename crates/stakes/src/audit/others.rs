//! Audits beside that of one order: of classes that are given, of one order per group, of single items.

use serde::Serialize;
use stakes_core::data::Dataset;
use stakes_core::display::counted;
use stakes_eval::study::Scores;
use stakes_fair::{
    ClassAudit, Envy, GivenClasses, GroupColumn, Individuals, Rankings, audit_classes, envy,
    individuals,
};

use super::{AuditReport, ItemGroups, MissingGroup, item_groups, lists_of};
use crate::Error;
use crate::text::{Page, Table, p_value, percent, short};

/// The most individuals that are shown.
const MAX_SHOWN: usize = 10;

/// Audits classes: how those that are given treat the groups of a column, beside the true ones.
pub fn audit_class_columns(
    data: &Dataset,
    [truth, given]: [&str; 2],
    group: &str,
    missing: MissingGroup,
) -> Result<ClassAudit, Error> {
    let columns = [group, truth, given].map(str::to_owned);
    let ItemGroups { columns, .. } = item_groups(data, &columns, missing)?;
    let [group, truth, given] = &columns[..] else { unreachable!("one for each name") };
    let mut names = truth.values.clone();
    names.extend(given.values.iter().filter(|name| !truth.values.contains(name)).cloned());
    let codes = |column: &GroupColumn| -> Vec<u32> {
        let code = |name: &String| names.iter().position(|known| known == name).unwrap_or(0) as u32;
        let of_value: Vec<u32> = column.values.iter().map(code).collect();
        column.codes.iter().map(|&value| of_value[value as usize]).collect()
    };
    let (truth, given) = (codes(truth), codes(given));
    let classes = GivenClasses { names: &names, truth: &truth, given: &given, costs: None };
    Ok(audit_classes(group, &classes)?)
}

/// Compares the orders of one score for each group: does a group do better by another's?
pub fn audit_envy(
    data: &Dataset,
    orders: &[(String, Scores)],
    group: &str,
    missing: MissingGroup,
) -> Result<Envy, Error> {
    let groups = item_groups(data, &[group.to_owned()], missing)?;
    let column = &groups.columns[0];
    if let Some((name, _)) = orders.iter().find(|(name, _)| !column.values.contains(name)) {
        let (known, name) = (column.values.join(", "), name.clone());
        return Err(Error::Orders(format!("{group} has no value `{name}`; it has {known}")));
    }
    let mut scores = Vec::with_capacity(column.values.len());
    for value in &column.values {
        let Some((_, order)) = orders.iter().find(|(name, _)| name == value) else {
            return Err(Error::Orders(format!(
                "{group} {value} has no order; name one for each group"
            )));
        };
        scores.push(groups.kept.iter().map(|&item| order.values[item]).collect::<Vec<f64>>());
    }
    let scores: Vec<&[f64]> = scores.iter().map(Vec::as_slice).collect();
    let (offsets, _) = lists_of(data, &groups.kept);
    Ok(envy(&offsets, column, &scores)?)
}

/// Looks at items one by one, by their ids.
pub fn audit_individuals(data: &Dataset, score: &Scores) -> Result<Individuals, Error> {
    let ids: Option<Vec<&str>> = (0..data.len()).map(|item| data.item_id(item)).collect();
    let (Some(ids), Some(truth)) = (ids, data.impact()) else {
        return Err(Error::Orders(
            "single items are looked at by their ids and what was observed; name the columns of both"
                .to_owned(),
        ));
    };
    let lists = Rankings::new(data.offsets(), &score.values)?.truth(truth)?;
    Ok(individuals(&lists, &ids)?)
}

/// An audit with what it says of single items.
#[derive(Debug, Clone, Serialize)]
pub struct WithIndividuals {
    /// The audit.
    #[serde(flatten)]
    pub report: AuditReport,
    /// The items.
    pub individuals: Individuals,
}

/// Writes what single items meet.
pub fn write_individuals(page: &mut Page, found: &Individuals) {
    page.heading("Single items");
    page.text(&format!(
        "An item stands {} of its list from where it should on average, and {} at most.",
        percent(found.mean),
        percent(found.largest)
    ));
    let Some(displaced) = found.displaced else {
        page.text("No id is in several lists.");
        return;
    };
    page.text(&format!(
        "Of {} in several lists, {} are moved in one direction beyond chance (p below 0.05, adjusted for their number).",
        counted(found.repeated.len(), "id"),
        percent(displaced)
    ));
    let mut shown: Vec<_> = found.repeated.iter().collect();
    shown.sort_by(|a, b| a.p.total_cmp(&b.p).then_with(|| a.id.cmp(&b.id)));
    let mut table = Table::new(["id", "lists", "moved down by", "p", "p adjusted"]).names([0]);
    for one in shown.into_iter().take(MAX_SHOWN) {
        let moved = percent(one.displacement);
        let cells = [one.id.clone(), one.lists.to_string(), moved, p_value(one.p)];
        table.row(cells.into_iter().chain([p_value(one.p_corrected)]));
    }
    page.table(&table);
}

/// Writes how given classes treat groups.
pub fn write_classes(page: &mut Page, found: &ClassAudit) {
    let rate = |rate: Option<f64>| rate.map_or_else(|| "-".to_owned(), percent);
    let titles = ["group", "class", "n", "true", "given", "FPR", "FNR", "FDR", "FOR"];
    let mut table = Table::new(titles).names([0, 1]);
    for group in &found.groups {
        for class in &group.classes {
            let shares = [percent(class.base_rate), percent(class.given)];
            let errors = [class.fpr, class.fnr, class.fdr, class.omission].map(rate);
            let names = [group.group.clone(), class.class.clone(), group.n.to_string()];
            table.row(names.into_iter().chain(shares).chain(errors));
        }
    }
    page.table(&table);
    for group in &found.groups {
        let (wrong, cost) = (counted(group.wrong, "mistake"), short(group.mean_cost));
        page.line(&group.group, &format!("{wrong}, {cost} for each item"));
    }
    page.heading("How to read it");
    page.line("independence", &format!(
        "what is given tells up to {} about the group (statistical independence: 0); among those of one true class up to {} \
         (conditional independence, or equalised odds: 0)",
        short(found.statistical_independence),
        short(found.conditional_independence)
    ));
    page.line(
        "rates",
        "of a class against all others: FPR given wrongly, FNR missed; FDR of those given it, FOR of those not given it",
    );
}

/// Writes which groups prefer the order of another.
pub fn write_envy(page: &mut Page, found: &Envy) {
    let titles = found.groups.iter().map(|group| format!("order of {group}"));
    let titles = ["benefit for".to_owned()].into_iter().chain(titles).chain(["prefers".to_owned()]);
    let mut table = Table::new(titles).names([0, found.groups.len() + 1]);
    for (group, benefits) in found.benefits.iter().enumerate() {
        let prefers = found.envies[group].unwrap_or(group);
        let cells = benefits.iter().map(|benefit| short(*benefit));
        let name = found.groups[group].clone();
        table.row([name].into_iter().chain(cells).chain([found.groups[prefers].clone()]));
    }
    page.table(&table);
    page.text(match found.is_envy_free() {
        true => "No group does better by the order of another.",
        false => {
            "A group that does better by the order of another may do so because that order is wrong in its favour."
        }
    });
    page.heading("How to read it");
    page.line(
        "benefit",
        "the share of pairs of a member and another item in which the member stands above, less those in which it stands below",
    );
}
