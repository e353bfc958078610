//! How long an audit of many items takes, and up to which size orders with limits are found within a second.
//!
//! cargo run --release -p stakes-fair --example speed
//! cargo run --release -p stakes-fair --example speed -- 100000 1000    # items, lists

use std::time::Instant;

use stakes_core::random::Stream;
use stakes_fair::{AuditOptions, GroupColumn, GroupLimit, Groups, Rankings, audit, constrained};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let sizes: Vec<usize> =
        std::env::args().skip(1).map(|text| text.parse()).collect::<Result<_, _>>()?;
    let (items, lists) =
        (sizes.first().copied().unwrap_or(1_000_000), sizes.get(1).copied().unwrap_or(10_000));
    audits(items, lists)?;
    orders()
}

/// An audit of six groups with 500 resamples.
fn audits(items: usize, lists: usize) -> Result<(), Box<dyn std::error::Error>> {
    let draws = Stream::new(1, 1);
    let unit = |item: usize, what: u64| draws.unit(item as u64 * 4 + what);
    let truth: Vec<f64> = (0..items).map(|i| (unit(i, 0) * 100.0).floor()).collect();
    let scores: Vec<f64> = (0..items).map(|i| truth[i] + 60.0 * unit(i, 1)).collect();
    let groups = (0..items).map(|i| ["a", "b", "c", "d", "e", "f"][(unit(i, 2) * 6.0) as usize]);
    let column = GroupColumn::of("g", groups);
    let offsets: Vec<usize> = (0..=lists).map(|list| list * items / lists).collect();
    let options = AuditOptions { resamples: 500, ..AuditOptions::default() };
    let began = Instant::now();
    let rankings = Rankings::new(&offsets, &scores)?.truth(&truth)?.cost(&truth)?;
    let found = audit(&rankings, &Groups::one(column)?, &options)?;
    println!(
        "audit of {items} items in {lists} lists, {} rows: {:.1} s",
        found.measures.len(),
        began.elapsed().as_secs_f64()
    );
    Ok(())
}

/// Orders of the first k of 10 k items within limits of overlapping groups.
fn orders() -> Result<(), Box<dyn std::error::Error>> {
    let draws = Stream::new(2, 2);
    for (groups, sizes) in [(1, [100, 1000, 3000]), (2, [20, 50, 100]), (3, [5, 10, 20])] {
        for k in sizes {
            let n = 10 * k;
            let unit = |item: usize, what: u64| draws.unit(item as u64 * 8 + what);
            let mut values: Vec<f64> = (0..n).map(|i| unit(i, 0)).collect();
            values.sort_by(|a, b| b.total_cmp(a));
            let member = |group: u64| (0..n).map(|i| unit(i, 1 + group) < 0.3).collect();
            let members: Vec<Vec<bool>> = (0..groups).map(member).collect();
            let needs = |share: f64| (1..=k).map(|place| (share * place as f64) as usize).collect();
            let limits: Vec<GroupLimit<'_>> = members
                .iter()
                .map(|members| GroupLimit { members, at_least: needs(0.4), at_most: None })
                .collect();
            let discounts: Vec<f64> = (0..k).map(|place| 1.0 - place as f64 / k as f64).collect();
            let began = Instant::now();
            match constrained(&values, &discounts, &limits) {
                Ok(_) => println!(
                    "{groups} groups, k = {k} of {n}: {:.2} s",
                    began.elapsed().as_secs_f64()
                ),
                Err(why) => println!("{groups} groups, k = {k} of {n}: {why}"),
            }
        }
    }
    Ok(())
}
