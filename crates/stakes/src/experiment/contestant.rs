//! Who is compared: learners that are trained in every fold, scores from elsewhere, the present order, and
//! the reference orders that stand beside all of them.

use serde::Serialize;
use stakes_core::data::Dataset;
use stakes_core::metric::split_specs;
use stakes_eval::study::{BEST_FEATURE, IDEAL, RANDOM, Scores};
use stakes_learn::{Configured, Kind, Learner, learner, learners};

use crate::Error;
use crate::evaluate::scores;

/// The name of the present order.
pub const CURRENT: &str = "current";
/// All learners, where names are expected.
pub const ALL: &str = "all";
/// Learners that are always compared: a linear regression, and two plain regressions of heavy-tailed costs.
pub const COMPANIONS: [&str; 3] = ["ridge", "two-part", "tweedie-mart"];

/// The names of reference orders.
const REFERENCES: [&str; 3] = [RANDOM, IDEAL, BEST_FEATURE];

/// Somebody or something that orders the items of the test lists.
#[derive(Debug, Clone)]
pub struct Contestant {
    /// The name in tables and files.
    pub name: String,
    /// Where its orders come from.
    pub order: Order,
    /// Whether it may be left out if it cannot learn these data.
    pub optional: bool,
}

/// Where the orders of a contestant come from.
#[derive(Debug, Clone)]
pub enum Order {
    /// A learner, trained in each fold.
    Learner(Configured),
    /// A score for each item of the data, whoever computed it.
    Scores(Vec<f64>),
    /// The order that is acted by at present: a column, and its scores of all items.
    Current(String, Vec<f64>),
    /// The single feature that is best on the training lists of a fold.
    BestFeature,
    /// A random order.
    Random,
    /// The best order that there is.
    Ideal,
}

/// What a contestant is, in results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// A learner.
    Learner,
    /// Scores that were given.
    Score,
    /// The present order.
    Current,
    /// An order to compare with: random, ideal, best single feature.
    Reference,
}

impl Contestant {
    /// A learner by text: its name, and what is set after a colon: `cs-mart:leaves=8,rounds=50`.
    pub fn learner(text: &str) -> Result<Self, Error> {
        let (name, settings) = text.split_once(':').unwrap_or((text, ""));
        let learner = learner(name.trim()).map_err(Error::UnknownLearner)?;
        let name = match settings.trim() {
            "" => learner.name().to_owned(),
            settings => format!("{}:{settings}", learner.name()),
        };
        let pairs = settings.split(',').map(str::trim).filter(|pair| !pair.is_empty());
        let pairs = pairs.map(|pair| pair.split_once('=').ok_or_else(|| bad_setting(text, pair)));
        let pairs = pairs.collect::<Result<Vec<_>, _>>()?;
        let configured = Configured::new(learner, pairs)?;
        Ok(Contestant { name, order: Order::Learner(configured), optional: false })
    }

    /// Learners by text, separated by commas; `all` stands for every learner that is trained by itself.
    pub fn learners(text: &str) -> Result<Vec<Self>, Error> {
        let mut found: Vec<Contestant> = Vec::new();
        for text in split_specs(text) {
            let new = match text.trim() {
                ALL => all(),
                text => vec![Contestant::learner(text)?],
            };
            // What is named beside `all` is one of them.
            found.retain(|known| !known.optional || new.iter().all(|new| new.name != known.name));
            let known = |new: &Contestant| found.iter().any(|known| known.name == new.name);
            let new: Vec<Contestant> =
                new.into_iter().filter(|new| !(new.optional && known(new))).collect();
            found.extend(new);
        }
        Ok(found)
    }

    /// Any learner, for instance your own, with the parameters that it has.
    pub fn own_learner(name: &str, learner: Box<dyn Learner>) -> Self {
        let order = Order::Learner(Configured::from(learner));
        Contestant { name: name.to_owned(), order, optional: false }
    }

    /// Scores of all items.
    pub fn scores(scores: Scores) -> Self {
        let Scores { name, values } = scores;
        Contestant { name, order: Order::Scores(values), optional: false }
    }

    /// The order that is acted by at present: a column, highest first; `-age` is by ascending age.
    pub fn current(data: &Dataset, column: &str) -> Result<Self, Error> {
        let score = scores::column(data, column)?;
        scores::check_finite(data, &score)?;
        let order = Order::Current(column.to_owned(), score.values);
        Ok(Contestant { name: CURRENT.to_owned(), order, optional: false })
    }

    fn reference(name: &str, order: Order) -> Self {
        Contestant { name: name.to_owned(), order, optional: true }
    }

    /// What it is.
    pub fn part(&self) -> Part {
        match self.order {
            Order::Learner(_) => Part::Learner,
            Order::Scores(_) => Part::Score,
            Order::Current(..) => Part::Current,
            Order::BestFeature | Order::Random | Order::Ideal => Part::Reference,
        }
    }

    /// Whether something is made of the training lists of each fold.
    pub(super) fn is_trained(&self) -> bool {
        matches!(self.order, Order::Learner(_) | Order::BestFeature)
    }

    /// What it is called in sentences and tables.
    pub fn shown(&self) -> String {
        match &self.order {
            Order::Current(column, _) => match column.strip_prefix('-') {
                Some(column) => format!("today's order by ascending {column}"),
                None => format!("today's order by {column}"),
            },
            _ => crate::evaluate::shown(&self.name).to_owned(),
        }
    }
}

fn bad_setting(text: &str, pair: &str) -> Error {
    Error::Contestant(format!(
        "`{text}`: `{pair}` is not a setting; a learner with settings is NAME:key=value,key=value, such as \
         cs-mart:leaves=8,rounds=50"
    ))
}

fn all() -> Vec<Contestant> {
    // Re-ranking is a second step after another learner, and ends by the clock. Reference orders are there
    // without being named.
    let is_reference = |name: &str| REFERENCES.contains(&name);
    let alone = learners()
        .filter(|learner| learner.kind() != Kind::Rerank && !is_reference(learner.name()));
    let optional = |learner: Box<dyn Learner>| Contestant {
        optional: true,
        ..Contestant::own_learner(learner.name(), learner)
    };
    alone.map(optional).collect()
}

/// Adds what is always compared, and refuses names that are used twice or reserved.
pub(super) fn complete(given: &[Contestant]) -> Result<Vec<Contestant>, Error> {
    let mut all = given.to_vec();
    // The present order stands beside the references.
    all.sort_by_key(|contestant| contestant.part() == Part::Current);
    for (i, contestant) in all.iter().enumerate() {
        let name = &contestant.name;
        let is_current = contestant.part() == Part::Current;
        if REFERENCES.contains(&name.as_str()) || (name == CURRENT) != is_current {
            return Err(Error::ReservedScore { name: name.clone() });
        }
        if all[..i].iter().any(|other| other.name == *name) {
            return Err(Error::ContestantTwice { name: name.clone() });
        }
    }
    let at = all.iter().position(|c| c.part() == Part::Current).unwrap_or(all.len());
    let missing = COMPANIONS.iter().filter(|name| !given.iter().any(|c| c.name == **name));
    let companions = missing
        .map(|name| Ok(Contestant { optional: true, ..Contestant::learner(name)? }))
        .collect::<Result<Vec<_>, Error>>()?;
    all.splice(at..at, companions);
    all.push(Contestant::reference(BEST_FEATURE, Order::BestFeature));
    all.push(Contestant::reference(RANDOM, Order::Random));
    all.push(Contestant::reference(IDEAL, Order::Ideal));
    Ok(all)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn names(contestants: &[Contestant]) -> Vec<&str> {
        contestants.iter().map(|c| c.name.as_str()).collect()
    }

    #[test]
    fn texts_name_learners_and_their_settings() {
        let found = Contestant::learners("cs-mart,cs-mart:leaves=8,rounds=9,ridge").unwrap();
        assert_eq!(names(&found), ["cs-mart", "cs-mart:leaves=8,rounds=9", "ridge"]);
        let Order::Learner(configured) = &found[1].order else { panic!("no learner") };
        assert_eq!(configured.learner.texts()["rounds"], "9");
        let paper = Contestant::learner("cs-mart:preset=paper,rounds=9").unwrap();
        let Order::Learner(configured) = &paper.order else { panic!("no learner") };
        let texts = configured.learner.texts();
        assert_eq!([&texts["start"], &texts["leaves"], &texts["rounds"]], ["none", "10", "9"]);
        let all = Contestant::learners("all,ridge").unwrap();
        assert!(all.len() > 25 && complete(&all).is_ok());
        assert!(all.iter().all(|c| c.optional == (c.name != "ridge")));
        for bad in [
            "cs-martt",
            "cs-mart:leaves",
            "cs-mart:leafs=3",
            "cs-mart:leaves=x",
            "ridge:preset=paper",
            "",
        ] {
            assert!(Contestant::learners(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn names_are_different_and_not_reserved() {
        let scores =
            |name: &str| Contestant::scores(Scores { name: name.into(), values: Vec::new() });
        let ridge = || Contestant::learner("ridge").unwrap();
        let all = complete(&[ridge(), scores("vendor")]).unwrap();
        let expected =
            ["ridge", "vendor", "two-part", "tweedie-mart", "best-feature", "random", "ideal"];
        assert_eq!(names(&all), expected);
        assert!(complete(&[ridge(), ridge()]).is_err());
        assert!(complete(&[scores("ideal")]).is_err() && complete(&[scores("current")]).is_err());
    }
}
