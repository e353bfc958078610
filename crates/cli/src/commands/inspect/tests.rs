//! Key lines of the page, and that it keeps its width.

#![allow(clippy::unwrap_used)]

use super::write;
use stakes::cost::{CostModel, Problem};
use stakes::inspect::{InspectOptions, Inspection};
use stakes::synth::{Search, Storms};
use stakes::text::{Layout, Page};

fn storms() -> Inspection {
    let data = Storms { rows: 3000, lists: 20, ..Storms::default() }.generate().unwrap();
    let problem = Problem::new(&data, &CostModel::Impact).unwrap();
    Inspection::of_problem(&problem, &InspectOptions::default())
}

fn render(seen: &Inspection, width: usize) -> String {
    let mut page = Page::new(Layout { width, ..Layout::default() });
    write(&mut page, seen);
    page.finish()
}

#[test]
fn the_page_says_what_matters() {
    let page = render(&storms(), 100);
    for line in [
        "DATA",
        "  items       3,000 in 20 lists",
        "  features    85 (",
        "list = storm, impact = customers_out, id = network, group = settlement",
        "  groups      ",
        "LISTS",
        "is 12.5 % of the mean",
        "COST",
        "  what        customers_out, ",
        "hold 80 % of all cost; nothing to save in 2",
        "  k = 10      random order",
        "FEATURES",
        "R_CS@10, pairs in order",
        "FINDINGS",
        "  warning     List storm-010 holds 72 % of all cost.",
        "    why       ",
        "    do        ",
    ] {
        assert!(page.contains(line), "no `{line}` in\n{page}");
    }
}

#[test]
fn the_page_keeps_its_width() {
    let data = Search { lists: 12, ..Search::default() }.generate().unwrap();
    let problem = Problem::new(&data, &CostModel::Impact).unwrap();
    let search = Inspection::of_problem(&problem, &InspectOptions::default());
    let unlabelled = Inspection::of_data(&data, &InspectOptions::default());
    for seen in [storms(), search, unlabelled] {
        for width in [60, 80, 100, 160] {
            let page = render(&seen, width);
            let wide = page.lines().max_by_key(|line| line.chars().count()).unwrap();
            assert!(wide.chars().count() <= width, "{width}: {wide}");
            assert!(page.lines().all(|line| line.trim_end() == line));
        }
        assert!(!render(&seen, 0).is_empty());
    }
}
