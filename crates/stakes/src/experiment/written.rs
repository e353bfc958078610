//! A comparison as CSV, LaTeX and SVG. None of them holds times: the same run gives the same bytes.

use std::fmt::Write;

use stakes_eval::picture::{IntervalRow, intervals_svg};

use super::table::{in_order, metric_names};
use super::{Compared, Figure, Part};
use crate::text::csv_cell;

impl Compared {
    /// One line per contestant and metric.
    pub fn csv(&self) -> String {
        let mut text = String::from("contestant,part,metric,value,low,high,mean_over_folds,lists");
        for fold in &self.folds {
            let _ = write!(text, ",{}", csv_cell(&fold.label));
        }
        text.push('\n');
        for entrant in in_order(self) {
            for metric in metric_names(self) {
                let Some(figure) = self.figure(&entrant.name, metric) else { continue };
                let part = match entrant.part {
                    Part::Learner => "learner",
                    Part::Score => "score",
                    Part::Current => "current",
                    Part::Reference => "reference",
                };
                let Figure { value, low, high, mean_over_folds, by_fold, lists, .. } = figure;
                let _ = write!(text, "{},{part},{}", csv_cell(&entrant.name), csv_cell(metric));
                for number in [value, low, high, mean_over_folds] {
                    let _ = write!(text, ",{}", written(*number));
                }
                let _ = write!(text, ",{lists}");
                for number in by_fold {
                    let _ = write!(text, ",{}", written(*number));
                }
                text.push('\n');
            }
        }
        text
    }

    /// A table for a paper that loads `booktabs`; the best figures in bold, those that cannot be told apart
    /// from it by the same metric in italics.
    pub fn latex(&self) -> String {
        let metrics: Vec<&str> =
            metric_names(self).into_iter().filter(|name| *name != self.settings.saved).collect();
        let header: Vec<String> = metrics.iter().map(|name| escaped(name)).collect();
        let mut text = format!(
            "\\begin{{tabular}}{{l{}}}\n\\toprule\ncontestant & {} \\\\\n\\midrule\n",
            "r".repeat(metrics.len()),
            header.join(" & ")
        );
        let mut chosen = true;
        for entrant in in_order(self) {
            let is_chosen = matches!(entrant.part, Part::Learner | Part::Score);
            if std::mem::replace(&mut chosen, is_chosen) && !is_chosen {
                text.push_str("\\midrule\n");
            }
            text += &escaped(&entrant.shown);
            for metric in &metrics {
                let figure = self.figure(&entrant.name, metric);
                let _ = write!(text, " & {}", self.latex_figure(figure));
            }
            text.push_str(" \\\\\n");
        }
        text + "\\bottomrule\n\\end{tabular}\n"
    }

    fn latex_figure(&self, figure: Option<&Figure>) -> String {
        let Some((figure, value)) = figure.and_then(|figure| Some((figure, figure.value?))) else {
            return "--".to_owned();
        };
        let of_figure = |versus: &&super::Versus| {
            versus.metric == figure.metric
                && versus.contestant == figure.contestant
                && versus.against == self.best
        };
        let versus = self.comparisons.iter().find(of_figure);
        let number = match versus {
            _ if figure.contestant == self.best => format!("\\textbf{{{value:.4}}}"),
            Some(versus) if versus.p_adjusted >= super::verdict::LEVEL => {
                format!("\\textit{{{value:.4}}}")
            }
            _ => format!("{value:.4}"),
        };
        match figure.low.zip(figure.high) {
            Some((low, high)) => format!("{number} {{\\footnotesize [{low:.4}, {high:.4}]}}"),
            None => number,
        }
    }

    /// The figures of the goal's metric with their intervals.
    pub fn svg(&self) -> String {
        let row = |entrant: &&super::Entrant| {
            let figure = self.figure(&entrant.name, &self.settings.metric)?;
            Some(IntervalRow {
                name: entrant.shown.clone(),
                value: figure.value?,
                interval: figure.low.zip(figure.high),
                reference: !matches!(entrant.part, Part::Learner | Part::Score),
            })
        };
        let rows: Vec<IntervalRow> = in_order(self).iter().filter_map(row).collect();
        let axis = format!("{} on the test lists", self.settings.metric);
        intervals_svg(&rows, &axis, &format!("{}: contestants compared", self.data.source))
    }
}

pub(super) fn written(number: Option<f64>) -> String {
    number.map_or(String::new(), |number| number.to_string())
}

fn escaped(text: &str) -> String {
    crate::text::latex(text)
}
