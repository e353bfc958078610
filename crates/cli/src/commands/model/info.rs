//! `stakes model info`: the goal, the data and the training of a model, on one page.

use clap::Args;
use stakes::cost::{Capacity, Policy};
use stakes::display::nice_number;
use stakes::goal::Reach;
use stakes::learn::learner;
use stakes::model::{ListScaling, Model, Rerank, StageSummary};
use stakes::model_file::ModelFile;
use stakes::report::{ModelInfo, changed_parameters};
use stakes::text::Page;

use crate::terminal::draw::curve;
use crate::terminal::model::{cost_name, ended, importance, members, shares_of, size};
use crate::terminal::output::{self, counted, print_page, print_report};
use crate::terminal::proof;

/// The maximum number of features that are named.
const MAX_FEATURES: usize = 10;
/// Lines of a learning curve.
const HEIGHT: usize = 6;

/// Show the goal of a model, its training data, and how the training went
#[derive(Args)]
pub(crate) struct Info {
    /// The model
    model: String,
    /// As JSON
    #[arg(long)]
    json: bool,
}

impl Info {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let model = Model::load(&self.model)?;
        if self.json {
            return print_report(&ModelInfo::new(&self.model, &model));
        }
        let mut page = output::page();
        write(&mut page, &self.model, &model);
        print_page(page)
    }
}

fn write(page: &mut Page, path: &str, model: &Model) {
    page.heading("Model");
    page.line("file", path);
    let known = learner(&model.learner).ok();
    page.line(
        "learner",
        &match &known {
            Some(info) => format!("{}: {}", model.learner, info.about().title),
            None => model.learner.clone(),
        },
    );
    if let Some(info) = known {
        page.line("optimises", info.about().optimises);
    }
    let features = counted(model.features.len(), "feature");
    page.line("size", &format!("{}, {features}", size(model)));
    match model.list_scaling {
        ListScaling::None => {}
        ListScaling::MinMax => page.line("numbers", "from 0 to 1 within each list"),
        ListScaling::ZScore => page.line("numbers", "mean 0 and deviation 1 within each list"),
    }
    page.line(
        "parameters",
        &match changed_parameters(model) {
            changed if changed.is_empty() => "all defaults".into(),
            changed => changed
                .iter()
                .map(|(key, value)| format!("{key}={value}"))
                .collect::<Vec<_>>()
                .join(", "),
        },
    );
    page.line("seed", &model.seed.to_string());
    goal(page, model);
    if !model.members.is_empty() {
        page.heading("Blend");
        let metric = model.goal.spec().to_string();
        let metric = metric.split(':').next().unwrap_or_default();
        page.line("", &format!("weight, learner, cross-validated {metric}"));
        page.lines("", &members(model));
    }
    if let Some(rerank) = &model.rerank {
        second_stage(page, rerank, model);
    }
    page.heading("Training");
    for stage in model.stages.iter().filter(|_| model.members.is_empty()) {
        learning(page, stage, model);
    }
    page.line("calibration", &calibration(model));
    if let Some(bound) = &model.bound {
        let mut label = "bound";
        for line in super::bound::words(bound) {
            page.line(label, &line);
            label = "";
        }
    }
    if let Some(blend) = model.stages.last().filter(|_| !model.members.is_empty()) {
        page.line(&blend.name, &figure_words(blend));
    }
    let features = importance(model, MAX_FEATURES, page.room());
    if !features.is_empty() {
        let of_base = if model.rerank.is_some() { " (base)" } else { "" };
        page.heading(&format!("Features by share of {}{of_base}", shares_of(model).0));
        page.lines("", &features);
    }
}

/// The stage that re-ranks the first items.
fn second_stage(page: &mut Page, rerank: &Rerank, model: &Model) {
    page.heading("Re-ranking");
    page.line("base", &rerank.base);
    page.line("re-ranked", &proof::above(rerank.scope));
    page.line("trained on", &proof::size(&rerank.proof));
    let mut label = "found";
    for line in proof::proof(&rerank.proof, model, None) {
        page.line(label, &line);
        label = "";
    }
    page.lines("weights", &proof::weights(&rerank.net, &model.features, page.room()));
    if rerank.base_weight != 0.0 {
        page.line("", &format!("and {} times the base score", nice_number(rerank.base_weight)));
    }
}

fn goal(page: &mut Page, model: &Model) {
    let goal = &model.goal;
    page.heading("Goal");
    page.line("cost", &cost_name(model));
    match goal.reach {
        Reach::Items(k) => {
            let items = if k == Capacity::Items(1) { "item" } else { "items" };
            page.line("k", &format!("{k} {items} of a list can be acted on"));
        }
        Reach::Money(money) => page.line("budget", &format!("{money} for each list")),
    }
    if goal.policy != Policy::default() {
        page.line("policy", &goal.policy.to_string());
    }
    page.line("metric", &goal.spec().to_string());
    let roles: Vec<String> =
        model.columns.iter().map(|(role, column)| format!("{role} = {column}")).collect();
    page.line("roles", &roles.join(", "));
    let data = &model.data;
    page.line(
        "data",
        &match data.is_known() {
            true => format!("{} (fingerprint {:016x})", data.size(), data.hash),
            false => data.size(),
        },
    );
}

fn learning(page: &mut Page, stage: &StageSummary, model: &Model) {
    if model.rerank.is_some() && stage.name == "re-rank" {
        return page.line(&stage.name, &figure_words(stage));
    }
    let (made, kept) = (counted(stage.curve.len(), "round"), stage.kept);
    page.line(&stage.name, &format!("{kept} of {made} kept; {}", ended(stage.ended, model)));
    page.line(
        "",
        &match stage.figure() {
            Some(best) => format!("{}: {best:.4} at round {kept}", stage.measure),
            None => stage.measure.clone(),
        },
    );
    page.lines("", &curve(&stage.curve, kept.checked_sub(1), HEIGHT, page.room()));
    for (measure, values) in &stage.extra_curves {
        if let Some(last) = kept.checked_sub(1).and_then(|at| values.get(at)) {
            page.line("", &format!("{measure}: {last:.4} at round {kept}"));
        }
    }
}

fn calibration(model: &Model) -> String {
    let knots = model.calibration.as_ref().map_or(&[][..], |c| &c.knots);
    let (Some(c), [first, .., last] | [first @ last]) = (&model.calibration, knots) else {
        return "none: scores have no meaning as costs".into();
    };
    let [least, most] = [first, last].map(|knot| nice_number(knot.expected.mean));
    let (items, lists) = (counted(c.items as usize, "item"), counted(c.lists as usize, "list"));
    format!("expected costs from {least} to {most}, fitted on {items} in {lists}")
}

/// A line about a stage without a curve.
fn figure_words(stage: &StageSummary) -> String {
    match stage.figure() {
        Some(figure) => format!("{}: {figure:.4}", stage.measure),
        None => stage.measure.clone(),
    }
}
