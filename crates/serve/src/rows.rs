//! From a body to data: the quick way for the rows of most requests, and the general one, which reads all else.

use stakes::Error;
use stakes::data::{Dataset, Purpose, read_content_for};
use stakes::goal::Reach;
use stakes::io::{FileOptions, ReadOptions};

use crate::models::Loaded;
use crate::options::ServeLimits;
use crate::query::Query;
use crate::upload::{Rows, Upload};
use crate::work::Ask;

/// What data are called in messages, unless the request names them.
pub(crate) const BODY: &str = "body";
/// The most characters of a name of data.
const MAX_NAME: usize = 100;

/// Reads the rows of a request for a model.
pub(crate) fn read(
    ask: Ask,
    loaded: &Loaded,
    upload: Upload,
    query: &Query,
    reach: Reach,
    limits: &ServeLimits,
) -> Result<Dataset, Error> {
    if let Some(data) = read_known(ask, loaded, &upload, query, limits) {
        return Ok(data);
    }
    let name: String = query.text("name").unwrap_or(BODY).chars().take(MAX_NAME).collect();
    let Upload { rows, bytes, .. } = upload;
    let content = rows.content(&name, bytes, limits)?;
    let file = FileOptions { limits: Some(limits.of_reading()), ..FileOptions::default() };
    let options = ReadOptions { file, ..ReadOptions::default() };
    let purpose = match ask {
        Ask::Report => Purpose::Report,
        _ => Purpose::Rank { prices: matches!(reach, Reach::Money(_)) },
    };
    read_content_for(loaded.model(), content, &options, purpose)
}

/// The quick way, for rows as JSON with the columns of the model. It may give the data's columns another order, and more names of
/// categories: what is asked for by the names of columns goes the general way.
fn read_known(
    ask: Ask,
    loaded: &Loaded,
    upload: &Upload,
    query: &Query,
    limits: &ServeLimits,
) -> Option<Dataset> {
    let is_plain = upload.rows == Rows::Json
        && matches!(ask, Ask::Rank | Ask::Score)
        && ["explain", "min_share", "at_most"].iter().all(|name| query.text(name).is_none());
    let known = loaded.known_rows.as_ref().filter(|_| is_plain)?;
    known.read(&upload.bytes, Some(limits.of_reading()))
}

#[cfg(test)]
mod tests;
