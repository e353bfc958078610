//! What theory says of a model's loss on new pairs, in words, with its parts.

use stakes::model::{Bound, BoundPart};

use crate::terminal::output::counted;

/// A bound, line by line.
pub(super) fn words(bound: &Bound) -> Vec<String> {
    let (percent, loss, gap) = (100.0 * bound.confidence, bound.loss, bound.gap());
    let says = match bound.is_informative() {
        true => format!("so it is at most {:.4}", loss + gap),
        false => "which says nothing: no loss is above 1".to_owned(),
    };
    let mut lines = vec![format!(
        "with confidence {percent:.0} % the rank loss (R2) on new pairs is within {gap:.4} of the \
         {loss:.4} on training pairs, {says}"
    )];
    let rankers = counted(bound.rankers as usize, "weak ranker");
    lines.push(format!(
        "by {rankers} of VC dimension {} at most (Freund et al., 2003; Salomon, 2020, 3.3.2)",
        bound.dimension
    ));
    lines.extend(bound.parts.iter().map(part));
    lines
}

fn part(part: &BoundPart) -> String {
    let BoundPart { pairs, cost, better, worse, complexity, gap } = part;
    let which = match pairs.as_str() {
        "all" => "all pairs".to_owned(),
        class => format!("pairs of {class} cost, up to {cost:.4} times the mean"),
    };
    format!(
        "{gap:.4} from {which}: {} and {} against a complexity of {complexity:.0}",
        counted(*better as usize, "better item"),
        counted(*worse as usize, "worse item")
    )
}
