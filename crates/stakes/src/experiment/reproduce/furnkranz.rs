//! Fürnkranz and Hüllermeier: the worked examples of their lecture on loss functions of rankings.

use stakes_core::cost::Problem;
use stakes_core::data::Dataset;
use stakes_core::goal::Goal;
use stakes_core::metric::{Scale, Spec, evaluate};
use stakes_io::Roles;

use super::raw::RawTable;
use super::report::{Claim, Held, PaperRow, PaperTable, Reproduced};
use super::work::{Stop, Work};
use crate::Error;

/// An example: items with their true levels, and the predicted order.
struct Example {
    name: &'static str,
    metric: &'static str,
    printed: f64,
    /// The true level of each item, in the predicted order.
    levels: &'static [f64],
}

/// The true order is E B C A D, the predicted one A B E C D.
const TOTAL: &[f64] = &[2.0, 4.0, 5.0, 3.0, 1.0];
/// E and B before C, A and D.
const BIPARTITE: &[f64] = &[0.0, 1.0, 1.0, 0.0, 0.0];
/// E and B before C before A and D.
const MULTIPARTITE: &[f64] = &[0.0, 2.0, 2.0, 1.0, 0.0];
/// Three preferences, one of them inverted.
const THREE: &[f64] = &[2.0, 3.0, 1.0];

const EXAMPLES: [Example; 9] = [
    Example { name: "footrule", metric: "footrule", printed: 6.0, levels: TOTAL },
    Example { name: "Spearman's distance", metric: "spearman", printed: 14.0, levels: TOTAL },
    Example { name: "Kendall's distance", metric: "kendall", printed: 4.0, levels: TOTAL },
    Example { name: "position error", metric: "position-error", printed: 2.0, levels: TOTAL },
    Example {
        name: "discounted error",
        metric: "discounted-error",
        // 3 / ln 2 + 1 / ln 4 + 2 / ln 6
        printed: 6.165_654,
        levels: TOTAL,
    },
    Example { name: "Kendall, bipartite", metric: "kendall", printed: 2.0, levels: BIPARTITE },
    Example { name: "AUC", metric: "auc", printed: 4.0 / 6.0, levels: BIPARTITE },
    Example { name: "C-index", metric: "c-index", printed: 5.0 / 8.0, levels: MULTIPARTITE },
    Example { name: "gamma", metric: "gamma", printed: 1.0 / 3.0, levels: THREE },
];

pub(super) fn reproduce(work: &mut Work<'_>) -> Result<Reproduced, Stop> {
    let rows = EXAMPLES.iter().map(row).collect::<Result<Vec<PaperRow>, Error>>()?;
    let claims = rows.iter().map(claim).collect();
    let remarks = vec![
        "The true order is E B C A D, the predicted one A B E C D; bipartite: E and B before C, A and D; multipartite: \
         E and B before C before A and D. The picture of the last example is not in the text: any three preferences, \
         two of them in order, have this gamma. (The slide calls the pairs in order those of Kendall's distance, \
         which counts the others; its printed value is right.)"
            .to_owned(),
    ];
    Ok(Reproduced {
        paper: work.paper,
        reference: "Fürnkranz, J. and Hüllermeier, E. (2010). Preference Learning: Loss Functions (tutorial)",
        protocol: vec!["Measures of rankings, each on the example of its slide.".to_owned()],
        tables: vec![PaperTable {
            title: "Worked examples".to_owned(),
            rows_are: "measure",
            ours_are: vec!["ours"],
            decimals: 6,
            rows,
            remarks,
        }],
        claims,
        pictures: Vec::new(),
        missing: vec!["The tutorial has no experiments.".to_owned()],
        seconds: work.seconds,
    })
}

/// An example is as printed, or it is a slip.
fn claim(row: &PaperRow) -> Claim {
    let holds = row.difference().is_some_and(|difference| difference.abs() < 5e-7);
    let found = match holds {
        true => "as printed",
        false => {
            "not as printed: 3 / log 2 + 1 / log 4 + 2 / log 6 gives items the weights of other items; with the weights \
             1 / log(true rank + 1) of the formula it is 2 / log 2 + 1 / log 4 + 3 / log 5"
        }
    };
    let held = if holds { Held::Yes } else { Held::No };
    Claim { says: format!("The worked example: {}", row.name), found: found.to_owned(), held }
}

fn row(example: &Example) -> Result<PaperRow, Error> {
    let data = one_list(example.levels)?;
    let problem = Problem::new(&data, Goal::default())?;
    let metric = example.metric.parse::<Spec>()?.build(Scale::of(&data))?;
    let scores: Vec<f64> = (0..data.len()).map(|place| -(place as f64)).collect();
    let ours = evaluate(&metric, &problem, &scores)?.figure;
    Ok(PaperRow {
        name: example.name.to_owned(),
        printed: Some(example.printed.into()),
        ours: vec![ours.map(Into::into)],
    })
}

fn one_list(levels: &[f64]) -> Result<Dataset, Error> {
    let mut table = RawTable::new(["level"]);
    table.rows = levels.iter().map(|level| vec![level.to_string()]).collect();
    table.dataset(Roles::new().impact("level"))
}
