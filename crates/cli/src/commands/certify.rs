//! `stakes certify`: how far an order is from the best linear one, and from the ideal order.

use std::slice;

use anyhow::{Context, bail};
use clap::Args;
use stakes::certify::{CertifyOptions, CertifyReport, certify};
use stakes::cost::Problem;
use stakes::data::Dataset;
use stakes::goal::Goal;
use stakes::io::check_targets;
use stakes::learn::Learner;
use stakes::learn::params::AutoOr;
use stakes::learn::rerank::{Certificate, ExactRerank, linear_weights};
use stakes::metric::Scale;
use stakes::model::{Model, ProofEnd};
use stakes::model_file::{ModelFile, check_model_name};
use stakes::text::{Page, Table, percent};

use crate::args::{
    CostArgs, DataArgs, ExactArgs, ScoreArgs, note_config, specs, split_params, use_config,
};
use crate::terminal::output::{self, counted, print_page, print_report};
use crate::terminal::progress::Watcher;
use crate::terminal::proof::figure;
use crate::terminal::{interrupt, proof};

/// Show how far an order is from the best linear one, with a proof
///
/// The order is a score column (--score), a file of numbers (--score-file) or a model (--model).
/// A search finds the best linear score of the features that it can by the metric, and an upper
/// bound on all linear scores of these features. Ties count against an order: the least valuable
/// item comes first. Ctrl-C stops the search and shows what is known.
#[derive(Args)]
pub(crate) struct Certify {
    /// Where to write the best score found, as a model (.json)
    #[arg(short, long, value_name = "FILE", alias = "save")]
    output: Option<String>,
    /// As JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    scores: ScoreArgs,

    /// A model (stakes train) whose order is certified
    #[arg(long, value_name = "MODEL", help_heading = "Scores")]
    model: Option<String>,

    #[command(flatten)]
    cost: CostArgs,

    /// Metric, a sum over ranks: rcs@10, ndcg@10, clrs-dcg
    ///
    /// Without @ it takes -k. The default is rcs. stakes metrics lists all of them.
    #[arg(short, long, value_name = "METRIC", help_heading = "Goal")]
    metric: Option<String>,

    #[command(flatten)]
    exact: ExactArgs,

    /// Further parameters of the search: nodes=1000
    ///
    /// nodes, gap, at-most, points, penalty, method, solver, margin (stakes learners exact-rerank).
    #[arg(
        short,
        long,
        value_name = "KEY=VALUE",
        help_heading = "Exact search",
        hide_short_help = true
    )]
    param: Vec<String>,
    /// Seed of all random draws
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        help_heading = "Exact search",
        hide_short_help = true
    )]
    seed: u64,

    #[command(flatten)]
    data: DataArgs,
}

/// The order that is certified.
struct Order {
    name: String,
    /// The score of every item.
    scores: Vec<f64>,
    /// The number of weights that give it, if it is a linear score.
    weights: Option<usize>,
}

/// Parameters that certify has flags for, or no use.
const TAKEN: [&str; 4] = ["base", "top", "objective", "threshold"];

impl Certify {
    pub(crate) fn run(mut self) -> anyhow::Result<()> {
        if self.metric.as_deref().map(specs).transpose()?.is_some_and(|specs| specs.len() != 1) {
            bail!("--metric names several metrics; give the one that orders are certified by");
        }
        let config = self.data.load_config(!self.scores.has_runs())?;
        let metric = self.metric.as_deref();
        let used = use_config(&config, &mut self.data, &mut self.cost, metric)?;
        note_config(&config, &used);
        let goal = self.cost.goal(self.metric.as_deref())?;
        if let Some(path) = &self.output {
            check_model_name(path)?;
            let inputs = self.scores.files().chain(self.model.clone());
            check_targets([path], inputs.chain([self.data.data.clone()]))?;
            if self.exact.top.as_deref().is_some_and(|top| top != "all") {
                bail!(
                    "--output writes a score of all items, --top re-ranks a few; train that model \
                     (stakes train --learner exact-rerank --base MODEL.json --top K)"
                );
            }
        }
        let search = self.search(&goal)?;
        let (data, Order { name, scores, weights }) = self.order(goal.cost.columns())?;
        let problem = Problem::new(&data, &goal)?;
        let metric = goal.spec().build(Scale::of(&data))?;
        let (asked, metrics) = (slice::from_ref(&goal.metric), slice::from_ref(&metric));
        self.cost.note_default_k(asked, metrics, &data);
        let options = CertifyOptions { search, seed: self.seed, weights };
        let mut watcher = Watcher::new("certify", 0.0, None);
        let found = interrupt::during(|| certify(&problem, &scores, &options, Some(&mut watcher)))?;
        drop(watcher);
        if let Some(path) = &self.output {
            found.model.save(path)?;
            output::written(path);
        }
        if self.json {
            return print_report(&CertifyReport::new(&name, &data, &found));
        }
        let mut page = output::page();
        write(&mut page, &name, &data, &found, self.output.as_deref());
        print_page(page)
    }

    /// The data and the order.
    fn order(&self, extras: Vec<String>) -> anyhow::Result<(Dataset, Order)> {
        let (data, mut scores) = self.scores.load(&self.data, extras.clone())?;
        match (&self.model, scores.len()) {
            (Some(path), 0) => {
                let model = Model::load(path)?;
                let (scores, weights) = (model.score(&data)?, linear_weights(&model));
                Ok((data, Order { name: path.clone(), scores, weights }))
            }
            (None, 1) => {
                let order = scores.pop().context("a score")?;
                // A column that gives an order is still something that a linear score may count. (What comes from
                // stdin comes once.)
                let again = self.scores.has_columns() && self.data.data != "-";
                let data = if again { self.data.read(extras.clone(), extras)? } else { data };
                let weights = self.scores.has_columns().then_some(1);
                Ok((data, Order { name: order.name, scores: order.values, weights }))
            }
            _ => bail!(
                "give one order: a column (--score), a file (--score-file) or a model (--model)"
            ),
        }
    }

    /// The search with its parameters, for the metric as it was asked for.
    fn search(&self, goal: &Goal) -> anyhow::Result<ExactRerank> {
        let mut search = CertifyOptions::default().search;
        search.stages.objective = AutoOr::Given(goal.spec());
        let mut pairs = Vec::new();
        for text in &self.param {
            pairs.extend(split_params(text)?);
        }
        if let Some((key, _)) = pairs.iter().find(|(key, _)| TAKEN.contains(&key.as_str())) {
            bail!("-p {key} cannot be set here; certify has --metric and --top");
        }
        let flags = self.exact.pairs().map(|(key, value)| (key.to_owned(), value.clone()));
        for (key, value) in pairs.into_iter().chain(flags) {
            search.set(&key, &value)?;
        }
        Ok(search)
    }
}

fn write(page: &mut Page, name: &str, data: &Dataset, found: &Certificate, saved: Option<&str>) {
    let proof = &found.proof;
    page.table(&values(name, found));
    page.gap();
    let (items, lists) = (counted(data.len(), "item"), counted(data.n_lists(), "list"));
    page.text(&format!("{items} in {lists}; re-ranked: {}", proof::above(found.above)));
    let gap = match proof.ended {
        ProofEnd::Proven => String::new(),
        _ => format!(" (gap {})", percent(proof.gap())),
    };
    page.text(&format!("{}{gap}", proof::ended(proof)));
    let (nodes, method) = (proof::nodes(proof), proof::method(proof));
    page.text(&format!("{:.1} s, {nodes}, method {method}", found.seconds));
    remarks(found).iter().for_each(|remark| page.text(remark));
    page.gap();
    page.text("weights of the best linear order found:");
    let weights = |net| proof::weights(net, &found.model.features, page.width() - 2);
    let weights = found.model.nets().next().map(weights).unwrap_or_default();
    weights.iter().for_each(|line| page.unbroken(&format!("  {line}")));
    if let Some(path) = saved {
        page.gap();
        page.text(&format!("written to {path}; next: stakes rank {path} NEW.csv"));
    }
}

/// The order beside the best ones. With a penalty of weights there are two values, and like is
/// compared with like.
fn values(name: &str, found: &Certificate) -> Table {
    let proof = &found.proof;
    let share = |of: Option<f64>, value: f64| match of {
        Some(of) if of > 0.0 && value > 0.0 => percent(of / value),
        _ => "-".into(),
    };
    let (before, less) = (Some(proof.before), found.order_penalty.map(|p| proof.before - p));
    let shown = |value: Option<f64>| value.map_or("-".into(), figure);
    let row = |what: &str, value: Option<f64>, less: Option<f64>, share: String| {
        let mut cells = vec![what.to_owned(), shown(value)];
        cells.extend(has_penalty(found).then(|| shown(less)));
        cells.push(share);
        cells
    };
    let (value, bound) = match has_penalty(found) {
        true => (proof.objective_value(), None),
        false => (proof.value, Some(proof.bound)),
    };
    let mut header = vec![proof.objective.as_str(), "value"];
    header.extend(has_penalty(found).then_some("less the penalty"));
    header.push("the order's share");
    let of_bound = share(if has_penalty(found) { less } else { before }, proof.bound);
    let mut table = Table::new(header);
    table.row(row(&format!("this order ({name})"), before, less, String::new()));
    table.row(row("best linear order found", Some(value), Some(proof.value), share(before, value)));
    table.row(row("bound on all linear orders", bound, Some(proof.bound), of_bound));
    table.row(row("ideal order", Some(found.ideal), None, share(before, found.ideal)));
    table
}

/// Whether weights have a penalty.
fn has_penalty(found: &Certificate) -> bool {
    found.proof.penalty > 0.0 || found.order_penalty.is_some_and(|penalty| penalty > 0.0)
}

/// Remarks on how to read the figures.
fn remarks(found: &Certificate) -> Vec<String> {
    let proof = &found.proof;
    let mut remarks = vec![
        "Ties count against an order: the least valuable item comes first. The bound is for linear \
         scores of these features."
            .to_owned(),
    ];
    let near = 1e-9 * proof.bound.abs();
    let comparable = match (has_penalty(found), found.order_penalty) {
        (false, _) => Some(proof.before),
        (true, penalty) => penalty.map(|penalty| proof.before - penalty),
    };
    match comparable {
        None => remarks.push(
            "The penalty is subtracted for each weight that is not 0; how many weights this order \
             has is not known."
                .into(),
        ),
        Some(value) if value > proof.bound + near => remarks.push(
            "This order is above the bound: no linear score of these features has it.".into(),
        ),
        Some(value) if value > proof.value + near => {
            remarks.push("This order is better than the best linear one found so far.".into());
        }
        Some(_) => {}
    }
    remarks.extend(proof::replaced(proof, &found.model).map(|text| format!("{text}.")));
    if found.duplicates > 0 {
        let items = counted(found.duplicates, "item");
        remarks.push(format!(
            "{items} with the same features as another of the list: no linear score distinguishes \
             them."
        ));
    }
    remarks
}
