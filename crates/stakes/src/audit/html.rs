//! An audit as one page for a browser: no scripts, nothing from elsewhere, all names escaped.

use std::fmt::Write;

use stakes_core::display::counted;
use stakes_eval::picture::escape;
use stakes_fair::Kind;

use super::{AuditReport, plain, table};
use crate::text::{DIFFERS, short};

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;\
color:#222}table{border-collapse:collapse;width:100%;font-size:14px;margin:1rem 0}th,td{padding:.3rem .6rem;\
text-align:right;border-bottom:1px solid #ddd;vertical-align:top}th:first-child,td:first-child{text-align:left}\
tr.kind td{font-weight:600;background:#f4f4f4;text-align:left}tr.differs td{background:#fff3e0}small{color:#555}\
svg{max-width:100%;height:auto}summary{cursor:pointer;margin:.4rem 0}\
.wide{overflow-x:auto}@media print{details>*{display:block}}";

pub(super) fn page(report: &AuditReport) -> String {
    let audit = &report.audit;
    let mut html = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Audit of {0}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
         <h1>How the order of {0} treats groups</h1>\n",
        escape(&report.score)
    );
    let (items, lists) = (counted(audit.items, "item"), counted(audit.lists, "list"));
    let cost = match &report.cost {
        Some(cost) => format!("the cost is {cost}"),
        None => "outcomes are not known, so only the places of groups are looked at".to_owned(),
    };
    paragraph(&mut html, &format!("{}: {items} in {lists}; {cost}.", report.data.source));
    if report.left_out > 0 {
        let left_out = counted(report.left_out, "item");
        paragraph(&mut html, &format!("{left_out} without a group left out."));
    }
    paragraph(
        &mut html,
        "This page does not say whether the order is fair. It says where groups stand, which measures differ from \
         what chance would give, and what these measures cannot see.",
    );
    html += "<h2>Where groups stand</h2>\n";
    html += &report.positions_svg();
    html += "<h2>In short</h2>\n";
    for group in &audit.groups {
        let _ = writeln!(html, "<h3>{}</h3>", escape(&group.group));
        paragraph(&mut html, &plain::sentences(report, group).join(" "));
    }
    summary(&mut html, report);
    for group in &audit.groups {
        let _ = writeln!(html, "<h2>{}</h2>", escape(&table::title(group)));
        figures(&mut html, report, group);
    }
    html += "<h2>What these measures cannot see</h2>\n";
    paragraph(&mut html, &report.unseen());
    if !audit.warnings.is_empty() {
        html += "<h2>Keep in mind</h2>\n<ul>\n";
        for warning in &audit.warnings {
            let _ = writeln!(html, "<li>{}</li>", escape(&warning.to_string()));
        }
        html += "</ul>\n";
    }
    html + "</body>\n</html>\n"
}

fn paragraph(html: &mut String, text: &str) {
    let _ = writeln!(html, "<p>{}</p>", escape(text));
}

/// What differs from chance, group by group, with how it is read.
fn summary(html: &mut String, report: &AuditReport) {
    if report.audit.draws == 0 {
        return;
    }
    *html += "<h2>What differs from chance</h2>\n";
    paragraph(
        html,
        &format!(
            "p is the share of {} in which a group of as many items drawn at random is at least as extreme{}. Below \
         0.05 it is marked.",
            counted(report.audit.draws, "relabelling"),
            if report.has_several_groups() { ", corrected for the number of groups" } else { "" }
        ),
    );
    for group in &report.audit.groups {
        let differing = table::rows(report, group)
            .filter(|(_, row)| report.p_of(row).is_some_and(|p| p < DIFFERS));
        let items: Vec<String> = differing
            .map(|(measure, row)| {
                let (value, rest) = (figure(row.value), figure(row.rest));
                let (title, reading) = (escape(measure.info.title), escape(measure.info.reading));
                let stop = if title.ends_with('?') { "" } else { "." };
                format!(
                    "<li><b>{}</b> {value} (rest {rest}): {title}{stop} <small>{reading}</small></li>\n",
                    escape(&row.measure)
                )
            })
            .collect();
        let (name, all) = (escape(&group.group), table::rows(report, group).count());
        // Folded: they are many, and for readers of measures.
        let _ = match items.len() {
            0 => writeln!(html, "<p>{name}: none of {} differs.</p>", counted(all, "measure")),
            n => writeln!(
                html,
                "<details><summary>{name}: {n} of {} differ</summary>\n<ul>\n{}</ul></details>",
                counted(all, "measure"),
                items.concat()
            ),
        };
    }
}

fn figures(html: &mut String, report: &AuditReport, group: &stakes_fair::audit::AuditedGroup) {
    let p = if report.has_several_groups() { "p, corrected" } else { "p" };
    let reference = table::reference(report, group);
    let beside = reference.map(|other| format!("<th>less {}</th>", escape(&other.group)));
    let columns = 7 + beside.iter().len();
    let _ = writeln!(
        html,
        "<div class=\"wide\"><table>\n<tr><th>measure</th><th>value</th><th>{} % interval</th><th>rest</th><th>difference</th>\
         <th>ratio</th>{}<th>{p}</th></tr>",
        100.0 * report.audit.level,
        beside.unwrap_or_default()
    );
    for kind in Kind::ALL {
        let mut rows = table::rows(report, group).filter(|(m, _)| m.info.kind == kind).peekable();
        if rows.peek().is_some() {
            let title = kind.title();
            let _ =
                writeln!(html, "<tr class=\"kind\"><td colspan=\"{columns}\">{title}</td></tr>");
        }
        for (measure, row) in rows {
            let p = report.p_of(row);
            let class = if p.is_some_and(|p| p < DIFFERS) { " class=\"differs\"" } else { "" };
            let interval = row.low.zip(row.high);
            let interval = interval.map(|(low, high)| format!("{} to {}", short(low), short(high)));
            let _ = writeln!(
                html,
                "<tr{class}><td>{}<br><small>{}</small></td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>\
                 <td>{}</td>{}<td>{}</td></tr>",
                escape(&row.measure),
                escape(measure.info.title),
                figure(row.value),
                interval.unwrap_or_else(|| "-".to_owned()),
                figure(row.rest),
                figure(row.difference),
                figure(row.ratio),
                table::less_reference(row)
                    .map(|text| format!("<td>{text}</td>"))
                    .unwrap_or_default(),
                p.map_or_else(|| "-".to_owned(), |p| format!("{p:.4}"))
            );
        }
    }
    *html += "</table></div>\n";
}

fn figure(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), short)
}
