//! What values mean: answers as impacts, whole numbers that do not fit 32 bits.
#![allow(clippy::unwrap_used)]

use stakes_io::{ReadOptions, Roles, parse_csv_bytes};

#[test]
fn columns_that_lose_digits_are_known() {
    let text = b"ts,population,half\n964982703,1000000,0.1\n964982704,33554432,0.2\n";
    let data = parse_csv_bytes(text, &ReadOptions::default()).unwrap();
    assert_eq!(data.rounded_features().collect::<Vec<_>>(), ["ts"]);
}

#[test]
fn an_impact_may_be_an_answer() {
    let roles = Roles { impact: Some("choice".into()), ..Roles::default() };
    let options = ReadOptions { roles, ..ReadOptions::default() };
    let data = parse_csv_bytes(b"choice,x\nyes,1\nNo,2\nTRUE,3\nfalse,4\n2.5,5\n", &options);
    assert_eq!(data.unwrap().impact().unwrap(), [1.0, 0.0, 1.0, 0.0, 2.5]);
    let error = parse_csv_bytes(b"choice,x\nmaybe,1\n", &options).unwrap_err().to_string();
    assert!(error.contains("maybe"), "{error}");
}
