//! A trade-off as a page of text.

use stakes_core::display::{counted, nice_number};

use super::{Figure, Point, TradeOff};
use crate::evaluate::with_interval;
use crate::text::{Cell, Page, Table, p_value, short};

pub(super) fn write(page: &mut Page, found: &TradeOff) {
    let TradeOff { data, method, learner, column, group, n, cost, folds, .. } = found;
    let (items, lists) = (counted(data.items, "item"), counted(found.lists, "list"));
    page.text(&format!(
        "{}: {items} in {lists}, {} of {column} {group}; cost {cost}; {method} with {learner}, each list judged by a \
         model that did not learn from it (folds {folds})",
        data.source,
        nice_number(*n as f64)
    ));
    page.gap();
    page.title("What is saved");
    page.table(&saved(found));
    page.gap();
    page.title(&format!("How {group} is treated (rest: all others of its lists)"));
    page.table(&treated(found));
    page.heading("How to read it");
    page.line("strength", &format!("{}; {} changes nothing", found.strength_is, found.none));
    page.line("p", "of the difference to the first row, paired over lists, corrected");
    page.line(
        "measures",
        "stakes audit --framework shows what each can see; one that moves says nothing of the others",
    );
}

fn saved(found: &TradeOff) -> Table {
    let mut table = Table::new(["strength", &found.metric, "difference", "p", "saved", "given up"]);
    let number = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), nice_number);
    let figure = |figure: Option<Figure>| {
        figure.map_or_else(|| "-".to_owned(), |f| with_interval(f.value, f.low, f.high))
    };
    for point in &found.points {
        table.row([
            Cell::from(point.strength.to_string()),
            figure(Some(point.metric)).into(),
            figure(point.difference).into(),
            point.p.map_or_else(|| "-".to_owned(), p_value).into(),
            number(point.saved).into(),
            number(point.given_up).into(),
        ]);
    }
    table
}

fn treated(found: &TradeOff) -> Table {
    let names = found.points.iter().take(1).flat_map(|point| &point.measures);
    let names = names.map(|measure| measure.measure.as_str());
    let mut table = Table::new(std::iter::once("strength").chain(names));
    let cells = |point: &Point| -> Vec<Cell> {
        let measures = point.measures.iter().map(|measure| {
            let value = measure
                .value
                .map_or_else(|| "-".to_owned(), |v| with_interval(v, measure.low, measure.high));
            let rest =
                measure.rest.map_or_else(String::new, |rest| format!(" rest {}", short(rest)));
            Cell::from(value + &rest)
        });
        std::iter::once(Cell::from(point.strength.to_string())).chain(measures).collect()
    };
    found.points.iter().for_each(|point| table.row(cells(point)));
    table
}
