//! Models of other libraries: LightGBM, XGBoost and others become a [`Model`], for which everything works that
//! works for our own.
//!
//! [`stakes_interchange::import`] reads them; here are the parts that need data: names of features from a data
//! file, and expected costs from lists that the model was not trained on.

use stakes_core::cost::Problem;
use stakes_core::data::{Dataset, Role};
use stakes_core::display::counted;
pub use stakes_interchange::import::{
    ImportError, ImportOptions, Imported, SOURCES, Source, import, source,
};
use stakes_io::{FileOptions, Roles};
use stakes_model::{Model, RoleColumns};

use crate::Error;

/// Imports a model file.
pub fn import_file(path: &str, options: &ImportOptions) -> Result<Imported, Error> {
    Ok(import(&stakes_io::read_bytes(path)?, path, options)?)
}

/// The names of features in the order of a data file: its columns that have no role and are not left out.
pub fn feature_names(
    path: &str,
    options: &FileOptions,
    roles: &Roles,
) -> Result<Vec<String>, Error> {
    let mut names = stakes_io::columns(path, options)?;
    let columns = role_columns(roles);
    names.retain(|name| {
        !columns.values().any(|column| column == name) && !roles.drop.contains(name)
    });
    Ok(names)
}

/// The columns that have a role.
pub fn role_columns(roles: &Roles) -> RoleColumns {
    let all = [
        (Role::List, &roles.list),
        (Role::Impact, &roles.impact),
        (Role::Id, &roles.id),
        (Role::Weight, &roles.weight),
        (Role::Group, &roles.group),
        (Role::Price, &roles.price),
        (Role::Time, &roles.time),
    ];
    all.into_iter().filter_map(|(role, name)| Some((role, name.clone()?))).collect()
}

/// Fits expected costs on lists that the model was not trained on; for an imported model that is for the user
/// to know.
pub fn calibrate(model: &mut Model, lists: &Dataset) -> Result<(), Error> {
    let problem = Problem::new(lists, &model.goal)?;
    match model.calibrate(&problem)? {
        true => Ok(()),
        false => Err(Error::TooFewToCalibrate {
            data: lists.source().to_owned(),
            items: counted(lists.len(), "item"),
            lists: counted(lists.n_lists(), "list"),
        }),
    }
}
