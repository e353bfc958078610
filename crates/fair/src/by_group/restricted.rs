//! Lists without those who are not in the group.

use stakes_core::data::ListView;
use stakes_core::metric::{EvaluateError, Evaluation, Metric, Part, evaluate_lists};

/// Lists that are restricted to some of their items.
pub(super) struct Restricted {
    /// Items of each list that are kept, by their number in it.
    pub(super) members: Vec<Vec<usize>>,
    impact: Vec<f64>,
    cost: Vec<f64>,
    weight: Option<Vec<f64>>,
    price: Option<Vec<f64>>,
    scores: Vec<f64>,
}

impl Restricted {
    pub(super) fn new(
        lists: &[ListView<'_>],
        scores: &[f64],
        codes: &[u32],
        keep: &dyn Fn(u32) -> bool,
    ) -> Self {
        let has = |part: fn(&ListView<'_>) -> bool| lists.first().is_some_and(part);
        let mut found = Restricted {
            members: Vec::with_capacity(lists.len()),
            impact: Vec::new(),
            cost: Vec::new(),
            weight: has(|list| list.weight.is_some()).then(Vec::new),
            price: has(|list| list.price.is_some()).then(Vec::new),
            scores: Vec::new(),
        };
        let mut start = 0;
        for list in lists {
            let members: Vec<usize> =
                (0..list.len()).filter(|&item| keep(codes[start + item])).collect();
            for &item in &members {
                found.impact.push(list.impact[item]);
                found.cost.push(list.cost[item]);
                found.scores.push(scores[start + item]);
                if let (Some(into), Some(of)) = (&mut found.weight, list.weight) {
                    into.push(of[item]);
                }
                if let (Some(into), Some(of)) = (&mut found.price, list.price) {
                    into.push(of[item]);
                }
            }
            start += list.len();
            found.members.push(members);
        }
        found
    }

    /// The figure, and the parts of all lists: those without members have an empty one.
    pub(super) fn evaluate(
        &self,
        metric: &Metric,
    ) -> Result<(Evaluation, Vec<Part>), EvaluateError> {
        let (mut views, mut start) = (Vec::new(), 0);
        for members in self.members.iter().filter(|members| !members.is_empty()) {
            let items = start..start + members.len();
            views.push(ListView {
                impact: &self.impact[items.clone()],
                cost: &self.cost[items.clone()],
                weight: self.weight.as_ref().map(|weight| &weight[items.clone()]),
                price: self.price.as_ref().map(|price| &price[items.clone()]),
            });
            start = items.end;
        }
        let found = evaluate_lists(metric, &views, &self.scores)?;
        let mut known = found.parts.iter().copied();
        let parts = self.members.iter().map(|members| match members.is_empty() {
            true => Part::EMPTY,
            false => known.next().unwrap_or(Part::EMPTY),
        });
        let parts = parts.collect();
        Ok((found, parts))
    }
}
