//! The meaning of values: yes and no as impacts, integers that do not fit 32 bits.

use stakes_io::{ReadOptions, Roles, parse_csv_bytes};

#[test]
fn columns_that_lose_digits_are_known() {
    let text = b"ts,population,half\n964982703,1000000,0.1\n964982704,33554432,0.2\n";
    let data = parse_csv_bytes(text, ReadOptions::default()).unwrap();
    assert_eq!(data.rounded_features().collect::<Vec<_>>(), ["ts"]);
}

#[test]
fn an_impact_may_be_yes_or_no() {
    let roles = || Roles::new().impact("choice");
    let data = parse_csv_bytes(b"choice,x\nyes,1\nNo,2\nTRUE,3\nfalse,4\n2.5,5\n", roles());
    assert_eq!(data.unwrap().impact().unwrap(), [1.0, 0.0, 1.0, 0.0, 2.5]);
    let error = parse_csv_bytes(b"choice,x\nmaybe,1\n", roles()).unwrap_err().to_string();
    assert!(error.contains("maybe"), "{error}");
}
