//! Reports, kept parts, and the public files, where they are there.

#![allow(clippy::unwrap_used)]

use std::path::PathBuf;

use stakes_io::Roles;

use super::raw::{Folder, RawTable};
use super::report::{Claim, Held, Number, PaperRow, PaperTable, Reproduced};
use super::work::{Stop, Work};
use super::*;
use crate::observer::Silent;

fn found() -> Reproduced {
    let row = |name: &str, printed: Option<f64>, ours: f64| PaperRow {
        name: name.to_owned(),
        printed: printed.map(Into::into),
        ours: vec![Some(ours.into()), None],
    };
    let claim = |held: Held| Claim { says: "a | b".into(), found: "1 of 2".into(), held };
    Reproduced {
        paper: Paper::He,
        reference: "Somebody",
        protocol: vec!["A way.".into()],
        tables: vec![PaperTable {
            title: "Table 1".into(),
            rows_are: "method",
            ours_are: vec!["ours", "beside"],
            decimals: 2,
            rows: vec![row("one", Some(0.5), 0.75), row("two", None, 1.0)],
            remarks: vec!["A remark.".into()],
        }],
        claims: vec![claim(Held::Yes), claim(Held::No), claim(Held::Unclear)],
        pictures: Vec::new(),
        missing: vec!["Something.".into()],
        seconds: 1.0,
    }
}

#[test]
fn printed_numbers_stand_beside_ours_with_the_difference() {
    let found = found();
    assert_eq!(found.tally(), "1 of 3 claims hold, 1 not, 1 cannot be told");
    let page = found.to_string();
    assert!(page.contains("one      0.50  0.75       +0.25"), "{page}");
    assert!(page.contains("- a | b. Here it does not hold: 1 of 2."), "{page}");
    let text = document(&[found], "pictures");
    for line in
        ["| one | 0.50 | 0.75 | +0.25 | - |", "| a \\| b | 1 of 2 | holds |", "- Something."]
    {
        assert!(text.contains(line), "{line}\n{text}");
    }
}

#[test]
fn cells_decide_whether_a_claim_holds() {
    let held = [(0, 0), (9, 10), (8, 10), (5, 10)].map(|(held, of)| Held::of_cells(held, of));
    assert_eq!(held, [Held::Unclear, Held::Yes, Held::Partly, Held::No]);
    // 1, 2, 3: mean 2, deviation 1.
    assert_eq!(Number::of(&[1.0, 2.0, 3.0]).unwrap().shown(1), "2.0 ± 1.0");
    assert_eq!((Number::of(&[]), Number::of(&[4.0]).unwrap().deviation), (None, None));
}

#[test]
fn papers_are_known_by_their_first_author() {
    for paper in Paper::ALL {
        assert_eq!(paper.name().parse::<Paper>().unwrap(), paper);
    }
    let said = "rudn".parse::<Paper>().unwrap_err().to_string();
    assert_eq!(said, "no paper is called `rudn`; did you mean `rudin`?");
}

#[test]
fn what_is_kept_is_not_computed_again() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run").display().to_string();
    let options =
        ReproduceOptions { run: Some(run.clone()), ..ReproduceOptions::new(&PathBuf::new()) };
    let mut silent = Silent;
    let mut work = Work::new(Paper::Rudin, &options, &mut silent).unwrap();
    let kept = |work: &mut Work<'_>, value: u32| match work.keep("a-1", |_| Ok(Some(value))) {
        Ok(value) => Ok(value),
        Err(Stop::Failed(error)) => Err(error.to_string()),
        Err(Stop::Interrupted { .. }) => panic!("nobody stopped it"),
    };
    assert_eq!((kept(&mut work, 1), kept(&mut work, 2)), (Ok(1), Ok(1)));
    std::fs::write(format!("{run}/rudin/a-1.json"), "{}").unwrap();
    assert!(kept(&mut work, 3).unwrap_err().contains("a-1.json"), "a damaged part is refused");
    assert!(matches!(work.keep("b", |_| Ok(None::<u32>)), Err(Stop::Interrupted { .. })));
}

#[test]
fn parts_of_another_run_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run").display().to_string();
    let whole =
        ReproduceOptions { run: Some(run.clone()), ..ReproduceOptions::new(&PathBuf::new()) };
    let open = |paper: Paper, options: &ReproduceOptions| {
        let mut silent = Silent;
        Work::new(paper, options, &mut silent).map(|_| ()).map_err(|error| error.to_string())
    };
    for paper in [Paper::Rudin, Paper::Salomon, Paper::Furnkranz] {
        assert_eq!((open(paper, &whole), open(paper, &whole)), (Ok(()), Ok(())), "{paper}");
    }
    assert!(!std::path::Path::new(&run).join("furnkranz").exists(), "it keeps nothing");
    let longer = ReproduceOptions { time_limit: 20.0, ..whole.clone() };
    for (options, words) in [
        (ReproduceOptions { quick: true, ..whole.clone() }, "the run was whole and is now quick"),
        (longer.clone(), "the time limit of searches was 10 s and is now 20 s"),
        (ReproduceOptions { seed: 1, ..whole.clone() }, "the seed was 0 and is now 1"),
    ] {
        let said = open(Paper::Rudin, &options).unwrap_err();
        assert!(said.contains(words) && said.contains("another directory"), "{said}");
    }
    assert_eq!(open(Paper::Salomon, &longer), Ok(()), "there are no searches");
    let manifest = format!("{run}/rudin/manifest.json");
    let text = std::fs::read_to_string(&manifest).unwrap();
    std::fs::write(&manifest, text.replace(env!("CARGO_PKG_VERSION"), "0.0.9")).unwrap();
    let said = open(Paper::Rudin, &whole).unwrap_err();
    assert!(said.contains("the version of stakes was 0.0.9"), "{said}");
}

#[test]
fn raw_tables_become_data() {
    let mut table = RawTable::new(["day", "x", "hole", "y"]);
    let row = |cells: [&str; 4]| cells.map(str::to_owned).to_vec();
    table.rows = vec![row(["mon", "1", "?", "3"]), row(["tue", "2", "5", "4"])];
    let table = table.without_missing().one_hot("day").unwrap();
    assert_eq!(table.names, ["x", "y", "day=mon", "day=tue"]);
    let data = table.dataset(Roles::new().impact("y")).unwrap();
    assert_eq!((data.len(), data.features().row(1)), (2, &[2.0, 0.0, 1.0][..]));
    assert!(table.select(&["none"]).is_err());
}

/// The folder of the public data, if it is there.
fn public() -> Option<Folder> {
    let default = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("STAKES_DATA").map_or(default, PathBuf::from);
    if !folder.is_dir() {
        eprintln!("skipped: {} is not there (set STAKES_DATA)", folder.display());
        return None;
    }
    Some(Folder(folder))
}

#[test]
fn public_sets_have_the_sizes_of_the_papers() {
    let Some(folder) = public() else { return };
    let Ok(sets) = mcbride::data::sets(&folder, true) else { panic!("the sets can be read") };
    let sizes = sets[2..].iter().map(|set| (set.data.len(), set.data.n_lists(), set.cutoffs));
    assert_eq!(
        sizes.collect::<Vec<_>>(),
        [(1994, 46, [6, 11]), (517, 12, [6, 11]), (1030, 14, [10, 19])]
    );
    // 12.5 % and 25 % of the mean length, rounded up.
    for set in &sets[2..] {
        let mean = set.data.mean_list_length();
        let cutoffs = [0.125, 0.25].map(|share: f64| (share * mean).ceil() as usize);
        assert_eq!(cutoffs, set.cutoffs, "{}", set.name);
    }
    let Ok(sets) = rudin::data::sets(&folder) else { panic!("the sets can be read") };
    let positives = |set: &rudin::data::Set| {
        let halves = set.halves(1, 0).unwrap();
        let sum = |data: &stakes_core::data::Dataset| data.impact().unwrap().iter().sum::<f64>();
        (halves[0].len() + halves[1].len(), sum(&halves[0]) + sum(&halves[1]))
    };
    let found: Vec<(usize, f64)> = sets[..5].iter().map(positives).collect();
    let expected = [(4174, 32.0), (575, 147.0), (840, 210.0), (6445, 986.0), (768, 268.0)];
    assert_eq!(found, expected);
}
