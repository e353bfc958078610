//! Parquet and Arrow IPC. Their decoders are those of other crates and may panic within ours, which
//! turns that into an error; they may not end the process.

use stakes_core::data::Dataset;
use stakes_io::{Content, Limits, ReadError, Roles, parse_arrow_bytes, parse_parquet_bytes};

use crate::data::{check, roles};

/// Parquet: without roles, with all of them, and exactly.
pub fn parquet(data: &[u8]) {
    with_roles(|roles| parse_parquet_bytes(data, roles));
}

/// Arrow IPC, files and streams: as Parquet.
pub fn arrow(data: &[u8]) {
    with_roles(|roles| parse_arrow_bytes(data, roles));
}

/// Rows as JSON: as Parquet, without limits and with such that some input is beyond.
pub fn json_rows(data: &[u8]) {
    let small = Limits { rows: 50, columns: 8, bytes: 1 << 10 };
    for limits in [None, Some(small)] {
        with_roles(|roles| Content::json("memory", data, limits)?.read(&roles.into()));
    }
}

fn with_roles(parse: impl Fn(Roles) -> Result<Dataset, ReadError>) {
    roles().into_iter().chain([Roles::new().exact()]).for_each(|roles| check(parse(roles)));
}

/// Lets panics of the decoders reach our reader: the hook of a fuzzer would end the process first. A
/// panic of our own code is still its to report.
pub fn leave_decoders_to_reader() {
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let file = info.location().map_or("", |location| location.file());
        // Other crates are compiled from the registry, the standard library as /rustc/.
        if !file.contains("/registry/") && !file.starts_with("/rustc/") {
            report(info);
        }
    }));
}
