//! Plans that are concrete: from lists to folds.

use super::given::parts_of_lists;
use super::{Fold, FoldError, FoldPlan, Folds, temporal};
use crate::cost::Problem;
use crate::random::{draw_for, purpose};

impl FoldPlan {
    /// The folds of these lists. They depend on the ids of the lists, on their times and on which of them
    /// have something to save, but not on the order of a file.
    pub fn folds(&self, problem: &Problem<'_>, seed: u64) -> Result<Vec<Fold>, FoldError> {
        let folds = match self {
            FoldPlan::KFold(folds) => leave_out(&deal(problem, *folds, seed)?, &numbered("fold")),
            FoldPlan::Rotating(parts) => rotate(&deal(problem, *parts, seed)?, &numbered("fold")),
            FoldPlan::Random { splits, test } => random(problem, *splits, *test, seed)?,
            FoldPlan::Column { column, rotating } => by_column(problem, column, *rotating)?,
            FoldPlan::Temporal(temporal) => temporal::folds(temporal, problem)?,
        };
        let savable = problem.savable();
        match folds.iter().find(|fold| !fold.train.iter().any(|&list| savable[list])) {
            None => Ok(folds),
            Some(fold) => Err(FoldError::NothingToSave {
                source_name: problem.data().source().to_owned(),
                whose: fold.label.clone(),
            }),
        }
    }
}

/// The lists of each part.
type Parts = Vec<Vec<usize>>;

fn numbered(word: &str) -> impl Fn(usize) -> String {
    move |part| format!("{word} {}", part + 1)
}

fn deal(problem: &Problem<'_>, parts: usize, seed: u64) -> Result<Parts, FoldError> {
    let met = problem.savable().into_iter().filter(|&savable| savable).count();
    match Folds::dealt(problem, parts, seed) {
        Some(folds) if folds.len() == parts => {
            Ok((0..parts).map(|part| folds.sides(part).1).collect())
        }
        _ => Err(FoldError::TooFew {
            source_name: problem.data().source().to_owned(),
            asked: crate::display::counted(parts, "fold"),
            need: parts,
            met,
        }),
    }
}

/// Each part is tested in turn.
fn leave_out(parts: &[Vec<usize>], label: &dyn Fn(usize) -> String) -> Vec<Fold> {
    let fold = |test: usize| Fold {
        label: label(test),
        train: joined(parts, |part| part != test),
        validation: Vec::new(),
        test: parts[test].clone(),
    };
    (0..parts.len()).map(fold).collect()
}

/// In fold 1 of five, parts 1 to 3 train, 4 validates, and 5 tests; in fold 2, 2 to 4 train, 5 validates
/// and 1 tests.
fn rotate(parts: &[Vec<usize>], label: &dyn Fn(usize) -> String) -> Vec<Fold> {
    let n = parts.len();
    let fold = |first: usize| {
        let (validation, test) = ((first + n - 2) % n, (first + n - 1) % n);
        Fold {
            label: label(first),
            train: joined(parts, |part| part != validation && part != test),
            validation: parts[validation].clone(),
            test: parts[test].clone(),
        }
    };
    (0..n).map(fold).collect()
}

/// The lists of some parts, in the order of the data.
fn joined(parts: &[Vec<usize>], which: impl Fn(usize) -> bool) -> Vec<usize> {
    let chosen = (0..parts.len()).filter(|&part| which(part));
    let mut lists: Vec<usize> = chosen.flat_map(|part| parts[part].iter().copied()).collect();
    lists.sort_unstable();
    lists
}

/// Lists with something to save and lists without are split alike.
fn random(
    problem: &Problem<'_>,
    splits: usize,
    share: f64,
    seed: u64,
) -> Result<Vec<Fold>, FoldError> {
    let (data, savable) = (problem.data(), problem.savable());
    let (useful, useless): (Vec<usize>, Vec<usize>) =
        (0..data.n_lists()).partition(|&list| savable[list]);
    if useful.len() < 2 {
        let source_name = data.source().to_owned();
        let asked = "random splits".to_owned();
        return Err(FoldError::TooFew { source_name, asked, need: 2, met: useful.len() });
    }
    let split = |split: usize| {
        let seed = purpose(seed.wrapping_add(split as u64), b"splits  ");
        let drawn = |lists: &[usize]| {
            let mut lists = lists.to_vec();
            let draw = |list: usize| draw_for(seed, data.list_id(list));
            lists.sort_by(|&a, &b| draw(a).total_cmp(&draw(b)).then(a.cmp(&b)));
            lists
        };
        let count = |lists: usize| (share * lists as f64).round() as usize;
        let mut test = drawn(&useful)[..count(useful.len()).clamp(1, useful.len() - 1)].to_vec();
        test.extend_from_slice(&drawn(&useless)[..count(useless.len())]);
        test.sort_unstable();
        let train = (0..data.n_lists()).filter(|list| test.binary_search(list).is_err()).collect();
        Fold { label: numbered("split")(split), train, validation: Vec::new(), test }
    };
    Ok((0..splits).map(split).collect())
}

const SIDES: [&[&str]; 3] = [&["train", "training"], &["valid", "validation", "vali"], &["test"]];

fn by_column(problem: &Problem<'_>, column: &str, rotating: bool) -> Result<Vec<Fold>, FoldError> {
    let data = problem.data();
    let of_list = parts_of_lists(data, column)?;
    let mut names: Vec<&String> = of_list.iter().collect();
    // 10 after 9.
    names.sort_by(|a, b| match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(a), Ok(b)) => a.total_cmp(&b),
        _ => a.cmp(b),
    });
    names.dedup();
    let lists_of = |is_in: &dyn Fn(&str) -> bool| -> Vec<usize> {
        (0..data.n_lists()).filter(|&list| is_in(&of_list[list])).collect()
    };
    let refuse = |need| {
        let source_name = data.source().to_owned();
        let met = crate::display::counted(names.len(), "part");
        Err(FoldError::Parts { source_name, column: column.to_owned(), met, need })
    };
    let side = |names: &'static [&str]| lists_of(&|name| names.contains(&name));
    let [train, validation, test] = SIDES.map(side);
    if train.len() + validation.len() + test.len() == data.n_lists() {
        return match train.is_empty() || test.is_empty() || rotating {
            true if rotating => refuse("parts that are called train and test do not rotate"),
            true => refuse("there must be lists to train with and lists to test"),
            false => Ok(vec![Fold { label: "test".to_owned(), train, validation, test }]),
        };
    }
    let parts: Parts = names.iter().map(|name| lists_of(&|of| of == name.as_str())).collect();
    match (names.len(), rotating) {
        (..2, false) => refuse("there must be two at least, of which one is tested in turn"),
        (..3, true) => refuse("there must be three at least: to train, to validate, to test"),
        (_, false) => Ok(leave_out(&parts, &|part| names[part].clone())),
        (_, true) => Ok(rotate(&parts, &numbered("fold"))),
    }
}

#[cfg(test)]
mod tests;
