//! Many files as one data set.

use std::fs;
use std::path::Path;

use stakes_core::data::Dataset;

#[cfg(feature = "arrow")]
use crate::columnar;
use crate::{Format, ReadError, ReadOptions, read};

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

/// Reads files of the same columns as one data set; a list may be in several of them.
///
/// # Errors
/// If a file cannot be read, or has other columns than the first.
pub fn read_many(paths: &[String], options: impl Into<ReadOptions>) -> Result<Dataset, ReadError> {
    let options = options.into();
    if let [path] = paths {
        return read(path, options);
    }
    let parts: Vec<Dataset> =
        paths.iter().map(|path| read(path, options.clone())).collect::<Result<_, _>>()?;
    Ok(Dataset::joined(&parts.iter().collect::<Vec<_>>())?)
}

/// Reads Parquet files of the same columns as one data set, all but the features: these stay in the files, and are read
/// piece by piece whenever they are needed ([`stakes_core::data::FeatureSource`]). The files must stay as they are.
/// `name` stands for all of them in messages.
///
/// # Errors
/// If a file cannot be read, is none of Parquet, or has other columns than the first.
pub fn read_stored(
    name: &str,
    paths: &[String],
    options: impl Into<ReadOptions>,
) -> Result<Dataset, ReadError> {
    let options = options.into();
    for path in paths {
        let format = options.file.format.or_else(|| Format::from_path(path));
        if format != Some(Format::Parquet) {
            let what = "only the features of Parquet files can be read piece by piece; convert the file (stakes convert)";
            return Err(ReadError::at(path, 0, what));
        }
        options.file.check(path, Format::Parquet)?;
    }
    #[cfg(feature = "arrow")]
    return columnar::read_stored(name, paths, &options);
    #[cfg(not(feature = "arrow"))]
    Err(crate::format::UnknownFormat::not_built(Format::Parquet).into())
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
