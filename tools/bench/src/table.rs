//! Generated data, with the columns that every program of the comparison learns from.

use stakes::prelude::*;

/// Reads a file whose columns are found by their names: LETOR's, or those of `stakes generate
/// search` and `storms`. Text is left out, as not every peer takes it; without `ids`, which item a row is of, too.
pub(crate) fn read_known(path: &str, ids: bool) -> anyhow::Result<Dataset> {
    let names = stakes::io::columns(path, &stakes::io::FileOptions::default())?;
    let pick = |known: &[&str]| names.iter().find(|n| known.contains(&n.as_str())).cloned();
    let id = pick(&["document", "network"]);
    let texts = ["region", "pole_material"].iter().filter_map(|name| pick(&[name]));
    let roles = Roles {
        list: pick(&["query", "storm"]),
        impact: pick(&["grade", "customers_out"]),
        time: pick(&["date"]),
        group: pick(&["settlement"]),
        price: pick(&["crew_hours"]),
        drop: texts.chain(id.clone().filter(|_| !ids)).collect(),
        id: id.filter(|_| ids),
        ..Roles::default()
    };
    Ok(read(path, ReadOptions { roles, ..ReadOptions::default() })?)
}
