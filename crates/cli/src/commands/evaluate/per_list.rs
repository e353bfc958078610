//! Every list's value of every score and metric, for people who want to look closer.

use stakes::data::Dataset;
use stakes::eval::study::Study;

pub(crate) fn csv(data: &Dataset, study: &Study) -> anyhow::Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(["list", "items", "score", "metric", "value", "weight"])?;
    for row in &study.results {
        for (list, value) in row.per_list.iter().enumerate() {
            writer.write_record([
                data.list_id(list),
                &data.items(list).len().to_string(),
                &row.score,
                &row.metric,
                &value.value.map_or(String::new(), |v| v.to_string()),
                &value.weight.to_string(),
            ])?;
        }
    }
    Ok(String::from_utf8(writer.into_inner()?)?)
}
