//! Models that need the whole list, in Rust: scaling within lists, and the second stage.

use stakes_model::{ListScaling, Model, Rerank, RerankScope};

/// What comes after the score of a row: the scores of a list.
pub(super) fn code(model: &Model) -> String {
    let mut code = String::new();
    let mut steps = ["", ""];
    let how = match model.list_scaling {
        ListScaling::None => None,
        ListScaling::MinMax => Some("(f64::from(min), f64::from(max) - f64::from(min))"),
        ListScaling::ZScore => Some(Z_SCORE),
    };
    if let Some(how) = how {
        code.push_str(&SCALE.replace("HOW", how));
        steps[0] = "    scale(&mut rows);\n";
    }
    if let Some(rerank) = &model.rerank {
        code.push_str(&second_stage(rerank));
        steps[1] = "    rerank(&rows, &mut scores);\n";
    }
    code + &SCORES.replace("    SCALE\n", steps[0]).replace("    RERANK\n", steps[1])
}

fn second_stage(rerank: &Rerank) -> String {
    let base = match rerank.base_weight {
        0.0 => String::new(),
        weight => format!(" + {weight:?} * base[i]"),
    };
    let all = "vec![true; base.len()]".to_owned();
    let (selected, floor, last, score) = match rerank.scope {
        RerankScope::All => (all, "0.0".to_owned(), "f64::NEG_INFINITY", "r"),
        RerankScope::Score(threshold) => {
            let selected = format!("base.iter().map(|score| *score > {threshold:?}).collect()");
            (selected, format!("{threshold:?}"), "floor", "floor + size * rise")
        }
        RerankScope::First(count) => {
            let selected = match count {
                0 => "vec![false; base.len()]".to_owned(),
                count => FIRST.replace("COUNT", &(count - 1).to_string()),
            };
            (selected, LOWEST.to_owned(), "floor", "floor + size * rise")
        }
    };
    let parts = [
        ("BASE", base.as_str()),
        ("SELECTED", &selected),
        ("FLOOR", &floor),
        ("LAST", last),
        ("SCORE", score),
    ];
    parts.iter().fold(RERANK.to_owned(), |code, (name, part)| code.replace(name, part))
}

const SCORES: &str = "
/// The scores of the items of one list.
pub fn scores(list: &[[f64; FEATURES.len()]]) -> Vec<f64> {
    let mut rows: Vec<[f32; FEATURES.len()]> = list.iter().map(read).collect();
    SCALE
    let mut scores: Vec<f64> = rows.iter().map(score_of).collect();
    RERANK
    scores
}
";

const SCALE: &str = "
/// Scales the numbers of a list.
fn scale(rows: &mut [[f32; FEATURES.len()]]) {
    for j in (0..FEATURES.len()).filter(|j| CATEGORIES[*j].is_none()) {
        let mut known: Vec<f32> = rows.iter().map(|x| x[j]).filter(|x| !x.is_nan()).collect();
        known.sort_by(f32::total_cmp);
        let (Some(&min), Some(&max)) = (known.first(), known.last()) else { continue };
        let (shift, size) = if min == max { (f64::from(min), 1.0) } else { HOW };
        rows.iter_mut().for_each(|x| x[j] = ((f64::from(x[j]) - shift) / size) as f32);
    }
}
";

const Z_SCORE: &str = "{
            let n = known.len() as f64;
            let mean = known.iter().map(|&x| f64::from(x)).sum::<f64>() / n;
            let square = |x: &f32| (f64::from(*x) - mean) * (f64::from(*x) - mean);
            (mean, (known.iter().map(square).sum::<f64>() / n).sqrt())
        }";

const FIRST: &str = "{
        let mut falling = base.clone();
        falling.sort_unstable_by(|a, b| b.total_cmp(a));
        let least = falling.get(COUNT).copied().unwrap_or(f64::NEG_INFINITY);
        base.iter().map(|score| *score >= least).collect()
    }";

const LOWEST: &str = "base.iter().zip(&selected).filter(|(_, s)| **s).map(|(b, _)| *b).fold(f64::INFINITY, f64::min)";

const RERANK: &str = "
/// Puts some items of a list above the others, in the order of their second score.
fn rerank(rows: &[[f32; FEATURES.len()]], scores: &mut [f64]) {
    let base = scores.to_vec();
    let selected: Vec<bool> = SELECTED;
    let floor: f64 = FLOOR;
    let second = |i: usize| net_second(&rows[i])BASE;
    let mut order: Vec<(f64, usize)> =
        (0..base.len()).filter(|i| selected[*i]).map(|i| (second(i), i)).collect();
    order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let size = if floor == 0.0 { 1.0 } else { floor.abs() };
    let mut last = LAST;
    for tied in order.chunk_by(|a, b| a.0 == b.0) {
        let r = tied[0].0;
        let rise = if r >= 0.0 { 1.0 + r } else { 1.0 / (1.0 - r) };
        let score: f64 = SCORE;
        last = score.min(f64::MAX / 2.0).max(last.next_up()).min(f64::MAX);
        tied.iter().for_each(|(_, item)| scores[*item] = last);
    }
}
";
