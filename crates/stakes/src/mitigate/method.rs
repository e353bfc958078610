//! The ways to mitigate, and what their strengths mean.

use std::fmt;
use std::str::FromStr;

use stakes_core::suggest;

/// A way to mitigate how an order treats a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Members weigh more in training.
    Reweigh,
    /// Pairs with members cost more in training (Salomon 2020, section 4.3.3).
    PairCosts,
    /// Groups choose weak rankers in training (Salomon 2020, section 2.2.5).
    Preference,
    /// Pairs across groups cost more in training, until a bound on unequal errors holds (Agarwal et al. 2018).
    Reduction,
    /// Unequal places of the group are penalised in training.
    Penalty,
    /// Every prefix of a list holds a minimum share of members (Zehlike et al. 2017).
    MinShare,
    /// The group has its own cut-off among the first k.
    Thresholds,
}

/// A row of the table of methods.
#[derive(Debug, Clone, Copy)]
pub struct MethodInfo {
    /// The method.
    pub method: Method,
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub title: &'static str,
    /// What the strength is.
    pub strength: &'static str,
    /// The strength that changes nothing.
    pub none: f64,
    /// The largest strength.
    pub most: f64,
    /// The strengths if none are given.
    pub usual: &'static [f64],
    /// Whether a model is trained for every strength; otherwise one is trained and its order changed.
    pub trains: bool,
    /// The learner if none is given.
    pub learner: &'static str,
}

/// All methods.
pub const METHODS: [MethodInfo; 7] = [
    MethodInfo {
        method: Method::Reweigh,
        name: "reweigh",
        title: "members weigh more in training",
        strength: "how many times as much a member weighs",
        none: 1.0,
        most: 1e6,
        usual: &[1.0, 2.0, 5.0],
        trains: true,
        learner: "two-part",
    },
    MethodInfo {
        method: Method::PairCosts,
        name: "pair-costs",
        title: "pairs with a member cost more in training",
        strength: "how many times as much such a pair costs",
        none: 1.0,
        most: 1e6,
        usual: &[1.0, 2.0, 5.0],
        trains: true,
        learner: "cs-rankboost+",
    },
    MethodInfo {
        method: Method::Preference,
        name: "preference",
        title: "groups choose weak rankers in training",
        strength: "how far groups have their way",
        none: 0.0,
        most: 1.0,
        usual: &[0.0, 0.2, 0.5, 0.8],
        trains: true,
        learner: "preference-rankboost",
    },
    MethodInfo {
        method: Method::Reduction,
        name: "reduction",
        title: "pairs across groups cost more in training, until errors are as even as asked",
        strength: "the part of the difference of errors (rank-equality) on training lists that has to go",
        none: 0.0,
        most: 1.0,
        usual: &[0.0, 0.5, 0.8, 1.0],
        trains: true,
        learner: "cs-rankboost+",
    },
    MethodInfo {
        method: Method::Penalty,
        name: "penalty",
        title: "unequal places of the group are penalised in training",
        strength: "the penalty of pairs across groups beside the loss",
        none: 0.0,
        most: 1e6,
        usual: &[0.0, 1.0, 2.0, 5.0],
        trains: true,
        learner: "cs-mart",
    },
    MethodInfo {
        method: Method::MinShare,
        name: "min-share",
        title: "every prefix of a list holds a minimum share of members",
        strength: "the minimum, as a part of the group's share of the list",
        none: 0.0,
        most: 1e6,
        usual: &[0.0, 0.5, 0.8, 1.0],
        trains: false,
        learner: "two-part",
    },
    MethodInfo {
        method: Method::Thresholds,
        name: "thresholds",
        title: "the group has its own cut-off among the first k",
        strength: "the members among the first k, as a part of the group's share of the list",
        none: 0.0,
        most: 1e6,
        usual: &[0.0, 0.5, 0.8, 1.0],
        trains: false,
        learner: "two-part",
    },
];

impl Method {
    /// The learners that it goes with; any, if there are none.
    pub fn learners(self) -> &'static [&'static str] {
        match self {
            Method::PairCosts => &["cs-rankboost", "cs-rankboost+"],
            Method::Preference => &["preference-rankboost"],
            Method::Reduction => &["cs-rankboost", "cs-rankboost+", "cs-mart"],
            Method::Penalty => &["cs-mart"],
            Method::Reweigh | Method::MinShare | Method::Thresholds => &[],
        }
    }

    /// The row of the table.
    pub fn info(self) -> &'static MethodInfo {
        // Every method has a row.
        METHODS.iter().find(|info| info.method == self).unwrap_or(&METHODS[0])
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.info().name)
    }
}

impl FromStr for Method {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = METHODS.iter().find(|info| info.name == text).map(|info| info.method);
        found.ok_or_else(|| {
            let hint = suggest::hint(text, METHODS.map(|info| info.name));
            format!("there is no method `{text}`; {hint}")
        })
    }
}
