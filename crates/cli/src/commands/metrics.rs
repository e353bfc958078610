//! `stakes metrics`: the table of metrics, as text and as JSON.

use clap::Args;
use stakes::metric::{Allowed, CutoffUse, Direction, METRICS, MetricInfo};
use stakes::text::{Page, pad};

use crate::terminal::output::{self, print_json, print_page};

/// Where titles begin.
const NAME: usize = 20;

/// List every metric with its formula, conventions and source
#[derive(Args)]
pub(crate) struct Metrics {
    /// Show only metrics whose name or title holds this
    filter: Option<String>,
    /// One line each
    #[arg(long)]
    short: bool,
    /// As JSON
    #[arg(long, conflicts_with = "short")]
    json: bool,
}

impl Metrics {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        // `ndcg@10:gain=linear` asks about ndcg.
        let filter = self.filter.as_deref().unwrap_or("").to_lowercase();
        let wanted = filter.split(['@', ':']).next().unwrap_or("");
        let rows: Vec<&MetricInfo> = METRICS
            .iter()
            .filter(|m| m.name.contains(wanted) || m.title.to_lowercase().contains(wanted))
            .collect();
        if rows.is_empty() {
            let hint = stakes::suggest::hint(wanted, METRICS.iter().map(|m| m.name));
            anyhow::bail!("no metric matches `{wanted}`; {hint}");
        }
        if self.json {
            let rows: Vec<_> = rows.iter().map(|m| json(m)).collect();
            return print_json(&rows);
        }
        let mut page = output::page();
        let mut family = None;
        for metric in rows {
            if family != Some(metric.family) {
                family = Some(metric.family);
                page.heading(metric.family.title());
            }
            describe(&mut page, metric, self.short);
        }
        if !self.short {
            page.gap();
            page.text("A metric is written name[@k][:key=value,key=value], several with commas:");
            page.hanging("  ", "rcs@10,ndcg@10:gain=linear,ties=stable,rcr@10(ndcg@5)");
            page.text(
                "k is a number, a percentage of the mean list length (12.5%), or for the cost \
                 metrics a range (10..40).",
            );
        }
        print_page(page)
    }
}

fn heading(metric: &MetricInfo) -> String {
    match metric.cutoff {
        CutoffUse::None => metric.name.to_owned(),
        CutoffUse::Optional => format!("{}[@k]", metric.name),
        CutoffUse::Required => format!("{}@k", metric.name),
    }
}

fn describe(page: &mut Page, metric: &MetricInfo, short: bool) {
    page.hanging(&pad(&format!("  {}", heading(metric)), NAME), metric.title);
    if short {
        return;
    }
    let direction = match metric.direction {
        Direction::Higher => "higher is better",
        Direction::Lower => "lower is better",
    };
    let mut line = |label: &str, what: &str| {
        page.hanging(&format!("{:NAME$}  {label:<11}", ""), what);
    };
    line("formula", metric.formula);
    line("over lists", &format!("{}; {direction}", metric.aggregate.describe()));
    if let Some(lists) = metric.left_out() {
        line("left out", lists);
    }
    for option in metric.options {
        let allowed = match option.allowed {
            Allowed::OneOf(names) => format!("{}; ", names.join(" | ")),
            Allowed::Number(..) | Allowed::Text => String::new(),
        };
        line("option", &format!("{}={} ({allowed}{})", option.key, option.default, option.help));
    }
    line("source", metric.citation);
}

fn json(metric: &MetricInfo) -> serde_json::Value {
    let options: Vec<_> = metric
        .options
        .iter()
        .map(|o| serde_json::json!({ "key": o.key, "default": o.default, "help": o.help }))
        .collect();
    serde_json::json!({
        "name": metric.name,
        "aliases": metric.aliases,
        "family": metric.family.title(),
        "title": metric.title,
        "formula": metric.formula,
        "citation": metric.citation,
        "higher_is_better": metric.direction == Direction::Higher,
        "over_lists": metric.aggregate.describe(),
        "left_out": metric.left_out(),
        "cutoff": match metric.cutoff {
            CutoffUse::None => "none",
            CutoffUse::Optional => "optional",
            CutoffUse::Required => "required",
        },
        "options": options,
    })
}
