//! Plain words for the usual metrics, for people who plan and do not study statistics.
//!
//! ```
//! use stakes::text::{Layout, Page, Words};
//! let page = Page::new(Layout { words: Words::PLAIN, ..Layout::default() });
//! assert_eq!(page.metric("rcs@10"), "cost saved");
//! assert_eq!(Page::new(Layout::default()).metric("rcs@10"), "rcs@10");
//! ```

use stakes_core::cost::{Capacity, Policy};
use stakes_core::display::{counted, nice_number};
use stakes_core::metric::Spec;

/// Which words a page uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Words {
    /// Whether the usual metrics are called by their names, such as rcs@10.
    pub metrics: bool,
    /// Whether it is said how intervals and tests are computed.
    pub statistics: bool,
}

impl Words {
    /// Names and methods.
    pub const EXACT: Words = Words { metrics: true, statistics: true };
    /// Neither.
    pub const PLAIN: Words = Words { metrics: false, statistics: false };
}

/// Metrics by name: plain words, and what they mean, with `{}` for what is done.
const PLAIN: [(&str, &str, &str); 3] = [
    ("rcs", "cost saved", "the share of the savable cost that {} saves"),
    ("r", "by list", "the mean over lists of the share of their savable cost that {} saves"),
    ("saved", "saved", "the cost that {} saves"),
];

fn row(metric: &str) -> Option<&'static (&'static str, &'static str, &'static str)> {
    let name = metric.split(['@', ':']).next()?;
    PLAIN.iter().find(|(known, ..)| *known == name)
}

/// What a metric is called in plain words, if it is one of the usual ones.
pub(super) fn plain_name(metric: &str) -> Option<&'static str> {
    row(metric).map(|(_, plain, _)| *plain)
}

/// What a metric measures, in plain words: `cost saved: the share of ...`.
pub(super) fn meaning(metric: &str) -> Option<String> {
    let (_, plain, means) = row(metric)?;
    let spec: Spec = metric.parse().ok()?;
    let done = match (spec.budget, spec.cutoff) {
        (Some(money), _) => format!("spending {} in each list", nice_number(money)),
        (None, Some(Capacity::Items(k))) => {
            format!("acting on {} of each list", counted(k, "item"))
        }
        (None, Some(k)) => format!("acting on {k} of each list"),
        (None, None) => "acting".to_owned(),
    };
    let counting = match (spec.budget, &spec.policy) {
        (None, None) if !matches!(spec.cutoff, Some(Capacity::Range(..))) => {
            ", earlier positions counting more".to_owned()
        }
        (None, Some(policy)) if *policy != Policy::Step => {
            format!(", positions counting by the policy {policy}")
        }
        _ => String::new(),
    };
    Some(format!("{plain}: {}{counting}", means.replace("{}", &done)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_metrics_in_plain_words() {
        let saved = "cost saved: the share of the savable cost that";
        for (metric, words) in [
            ("rcs@10", "acting on 10 items of each list saves, earlier positions counting more"),
            ("rcs@10:policy=step", "acting on 10 items of each list saves"),
            ("rcs:budget=80,ties=worst", "spending 80 in each list saves"),
            ("rcs@5..9", "acting on 5..9 of each list saves"),
        ] {
            assert_eq!(meaning(metric), Some(format!("{saved} {words}")));
        }
        for other in ["ndcg@10:gain=linear", "recall@3", "rcr@3(ndcg@3)"] {
            assert_eq!((plain_name(other), meaning(other)), (None, None));
        }
    }
}
