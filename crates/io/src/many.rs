//! Many files as one data set.

use std::fs;
use std::path::Path;

use stakes_core::data::Dataset;

#[cfg(feature = "arrow")]
use crate::Format;
#[cfg(feature = "arrow")]
use crate::columnar;
use crate::read::read_file;
use crate::{ReadError, ReadOptions};

/// The files that a path names: itself, or, if its last part has a `*` or `?`, all that match it, in the order of their
/// names.
///
/// ```
/// assert_eq!(stakes_io::matching_files("storms.csv")?, ["storms.csv"]);
/// # Ok::<(), stakes_io::ReadError>(())
/// ```
///
/// # Errors
/// If nothing matches, or the folder cannot be read.
pub fn matching_files(path: &str) -> Result<Vec<String>, ReadError> {
    let (folder, name) = match path.rfind('/') {
        Some(end) => (&path[..=end], &path[end + 1..]),
        None => ("", path),
    };
    // A file may have such a name.
    if !is_pattern(name) || Path::new(path).exists() {
        return Ok(vec![path.to_owned()]);
    }
    let entries = fs::read_dir(if folder.is_empty() { "." } else { folder });
    let entries = entries.map_err(|error| ReadError::io(folder, error))?;
    let mut found: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|file| matches(name.as_bytes(), file.as_bytes()))
        .filter(|file| !file.starts_with('.') || name.starts_with('.'))
        .map(|file| format!("{folder}{file}"))
        .filter(|file| Path::new(file).is_file())
        .collect();
    found.sort();
    if found.is_empty() {
        let what = "no file matches this pattern; check the name and the current folder";
        return Err(ReadError::at(path, 0, what));
    }
    Ok(found)
}

/// Whether a name stands for many files.
pub fn is_pattern(name: &str) -> bool {
    name.contains(['*', '?'])
}

/// Whether a name matches a pattern, in which `*` stands for any characters and `?` for one.
fn matches(pattern: &[u8], name: &[u8]) -> bool {
    match (pattern, name) {
        ([], []) => true,
        ([b'*', rest @ ..], _) => (0..=name.len()).any(|skipped| matches(rest, &name[skipped..])),
        ([b'?', pattern @ ..], [_, name @ ..]) => matches(pattern, name),
        ([own, pattern @ ..], [met, name @ ..]) if own == met => matches(pattern, name),
        _ => false,
    }
}

/// Reads files of the same columns as one data set.
pub(crate) fn read(paths: &[String], options: &ReadOptions) -> Result<Dataset, ReadError> {
    let parts: Vec<Dataset> =
        paths.iter().map(|path| read_file(path, options)).collect::<Result<_, _>>()?;
    Ok(Dataset::joined(&parts.iter().collect::<Vec<_>>())?)
}

/// Whether the features of these files are to stay in them.
#[cfg(feature = "arrow")]
pub(crate) fn is_streamed(paths: &[String], options: &ReadOptions) -> Result<bool, ReadError> {
    let Some(most) = options.stream_above else { return Ok(false) };
    let format = |path: &String| options.file.format.or_else(|| Format::from_path(path));
    if paths.iter().any(|path| format(path) != Some(Format::Parquet)) {
        return Ok(false);
    }
    Ok(columnar::values_in(paths)? * size_of::<f32>() as u64 > most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_as_in_a_shell() {
        let is_match = |pattern: &str, name: &str| matches(pattern.as_bytes(), name.as_bytes());
        assert!(is_match("*.parquet", "a.parquet") && is_match("part-??.csv", "part-07.csv"));
        assert!(is_match("a*b*c", "a-b-b-c") && is_match("*", ""));
        assert!(
            !is_match("*.parquet", "a.parquet.tmp") && !is_match("?", "") && !is_match("a", "ab")
        );
    }
}
