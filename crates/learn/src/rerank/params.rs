//! Parameters of exact re-ranking.

use stakes_core::metric::Spec;

use super::GIVEN;
use super::learner::ABOUT;
use crate::learner::Learner;
use crate::params::{AutoOr, Choice, ParamKind, ParamValue, Signs};
use crate::table;
use crate::{choice, params};

choice! {
    /// Which items of new lists are re-ranked.
    pub enum Threshold {
        /// By score if there was one list, else by count.
        Auto = "auto",
        /// Those above a base score.
        Score = "score",
        /// The same number of each list.
        Count = "count",
    }
}

choice! {
    /// Whether the base score is one of the inputs.
    pub enum WithBase {
        /// Unless the base is linear itself.
        Auto = "auto",
        /// Yes.
        Yes = "yes",
        /// No.
        No = "no",
    }
}

/// What scores all items before the first are re-ranked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Base {
    /// A learner of this name, which is trained with its default parameters.
    Learner(String),
    /// A trained model ([`FitContext::base`](crate::FitContext::base)).
    Given,
}

impl Base {
    /// The learner of a name, or what is allowed.
    pub(super) fn learner(name: &str) -> Result<Box<dyn Learner>, String> {
        let allowed = |why: &str| format!("a learner, or a model: {why}");
        if name == ABOUT.name || ABOUT.aliases.contains(&name) {
            return Err(allowed("this one needs a base itself"));
        }
        table::find(table::FAMILIES.iter(), name).map_err(|error| allowed(&error))
    }
}

impl ParamValue for Base {
    fn parse(text: &str, _: &ParamKind) -> Result<Self, String> {
        match text {
            GIVEN => Ok(Base::Given),
            name => Base::learner(name).map(|_| Base::Learner(name.to_owned())),
        }
    }

    fn text(&self) -> String {
        match self {
            Base::Learner(name) => name.clone(),
            Base::Given => GIVEN.to_owned(),
        }
    }
}

/// How many of the items that the base ranks first are re-ranked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Top {
    /// All of them.
    All,
    /// This many, 2 or more.
    Items(usize),
}

impl ParamValue for Top {
    fn parse(text: &str, kind: &ParamKind) -> Result<Self, String> {
        match text {
            "all" => Ok(Top::All),
            text => {
                let count = text.parse::<usize>().ok().filter(|count| *count >= 2);
                count.map(Top::Items).ok_or_else(|| kind.to_string())
            }
        }
    }

    fn text(&self) -> String {
        match self {
            Top::All => "all".into(),
            Top::Items(count) => count.to_string(),
        }
    }
}

params! {
    /// What is re-ranked, and what for.
    pub struct Stages {
        /// what scores all items before the first are re-ranked
        base: Base = Base::Learner("logistic".into()), Text("a learner, which is trained with its default parameters");
        /// how many of the items that the base ranks first are re-ranked
        top: Top = Top::Items(50), Text("a number of items, 2 or more, or all");
        /// which items of new lists are re-ranked: score: those above a base score; count: the same
        /// number of each list; auto: by score if there was one list, else by count
        threshold: Threshold = Threshold::Auto, Threshold::KIND;
        /// whether the base score is one of the inputs, so that the base order can only improve;
        /// auto: unless the base is linear itself
        with_base: WithBase = WithBase::Auto, WithBase::KIND;
        /// what is maximised on the training lists
        objective: AutoOr<Spec> = AutoOr::Auto, Auto(&Text("a metric"), "auto (the goal's metric, or R_CS@k), or a sum over ranks such as rcs@10");
    }
}

params! {
    /// Constraints on weights.
    pub struct WeightRules {
        /// sign constraints on weights: + (>= 0) or - (<= 0)
        signs: Signs = Signs::default(), Text("none, or a list such as wind=+,age=-");
        /// maximum number of weights other than 0; 0: no limit
        at_most: usize = 0, Whole(0, 1_000_000);
        /// weights are whole numbers from minus to plus this, per unit of a feature; 0: any numbers
        points: usize = 0, Whole(0, 1_000_000);
        /// penalty on the objective for each weight other than 0
        penalty: f64 = 0.0, Number(0.0, 1e9);
    }
}

choice! {
    /// How the bound is proven.
    pub enum Method {
        /// What suits the problem.
        Auto = "auto",
        /// Branch and bound over cones of weights.
        Cones = "cones",
        /// A mixed-integer program over levels of gain.
        Levels = "levels",
        /// The mixed-integer program Subrank.
        Subrank = "subrank",
        /// The mixed-integer program ResolvedRank.
        Resolved = "resolved",
        /// Not at all.
        Search = "search",
    }
}

choice! {
    /// The solver of mixed-integer programs.
    pub enum SolverName {
        /// The first of this build.
        Auto = "auto",
        /// HiGHS.
        Highs = "highs",
        /// microlp.
        Microlp = "microlp",
    }
}

/// A wall-clock limit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TimeLimit {
    /// 60 seconds; none where nodes are limited.
    Auto,
    /// No limit.
    None,
    /// This many seconds.
    Seconds(f64),
}

impl ParamValue for TimeLimit {
    fn parse(text: &str, kind: &ParamKind) -> Result<Self, String> {
        match text {
            "auto" => Ok(TimeLimit::Auto),
            "none" => Ok(TimeLimit::None),
            text => {
                let seconds = text.parse::<f64>().ok().filter(|s| *s > 0.0 && s.is_finite());
                seconds.map(TimeLimit::Seconds).ok_or_else(|| kind.to_string())
            }
        }
    }

    fn text(&self) -> String {
        match self {
            TimeLimit::Auto => "auto".into(),
            TimeLimit::None => "none".into(),
            TimeLimit::Seconds(seconds) => seconds.to_string(),
        }
    }
}

params! {
    /// How the best weights are searched for.
    pub struct SearchParams {
        /// wall-clock limit in seconds; what is found within a time depends on the machine
        time_limit: TimeLimit = TimeLimit::Auto, Text("a number of seconds above 0, none, or auto (60, none with nodes)");
        /// maximum number of subproblems: a limit that means the same everywhere; 0: no limit
        nodes: usize = 0, Whole(0, 1 << 53);
        /// a relative distance between value and bound that is small enough
        gap: f64 = 1e-9, Number(0.0, 1.0);
        /// by how much scores must differ in programs (method levels, subrank, resolved)
        margin: f64 = 0.0001, Above0(1.0);
        /// how the bound is proven; search: not at all
        method: Method = Method::Auto, Method::KIND;
        /// which solver solves the programs of levels, subrank and resolved
        solver: SolverName = SolverName::Auto, SolverName::KIND;
    }
}
