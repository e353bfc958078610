//! The verdict in plain words.

use stakes_core::cost::Capacity;
use stakes_core::data::{Dataset, Role};
use stakes_core::display::{counted, nice_number};
use stakes_core::goal::{Goal, Reach};

use super::reached::{Question, Reached};
use crate::fit::Origin;
use crate::text::p_words;

/// A difference with a p at or above this may be chance.
const LEVEL: f64 = 0.05;

impl Question<'_> {
    /// The answer, a sentence at a time.
    pub(super) fn sentences(&self, reached: &Reached, acted_on: &str) -> Vec<String> {
        let Reached { model, now, difference, low, high, unit, .. } = reached;
        let amount = |value: f64| match self.amounts.money {
            // The unit is money.
            Some((_, 1.0)) => format!("{} {unit}", nice_number(value)),
            _ => nice_number(value),
        };
        let named = |value: f64| match self.amounts.money {
            Some((_, 1.0)) => amount(value),
            _ => format!("{} {unit}", nice_number(value)),
        };
        let as_now = match self.current {
            Some(current) if !current.is_random() => format!("by {}, as now, ", current.name),
            _ => "in a random order ".to_owned(),
        };
        let sign = if *difference < 0.0 { -1.0 } else { 1.0 };
        let ends = |factor: f64| {
            let (low, high) = low.zip(*high)?;
            let (low, high) = if sign < 0.0 { (-high, -low) } else { (low, high) };
            Some((factor * low, factor * high))
        };
        let interval = ends(1.0).map_or(String::new(), |(low, high)| {
            format!(" (95 % interval {} to {})", amount(low), amount(high))
        });
        let more = if sign < 0.0 { "less" } else { "more" };
        let mut words = vec![format!(
            "{acted_on} in {} by this model would have reached {}; {as_now}{}: {} {more}{interval}.",
            self.which_lists(),
            named(*model),
            amount(*now),
            amount(difference.abs()),
        )];
        if let Some((currency, worth)) = self.amounts.money.as_ref().filter(|(_, w)| *w != 1.0) {
            let interval = ends(*worth).map_or(String::new(), |(low, high)| {
                format!(" ({} to {})", nice_number(low), nice_number(high))
            });
            words.push(format!(
                "At {} {currency} each that is {} {currency} {more}{interval}.",
                nice_number(*worth),
                nice_number(worth * difference.abs()),
            ));
        }
        words.extend(conclusion(reached));
        words
    }

    /// `each of the 75 newest storms`, and when they were.
    fn which_lists(&self) -> String {
        let data = self.by.data();
        let lists = counted(data.n_lists(), &noun(data, Role::List, "list"));
        let count = nice_number(data.n_lists() as f64);
        let name = lists.strip_prefix(&count).unwrap_or(&lists).trim_start();
        let newest = if self.origin == Origin::Latest { "newest " } else { "" };
        let held_out = match self.origin {
            Origin::Drawn => " that were held out".to_owned(),
            Origin::Given => format!(" of {}", data.source()),
            _ => String::new(),
        };
        let each = match data.n_lists() {
            1 => format!("the {newest}{name}"),
            _ => format!("each of the {count} {newest}{name}"),
        };
        format!("{each}{held_out}{}", period(data))
    }
}

/// ` from 2015-03-01 to 2016-07-01`, where times are dates.
fn period(data: &Dataset) -> String {
    let Some(time) = data.time().filter(|time| time.has_dates()) else { return String::new() };
    let by_key = |a: &usize, b: &usize| time.keys()[*a].total_cmp(&time.keys()[*b]);
    let ends = ((0..data.len()).min_by(by_key), (0..data.len()).max_by(by_key));
    match ends {
        (Some(first), Some(last)) if time.text(first) == time.text(last) => {
            format!(" of {}", time.text(first))
        }
        (Some(first), Some(last)) => {
            format!(" from {} to {}", time.text(first), time.text(last))
        }
        _ => String::new(),
    }
}

/// `Acting on 10 networks`, `Spending 80`; `None` where actions reach everything.
pub(super) fn acted_on(goal: &Goal, data: &Dataset) -> Option<String> {
    let items = |k: usize| {
        let longest = data.lists().map(|items| items.len()).max()?;
        let noun = noun(data, Role::Id, "item");
        (k < longest).then(|| format!("Acting on {}", counted(k, &noun)))
    };
    match goal.reach {
        Reach::Money(money) => Some(format!("Spending {}", nice_number(money))),
        Reach::Items(capacity) => match capacity.resolve(data.mean_list_length()) {
            Capacity::Items(k) => items(k),
            Capacity::Range(..) | Capacity::All | Capacity::Percent(_) => None,
        },
    }
}

/// What the column of a role calls its things, if that is a word: `network`, `state` of `U.S._STATE`, `customer`
/// of `customer_id`.
pub fn noun(data: &Dataset, role: Role, usual: &str) -> String {
    const NO_NOUNS: [&str; 9] =
        ["id", "ids", "name", "code", "key", "number", "docid", "qid", "row"];
    let name = data.columns().role(role).unwrap_or_default().to_lowercase();
    let mut words = name.split(|c: char| !c.is_alphabetic());
    let noun = words.rfind(|word| word.chars().count() > 2 && !NO_NOUNS.contains(word));
    noun.unwrap_or(usual).to_owned()
}

/// Which of the two to rank by, if the present order is known. The test and the interval are made in different
/// ways; only what both show is beyond chance.
fn conclusion(reached: &Reached) -> Option<String> {
    let Reached { current, difference, low, high, p, .. } = reached;
    let current = current.as_ref()?;
    let includes_0 = low.zip(*high).is_some_and(|(low, high)| low <= 0.0 && 0.0 <= high);
    let chance = match *p >= LEVEL {
        true => Some(p_words(*p)),
        false => includes_0.then(|| "the interval includes 0".to_owned()),
    };
    Some(match chance {
        Some(why) => format!(
            "That may be chance ({why}): these lists do not show which of the two is better."
        ),
        None if *difference >= 0.0 => {
            format!(
                "So rank by the model: it reaches more than the present order by {current}, beyond chance."
            )
        }
        None => format!(
            "Keep the present order by {current}: the model reaches less ({}).",
            p_words(*p)
        ),
    })
}

#[cfg(test)]
mod tests {
    use stakes_core::data::{Columns, DatasetBuilder, Feature, Row};

    use super::*;

    #[test]
    fn only_what_test_and_interval_show_is_beyond_chance() {
        let says = |difference: f64, low: f64, high: f64, p: f64| {
            let reached = Reached {
                current: Some("customers".to_owned()),
                lists: 9,
                total: 100.0,
                model: 50.0 + difference,
                now: 50.0,
                difference,
                low: Some(low),
                high: Some(high),
                p,
                unit: "customers".to_owned(),
                sentences: Vec::new(),
                shares: Vec::new(),
            };
            conclusion(&reached).expect("the present order is known")
        };
        assert!(says(9.0, 1.0, 17.0, 0.01).starts_with("So rank by the model"));
        assert!(says(-9.0, -17.0, -1.0, 0.01).starts_with("Keep the present order by customers"));
        assert!(says(9.0, 1.0, 17.0, 0.07).contains("chance (p = 0.070)"));
        assert!(says(9.0, -1.0, 19.0, 0.04).contains("chance (the interval includes 0)"));
    }

    #[test]
    fn columns_name_their_things() {
        let noun_of = |name: &str| {
            let columns = Columns {
                id: Some(name.to_owned()),
                ..Columns::of_features(vec![Feature::numeric("x")])
            };
            let mut builder = DatasetBuilder::new("d.csv", columns).expect("columns");
            let row = Row { line: 2, id: Some("a"), features: &[1.0], ..Row::default() };
            builder.push(row).expect("a row");
            noun(&builder.finish().expect("data"), Role::Id, "item")
        };
        for (column, noun) in [
            ("network", "network"),
            ("U.S._STATE", "state"),
            ("customer_id", "customer"),
            ("Name", "item"),
            ("q1", "item"),
        ] {
            assert_eq!(noun_of(column), noun);
        }
    }
}
