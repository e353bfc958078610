//! Plans as a page.

use stakes_core::display::{counted, nice_number};

use super::{Planned, PlannedList, TotalForecast};
use crate::text::{Page, Table, percent};

pub(super) fn write(page: &mut Page, planned: &Planned, most: usize) {
    for (number, list) in planned.lists.iter().enumerate() {
        if number > 0 {
            page.gap();
        }
        write_list(page, list, most);
    }
}

fn write_list(page: &mut Page, list: &PlannedList, most: usize) {
    let spent = list.spent.map_or(String::new(), |spent| format!(" for {}", nice_number(spent)));
    let sure = match list.proven {
        true => "no other plan is expected to save more".to_owned(),
        false => format!("no other plan is expected to save {} more", percent(list.gap)),
    };
    let name = if list.list.is_empty() { String::new() } else { format!("{}: ", list.list) };
    page.title(&format!(
        "{name}{}{spent}, expected to save {}; {sure}",
        counted(list.chosen.len(), "item"),
        nice_number(list.expected)
    ));
    if let Some(TotalForecast { total_low, total_high }) = list.forecast {
        let [low, high] = [total_low, total_high].map(nice_number);
        page.text(&format!("In 8 of 10 such lists they come to {low} to {high}."));
    }
    let has_prices = list.items.iter().any(|item| item.price.is_some());
    let mut titles = vec!["item", "expected"];
    if has_prices {
        titles.extend(["price", "per price"]);
    }
    let mut table = Table::new(titles);
    for item in list.items.iter().take(most) {
        let mut row = vec![item.id.clone(), nice_number(item.expected)];
        if let Some(price) = item.price {
            let ratio = if price > 0.0 { nice_number(item.expected / price) } else { "-".into() };
            row.extend([nice_number(price), ratio]);
        }
        table.row(row);
        if let Some(because) = &item.because {
            table.remark(&format!("because {because}"));
        }
    }
    page.table(&table);
    if list.items.len() > most {
        page.text(&format!("and {} more", counted(list.items.len() - most, "item")));
    }
    page.gap();
    limits(page, list);
    growth(page, list);
    if let Some(current) = &list.current {
        page.text(&format!(
            "Today's order would save {} with the same: {} less. It takes {} in place of {}.",
            nice_number(current.expected),
            nice_number(list.expected - current.expected),
            named(&current.instead_of),
            named(&current.new)
        ));
    }
}

fn limits(page: &mut Page, list: &PlannedList) {
    // Limits per group that nothing pushes against say nothing.
    let shown =
        list.limits.iter().enumerate().filter(|(place, limit)| *place == 0 || limit.worth > 0.0);
    let mut table = Table::new(["limit", "there is", "used", "one more is worth"]);
    for (_, limit) in shown {
        table.row([
            limit.name.clone(),
            nice_number(limit.amount),
            nice_number(limit.used),
            nice_number(limit.worth),
        ]);
    }
    page.table(&table);
}

fn growth(page: &mut Page, list: &PlannedList) {
    if list.growth.len() < 2 {
        return;
    }
    page.gap();
    let name = list.limits.first().map_or("there is", |limit| limit.name.as_str());
    let mut table = Table::new([name, "items", "expected", "each more saves"]);
    for step in &list.growth {
        table.row([
            nice_number(step.amount),
            step.items.to_string(),
            nice_number(step.expected),
            nice_number(step.per_unit),
        ]);
    }
    page.table(&table);
}

/// A few names.
fn named(ids: &[String]) -> String {
    const MOST: usize = 4;
    match ids.len() {
        0 => "nothing".to_owned(),
        n if n > MOST => format!("{} and {} more", ids[..MOST].join(", "), n - MOST),
        _ => ids.join(", "),
    }
}
