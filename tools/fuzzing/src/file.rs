//! Files: what readers find out by themselves.

use std::path::Path;

use stakes_io::{ReadOptions, columns, read, read_bytes};

use crate::accepted;
use crate::data::check;

/// A file without an extension: format and compression follow from the first bytes.
pub fn file(data: &[u8]) {
    let folder = folder();
    let path = write(folder.path(), "data", data);
    if let Some(data) = accepted(read(&path, ReadOptions::default())) {
        assert!(
            !accepted(columns(&path, &stakes_io::FileOptions::default()))
                .expect("they were read")
                .is_empty()
        );
        check(Ok::<_, String>(data));
    }
    accepted(columns(&path, &stakes_io::FileOptions::default()));
    accepted(read_bytes(&path));
}

/// LETOR with a query file beside it; a blank line separates the sizes of the lists from the data.
pub fn query(data: &[u8]) {
    let (sizes, data) = crate::at_blank_line(data);
    let folder = folder();
    write(folder.path(), "data.txt.query", sizes);
    check(read(&write(folder.path(), "data.txt", data), ReadOptions::default()));
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder can be made")
}

/// Writes a file and returns its path.
fn write(folder: &Path, name: &str, content: &[u8]) -> String {
    let path = folder.join(name);
    std::fs::write(&path, content).expect("a temporary file can be written");
    path.to_str().expect("temporary folders have names in Unicode").to_owned()
}
