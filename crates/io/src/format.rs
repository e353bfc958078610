//! The file formats, and how the format of a file is determined: by name, by extension, or,
//! if the extension is unknown, by the first bytes.

use std::fmt;
use std::str::FromStr;

use stakes_core::suggest;

/// A file format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Text with a header line; fields are separated by `,` or, if the header shows it, by `;`
    /// or tab.
    Csv,
    /// Text with a header line; fields are separated by tabs.
    Tsv,
    /// Apache Parquet.
    Parquet,
    /// Arrow IPC, file (Feather 2) or stream.
    Arrow,
    /// An Excel workbook.
    Xlsx,
    /// LETOR / SVMlight: `label qid:ID index:value ... # comment`.
    Letor,
}

/// Every format with its name and its extensions.
const FORMATS: [(Format, &str, &[&str]); 6] = [
    (Format::Csv, "csv", &["csv"]),
    (Format::Tsv, "tsv", &["tsv", "tab"]),
    (Format::Parquet, "parquet", &["parquet", "pq"]),
    (Format::Arrow, "arrow", &["arrow", "feather", "ipc", "arrows"]),
    (Format::Xlsx, "xlsx", &["xlsx", "xlsm"]),
    (Format::Letor, "letor", &["txt", "letor", "svm", "svmlight", "libsvm"]),
];

impl Format {
    /// All formats.
    pub fn all() -> impl Iterator<Item = Format> {
        FORMATS.iter().map(|(format, _, _)| *format)
    }

    /// The name of the format, as [`FromStr`] reads it.
    pub fn name(self) -> &'static str {
        FORMATS.iter().find(|row| row.0 == self).map_or("", |row| row.1)
    }

    /// The file extensions of this format.
    pub fn extensions(self) -> &'static [&'static str] {
        FORMATS.iter().find(|row| row.0 == self).map_or(&[], |row| row.2)
    }

    /// Whether the format is text, and so may be compressed (`.gz`, `.zst`).
    pub fn is_text(self) -> bool {
        matches!(self, Format::Csv | Format::Tsv | Format::Letor)
    }

    /// The format that the extension of `path` stands for, without a trailing `.gz` or `.zst`.
    pub fn from_path(path: &str) -> Option<Format> {
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path).to_ascii_lowercase();
        let plain = name.strip_suffix(".gz").or_else(|| name.strip_suffix(".zst"));
        let name = plain.unwrap_or(&name);
        let (_, extension) = name.rsplit_once('.')?;
        FORMATS.iter().find(|row| row.2.contains(&extension)).map(|row| row.0)
    }

    /// The format that the first (decompressed) bytes look like.
    pub(crate) fn sniff(head: &[u8]) -> Option<Format> {
        if head.starts_with(b"PAR1") {
            return Some(Format::Parquet);
        }
        if head.starts_with(b"ARROW1") || head.starts_with(&[0xff; 4]) {
            return Some(Format::Arrow);
        }
        let line = head.split(|&b| b == b'\n').find(|l| !l.is_empty() && l[0] != b'#')?;
        let line = std::str::from_utf8(line).ok()?;
        let mut words = line.split_ascii_whitespace();
        let label = words.next()?.parse::<f64>().is_ok();
        if label && words.next().is_some_and(|word| word.contains(':')) {
            return Some(Format::Letor);
        }
        line.contains([',', ';', '\t']).then_some(Format::Csv)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(text: &str) -> Result<Self, UnknownFormat> {
        let lower = text.to_ascii_lowercase();
        let lower = lower.trim_start_matches('.');
        FORMATS
            .iter()
            .find(|row| row.1 == lower || row.2.contains(&lower))
            .map(|row| row.0)
            .ok_or_else(|| {
                let hint = suggest::hint(text, FORMATS.iter().map(|row| row.1));
                UnknownFormat(format!("there is no format `{text}`; {hint}"))
            })
    }
}

/// The error of a format that is unknown or not part of this build.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct UnknownFormat(String);

impl UnknownFormat {
    pub(crate) fn of_path(path: &str) -> Self {
        let names = FORMATS.map(|row| row.1).join(", ");
        if path == "stdin" || path == "stdout" {
            return UnknownFormat(format!(
                "{path}: unknown format; set `format` to one of {names}"
            ));
        }
        let extensions = FORMATS.iter().flat_map(|row| row.2).map(|e| format!(".{e}"));
        let extensions = extensions.collect::<Vec<_>>().join(" ");
        UnknownFormat(format!(
            "{path}: unknown file extension; allowed are {extensions} (text also compressed: .gz, \
             .zst), or set `format` to one of {names}"
        ))
    }

    /// Of a file that holds others.
    pub(crate) fn package(path: &str, what: &str) -> Self {
        UnknownFormat(format!("{path}: this is {what}"))
    }

    #[cfg(not(feature = "arrow"))]
    pub(crate) fn not_built(format: Format) -> Self {
        UnknownFormat(format!("{format} is not part of this build; build with the feature `arrow`"))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_extension_decides_and_gz_is_ignored() {
        for (path, format) in [
            ("a.csv", Some(Format::Csv)),
            ("dir.parquet/a.TSV.gz", Some(Format::Tsv)),
            ("a.csv.zst", Some(Format::Csv)),
            ("x.feather", Some(Format::Arrow)),
            ("S1.txt.gz", Some(Format::Letor)),
            ("x.svm", Some(Format::Letor)),
            ("rank.train.gz", None),
            ("csv", None),
        ] {
            assert_eq!(Format::from_path(path), format, "{path}");
        }
    }

    #[test]
    fn the_first_bytes_decide_when_the_extension_does_not() {
        assert_eq!(Format::sniff(b"0 10:0.89 11:0.75\n1 1:2"), Some(Format::Letor));
        assert_eq!(Format::sniff(b"# c\n0 qid:1 1:0.75\n"), Some(Format::Letor));
        assert_eq!(Format::sniff(b"a,b\n1,2\n"), Some(Format::Csv));
        assert_eq!(Format::sniff(b"PAR1...."), Some(Format::Parquet));
        assert_eq!(Format::sniff(b"hello"), None);
    }

    #[test]
    fn a_misspelt_name_gets_a_suggestion() {
        assert_eq!("Parquet".parse::<Format>().unwrap(), Format::Parquet);
        let error = "parqet".parse::<Format>().unwrap_err().to_string();
        assert_eq!(error, "there is no format `parqet`; did you mean `parquet`?");
        let error = UnknownFormat::of_path("a.xyz").to_string();
        assert!(
            error.starts_with("a.xyz: unknown file extension; allowed are .csv .tsv"),
            "{error}"
        );
    }
}
