//! How given classes treat groups (Salomon 2020, sections 1.2.2 and 2.3): for every group, what it is given, what of it
//! is wrong, and what the mistakes cost.
//!
//! - **Statistical independence**: the largest |P(A | given c) - P(A)| over groups A and classes c.
//! - **Conditional independence** (equalised odds): the largest |P(given c' | true c, A) - P(given c' | true c)|.
//! - For one class against all others, and so for two classes, the rates of errors: FPR, FNR, FDR (1 - PPV) and FOR
//!   (1 - NPV). The first two are even where conditional independence holds; the last two then follow the base rates.
//!
//! Example (Salomon 2020, section 1.2.2, whose FPR and FNR are FDR and FOR): 12 people like spicy food (8 women), 12
//! sweet (4 women); spicy is recognised in 75 %, sweet in 50 %, of women and men alike. Conditional independence holds, but
//! of those who are given spicy food 2 of 8 women and 4 of 7 men did not want it.

use serde::Serialize;

use crate::error::AuditError;
use crate::groups::GroupColumn;

/// The classes of items: what they are, and what they are given.
#[derive(Debug, Clone, Copy)]
pub struct GivenClasses<'c> {
    /// The names of the classes.
    pub names: &'c [String],
    /// The true class of every item.
    pub truth: &'c [u32],
    /// The class that it is given.
    pub given: &'c [u32],
    /// What giving class c' to an item of class c costs, at c x classes + c'; without it every mistake costs 1.
    pub costs: Option<&'c [f64]>,
}

/// How given classes treat groups.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClassAudit {
    /// The largest |P(A | given c) - P(A)|: 0 if what is given says nothing of groups.
    pub statistical_independence: f64,
    /// The largest |P(given c' | c, A) - P(given c' | c)|: 0 if groups of one class are given alike.
    pub conditional_independence: f64,
    /// A row per group.
    pub groups: Vec<ClassesOfGroup>,
}

/// What a group is given.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClassesOfGroup {
    /// The group.
    pub group: String,
    /// Its items.
    pub n: usize,
    /// Items with a wrong class.
    pub wrong: usize,
    /// The mean cost of what it is given.
    pub mean_cost: f64,
    /// A row per class.
    pub classes: Vec<ClassRates>,
}

/// A class against all others, within a group. A rate is `None` where there is nothing to count.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClassRates {
    /// The class.
    pub class: String,
    /// The share of the group that is of the class.
    pub base_rate: f64,
    /// The share that is given it.
    pub given: f64,
    /// Of the others, the share that is given it (false positive rate).
    pub fpr: Option<f64>,
    /// Of the class, the share that is not given it (false negative rate).
    pub fnr: Option<f64>,
    /// Of those given it, the share that is not of the class (false discovery rate).
    pub fdr: Option<f64>,
    /// Of those not given it, the share that is of the class (false omission rate).
    pub omission: Option<f64>,
}

/// Audits given classes.
pub fn audit_classes(
    column: &GroupColumn,
    classes: &GivenClasses<'_>,
) -> Result<ClassAudit, AuditError> {
    let items = column.codes.len();
    let n_classes = classes.names.len();
    for (what, values) in [("true classes", classes.truth), ("given classes", classes.given)] {
        if values.len() != items {
            return Err(AuditError::Length { what, met: values.len(), items });
        }
        if let Some(item) = values.iter().position(|&class| class as usize >= n_classes) {
            let value = f64::from(values[item]);
            return Err(AuditError::Value { what, item, value, positive: true });
        }
    }
    if let Some(costs) = classes.costs.filter(|costs| costs.len() != n_classes * n_classes) {
        let items = n_classes * n_classes;
        return Err(AuditError::Length { what: "costs of classes", met: costs.len(), items });
    }
    column.check()?;
    let counts = Counts::new(column, classes);
    let groups = 0..column.values.len();
    let statistical = groups.clone().flat_map(|group| {
        let share = counts.of(Some(group), None, None) / items as f64;
        let counts = &counts;
        (0..n_classes).filter_map(move |class| {
            let given = ratio(
                counts.of(Some(group), None, Some(class)),
                counts.of(None, None, Some(class)),
            );
            given.map(|given| (given - share).abs())
        })
    });
    let conditional = groups.clone().flat_map(|group| {
        let counts = &counts;
        (0..n_classes * n_classes).filter_map(move |at| {
            let (class, given) = (at / n_classes, at % n_classes);
            let of = |group| {
                ratio(
                    counts.of(group, Some(class), Some(given)),
                    counts.of(group, Some(class), None),
                )
            };
            Some((of(Some(group))? - of(None)?).abs())
        })
    });
    let largest = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0, f64::max);
    Ok(ClassAudit {
        statistical_independence: largest(&mut { statistical }),
        conditional_independence: largest(&mut { conditional }),
        groups: groups.map(|group| of_group(group, column, classes, &counts)).collect(),
    })
}

fn of_group(
    group: usize,
    column: &GroupColumn,
    classes: &GivenClasses<'_>,
    counts: &Counts,
) -> ClassesOfGroup {
    let of = |truth, given| counts.of(Some(group), truth, given);
    let n = of(None, None);
    let rates = |(class, name): (usize, &String)| {
        let (own, given) = (of(Some(class), None), of(None, Some(class)));
        let hits = of(Some(class), Some(class));
        ClassRates {
            class: name.clone(),
            base_rate: own / n,
            given: given / n,
            fpr: ratio(given - hits, n - own),
            fnr: ratio(own - hits, own),
            fdr: ratio(given - hits, given),
            omission: ratio(own - hits, n - given),
        }
    };
    let n_classes = classes.names.len();
    let price = |class: usize, given: usize| match classes.costs {
        Some(costs) => costs[class * n_classes + given],
        None => f64::from(u8::from(class != given)),
    };
    let cells = (0..n_classes).flat_map(|class| (0..n_classes).map(move |given| (class, given)));
    let cost: f64 = cells.map(|(c, g)| price(c, g) * of(Some(c), Some(g))).sum();
    let right: f64 = (0..n_classes).map(|class| of(Some(class), Some(class))).sum();
    ClassesOfGroup {
        group: column.values[group].clone(),
        n: n as usize,
        wrong: (n - right) as usize,
        mean_cost: cost / n,
        classes: classes.names.iter().enumerate().map(rates).collect(),
    }
}

/// Items by group, true class and given class.
struct Counts {
    cells: Vec<f64>,
    classes: usize,
}

impl Counts {
    fn new(column: &GroupColumn, classes: &GivenClasses<'_>) -> Self {
        let n = classes.names.len();
        let mut cells = vec![0.0; column.values.len() * n * n];
        for ((group, truth), given) in column.codes.iter().zip(classes.truth).zip(classes.given) {
            cells[(*group as usize * n + *truth as usize) * n + *given as usize] += 1.0;
        }
        Counts { cells, classes: n }
    }

    /// The number of items of a group, a true class and a given class; of any, where there is none.
    fn of(&self, group: Option<usize>, truth: Option<usize>, given: Option<usize>) -> f64 {
        let n = self.classes;
        let is = |wanted: Option<usize>, met: usize| wanted.is_none_or(|wanted| wanted == met);
        let counts =
            |at: usize| is(group, at / n / n) && is(truth, at / n % n) && is(given, at % n);
        let cells = self.cells.iter().enumerate().filter(|(at, _)| counts(*at));
        cells.map(|(_, count)| count).sum()
    }
}

fn ratio(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| part / whole)
}
