//! Parquet files whose features stay where they are: lists, costs and the other roles are read at once, features a few
//! thousand rows at a time whenever they are needed.
//!
//! Names of categories are collected in the first pass, so that their codes are those of data in memory: sorted over all
//! files.

use std::collections::HashMap;
use std::fs::{self, File};
use std::sync::Arc;
use std::time::SystemTime;

use arrow_array::{Array, RecordBatch};
use arrow_schema::DataType;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ParquetRecordBatchReader};
use parquet::errors::ParquetError;
use rayon::prelude::*;
use stakes_core::data::{
    DataError, DataProblem, Dataset, Feature, FeatureKind, FeatureSource, Place,
};

use super::parquet::{COLUMNS, batches, check_compression, load};
use super::rows::{Part, Rows};
use super::texts::Texts;
use super::{damaged, numbers, pages};
use crate::categories::Coder;
use crate::csv::not_a_number;
use crate::guard::guarded;
use crate::number::is_missing;
use crate::plan::Wanted;
use crate::sink::Sink;
use crate::{ReadError, ReadOptions};

/// Rows that are put together by one task.
const PIECE: usize = 512;

/// Features in files.
#[derive(Debug)]
struct ParquetFeatures {
    files: Vec<FeatureFile>,
    names: Vec<String>,
    /// For features of text the codes of their names.
    codes: Vec<Option<HashMap<String, f32>>>,
    rows: usize,
}

/// A file, and where the features are in it.
#[derive(Debug)]
struct FeatureFile {
    path: String,
    metadata: ArrowReaderMetadata,
    state: FileState,
    /// The column of each feature.
    columns: Vec<usize>,
    /// For each row whether it is one of the data; `None` if all are.
    kept: Option<Vec<bool>>,
}

/// What changes when a file is written again.
#[derive(Debug, PartialEq, Eq)]
struct FileState {
    bytes: u64,
    modified: Option<SystemTime>,
}

impl FileState {
    fn of(path: &str) -> Result<Self, ReadError> {
        let found = fs::metadata(path).map_err(|error| ReadError::io(path, error))?;
        Ok(FileState { bytes: found.len(), modified: found.modified().ok() })
    }
}

/// What is known of the features after the first files.
#[derive(Default)]
struct Known {
    names: Vec<String>,
    /// For features of text the names so far.
    coders: Vec<Option<Coder>>,
}

/// Reads all but the features of Parquet files; `name` stands for all of them.
pub(crate) fn read(
    name: &str,
    paths: &[String],
    options: &ReadOptions,
) -> Result<Dataset, ReadError> {
    let (mut sink, mut known, mut files) = (None, Known::default(), Vec::new());
    for path in paths {
        let (so_far, file) = guarded(path, || read_roles(path, options, sink, &mut known))?;
        sink = Some(so_far);
        files.push(file);
    }
    let Some(Sink { mut builder, .. }) = sink else {
        return Err(ReadError::at(name, 0, "there is no file of this name; check it"));
    };
    builder.set_source(name);
    let mut features = Vec::new();
    let mut codes = Vec::new();
    for (feature, coder) in known.names.iter().zip(known.coders) {
        let Some(coder) = coder else {
            features.push(Feature::numeric(feature));
            codes.push(None);
            continue;
        };
        let (names, _) = coder.sorted(name)?;
        codes.push(Some(names.iter().cloned().zip((0..).map(|code| code as f32)).collect()));
        features.push(Feature { name: feature.clone(), kind: FeatureKind::Categorical(names) });
    }
    let rows = builder.len();
    let source = ParquetFeatures { files, names: known.names, codes, rows };
    Ok(builder.finish_stored(features, Arc::new(source))?)
}

/// The number of values that all columns of the files have, by what the files say of themselves.
pub(crate) fn values_in(paths: &[String]) -> Result<u64, ReadError> {
    let mut values = 0_u64;
    for path in paths {
        let file = File::open(path).map_err(|error| ReadError::io(path, error))?;
        let metadata = guarded(path, || load(&file).map_err(|error| damaged(path, error)))?;
        let rows = metadata.metadata().file_metadata().num_rows().cast_unsigned();
        let columns = metadata.schema().fields().len() as u64;
        values = values.saturating_add(rows.saturating_mul(columns));
    }
    Ok(values)
}

/// Reads the roles of one file, and the names of categories in it.
fn read_roles(
    path: &str,
    options: &ReadOptions,
    sink: Option<Sink>,
    known: &mut Known,
) -> Result<(Sink, FeatureFile), ReadError> {
    let wrong = |e: ParquetError| damaged(path, e);
    let open = || File::open(path).map_err(|e| ReadError::io(path, e));
    let (state, metadata) = (FileState::of(path)?, load(&open()?).map_err(wrong)?);
    check_compression(path, &metadata)?;
    let (mut rows, wanted) = Rows::of_roles(path, metadata.schema(), options, sink)?;
    let roles = rows.role_columns();
    let mut used = roles.clone();
    used.extend(wanted.iter().map(|(at, _)| *at));
    used.sort_unstable();
    let most = options.file.limits.map_or(u64::MAX, |limits| limits.bytes);
    pages::check(open()?, &metadata, &used, most).map_err(wrong)?;
    if roles.is_empty() {
        let what = "no column has a role; name at least the list or the impact";
        return Err(ReadError::at(path, 0, what));
    }
    rows.reserve(metadata.metadata().file_metadata().num_rows())?;
    for batch in batches(open()?, &metadata, &roles).map_err(wrong)? {
        let batch = batch.map_err(|e| damaged(path, e))?;
        rows.push(Part { batch: &batch, columns: &roles })?;
    }
    let (sink, kept) = rows.into_parts();
    let columns = known.columns(path, &metadata, &wanted)?;
    for (coder, &column) in known.coders.iter_mut().zip(&columns) {
        let Some(coder) = coder else { continue };
        let mut row = 0;
        for batch in batches(open()?, &metadata, &[column]).map_err(wrong)? {
            let batch = batch.map_err(|e| damaged(path, e))?;
            let texts = texts(batch.column(0), path)?;
            for at in 0..batch.num_rows() {
                let is_kept = kept.get(row + at).copied().unwrap_or(false);
                if let Some(text) = texts.get(at).filter(|_| is_kept)
                    && !is_missing(text.as_bytes())
                {
                    coder.code(&text);
                }
            }
            row += batch.num_rows();
        }
    }
    let kept = kept.contains(&false).then_some(kept);
    Ok((sink, FeatureFile { path: path.to_owned(), metadata, state, columns, kept }))
}

impl Known {
    /// The columns of the features of a file, which must be those of the first file.
    fn columns(
        &mut self,
        path: &str,
        metadata: &ArrowReaderMetadata,
        wanted: &[(usize, Wanted)],
    ) -> Result<Vec<usize>, ReadError> {
        let field = |at: usize| metadata.schema().field(at);
        let is_text = |&(at, wanted): &(usize, Wanted)| match wanted {
            Wanted::Categorical => true,
            Wanted::Numeric => false,
            Wanted::Any => !numbers::is_numeric(field(at).data_type()),
        };
        let name = |at: usize| field(at).name().trim().to_owned();
        if self.names.is_empty() {
            self.names = wanted.iter().map(|&(at, _)| name(at)).collect();
            self.coders = wanted.iter().map(|w| is_text(w).then(Coder::default)).collect();
        }
        let refuse = |what: String| {
            let what = format!("{what} than in the files before; give files of the same columns");
            Err(ReadError::at(path, 0, what))
        };
        if wanted.len() != self.names.len() {
            let (met, known) = (wanted.len(), self.names.len());
            return refuse(format!("{met} features instead of {known}: others"));
        }
        let mut columns = Vec::with_capacity(wanted.len());
        for (feature, coder) in self.names.iter().zip(&self.coders) {
            match wanted.iter().find(|(at, _)| name(*at) == *feature) {
                None => return refuse(format!("there is no feature `{feature}`: others")),
                // A column without any value has no type.
                Some(&(at, _)) if *field(at).data_type() == DataType::Null => columns.push(at),
                Some(found) if is_text(found) != coder.is_some() => {
                    return refuse(format!("feature `{feature}` is of another kind"));
                }
                Some(&(at, _)) => columns.push(at),
            }
        }
        Ok(columns)
    }
}

fn texts<'b>(array: &'b dyn Array, path: &str) -> Result<Texts<'b>, ReadError> {
    Texts::new(array).ok_or_else(|| damaged(path, "a column has changed its type"))
}

impl FeatureSource for ParquetFeatures {
    fn rows(&self) -> usize {
        self.rows
    }

    fn read(&self, see: &mut dyn FnMut(&[f32])) -> Result<(), DataError> {
        let read = |file: &FeatureFile| guarded(&file.path, || self.read_file(file, see));
        self.files.iter().try_for_each(read).map_err(|error| match error {
            ReadError::Data(error) => error,
            ReadError::Io { path, what, .. } => {
                DataError::new(Place::source(&path), DataProblem::Format(what))
            }
            error => DataError::new(Place::source("data"), DataProblem::Format(error.to_string())),
        })
    }
}

impl ParquetFeatures {
    fn read_file(&self, file: &FeatureFile, see: &mut dyn FnMut(&[f32])) -> Result<(), ReadError> {
        let path = &file.path;
        if FileState::of(path)? != file.state {
            let what = "the file has changed since the training began; train again";
            return Err(ReadError::at(path, 0, what));
        }
        let mut groups: Vec<Group> = (0..self.names.len())
            .collect::<Vec<_>>()
            .chunks(COLUMNS)
            .map(|features| Group::open(file, features))
            .collect::<Result<_, _>>()?;
        let (width, mut first, mut values) = (self.names.len(), 0, Vec::new());
        loop {
            let read: Result<Vec<Option<usize>>, ReadError> =
                groups.par_iter_mut().map(|group| group.next(self, path, first)).collect();
            let read = read?;
            let Some(&Some(rows)) = read.first() else { break };
            if read.iter().any(|other| *other != Some(rows)) {
                return Err(damaged(path, "columns differ in length"));
            }
            values.resize(rows * width, 0.0);
            let columns: Vec<(usize, &[f32])> = groups.iter().flat_map(Group::columns).collect();
            values.par_chunks_mut(PIECE * width).enumerate().for_each(|(piece, values)| {
                for &(feature, column) in &columns {
                    let to = values[feature..].iter_mut().step_by(width);
                    to.zip(&column[piece * PIECE..]).for_each(|(to, from)| *to = *from);
                }
            });
            match &file.kept {
                None => see(&values),
                Some(kept) => {
                    let kept = kept.get(first..first + rows).unwrap_or_default();
                    let rows = values.chunks(width).zip(kept).filter(|(_, kept)| **kept);
                    see(&rows.flat_map(|(row, _)| row).copied().collect::<Vec<f32>>());
                }
            }
            first += rows;
        }
        Ok(())
    }
}

/// Some features of a file, read side by side.
struct Group {
    /// Their numbers, in the order of their columns in the file.
    features: Vec<usize>,
    batches: ParquetRecordBatchReader,
    /// The values of each in the last batch.
    values: Vec<Vec<f32>>,
    numbers: Vec<f64>,
}

impl Group {
    fn open(file: &FeatureFile, features: &[usize]) -> Result<Self, ReadError> {
        let mut features = features.to_vec();
        features.sort_by_key(|&feature| file.columns[feature]);
        let columns: Vec<usize> = features.iter().map(|&feature| file.columns[feature]).collect();
        let source = File::open(&file.path).map_err(|error| ReadError::io(&file.path, error))?;
        let batches = batches(source, &file.metadata, &columns);
        Ok(Group {
            values: vec![Vec::new(); features.len()],
            features,
            batches: batches.map_err(|error| damaged(&file.path, error))?,
            numbers: Vec::new(),
        })
    }

    /// The features of the last batch.
    fn columns(&self) -> impl Iterator<Item = (usize, &[f32])> {
        self.features.iter().copied().zip(self.values.iter().map(Vec::as_slice))
    }

    /// Reads a batch that begins at row `first`, and returns its number of rows; `None` at the end.
    fn next(
        &mut self,
        all: &ParquetFeatures,
        path: &str,
        first: usize,
    ) -> Result<Option<usize>, ReadError> {
        let Some(batch) = self.batches.next() else { return Ok(None) };
        let batch: RecordBatch = batch.map_err(|error| damaged(path, error))?;
        for (at, &feature) in self.features.iter().enumerate() {
            let (array, name) = (batch.column(at), &all.names[feature]);
            let refuse =
                |row: usize, what: String| Err(ReadError::at(path, (first + row) as u64 + 1, what));
            let values = &mut self.values[at];
            values.clear();
            if let Some(codes) = &all.codes[feature] {
                let texts = texts(array, path)?;
                let code = |row: usize| texts.get(row).and_then(|text| codes.get(&*text).copied());
                values.extend((0..array.len()).map(|row| code(row).unwrap_or(f32::NAN)));
                continue;
            }
            match numbers::fill(array, &mut self.numbers) {
                Some(Ok(())) => {}
                Some(Err(wrong)) => {
                    return refuse(wrong.row, not_a_number(name, wrong.met.as_bytes()));
                }
                None => return Err(damaged(path, "a column has changed its type")),
            }
            values.extend(self.numbers.iter().map(|&value| value as f32));
            if let Some(row) = values.iter().position(|value| value.is_infinite()) {
                let what = format!(
                    "feature {name} is infinite or beyond 3.4e38, the largest 32-bit number; allowed are finite numbers, \
                     or an empty field where missing"
                );
                return refuse(row, what);
            }
        }
        Ok(Some(batch.num_rows()))
    }
}
