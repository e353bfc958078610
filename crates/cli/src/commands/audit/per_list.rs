//! Every list's value of every measure, for people who want to look closer.

use stakes::audit::AuditReport;

pub(crate) fn csv(report: &AuditReport) -> anyhow::Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(["list", "column", "group", "n", "measure", "value"])?;
    for row in &report.audit.per_list {
        writer.write_record([
            &report.list_ids[row.list],
            &row.column,
            &row.group,
            &row.n.to_string(),
            &row.measure,
            &row.value.map_or(String::new(), |value| value.to_string()),
        ])?;
    }
    Ok(String::from_utf8(writer.into_inner()?)?)
}
