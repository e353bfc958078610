//! The figures as a LaTeX table, ready for a paper that loads `booktabs`.

use std::fmt::Write;

use stakes::eval::study::{RowKind, Study};
use stakes::evaluate::{metric_names, score_names, shown};
use stakes::text::latex as escape;

pub(crate) fn render(study: &Study) -> String {
    let metrics = metric_names(study);
    let header: Vec<String> = metrics.iter().map(|m| escape(m)).collect();
    let mut text = format!(
        "\\begin{{tabular}}{{l{}}}\n\\toprule\nscore & {} \\\\\n\\midrule\n",
        "r".repeat(metrics.len()),
        header.join(" & ")
    );
    let mut references_begun = false;
    for (i, score) in score_names(study).into_iter().enumerate() {
        let rows: Vec<_> = metrics.iter().map(|m| study.row(score, m)).collect();
        let reference = rows.iter().flatten().any(|r| r.kind == RowKind::Reference);
        if reference && !std::mem::replace(&mut references_begun, true) && i > 0 {
            text.push_str("\\midrule\n");
        }
        let _ = write!(text, "{}", escape(shown(score)));
        for row in rows {
            let _ = match row.and_then(|r| Some((r.value?, r.low.zip(r.high)))) {
                Some((value, Some((low, high)))) => {
                    write!(text, " & {value:.4} {{\\footnotesize [{low:.4}, {high:.4}]}}")
                }
                Some((value, None)) => write!(text, " & {value:.4}"),
                None => write!(text, " & --"),
            };
        }
        text.push_str(" \\\\\n");
    }
    text + "\\bottomrule\n\\end{tabular}\n"
}
