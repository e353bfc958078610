//! Whole numbers that do not fit 32 bits are noted by name.
#![allow(clippy::unwrap_used)]

use stakes_io::{ReadOptions, parse_csv_bytes};

#[test]
fn columns_that_lose_digits_are_known() {
    let text = b"ts,population,half\n964982703,1000000,0.1\n964982704,33554432,0.2\n";
    let data = parse_csv_bytes(text, &ReadOptions::default()).unwrap();
    assert_eq!(data.rounded_features().collect::<Vec<_>>(), ["ts"]);
}
