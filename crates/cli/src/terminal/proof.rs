//! The exact search in words: its progress and its result.

use stakes::exact::{Progress, gap};
use stakes::learn::Model;
use stakes::model::{Input, Net, Proof, ProofEnd, RerankScope};
use stakes::text::{cut, pad, percent, width as columns};

use super::output::counted;

/// A figure of a metric, to seven digits.
pub(crate) fn figure(value: f64) -> String {
    const DIGITS: i32 = 7;
    let size = value.abs();
    if size != 0.0 && !(1e-4..1e10).contains(&size) {
        return format!("{value:.6e}");
    }
    let whole = size.max(1.0).log10().floor() as i32 + 1;
    match (DIGITS - whole).max(0) as usize {
        0 => format!("{value:.0}"),
        decimals => {
            let text = format!("{value:.decimals$}");
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
    }
}

/// Incumbent, bound and gap, as they are now.
pub(crate) fn progress(progress: &Progress) -> String {
    let Progress { seconds, incumbent, bound, nodes } = *progress;
    if !incumbent.is_finite() {
        return format!("nothing found yet, bound {bound:.5}, {seconds:.0} s");
    }
    format!(
        "best {incumbent:.5}, bound {bound:.5}, gap {}, {}, {seconds:.0} s",
        percent(gap(incumbent, bound)),
        counted(nodes as usize, "node")
    )
}

/// Why the search ended, in words.
pub(crate) fn ended(proof: &Proof) -> &'static str {
    match (proof.ended, proof.seconds) {
        (ProofEnd::Proven, _) if proof.gap() > 1e-6 => "proven up to the gap that was asked for",
        (ProofEnd::Proven, _) => "proven: no allowed weights are better",
        (ProofEnd::OutOfReach, _) => {
            "not proven: too many inputs for a proof, or whole numbers (try -p method=levels)"
        }
        (ProofEnd::Interrupted, _) => "interrupted: not proven",
        (ProofEnd::Limit, _) if proof.method == "search" => {
            "not proven: only a search was asked for"
        }
        (ProofEnd::Limit, Some(_)) => "time limit reached: not proven",
        (ProofEnd::Limit, None) => "limit reached: not proven",
    }
}

/// What was solved in place of the program that was asked for.
pub(crate) fn replaced(proof: &Proof, model: &Model) -> Option<&'static str> {
    let asked = model.parameters.get("method").is_some_and(|method| method == "subrank");
    let is_other = proof.formulation.as_deref().is_some_and(|solved| solved != "subrank");
    (asked && is_other).then_some(
        "ResolvedRank was solved instead of Subrank, whose bound does not hold with a penalty, few \
         weights, points, or items with the same features",
    )
}

/// The program and the solver that proved the bound, or another method.
pub(crate) fn method(proof: &Proof) -> String {
    match &proof.formulation {
        Some(program) => format!("{program} ({})", proof.method),
        None => proof.method.clone(),
    }
}

/// The result of the search, line by line.
pub(crate) fn proof(proof: &Proof, model: &Model, seconds: Option<f64>) -> Vec<String> {
    let (value, bound) = (figure(proof.value), figure(proof.bound));
    let found = match proof.penalty > 0.0 {
        true => {
            let alone = figure(proof.objective_value());
            format!("{alone} found; less the penalty of the weights {value}")
        }
        false => format!("{value} found"),
    };
    let time = match seconds.or(proof.seconds) {
        Some(seconds) => format!("{seconds:.1} s, "),
        None => String::new(),
    };
    let mut lines = vec![
        format!(
            "{}: {found}, at most {bound} (gap {}); the base order has {}",
            proof.objective,
            percent(proof.gap()),
            figure(proof.before)
        ),
        ended(proof).to_owned(),
        format!("{time}{}, method {}", nodes(proof), method(proof)),
    ];
    lines.extend(replaced(proof, model).map(str::to_owned));
    lines
}

/// The number of subproblems.
pub(crate) fn nodes(proof: &Proof) -> String {
    counted(proof.nodes as usize, "node")
}

/// The items that are re-ranked, in words.
pub(crate) fn above(above: RerankScope) -> String {
    match above {
        RerankScope::All => "all items".into(),
        RerankScope::Score(threshold) => {
            format!("items whose base score is above {}", figure(threshold))
        }
        RerankScope::First(count) => format!("the first {count} items of each list"),
    }
}

/// The weights of a linear score, the largest first, a line of at most `width` columns each.
pub(crate) fn weights(
    net: &Net,
    names: &[stakes::model::ModelFeature],
    width: usize,
) -> Vec<String> {
    let Some(layer) = net.layers.last() else { return Vec::new() };
    let name = |input: &Input| match *input {
        Input::Number { feature, deviation: 1.0, .. } => {
            (names[feature as usize].name.clone(), "per unit")
        }
        Input::Number { feature, .. } => {
            (names[feature as usize].name.clone(), "per standard deviation")
        }
        Input::Missing { feature } => (format!("{} is missing", names[feature as usize].name), ""),
        Input::Category { feature, code } => {
            let feature = &names[feature as usize];
            let category = feature.categories.as_ref().and_then(|all| all.get(code as usize));
            (format!("{} = {}", feature.name, category.map_or("?", String::as_str)), "")
        }
        Input::Draw { .. } => ("random".into(), ""),
    };
    let mut used: Vec<(String, &str, f64)> = net
        .inputs
        .iter()
        .zip(&layer.weights)
        .filter(|(_, weight)| **weight != 0.0)
        .map(|(input, weight)| (name(input).0, name(input).1, *weight))
        .collect();
    used.sort_by(|a, b| b.2.abs().total_cmp(&a.2.abs()).then(a.0.cmp(&b.0)));
    let most = width.saturating_sub("  -1.234567e-12 per standard deviation".len());
    let wide = used.iter().map(|(name, ..)| columns(name)).max().unwrap_or(0).min(most);
    let line = |(name, unit, weight): &(String, &str, f64)| {
        let name = pad(&cut(name, wide), wide);
        format!("{name}  {:>12} {unit}", figure(*weight)).trim_end().to_owned()
    };
    used.iter().map(line).collect()
}

/// How many items of how many lists.
pub(crate) fn size(proof: &Proof) -> String {
    let (items, lists) = (proof.items as usize, proof.lists as usize);
    format!("{} in {}", counted(items, "item"), counted(lists, "list"))
}

#[cfg(test)]
mod tests {
    use super::figure;

    #[test]
    fn figures_have_seven_digits() {
        let texts =
            [0.0, 1.0, 0.25, 309.54838, 13_744_740.0, 2.4e17, -41.4339712, 1e-9].map(figure);
        let expected =
            ["0", "1", "0.25", "309.5484", "13744740", "2.400000e17", "-41.43397", "1.000000e-9"];
        assert_eq!(texts, expected);
    }
}
