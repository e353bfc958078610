//! Folds as a picture, before anything is trained.

use stakes_core::split::Fold;
use stakes_eval::picture::{FoldRow, Side};

use super::Setting;
use crate::text::{Page, cut, pad, width};

const MAX_LABEL: usize = 14;
const MAX_PICTURE: usize = 50;

/// Draws the folds as SVG.
pub fn folds_svg(setting: &Setting<'_>) -> String {
    let drawing = Drawing::new(setting);
    let title = format!("Folds: {}", setting.plan);
    let (first, last) = &drawing.ends;
    stakes_eval::picture::folds_svg(&drawing.rows, (first, last), &title)
}

/// Draws the folds as text: a line for each, with its numbers of lists.
pub fn write_folds(page: &mut Page, setting: &Setting<'_>) {
    let Drawing { rows, ends } = Drawing::new(setting);
    let label = rows.iter().map(|row| width(&row.label)).max().unwrap_or(0).clamp(4, MAX_LABEL);
    let has_validation = setting.folds.iter().any(|fold| !fold.validation.is_empty());
    let numbers = if has_validation { 22 } else { 15 };
    let room = page.width().saturating_sub(label + numbers + 3).clamp(10, MAX_PICTURE);
    let cells = rows.first().map_or(0, |row| row.sides.len()).min(room);
    let validation = |text: &str| match has_validation {
        true => format!("{text:>7}"),
        false => String::new(),
    };
    page.unbroken(&format!(
        " {} {:>6}{}{:>6}",
        pad("fold", label),
        "train",
        validation("valid"),
        "test"
    ));
    for (row, fold) in rows.iter().zip(&setting.folds) {
        let Fold { train, validation: valid, test, .. } = fold;
        let numbers =
            format!("{:>6}{}{:>6}", train.len(), validation(&valid.len().to_string()), test.len());
        let name = pad(&cut(&row.label, label), label);
        page.unbroken(&format!(" {name} {numbers}  {}", bar(&row.sides, cells)));
    }
    let (first, last) = ends;
    let between = cells.saturating_sub(width(&first) + width(&last));
    let indent = label + numbers;
    page.unbroken(&format!("{:indent$} {first}{:between$}{last}", "", ""));
    page.gap();
    let is_used = |side: &Side| rows.iter().any(|row| row.sides.contains(side));
    let legend =
        [Side::Train, Side::Validation, Side::Test, Side::Unused].into_iter().filter(is_used);
    let legend: Vec<String> =
        legend.map(|side| format!("{} {}", mark(side), side.name())).collect();
    page.unbroken(&format!(" {}", legend.join("   ")));
}

/// The folds with lists in the order in which they are drawn.
struct Drawing {
    rows: Vec<FoldRow>,
    ends: (String, String),
}

impl Drawing {
    fn new(setting: &Setting<'_>) -> Self {
        let data = &setting.data;
        let mut order: Vec<usize> = (0..data.n_lists()).collect();
        let tested_in = |list: usize| {
            let fold = setting.folds.iter().position(|fold| fold.test.binary_search(&list).is_ok());
            fold.unwrap_or(usize::MAX)
        };
        let by_time = data.time().is_some();
        let keys: Vec<(f64, usize)> = order
            .iter()
            .map(|&list| match data.first_time(list) {
                Some(time) => (time, list),
                None => (0.0, tested_in(list)),
            })
            .collect();
        order.sort_by(|&a, &b| keys[a].0.total_cmp(&keys[b].0).then(keys[a].1.cmp(&keys[b].1)));
        let side = |fold: &Fold, list: &usize| match list {
            list if fold.train.binary_search(list).is_ok() => Side::Train,
            list if fold.validation.binary_search(list).is_ok() => Side::Validation,
            list if fold.test.binary_search(list).is_ok() => Side::Test,
            _ => Side::Unused,
        };
        let row = |fold: &Fold| FoldRow {
            label: fold.label.clone(),
            sides: order.iter().map(|list| side(fold, list)).collect(),
        };
        let time = |list: Option<&usize>| {
            let item = list.map_or(0, |&list| data.items(list).start);
            data.time().map(|time| time.text(item).to_owned()).unwrap_or_default()
        };
        let ends = match by_time {
            true => (time(order.first()), time(order.last())),
            false => ("lists".to_owned(), String::new()),
        };
        Drawing { rows: setting.folds.iter().map(row).collect(), ends }
    }
}

fn mark(side: Side) -> char {
    match side {
        Side::Train => '█',
        Side::Validation => '▒',
        Side::Test => '●',
        Side::Unused => '·',
    }
}

/// The sides in so many cells; where several lists share one, what most of them do.
fn bar(sides: &[Side], cells: usize) -> String {
    let cell = |number: usize| {
        let part = &sides[number * sides.len() / cells..(number + 1) * sides.len() / cells];
        let count = |side: Side| part.iter().filter(|&&other| other == side).count();
        let all = [Side::Unused, Side::Train, Side::Validation, Side::Test];
        mark(all.into_iter().max_by_key(|&side| count(side)).unwrap_or(Side::Unused))
    };
    (0..cells).map(cell).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_lists_share_a_cell() {
        use Side::{Test, Train, Unused};
        assert_eq!(bar(&[Train, Train, Test, Unused], 4), "██●·");
        assert_eq!(bar(&[Train, Train, Train, Test, Test, Unused], 2), "█●");
    }
}
