//! LightGBM's query file: the number of lines of each list, in order.

use std::path::Path;

use crate::ReadError;

/// Lists given by their sizes.
pub(super) struct QueryFile {
    name: String,
    sizes: Vec<u64>,
    /// The current list and the number of its lines that are still to come.
    list: usize,
    left: u64,
    /// The id of the list: its number, from 1.
    id: String,
}

impl QueryFile {
    /// Looks for `X.query` beside `X`, `X.gz` or `X.zst` (or `stem.query`).
    pub(super) fn beside(path: &str) -> Result<Option<QueryFile>, ReadError> {
        if path == "-" {
            return Ok(None);
        }
        let plain = path.strip_suffix(".gz").or_else(|| path.strip_suffix(".zst"));
        let base = plain.unwrap_or(path);
        let stem = Path::new(base).with_extension("query");
        let names = [format!("{base}.query"), stem.to_string_lossy().into_owned()];
        let Some(name) = names.into_iter().find(|name| name != path && Path::new(name).is_file())
        else {
            return Ok(None);
        };
        let bytes = std::fs::read(&name).map_err(|e| ReadError::io(&name, e))?;
        QueryFile::parse(name, &bytes).map(Some)
    }

    fn parse(name: String, bytes: &[u8]) -> Result<QueryFile, ReadError> {
        let mut sizes = Vec::new();
        for (i, line) in bytes.split(|b| *b == b'\n').enumerate() {
            let text = String::from_utf8_lossy(line.trim_ascii());
            if text.is_empty() {
                continue;
            }
            let size = text.parse::<u64>().ok().filter(|size| *size > 0);
            sizes.push(size.ok_or_else(|| {
                let shown: String = text.chars().take(60).collect();
                let what = format!("`{shown}` is not a number of lines; it must be at least 1");
                ReadError::at(&name, i as u64 + 1, what)
            })?);
        }
        let left = sizes.first().copied().unwrap_or(0);
        Ok(QueryFile { name, sizes, list: 0, left, id: "1".into() })
    }

    /// Returns the list of the next line.
    pub(super) fn next(&mut self) -> Result<&str, ReadError> {
        if self.left == 0 {
            self.list += 1;
            self.left = self.sizes.get(self.list).copied().unwrap_or(0);
            if self.left == 0 {
                let what = "the sizes add up to fewer lines than the data has; this file must \
                            give the number of lines of each list";
                return Err(ReadError::at(&self.name, 0, what));
            }
            self.id = (self.list + 1).to_string();
        }
        self.left -= 1;
        Ok(&self.id)
    }

    /// Checks that the sizes do not exceed the number of lines.
    pub(super) fn finish(&self) -> Result<(), ReadError> {
        if self.left == 0 && self.list + 1 >= self.sizes.len() {
            return Ok(());
        }
        let what = "the sizes add up to more lines than the data has; is the data truncated?";
        Err(ReadError::at(&self.name, 0, what))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::QueryFile;

    #[test]
    fn lines_are_assigned_to_lists_and_must_match_the_sizes() {
        let mut query = QueryFile::parse("q".into(), b"1\n2\r\n\n").unwrap();
        assert!(query.finish().unwrap_err().to_string().contains("more lines than the data"));
        let ids: Vec<String> = (0..3).map(|_| query.next().unwrap().to_owned()).collect();
        assert_eq!(ids, ["1", "2", "2"]);
        query.finish().unwrap();
        assert!(query.next().unwrap_err().to_string().contains("fewer lines than the data"));
        let error = QueryFile::parse("q".into(), b"1\n-2\n").err().unwrap().to_string();
        assert!(error.starts_with("q:2: `-2` is not a number of lines"), "{error}");
    }
}
