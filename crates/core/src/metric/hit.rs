//! Whether the costliest item is first: the aim of multiple instance ranking (McBride et al. 2019, section 2).
//!
//! Equal scores get the mean over their orders: 1/size if one of them is the costliest. A list whose items all
//! cost the same has no value. Example: the two storms of McBride et al. 2019, figure 2: by cable the first is
//! a hit and the second is not, by wind the other way round: 0.5 and 0.5.

use std::borrow::Cow;

use super::additive::{Additive, LabelGain};
use super::pairs::NoValue;
use super::{ListMetric, Options, Rule, SpecError};
use crate::data::ListView;
use crate::rank::TieRule;

struct Hit;

pub(super) fn build(_options: &Options<'_>) -> Result<Box<dyn Rule>, SpecError> {
    Ok(Box::new(Hit))
}

impl Rule for Hit {
    fn prepare<'l>(&'l self, list: &ListView<'l>) -> Box<dyn ListMetric + 'l> {
        let largest = list.cost.iter().copied().fold(0.0, f64::max);
        if list.cost.iter().all(|cost| *cost == largest) {
            return Box::new(NoValue);
        }
        let costliest = LabelGain::Above(largest.next_down());
        Box::new(Additive::new(list.cost, costliest, Cow::Borrowed(&[1.0]), TieRule::Expected))
    }

    fn ideal_scores<'l>(&self, list: &ListView<'l>) -> Cow<'l, [f64]> {
        Cow::Borrowed(list.cost)
    }
}
