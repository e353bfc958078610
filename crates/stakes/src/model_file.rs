//! Saving and loading of models.

use stakes_model::Model;

use crate::Error;

/// Adds `save` and `load` to models.
pub trait ModelFile: Sized {
    /// Writes the model. The name of the file ends in `.json`, or in `.json.zst` or `.json.gz` to
    /// compress it. An existing file is replaced only when the new one is complete.
    fn save(&self, path: &str) -> Result<(), Error>;

    /// Reads a model. A damaged file is an error, never a panic.
    fn load(path: &str) -> Result<Self, Error>;
}

impl ModelFile for Model {
    fn save(&self, path: &str) -> Result<(), Error> {
        check_model_name(path)?;
        Ok(stakes_io::write_bytes(path, self.to_json().as_bytes())?)
    }

    fn load(path: &str) -> Result<Self, Error> {
        let bytes = stakes_io::read_bytes(path)?;
        Ok(Model::from_json(&bytes, path)?)
    }
}

/// Refuses a name that a model file cannot have, before hours of training.
pub fn check_model_name(path: &str) -> Result<(), Error> {
    let name = path.to_ascii_lowercase();
    match [".json", ".json.zst", ".json.gz"].iter().any(|end| name.ends_with(end)) {
        true => Ok(()),
        false => Err(Error::ModelName { path: path.to_owned() }),
    }
}
