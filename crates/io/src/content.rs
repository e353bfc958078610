//! Data in memory that somebody sent: read as a file of the same bytes would be, with limits.
//!
//! Unlike a file, content is never decompressed as a whole: whoever received it knows how it was compressed, and how
//! much of it there may be.

use arrow_array::RecordBatch;
use bytes::Bytes;
use stakes_core::data::Dataset;

use crate::input::Input;
use crate::limits::Limits;
use crate::{FileOptions, Format, ReadError, ReadOptions, columnar, csv, letor, xlsx};

/// Data in memory, such as the body of a request.
///
/// ```
/// use stakes_io::{Content, FileOptions, ReadOptions, Roles};
/// let rows = br#"[{"storm": "a", "wind": 14}, {"storm": "a", "wind": 9.5}]"#;
/// let content = Content::json("body", rows, None)?;
/// assert_eq!(content.columns(&FileOptions::default())?, ["storm", "wind"]);
/// let data = content.read(&Roles::new().list("storm").into())?;
/// assert_eq!(data.features().values(), [14.0, 9.5]);
/// # Ok::<(), stakes_io::ReadError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Content {
    name: String,
    kind: Kind,
}

#[derive(Debug, Clone)]
enum Kind {
    Bytes(Bytes, Format),
    Rows(RecordBatch),
}

impl Content {
    /// The content of a file of this format; `name` stands for it in messages.
    pub fn new(name: &str, bytes: impl Into<Bytes>, format: Format) -> Self {
        Content { name: name.to_owned(), kind: Kind::Bytes(bytes.into(), format) }
    }

    /// Rows as JSON: an array of objects, or an object that has it under `rows`.
    ///
    /// Values are numbers, texts, booleans (1 and 0) or null; a column holds one kind of them. A column that a row leaves
    /// out is null there. Texts are categories, even if they look like numbers.
    pub fn json(name: &str, bytes: &[u8], limits: Option<Limits>) -> Result<Self, ReadError> {
        let rows = columnar::json_rows(name, bytes, limits)?;
        Ok(Content { name: name.to_owned(), kind: Kind::Rows(rows) })
    }

    /// The names of the columns.
    pub fn columns(&self, options: &FileOptions) -> Result<Vec<String>, ReadError> {
        let (bytes, format) = match &self.kind {
            Kind::Rows(rows) => return Ok(columnar::names_of(&rows.schema())),
            Kind::Bytes(bytes, format) => (bytes, *format),
        };
        options.check(&self.name, format)?;
        let input = Input::as_is(&self.name, bytes.clone());
        match format {
            Format::Csv => csv::header(input, false),
            Format::Tsv => csv::header(input, true),
            Format::Xlsx => xlsx::columns(input, options),
            Format::Letor => letor::names(input),
            Format::Parquet | Format::Arrow => columnar::columns(input, "-", format),
        }
    }

    /// Reads the data.
    pub fn read(self, options: &ReadOptions) -> Result<Dataset, ReadError> {
        let Content { name, kind } = self;
        let (bytes, format) = match kind {
            Kind::Rows(rows) => {
                let schema = rows.schema();
                let rows = [Ok(rows)].into_iter();
                return columnar::read_arrow_batches(&name, &schema, rows, options);
            }
            Kind::Bytes(bytes, format) => (bytes, format),
        };
        options.file.check(&name, format)?;
        match format {
            Format::Csv | Format::Tsv => {
                csv::parse(&name, bytes.into(), format == Format::Tsv, options)
            }
            Format::Xlsx => xlsx::read(Input::as_is(&name, bytes), options),
            Format::Letor => letor::read(Input::as_is(&name, bytes), "-", &options.roles),
            Format::Parquet | Format::Arrow => {
                columnar::read(Input::as_is(&name, bytes), "-", format, options)
            }
        }
    }
}
