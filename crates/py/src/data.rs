//! Data sets: from files, frames, columns and matrices, and back to columns.

use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, DictionaryArray, Float64Array, Int32Array, RecordBatch, RecordBatchReader,
    StringArray,
};
use arrow_schema::{ArrowError, Schema};
use numpy::{
    IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2,
    PyUntypedArrayMethods,
};
use pyo3::prelude::*;
use pyo3::types::PyList;
use stakes::data::{
    Columns, Dataset, DatasetBuilder, Feature, FeatureKind, Purpose, Role, Row, SharedValues,
    read_for, use_roles_of,
};
use stakes::io::{FileOptions, MissingImpact, ReadOptions, Roles, read_arrow_batches};
use stakes::split::{HoldOut, HoldOutOptions};

use crate::model::Model;
use crate::watch::quietly;
use crate::{arrow, error, matrix};

/// Lists of items.
#[pyclass(frozen, module = "stakes._stakes")]
pub(crate) struct Data(pub(crate) Arc<Dataset>);

/// The roles of columns.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct RoleArgs {
    list: Option<String>,
    impact: Option<String>,
    id: Option<String>,
    group: Option<String>,
    weight: Option<String>,
    price: Option<String>,
    time: Option<String>,
    drop: Vec<String>,
    categorical: Vec<String>,
    numeric: Vec<String>,
    extras: Vec<String>,
    outcomes: Vec<String>,
    missing_impact: Option<String>,
}

impl RoleArgs {
    fn roles(self) -> PyResult<Roles> {
        let missing = self.missing_impact.map(|text| text.parse::<MissingImpact>());
        let roles = Roles {
            list: self.list,
            impact: self.impact,
            id: self.id,
            group: self.group,
            weight: self.weight,
            price: self.price,
            time: self.time,
            drop: self.drop,
            categorical: self.categorical,
            numeric: self.numeric,
            missing_impact: missing.transpose().map_err(error)?.unwrap_or_default(),
            ..Roles::new()
        };
        Ok(roles.extras(self.extras).outcomes(self.outcomes))
    }
}

/// How a file is read.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct FileArgs {
    format: Option<String>,
    sheet: Option<String>,
    decimal: Option<String>,
    dates: Option<String>,
}

impl FileArgs {
    pub(crate) fn options(self) -> PyResult<FileOptions> {
        Ok(FileOptions {
            format: self.format.map(|text| text.parse()).transpose().map_err(error)?,
            sheet: self.sheet,
            decimal: self.decimal.map(|text| text.parse()).transpose().map_err(error)?,
            dates: self.dates.map(|text| text.parse()).transpose().map_err(error)?,
            limits: None,
        })
    }
}

/// What a model needs of data: what they are for (`rank`, `measure` or `report`), and whether prices are needed.
#[derive(FromPyObject)]
pub(crate) struct For<'py>(PyRef<'py, Model>, String, bool);

impl For<'_> {
    fn purpose(&self) -> Purpose {
        match self.1.as_str() {
            "measure" => Purpose::Measure,
            "report" => Purpose::Report,
            _ => Purpose::Rank { prices: self.2 },
        }
    }
}

/// Reads a file, for a model or for training.
#[pyfunction]
pub(crate) fn read_file(
    py: Python<'_>,
    path: &str,
    file: FileArgs,
    roles: RoleArgs,
    model: Option<For<'_>>,
) -> PyResult<Data> {
    let options =
        ReadOptions { roles: roles.roles()?, file: file.options()?, ..ReadOptions::default() };
    let of_model = model.map(|model| (model.0.0.clone(), model.purpose()));
    let read = move || match of_model {
        None => Ok(stakes::read(path, &options)?),
        Some((model, purpose)) => read_for(&model, path, &options, purpose),
    };
    Ok(Data(Arc::new(quietly(py, read)?)))
}

/// Reads files as one, for the training of a shard: features of Parquet files that would take more bytes than this in memory
/// stay in the files.
#[pyfunction]
pub(crate) fn read_files(
    py: Python<'_>,
    paths: Vec<String>,
    roles: RoleArgs,
    stream_above: u64,
) -> PyResult<Data> {
    let stream_above = Some(stream_above);
    let options = ReadOptions { stream_above, ..roles.roles()?.into() };
    let name = paths.first().cloned().unwrap_or_default();
    let read = move || Ok(stakes::io::read_files(&name, &paths, &options)?);
    Ok(Data(Arc::new(quietly(py, read)?)))
}

/// Reads a frame that speaks Arrow's C stream interface.
#[pyfunction]
pub(crate) fn read_frame(
    py: Python<'_>,
    frame: &Bound<'_, PyAny>,
    name: &str,
    roles: RoleArgs,
    model: Option<For<'_>>,
) -> PyResult<Data> {
    let stream = arrow::stream(frame)?;
    let schema = stream.schema();
    read_batches(py, name, &schema, stream, roles.roles()?, model)
}

/// Numbers, or texts by codes; a code below 0 is missing.
#[derive(FromPyObject)]
pub(crate) enum ColumnArg<'py> {
    Numbers(PyReadonlyArray1<'py, f64>),
    Texts(Vec<String>, PyReadonlyArray1<'py, i32>),
}

impl ColumnArg<'_> {
    fn array(&self) -> PyResult<ArrayRef> {
        Ok(match self {
            ColumnArg::Numbers(values) => {
                Arc::new(Float64Array::from(values.as_array().to_vec())) as ArrayRef
            }
            ColumnArg::Texts(names, codes) => {
                let codes = codes.as_array();
                let codes: Int32Array =
                    codes.iter().map(|&code| (code >= 0).then_some(code)).collect();
                let names = Arc::new(StringArray::from_iter_values(names));
                Arc::new(DictionaryArray::<Int32Type>::try_new(codes, names).map_err(error)?)
            }
        })
    }
}

/// Reads columns.
#[pyfunction]
pub(crate) fn read_columns(
    py: Python<'_>,
    columns: Vec<(String, ColumnArg<'_>)>,
    name: &str,
    roles: RoleArgs,
    model: Option<For<'_>>,
) -> PyResult<Data> {
    let columns = columns.iter().map(|(name, column)| Ok((name, column.array()?)));
    let columns = columns.collect::<PyResult<Vec<_>>>()?;
    let batch = RecordBatch::try_from_iter(columns).map_err(error)?;
    let schema = batch.schema();
    read_batches(py, name, &schema, [Ok(batch)].into_iter(), roles.roles()?, model)
}

fn read_batches(
    py: Python<'_>,
    name: &str,
    schema: &Schema,
    batches: impl Iterator<Item = Result<RecordBatch, ArrowError>> + Send,
    mut roles: Roles,
    model: Option<For<'_>>,
) -> PyResult<Data> {
    if let Some(model) = model {
        let there: Vec<String> = schema.fields().iter().map(|field| field.name().clone()).collect();
        use_roles_of(&model.0.0, &there, &mut roles, model.purpose());
    }
    let data = quietly(py, || Ok(read_arrow_batches(name, schema, batches, roles)?))?;
    Ok(Data(Arc::new(data)))
}

/// A text for each row, by codes.
type Texts<'py> = (Vec<String>, PyReadonlyArray1<'py, i32>);

/// The columns beside a matrix of features.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct MatrixRoles<'py> {
    list: Option<Texts<'py>>,
    id: Option<Texts<'py>>,
    group: Option<Texts<'py>>,
    time: Option<Texts<'py>>,
    impact: Option<PyReadonlyArray1<'py, f64>>,
    weight: Option<PyReadonlyArray1<'py, f64>>,
    price: Option<PyReadonlyArray1<'py, f64>>,
    /// Their names, where they are not those of the roles.
    names: Vec<(String, String)>,
}

/// 32-bit numbers, or 64-bit ones that are rounded to 32 bits.
#[derive(FromPyObject)]
pub(crate) enum Matrix<'py> {
    Single(Bound<'py, PyArray2<f32>>),
    Double(PyReadonlyArray2<'py, f64>),
}

/// Makes data of a matrix of features and columns beside it.
#[pyfunction]
pub(crate) fn read_matrix(
    py: Python<'_>,
    matrix: Matrix<'_>,
    features: Vec<String>,
    name: &str,
    roles: MatrixRoles<'_>,
) -> PyResult<Data> {
    let named = |role: &str| {
        let given = roles.names.iter().find(|(of, _)| of == role);
        Some(given.map_or_else(|| role.to_owned(), |(_, name)| name.clone()))
    };
    let columns = Columns {
        list: roles.list.as_ref().and_then(|_| named("list")),
        impact: roles.impact.as_ref().and_then(|_| named("impact")),
        id: roles.id.as_ref().and_then(|_| named("id")),
        weight: roles.weight.as_ref().and_then(|_| named("weight")),
        group: roles.group.as_ref().and_then(|_| named("group")),
        price: roles.price.as_ref().and_then(|_| named("price")),
        time: roles.time.as_ref().and_then(|_| named("time")),
        ..Columns::default()
    };
    let rows = match &matrix {
        Matrix::Single(array) => array.shape()[0],
        Matrix::Double(array) => array.shape()[0],
    };
    let text = |texts: &Option<Texts<'_>>, row: usize| -> Option<String> {
        let (names, codes) = texts.as_ref()?;
        let code = *codes.as_array().get(row)?;
        usize::try_from(code).ok().and_then(|code| names.get(code).cloned())
    };
    let number = |values: &Option<PyReadonlyArray1<'_, f64>>, row: usize| {
        values.as_ref().and_then(|values| values.as_array().get(row).copied())
    };
    let mut builder = DatasetBuilder::new(name, columns).map_err(error)?;
    builder.reserve(rows).map_err(error)?;
    for row in 0..rows {
        let (list, id) = (text(&roles.list, row), text(&roles.id, row));
        let (group, time) = (text(&roles.group, row), text(&roles.time, row));
        let item = Row {
            line: row as u64 + 1,
            list: list.as_deref().unwrap_or_default(),
            impact: number(&roles.impact, row),
            id: id.as_deref(),
            weight: number(&roles.weight, row),
            group: group.as_deref(),
            price: number(&roles.price, row),
            time: time.as_deref(),
            features: &[],
            extras: &[],
        };
        builder.push(item).map_err(error)?;
    }
    let values = match matrix {
        Matrix::Single(array) => match matrix::shared(&array) {
            Some(shared) => shared,
            None => owned(array.readonly().as_array().iter().copied().collect()),
        },
        Matrix::Double(array) => {
            let width = features.len().max(1);
            let values = array.as_array();
            let rounded = values.iter().enumerate();
            owned(rounded.map(|(at, &value)| builder.round_feature(at % width, value)).collect())
        }
    };
    let features = features.into_iter().map(Feature::numeric).collect();
    let data = py.detach(|| builder.finish_with(features, values)).map_err(error)?;
    Ok(Data(Arc::new(data)))
}

fn owned(values: Vec<f32>) -> SharedValues {
    SharedValues(Arc::new(values))
}

#[pymethods]
impl Data {
    /// The number of items.
    fn __len__(&self) -> usize {
        self.0.len()
    }

    /// The number of lists.
    #[getter]
    fn n_lists(&self) -> usize {
        self.0.n_lists()
    }

    /// Where the data come from.
    #[getter]
    fn source(&self) -> &str {
        self.0.source()
    }

    /// How the data were read, where that is not plain.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.0.notes().to_vec()
    }

    /// The index of the first item of each list, and the end of the last.
    #[getter]
    fn offsets<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let offsets: Vec<i64> = self.0.offsets().iter().map(|&at| at as i64).collect();
        offsets.into_pyarray(py)
    }

    /// For each item the line or row of the source that it came from, from 1.
    #[getter]
    fn lines<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let lines: Vec<i64> = (0..self.0.len()).map(|item| self.0.line(item) as i64).collect();
        lines.into_pyarray(py)
    }

    /// The names of the lists.
    #[getter]
    fn list_ids(&self) -> Vec<&str> {
        (0..self.0.n_lists()).map(|list| self.0.list_id(list)).collect()
    }

    /// The observed impact of each item, if it is known.
    #[getter]
    fn impact<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<f64>>> {
        self.0.impact().map(|impact| impact.to_vec().into_pyarray(py))
    }

    /// The names of the features.
    #[getter]
    fn features(&self) -> Vec<&str> {
        self.0.feature_info().iter().map(|feature| feature.name.as_str()).collect()
    }

    /// The values of the features, item by item; categories are codes.
    fn matrix<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let (rows, width) = (self.0.len(), self.0.features().width());
        self.0.features().values().to_vec().into_pyarray(py).reshape([rows, width])
    }

    /// Where the feature values are in memory.
    #[getter]
    fn address(&self) -> usize {
        self.0.features().values().as_ptr() as usize
    }

    /// The roles of columns: role and name.
    #[getter]
    fn roles(&self) -> Vec<(&'static str, &str)> {
        self.0.columns().roles().map(|(role, name)| (role.name(), name)).collect()
    }

    /// Every column by name: numbers, or texts.
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Vec<(String, Bound<'py, PyAny>)>> {
        let data = &*self.0;
        let numbers = |values: &[f64]| values.to_vec().into_pyarray(py).into_any();
        let mut columns = Vec::new();
        for (role, name) in data.columns().roles() {
            let column = match role {
                Role::List => {
                    let lists = data.lists().enumerate();
                    texts(
                        py,
                        lists
                            .flat_map(|(list, items)| items.map(move |_| Some(data.list_id(list)))),
                    )?
                }
                Role::Id => texts(py, (0..data.len()).map(|item| data.item_id(item)))?,
                Role::Impact => numbers(data.impact().unwrap_or_default()),
                Role::Weight => numbers(data.weight().unwrap_or_default()),
                Role::Price => numbers(data.price().unwrap_or_default()),
                Role::Group => {
                    let (codes, names) = data.groups().unwrap_or_default();
                    texts(py, codes.iter().map(|&code| Some(names[code as usize].as_str())))?
                }
                // One column may be the list and the time.
                Role::Time if data.columns().list.as_deref() == Some(name) => continue,
                Role::Time => match data.time() {
                    Some(time) => texts(py, (0..data.len()).map(|item| Some(time.text(item))))?,
                    None => continue,
                },
                Role::Class => continue,
            };
            columns.push((name.to_owned(), column));
        }
        for (at, feature) in data.feature_info().iter().enumerate() {
            let values = data.features().column(at);
            let column = match &feature.kind {
                FeatureKind::Numeric => {
                    values.map(f64::from).collect::<Vec<f64>>().into_pyarray(py).into_any()
                }
                FeatureKind::Categorical(_) => {
                    texts(py, values.map(|code| feature.category(code)))?
                }
            };
            columns.push((feature.name.clone(), column));
        }
        for (name, values) in data.extras() {
            if columns.iter().all(|(known, _)| known != name) {
                columns.push((name.to_owned(), numbers(values)));
            }
        }
        Ok(columns)
    }

    /// A numeric column.
    fn numbers<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(self.0.numbers(name).map_err(error)?.into_pyarray(py))
    }

    /// Some of the lists, by number.
    fn take_lists(&self, lists: Vec<usize>) -> PyResult<Data> {
        match lists.iter().find(|&&list| list >= self.0.n_lists()) {
            Some(list) => {
                Err(error(format!("there is no list {list}; there are {}", self.0.n_lists())))
            }
            None => Ok(Data(Arc::new(self.0.take_lists(&lists)))),
        }
    }

    /// The lists that are kept and those that are held out.
    fn hold_out(&self, part: &str, seed: u64) -> PyResult<(Data, Data)> {
        let part = part.parse::<HoldOut>().map_err(error)?;
        let options = HoldOutOptions { part, seed, savable: None };
        let parts = self.0.hold_out_with(&options).map_err(error)?;
        Ok((Data(Arc::new(parts.kept)), Data(Arc::new(parts.held_out))))
    }

    /// Writes the data; the format by the extension.
    fn write(&self, py: Python<'_>, path: &str) -> PyResult<()> {
        quietly(py, || Ok(stakes::io::write(&self.0, path, None)?))
    }
}

fn texts<'py, 't>(
    py: Python<'py>,
    values: impl Iterator<Item = Option<&'t str>>,
) -> PyResult<Bound<'py, PyAny>> {
    Ok(PyList::new(py, values.collect::<Vec<_>>())?.into_any())
}
