//! The audit: every measure of every group beside the rest, with an interval and a test.
//!
//! A group is compared with all other items of its lists. Figures over several lists come from sums over lists;
//! nothing is pooled before it is ranked. Every figure has a bootstrap interval and the p value of a
//! relabelling test: draw as many items at random as the group, with the same order and truth. Where several
//! groups are compared, p values of a measure are corrected as well (Holm 1979).
//!
//! The same data and seed give the same result at any number of threads.
//!
//! ```
//! use stakes_fair::{AuditOptions, GroupColumn, Groups, Rankings, audit};
//! let scores: Vec<f64> = (0..20).map(|item| -f64::from(item)).collect();
//! let offsets = [0, 20];
//! let lists = Rankings::one(&offsets, &scores)?;
//! let group = GroupColumn::of("sex", (0..20).map(|item| if item < 5 { "F" } else { "M" }));
//! let found = audit(&lists, &Groups::one(group)?, &AuditOptions::default())?;
//! let row = found.row("F", "mean-rank").expect("a figure");
//! assert_eq!(row.value, Some(3.0 - 10.5)); // places 1 to 5 of 20
//! assert!(row.p.is_some_and(|p| p < 0.01));
//! # Ok::<(), stakes_fair::AuditError>(())
//! ```

pub(crate) mod figures;
mod options;
pub(crate) mod relabel;
mod resample;
mod result;

use rayon::prelude::*;

pub use options::AuditOptions;
pub use result::{Audit, AuditedGroup, Compared, ListValue, ToReference, Warning};

use crate::error::AuditError;
use crate::groups::{Groups, Partition};
use crate::list::List;
use crate::measure::{Measure, Pattern, Sums};
use crate::rankings::Rankings;
use figures::{Plan, Room, add};
use relabel::Relabelled;
use resample::Resampled;

/// Groups with fewer members have a warning.
const SMALL: usize = 10;
/// Fewer lists with the group and others have a warning, unless there is one list in all.
const FEW_LISTS: usize = 5;

/// Audits rankings.
///
/// # Errors
/// If options make no sense, a measure needs what is not known, or there are no groups to compare.
pub fn audit(
    lists: &Rankings<'_>,
    groups: &Groups,
    options: &AuditOptions,
) -> Result<Audit, AuditError> {
    options.check()?;
    for column in groups.columns() {
        if column.codes.len() != lists.len() {
            let (met, items) = (column.codes.len(), lists.len());
            return Err(AuditError::Length { what: "group", met, items });
        }
    }
    let measures = options.chosen(lists)?;
    let (protected, reference) = (options.protected.as_deref(), options.reference.as_deref());
    let partitions = groups.partitions(protected, reference, options.min_combined)?;
    let prepared = lists.prepare(&tops(&measures));
    let mut found = Audit {
        items: lists.len(),
        lists: lists.n_lists(),
        unit: if lists.n_lists() > 1 { "share of the list" } else { "positions" },
        level: options.level,
        resamples: options.resamples,
        draws: relabel::draws(options.draws, lists.len()),
        seed: options.seed,
        groups: Vec::new(),
        measures: Vec::new(),
        warnings: Vec::new(),
        unseen: unseen(&measures),
        per_list: Vec::new(),
    };
    for partition in &partitions {
        found.warn_of_small(partition);
        // Of a combination of columns, every group may be too small.
        if partition.compared.is_empty() {
            continue;
        }
        found.add(partition, &prepared, &measures, options)?;
    }
    found.correct(options, &measures);
    Ok(found)
}

/// The cut-offs at which wrong pairs are counted.
fn tops(measures: &[Measure]) -> Vec<usize> {
    let mut tops: Vec<usize> = measures.iter().filter_map(Measure::cutoff).collect();
    tops.sort_unstable();
    tops.dedup();
    tops
}

/// The patterns that none of the measures sees. What a measure sees of the first k items depends on k, and does
/// not count.
fn unseen(measures: &[Measure]) -> Vec<Pattern> {
    let whole = || measures.iter().filter(|measure| measure.cutoff().is_none());
    let seen = |pattern: &Pattern| whole().any(|measure| measure.info.sees.contains(pattern));
    Pattern::ALL.into_iter().filter(|pattern| !seen(pattern)).collect()
}

impl Audit {
    /// Adds the groups of a column.
    fn add(
        &mut self,
        partition: &Partition,
        lists: &[List],
        measures: &[Measure],
        options: &AuditOptions,
    ) -> Result<(), AuditError> {
        let column = &partition.column;
        let plan = Plan {
            measures,
            groups: &partition.compared,
            codes: column.values.len(),
            in_turn: partition.is_in_turn(),
        };
        let offsets = offsets(lists);
        let of_list = |list: usize| &column.codes[offsets[list]..offsets[list + 1]];
        let width = plan.width();
        let mut sums = vec![[0.0; 4]; width * lists.len()];
        sums.par_chunks_mut(width).enumerate().for_each_init(Room::default, |room, (i, row)| {
            plan.of_list(&lists[i], of_list(i), room, |at, sums| row[at] = sums);
        });
        let rest = (0..lists.len()).into_par_iter().map(|i| {
            let mut row = vec![[0.0; 4]; width];
            plan.of_rest(&lists[i], of_list(i), |at, sums| row[at] = sums);
            row
        });
        // Collected before they are added: the order of the sum is that of the lists.
        let rest: Vec<Vec<Sums>> = rest.collect();
        let totals = total(sums.chunks_exact(width), width);
        let rest_totals = total(rest.iter().map(Vec::as_slice), width);
        let values = plan.figures(totals.clone(), false);
        let tested = plan.figures(totals.clone(), true);
        let rest_values = Plan { in_turn: false, ..plan }.figures(rest_totals, false);
        let resampled = match (options.resamples, lists) {
            (0, _) => None,
            (resamples, [one]) => Some(Resampled::of_members(
                &plan,
                one,
                of_list(0),
                &totals,
                resamples,
                options.seed,
            )),
            (resamples, _) => Some(Resampled::of_lists(&plan, &sums, resamples, options.seed)),
        };
        let relabelled = (options.draws > 0).then(|| {
            Relabelled::run(&plan, lists, &column.codes, options.draws, options.seed, true)
        });
        let positions = positions(&plan, lists, &column.codes);
        let reference = partition.reference;
        let reference = partition.compared.iter().position(|&group| Some(group) == reference);
        for (g, &group) in partition.compared.iter().enumerate() {
            let name = &column.values[group as usize];
            let n = partition.sizes[group as usize];
            let both = |list: &usize| {
                let members = of_list(*list).iter().filter(|&&code| code == group).count();
                members > 0 && members < of_list(*list).len()
            };
            let n_lists = (0..lists.len()).filter(both).count();
            if n_lists == 0 {
                return Err(AuditError::Apart { group: name.clone() });
            }
            if n < SMALL {
                self.warnings.push(Warning::SmallGroup { group: name.clone(), n });
            }
            if lists.len() > 1 && n_lists < FEW_LISTS {
                self.warnings.push(Warning::FewLists { group: name.clone(), lists: n_lists });
            }
            self.groups.push(AuditedGroup {
                column: column.name.clone(),
                group: name.clone(),
                n,
                lists: n_lists,
                positions: positions[g].clone(),
            });
            for (m, measure) in measures.iter().enumerate() {
                let (at, info) = (g * measures.len() + m, measure.info);
                let interval = resampled.as_ref().and_then(|r| r.interval(at, options.level, info));
                let test = relabelled.as_ref().and_then(|r| r.test(at, tested[at], info.extreme));
                let value = Some(values[at]).filter(|value| value.is_finite());
                let rest = Some(rest_values[at]).filter(|value| value.is_finite());
                let positive = info.range.0 >= 0.0;
                let ratio = |(a, b): (f64, f64)| (positive && b > 0.0).then(|| a / b);
                let to_reference = reference.filter(|&of| of != g).map(|of| {
                    let other = of * measures.len() + m;
                    let theirs = Some(values[other]).filter(|value| value.is_finite());
                    let resampled = resampled.as_ref().filter(|_| value.is_some());
                    let interval = resampled.and_then(|r| r.difference(at, other, options.level));
                    ToReference {
                        group: column.values[partition.compared[of] as usize].clone(),
                        value: theirs,
                        difference: value.zip(theirs).map(|(a, b)| a - b),
                        low: interval.map(|(low, _)| low),
                        high: interval.map(|(_, high)| high),
                        ratio: value.zip(theirs).and_then(ratio),
                    }
                });
                self.measures.push(Compared {
                    column: column.name.clone(),
                    group: name.clone(),
                    measure: measure.to_string(),
                    value,
                    low: interval.filter(|_| value.is_some()).map(|(low, _)| low),
                    high: interval.filter(|_| value.is_some()).map(|(_, high)| high),
                    p: test.map(|(_, p)| p),
                    p_corrected: None,
                    n,
                    rest,
                    difference: value.zip(rest).map(|(a, b)| a - b),
                    ratio: value.zip(rest).and_then(ratio),
                    by_chance: test.map(|(mean, _)| mean),
                    to_reference,
                });
            }
        }
        if options.per_list {
            self.keep_lists(partition, &plan, &sums, lists);
        }
        Ok(())
    }

    fn warn_of_small(&mut self, partition: &Partition) {
        if partition.small.is_empty() {
            return;
        }
        let (column, groups) = (partition.column.name.clone(), partition.small.clone());
        self.warnings.push(match partition.combined {
            true => Warning::SmallCombinations { column, groups },
            false => Warning::OneMember { column, groups },
        });
    }

    fn keep_lists(
        &mut self,
        partition: &Partition,
        plan: &Plan<'_>,
        sums: &[Sums],
        lists: &[List],
    ) {
        let offsets = offsets(lists);
        for (list, row) in sums.chunks_exact(plan.width()).enumerate() {
            let values = plan.figures(row.to_vec(), false);
            let codes = &partition.column.codes[offsets[list]..offsets[list + 1]];
            for (g, &group) in partition.compared.iter().enumerate() {
                let n = codes.iter().filter(|&&code| code == group).count();
                for (m, measure) in plan.measures.iter().enumerate() {
                    let value = values[g * plan.measures.len() + m];
                    self.per_list.push(ListValue {
                        list,
                        column: partition.column.name.clone(),
                        group: partition.column.values[group as usize].clone(),
                        measure: measure.to_string(),
                        n,
                        value: Some(value).filter(|value| value.is_finite() && n > 0),
                    });
                }
            }
        }
    }

    /// Corrects the p values of each measure over the groups, if there are several.
    fn correct(&mut self, options: &AuditOptions, measures: &[Measure]) {
        for measure in measures {
            let name = measure.to_string();
            let rows = self.measures.iter_mut().filter(|row| row.measure == name);
            let mut rows: Vec<(&mut Compared, f64)> =
                rows.filter_map(|row| row.p.map(|p| (row, p))).collect();
            let p_values: Vec<f64> = rows.iter().map(|(_, p)| *p).collect();
            // All of them are between 0 and 1.
            let Ok(corrected) = options.correction.adjust(&p_values) else { continue };
            rows.iter_mut().zip(corrected).for_each(|((row, _), p)| row.p_corrected = Some(p));
        }
    }
}

fn offsets(lists: &[List]) -> Vec<usize> {
    let ends = lists.iter().scan(0, |end, list| {
        *end += list.len();
        Some(*end)
    });
    std::iter::once(0).chain(ends).collect()
}

fn total<'a>(rows: impl Iterator<Item = &'a [Sums]>, width: usize) -> Vec<Sums> {
    let mut totals = vec![[0.0; 4]; width];
    for row in rows {
        totals.iter_mut().zip(row).for_each(|(total, sums)| add(total, *sums, 1.0));
    }
    totals
}

/// The share of each group's members in equal parts of the lists, from the top.
fn positions(plan: &Plan<'_>, lists: &[List], codes: &[u32]) -> Vec<Vec<f64>> {
    let mut counts = vec![vec![0.0; result::PARTS]; plan.groups.len()];
    let mut start = 0;
    for list in lists {
        for (item, p) in list.position.iter().enumerate() {
            let group = plan.groups.iter().position(|&group| group == codes[start + item]);
            let part = ((p - 0.5) / list.len() as f64 * result::PARTS as f64) as usize;
            if let Some(group) = group {
                counts[group][part.min(result::PARTS - 1)] += 1.0;
            }
        }
        start += list.len();
    }
    for counts in &mut counts {
        let sum: f64 = counts.iter().sum();
        counts.iter_mut().for_each(|count| *count /= sum.max(1.0));
    }
    counts
}
