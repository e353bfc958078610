//! Boosted trees for your own loss.

use std::sync::Arc;

use stakes_model::{Link, Scorer};

use super::{Boosting, Trees, boosting_pace};
use crate::error::FitError;
use crate::learner::{About, Learner, grows_trees};
use crate::loss::Loss;
use crate::run::Run;

/// Boosted trees that minimise any [`Loss`], for example your own.
#[derive(Clone)]
pub struct BoostedTrees {
    /// What is minimised.
    pub loss: Arc<dyn Loss>,
    /// What is done with the sum of trees; the identity for a loss of orders.
    pub link: Link,
    /// How trees are grown.
    pub trees: Trees,
    /// How they are added up.
    pub boosting: Boosting,
}

impl BoostedTrees {
    /// Boosted trees with default parameters that minimise this loss.
    pub fn new(loss: impl Loss + 'static) -> Self {
        BoostedTrees {
            loss: Arc::new(loss),
            link: Link::Identity,
            trees: Trees::default(),
            boosting: Boosting::default(),
        }
    }
}

impl std::fmt::Debug for BoostedTrees {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let BoostedTrees { link, trees, boosting, .. } = self;
        f.debug_struct("BoostedTrees")
            .field("link", link)
            .field("trees", trees)
            .field("boosting", boosting)
            .finish_non_exhaustive()
    }
}

const ABOUT: About = About {
    name: "boosted-trees",
    title: "boosted trees for a custom loss",
    optimises: "the given loss",
    citation: "Friedman 2001, Greedy Function Approximation",
    cost_mode: "that of the loss",
    random: true,
    ..About::PLAIN
};

impl Learner for BoostedTrees {
    fn about(&self) -> &About {
        &ABOUT
    }

    crate::parameters!(trees, boosting);
    grows_trees!(Differences);
    boosting_pace!();

    fn fit_run(&self, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
        self.boosting.fit(run, self.link, 1.0, &*self.loss)
    }
}
