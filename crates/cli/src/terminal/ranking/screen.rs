//! A ranking on a terminal: a table of as many items as there is room for.

use stakes::classes::Classified;
use stakes::display::nice_number;
use stakes::rank::{ExpectedCost, KeptColumns, KeptRow, Ranked, RankedItem};
use stakes::text::{Cell, Page, Table, Tone, percent, short};

use crate::terminal::output::counted;

/// Writes the first `most` items.
pub(crate) fn ranked(
    page: &mut Page,
    ranked: &Ranked<'_>,
    kept: Option<&KeptColumns>,
    most: usize,
) {
    let items = &ranked.items[..most.min(ranked.items.len())];
    let known = items.iter().any(|item| item.expected_cost.is_known());
    // Models of older versions do not know what single items may come to.
    let known = match items.iter().any(|item| item.chance.is_known()) {
        true => Known::Outcomes,
        false if known => Known::Means,
        false => Known::Scores,
    };
    let figures: &[&str] = match known {
        Known::Outcomes => &["expected cost", "chance", "8 of 10 cost", "total"],
        Known::Means => &["expected cost", "range of its mean", "running total"],
        Known::Scores => &["score"],
    };
    let titles = ["list", "rank", "id", "act"].into_iter().chain(figures.iter().copied());
    let titles = titles.chain(kept.into_iter().flat_map(KeptColumns::names));
    let mut table = Table::new(titles).names([0, 2]).keys(4);
    for item in items {
        let place = [item.list, &item.rank.to_string(), &item.id].map(Cell::from);
        let act = match item.act {
            true => Cell::toned("yes", Tone::Good),
            false => "no".into(),
        };
        let figures = match known {
            Known::Outcomes => outcomes(item).map(Cell::from).to_vec(),
            Known::Means => costs(item).map(Cell::from).to_vec(),
            Known::Scores => vec![short(item.score).into()],
        };
        let beside = item.columns.iter().flat_map(KeptRow::values);
        let beside = beside.map(|value| Cell::from(value.unwrap_or("-")));
        table.row(place.into_iter().chain([act]).chain(figures).chain(beside));
        if let Some(because) = &item.because {
            table.remark(&because.to_string());
        }
    }
    page.table(&table);
    let totals = ranked.totals();
    if (1..=MAX_TOTALS).contains(&totals.len()) {
        page.gap();
        totals.iter().for_each(|total| page.text(&total.to_string()));
    }
    rest(page, ranked.items.len() - items.len(), "more item");
}

/// The totals of so many lists are read; those of more are columns of a file.
pub(crate) const MAX_TOTALS: usize = 3;

/// What is known of items.
#[derive(Clone, Copy)]
enum Known {
    Scores,
    Means,
    Outcomes,
}

fn number(cost: ExpectedCost) -> String {
    cost.value().map_or("-".to_owned(), nice_number)
}

/// Expected cost, its range and the running total.
fn costs(item: &RankedItem<'_>) -> [String; 3] {
    let range = format!("{} to {}", number(item.low), number(item.high));
    [number(item.expected_cost), range, number(item.running_total)]
}

/// Expected cost, chance and range of the item itself, and the running total.
fn outcomes(item: &RankedItem<'_>) -> [String; 4] {
    let chance = item.chance.value().map_or("-".to_owned(), percent);
    let range = format!("{} to {}", number(item.item_low), number(item.item_high));
    [number(item.expected_cost), chance, range, number(item.running_total)]
}

/// Writes the first `most` classes of rows.
pub(crate) fn classified(page: &mut Page, classified: &Classified, most: usize) {
    let rows = &classified.rows[..most.min(classified.rows.len())];
    let known = rows.iter().any(|row| row.chance.is_some());
    let chance = known.then_some("chance");
    let titles = ["row", "rank", "class", "score"].into_iter().chain(chance);
    let mut table = Table::new(titles).names([0, 2]).keys(3);
    for row in rows {
        let cells = [row.row.clone(), row.rank.to_string(), row.class.clone(), short(row.score)];
        table.row(cells.into_iter().chain(row.chance.map(short)));
        if let Some(because) = &row.because {
            table.remark(&because.to_string());
        }
    }
    page.table(&table);
    rest(page, classified.rows.len() - rows.len(), "more row");
}

/// Says what is not shown, and how to get all of it.
fn rest(page: &mut Page, left: usize, noun: &str) {
    page.gap();
    match left {
        0 => page.text("all columns as CSV: -o ranked.csv"),
        left => page.text(&format!(
            "and {}; all of them, with all columns, as CSV: -o ranked.csv (fewer of each list: \
             --top N)",
            counted(left, noun)
        )),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use stakes::prelude::{Fit, Goal, HoldOut, RankLists, RankOptions};
    use stakes::synth::Storms;
    use stakes::text::{Layout, width};

    /// The page of a ranking, with tones in brackets.
    fn shown(columns: usize, most: usize, reasons: usize, held_out: HoldOut) -> String {
        let storms = Storms { lists: 40, networks: 10, rows: 300, ..Storms::default() };
        let storms = storms.generate().unwrap();
        let fit = Fit::with_parameters("mart", [("rounds", "5"), ("min-rows", "3")]).unwrap();
        let model = fit.hold_out(held_out).fit(&storms, &Goal::act_on(3)).unwrap();
        let options = RankOptions { reasons, ..RankOptions::default() };
        let ranking = model.rank_with(&storms, &options).unwrap();
        let paint =
            |tone, text: &str| if tone == Tone::Good { format!("[{text}]") } else { text.into() };
        let mut page = Page::new(Layout { width: columns, paint, ..Layout::default() });
        ranked(&mut page, &ranking, None, most);
        page.finish()
    }

    const SOME: HoldOut = HoldOut::Share(0.5);

    #[test]
    fn a_ranking_is_a_table_that_fits() {
        for columns in [60, 80, 120] {
            let page = shown(columns, 5, 0, SOME);
            let lines: Vec<&str> = page.lines().collect();
            let titles: Vec<&str> = lines[0].split_whitespace().collect();
            assert_eq!(titles[..4], ["list", "rank", "id", "act"], "{page}");
            assert!(page.contains("expected cost") && page.contains("8 of 10 cost"), "{page}");
            assert_eq!(lines[1].split_whitespace().nth(3), Some("[yes]"), "{page}");
            assert_eq!(lines[4].split_whitespace().nth(3), Some("no"), "{page}");
            assert!(lines.iter().all(|line| width(&line.replace(['[', ']'], "")) <= columns));
            assert!(page.contains("and 295 more items; all of them"), "{page}");
        }
    }

    #[test]
    fn a_model_that_is_not_calibrated_has_scores() {
        let page = shown(80, 1000, 0, HoldOut::None);
        assert!(page.starts_with(" list ") && !page.contains("cost"), "{page}");
        assert_eq!(page.lines().count(), 1 + 300 + 2);
        assert!(page.ends_with("\nall columns as CSV: -o ranked.csv\n"), "{page}");
    }

    #[test]
    fn reasons_stand_below_their_item() {
        let page = shown(80, 2, 2, SOME);
        let lines: Vec<&str> = page.lines().collect();
        assert!(lines[1].contains(" 1 ") && lines[2].starts_with("    "), "{page}");
        assert!(lines[2].contains('=') && lines.iter().all(|line| width(line) <= 82), "{page}");
    }
}
