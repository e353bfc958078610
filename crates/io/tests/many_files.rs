//! Names that stand for many files, and features that stay in them.

use std::fs;
use std::path::Path;

use stakes_core::data::Dataset;
use stakes_io::{MissingImpact, ReadError, ReadOptions, Roles, matching_files, read, write};
use tempfile::TempDir;

use crate::round_trip::content;

const PARTS: [&str; 3] = [
    "storm,net,customers,wind,size,crew\n1,a,5,14,town,\n1,b,,3,city,2\n2,a,0,,town,1\n",
    "storm,net,customers,wind,size,crew\n3,a,2.5,9.5,,7\n1,c,1,1e30,harbour,0\n",
    "storm,net,customers,wind,size,crew\n4,a,1,2,village,5\n4,b,7,3,town,4\n3,c,0,-1,city,3\n",
];

fn roles() -> Roles {
    let roles = Roles::new().list("storm").id("net").impact("customers");
    roles.missing_impact(MissingImpact::Drop)
}

fn streamed() -> ReadOptions {
    ReadOptions { stream_above: Some(0), ..roles().into() }
}

fn path(folder: &TempDir, name: &str) -> String {
    folder.path().join(name).to_str().unwrap().to_owned()
}

/// A folder with the same three parts as CSV and as Parquet, which keep rows without an impact.
fn parts() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (number, text) in PARTS.iter().enumerate() {
        let csv = path(&folder, &format!("part-{number}.csv"));
        fs::write(&csv, text).unwrap();
        let whole = read(&csv, Roles::new().exact()).unwrap();
        write(&whole, &path(&folder, &format!("part-{number}.parquet")), None).unwrap();
    }
    folder
}

#[test]
fn many_files_are_one_data_set() {
    let folder = parts();
    let csv = read(&path(&folder, "part-*.csv"), roles()).unwrap();
    let parquet = read(&path(&folder, "part-?.parquet"), roles()).unwrap();
    assert_eq!((csv.len(), csv.n_lists(), csv.dropped_rows()), (7, 4, 1));
    assert_eq!(content(&csv), content(&parquet));
    assert_eq!(matching_files(&path(&folder, "part-*")).unwrap().len(), 6);
    let error = read(&path(&folder, "*.tsv"), roles()).unwrap_err().to_string();
    assert!(error.contains("no file matches this pattern"), "{error}");
}

#[test]
fn features_that_stay_in_their_files_are_the_same() {
    let folder = parts();
    let pattern = path(&folder, "*.parquet");
    let (whole, stored) = (read(&pattern, roles()).unwrap(), read(&pattern, streamed()).unwrap());
    assert!(stored.features().is_stored() && !whole.features().is_stored());
    assert_eq!(whole.feature_info(), stored.feature_info());
    assert_eq!(content(&whole), content(&stored.clone().loaded().unwrap()));
    // Some of the lists, in another order.
    let some = |data: &Dataset| data.take_lists(&[3, 0]);
    assert_eq!(content(&some(&whole)), content(&some(&stored).loaded().unwrap()));
    // One file; and so little that it can be in memory.
    let one = path(&folder, "part-1.parquet");
    assert!(read(&one, streamed()).unwrap().features().is_stored());
    let small = ReadOptions { stream_above: Some(1_000_000), ..streamed() };
    assert!(!read(&pattern, small).unwrap().features().is_stored());
    // Other formats are read as a whole.
    assert!(!read(&path(&folder, "*.csv"), streamed()).unwrap().features().is_stored());
}

fn refusal(folder: &TempDir) -> String {
    match read(&path(folder, "*.parquet"), streamed()).and_then(|data| Ok(data.loaded()?)) {
        Ok(_) => panic!("not refused"),
        Err(error) => error.to_string(),
    }
}

/// Writes a part of other columns.
fn add(folder: &TempDir, name: &str, text: &str) {
    let csv = path(folder, "other.csv");
    fs::write(&csv, text).unwrap();
    write(&read(&csv, Roles::new().exact()).unwrap(), &path(folder, name), None).unwrap();
    fs::remove_file(csv).unwrap();
}

#[test]
fn files_that_differ_are_refused_by_name() {
    let folder = parts();
    add(&folder, "z.parquet", "storm,net,customers,wind,size\n9,a,1,1,town\n");
    let error = refusal(&folder);
    assert!(error.contains("z.parquet") && error.contains("2 features instead of 3"), "{error}");
    add(&folder, "z.parquet", "storm,net,customers,wind,size,hour\n9,a,1,1,town,3\n");
    let error = refusal(&folder);
    assert!(error.contains("there is no feature `crew`"), "{error}");
    add(&folder, "z.parquet", "storm,net,customers,wind,size,crew\n9,a,1,calm,town,3\n");
    let error = refusal(&folder);
    assert!(error.contains("feature `wind` is of another kind"), "{error}");
    add(
        &folder,
        "z.parquet",
        "storm,net,customers,wind,size,crew\n9,a,1,3,town,3\n9,b,1,1e39,town,3\n",
    );
    let error = refusal(&folder);
    assert!(error.contains("z.parquet:2") && error.contains("beyond 3.4e38"), "{error}");
}

#[test]
fn a_file_that_changes_is_refused() {
    let folder = parts();
    let data = read(&path(&folder, "*.parquet"), streamed()).unwrap();
    let first = path(&folder, "part-0.parquet");
    fs::copy(path(&folder, "part-2.parquet"), &first).unwrap();
    let error = data.loaded().map_err(ReadError::from).unwrap_err().to_string();
    assert!(error.contains(&first) && error.contains("has changed"), "{error}");
    assert!(Path::new(&first).exists());
}
