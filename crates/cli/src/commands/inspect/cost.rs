//! What can be saved, where it is, and what k actions reach.

use stakes::display::{counted, nice_number};
use stakes::inspect::{CostFacts, ListFacts};
use stakes::text::{Page, cut, pad, percent, width};

use crate::terminal::draw::{bar, histogram};

/// Lists shown with a bar.
const LISTS: usize = 5;
/// Names of lists are cut to this.
const NAME: usize = 24;

pub(crate) fn write(page: &mut Page, cost: &CostFacts, lists: &ListFacts) {
    page.heading("Cost");
    page.line("what", &format!("{}, {} in all", cost.name, nice_number(cost.total)));
    let zeros = format!("{} ({})", counted(cost.zeros, "item"), percent(cost.zeros_share));
    page.line("zeros", &format!("{zeros}; negative costs are refused on reading"));
    if cost.total <= 0.0 {
        return;
    }
    spread(page, cost);
    picture(page, cost);
    by_list(page, cost, lists);
    captured(page, cost);
}

fn spread(page: &mut Page, cost: &CostFacts) {
    let s = &cost.spread;
    let [min, median, mean, max] = [s.min, s.median, s.mean, s.max].map(nice_number);
    let [q90, q99, q99_9] = [cost.q90, cost.q99, cost.q99_9].map(nice_number);
    page.line("per item", &format!("from {min} to {max}; median {median}, mean {mean}"));
    page.line("quantiles", &format!("90 % at most {q90}; 99 % {q99}; 99.9 % {q99_9}"));
    let top = percent(cost.top_1_percent_share);
    let tail = match cost.tail {
        None => String::new(),
        Some(tail) => {
            let meaning = match tail.index {
                i if i < 1.0 => "extremely heavy-tailed: a few extreme items decide even the mean",
                i if i < 2.0 => {
                    "heavy-tailed: a few extreme items dominate, so averages are unstable"
                }
                _ => "moderate",
            };
            let items = nice_number(tail.items as f64);
            format!("; tail index {:.2} (Hill, top {items}): {meaning}", tail.index)
        }
    };
    page.line("tail", &format!("the costliest 1 % of items hold {top} of all cost{tail}"));
}

/// Grades one by one, amounts on a logarithmic scale.
fn picture(page: &mut Page, cost: &CostFacts) {
    let rows: Vec<(String, f64, String)> = if cost.levels.is_empty() {
        let bins = cost.histogram.iter();
        bins.map(|bin| {
            let label = format!("from {}", nice_number(bin.low));
            let remark = format!("{} {:>7}", counted(bin.count, "item"), percent(bin.share));
            (label, bin.count as f64, remark)
        })
        .collect()
    } else {
        let levels = cost.levels.iter();
        levels.map(|l| (nice_number(l.cost), l.count as f64, counted(l.count, "item"))).collect()
    };
    let what = if cost.levels.is_empty() {
        "items by cost, and their share of it"
    } else {
        "items by cost"
    };
    page.line("histogram", what);
    page.lines("", &histogram(&rows, page.room()));
}

fn by_list(page: &mut Page, cost: &CostFacts, lists: &ListFacts) {
    if lists.count < 2 {
        return;
    }
    let few = cost.lists_for_80_percent;
    let hold = if few == 1 { "holds" } else { "hold" };
    let (few, all) = (nice_number(few as f64), counted(lists.count, "list"));
    let empty = match cost.lists_without_cost {
        0 => String::new(),
        lists => format!("; nothing to save in {}", nice_number(lists as f64)),
    };
    page.line("by list", &format!("{few} of {all} {hold} 80 % of all cost{empty}"));
    let shown = || cost.top_lists.iter().take(LISTS);
    let names: Vec<String> = shown().map(|list| cut(&list.list, NAME)).collect();
    let wide = names.iter().map(|name| width(name)).max().unwrap_or(0);
    let cells = page.room().saturating_sub(wide + 10).clamp(4, 40);
    let lines: Vec<String> = shown()
        .zip(names)
        .map(|(list, name)| {
            let (name, bar) = (pad(&name, wide), bar(list.share, cells));
            format!("{name}  {bar}  {:>6}", percent(list.share))
        })
        .collect();
    page.lines("", &lines);
}

fn captured(page: &mut Page, cost: &CostFacts) {
    let c = &cost.captured;
    let cells = page.room().saturating_sub(26).clamp(4, 40);
    let line =
        |name: &str, share: f64| format!("{name:<16}{}  {:>6}", bar(share, cells), percent(share));
    page.lines(
        &format!("k = {}", c.k),
        &[line("random order", c.random_share), line("ideal order", c.ideal_share)],
    );
    page.line(
        "",
        &format!(
            "of all cost is in the first {} of each list; R_CS@{} of a random order is {:.3}.",
            c.k, c.k, c.r_cs_random
        ),
    );
}
