//! The report of a model and its lists: which lists judge it, what the slider moves, and the sections.

use std::borrow::Cow;

use stakes::act::Limit;
use stakes::cost::{Capacity, CostModel, Problem};
use stakes::data::{Dataset, Role, has_outcomes};
use stakes::display::{counted, nice_number, plural};
use stakes::eval::study::Scores;
use stakes::evaluate::cost_name;
use stakes::goal::{DEFAULT_ITEMS, Goal, Reach};
use stakes::judge::{Amounts, noun, reached};
use stakes::model::Model;
use stakes::monitor::{MonitorOptions, monitor};
use stakes::rank::{RankOptions, expected_costs};
use stakes::scoring::{self, Scored, SeenLists, TrainedOn};
use stakes::{Error, Note, Observer, Task};

use crate::evidence::{Evidence, Orders};
use crate::lists::{LOOKED_AT, Source};
use crate::plans::Plans;
use crate::slider::Slider;
use crate::{Money, Report, ReportOptions, Section, Subject, Words, documents, looks, past};

/// The most bytes of what the script reads; fewer items are shown where there would be more.
const MOST_BYTES: usize = 1_100_000;

/// The report, section by section.
pub(crate) fn report(
    subject: &Subject<'_>,
    options: &ReportOptions,
    observer: &mut Option<&mut dyn Observer>,
) -> Result<Report, Error> {
    let Subject { name, model, data, past } = *subject;
    if Task::of(model) != Task::Rank {
        return Err(Error::ClassModel);
    }
    let goal = Goal { reach: options.reach.unwrap_or(model.goal.reach), ..model.goal.clone() };
    let own = has_outcomes(&goal, data).then(|| Problem::new(data, &goal)).transpose()?;
    let judging = match past.or_else(|| own.is_some().then_some(data)) {
        Some(past) => judging(model, past)?,
        None => Judging::default(),
    };
    let problem = judging.data.as_deref().map(|data| Problem::new(data, &goal)).transpose()?;
    stage(observer, "planning");
    let plans = options.plan.as_ref().map(|plan| Plans::new(model, data, plan)).transpose()?;
    let slider = match &plans {
        Some(plans) => plans.slider.clone(),
        None => Slider::new(Limit::new(goal.reach, data)?, data),
    };
    stage(observer, "judging");
    let judged = match &problem {
        Some(problem) => Some(Judged::new(model, problem, &goal, &slider, options)?),
        None => None,
    };
    let mut report = begun(subject, words_of(model, data, problem.as_ref(), &options.amounts));
    let of_judged = || judged.as_ref().zip(problem.as_ref()).and_then(|(j, p)| j.caution(p.data()));
    report.cautions.extend(judging.caution.or_else(of_judged));
    stage(observer, "ranking");
    let here = Here::new(model, data, &goal, own.as_ref(), options)?;
    here.show_lists(&slider, plans, &mut report)?;
    if past.is_some() {
        here.show_beside_past(&mut report)?;
    }
    if let (Some(problem), Some(judged)) = (&problem, &judged) {
        judged.show(model, problem, &goal, &mut report)?;
    }
    report.sections.extend(here.calibration(&report.words)?);
    report.sections.extend(here.groups(observer)?);
    here.show_changes(&mut report, observer)?;
    stage(observer, "explaining");
    report.sections.push(looks::features(
        model,
        judging.data.as_deref().unwrap_or(data),
        problem.is_some(),
        options.seed,
        observer.as_deref_mut().map(|observer| observer as &mut dyn Observer),
    )?);
    let k = goal.capacity().unwrap_or(Capacity::Items(DEFAULT_ITEMS));
    report.sections.push(looks::checks(model, data, own.as_ref(), k)?);
    report.sections.push(looks::card(name, model, Some(data)));
    report.slider = Some(slider);
    Ok(report)
}

/// A report with nothing but its titles.
fn begun(Subject { name, data, .. }: &Subject<'_>, words: Words) -> Report {
    Report {
        title: format!("Which {} to act on", words.items),
        subtitle: format!(
            "{}: {} in {}, ranked by {name}",
            data.source(),
            counted(data.len(), &words.item),
            counted(data.n_lists(), &words.list)
        ),
        words,
        ..Report::empty()
    }
}

fn stage(observer: &mut Option<&mut dyn Observer>, what: &str) {
    if let Some(observer) = observer.as_deref_mut() {
        observer.stage(what);
    }
}

/// The lists that can judge the model, if there are any, and which had to be left out.
#[derive(Default)]
struct Judging<'d> {
    data: Option<Cow<'d, Dataset>>,
    caution: Option<String>,
}

fn judging<'d>(model: &Model, past: &'d Dataset) -> Result<Judging<'d>, Error> {
    let lists = scoring::judging_lists(model, past)?;
    let left_out = past.n_lists() - lists.len();
    if left_out == 0 {
        let seen = scoring::score(model, past, SeenLists::default())?.trained_on;
        let note = Note::on_figures("the model", past, seen);
        return Ok(Judging {
            data: Some(Cow::Borrowed(past)),
            caution: note.map(|note| note.to_string()),
        });
    }
    let (of, source) = (counted(past.n_lists(), "list"), past.source());
    let judged = match lists.len() {
        0 => "it cannot be judged by them".to_owned(),
        judged => format!(
            "{judged} are judged by models that had not seen them, and the other {left_out} are left out of all figures"
        ),
    };
    let caution = format!("The model learnt from lists of {source}. Of {of} {judged}.");
    let data = (!lists.is_empty()).then(|| Cow::Owned(past.take_lists(&lists)));
    Ok(Judging { data, caution: Some(caution) })
}

/// The lists that are shown.
struct Here<'h> {
    model: &'h Model,
    data: &'h Dataset,
    goal: &'h Goal,
    /// With their costs, if these are known.
    own: Option<&'h Problem<'h>>,
    scored: Scored,
    options: &'h ReportOptions,
}

impl<'h> Here<'h> {
    fn new(
        model: &'h Model,
        data: &'h Dataset,
        goal: &'h Goal,
        own: Option<&'h Problem<'h>>,
        options: &'h ReportOptions,
    ) -> Result<Self, Error> {
        let scored = scoring::score(model, data, SeenLists::default())?;
        Ok(Here { model, data, goal, own, scored, options })
    }

    /// Whether the model was trained on none of them.
    fn are_new(&self) -> bool {
        self.scored.trained_on.lists == 0
    }

    /// Shows as much of the lists as there is room for.
    fn show_lists(
        &self,
        slider: &Slider,
        plans: Option<Plans>,
        report: &mut Report,
    ) -> Result<(), Error> {
        let source = Source {
            model: self.model,
            data: self.data,
            options: rank_options(self.model, self.goal, self.scored.trained_on),
            slider,
            costs: self.own.map(Problem::cost),
            plans: plans.map_or_else(Vec::new, |plans| plans.at),
        };
        let mut share = 1.0;
        let shown = loop {
            let shown = source.lists(share)?;
            let size = serde_json::to_vec(&shown.lists).map_or(0, |json| json.len());
            if size <= MOST_BYTES || shown.depth <= 1 {
                break shown;
            }
            share /= 2.0;
        };
        report.lists_left_out = self.data.n_lists() - shown.lists.len();
        report.lists = shown.lists;
        report.cautions.extend(shown.notes);
        Ok(())
    }

    /// What is said of these lists where others judge the model.
    fn show_beside_past(&self, report: &mut Report) -> Result<(), Error> {
        let note = Note::trained_on("the model", self.data, self.scored.trained_on);
        report.cautions.extend(note.iter().map(ToString::to_string));
        if self.are_new() {
            report.verdict_here = self.verdict()?;
        }
        Ok(())
    }

    /// What the model reaches in these lists, where others judge it. The present order is known if it is columns.
    fn verdict(&self) -> Result<Option<stakes::judge::Reached>, Error> {
        let Some(own) = self.own else { return Ok(None) };
        let current = self.options.current.as_ref().filter(|current| !current.columns().is_empty());
        reached(own, self.order(), current, &self.options.amounts)
    }

    /// The model's order.
    fn order(&self) -> Scores {
        let values = self.model.priorities(self.scored.values.clone(), self.data, self.goal.reach);
        Scores { name: "the model".to_owned(), values }
    }

    /// Whether expected costs come true in these lists. (Of lists that calibrated the model they would by construction.)
    fn calibration(&self, words: &Words) -> Result<Option<Section>, Error> {
        match self.own.filter(|_| self.are_new()) {
            Some(own) => looks::calibration(self.model, own, &self.scored.values, words),
            None => Ok(None),
        }
    }

    /// How the order treats groups, if they are asked for.
    fn groups(&self, observer: &mut Option<&mut dyn Observer>) -> Result<Option<Section>, Error> {
        let Some(groups) = &self.options.groups else { return Ok(None) };
        stage(observer, "looking at groups");
        let expected = expected_costs(self.model, &self.scored.values);
        let (score, seed) = (self.order(), self.options.seed);
        looks::groups(self.data, self.goal, &score, expected.as_deref(), groups, seed).map(Some)
    }

    /// What has changed since the training, where that is known.
    fn show_changes(
        &self,
        report: &mut Report,
        observer: &mut Option<&mut dyn Observer>,
    ) -> Result<(), Error> {
        if self.model.profile.is_none() || !self.are_new() {
            return Ok(());
        }
        stage(observer, "looking for changes");
        let usual = MonitorOptions { seed: self.options.seed, ..MonitorOptions::default() };
        let found = monitor(self.model, self.data, &usual)?;
        if !found.alarms.is_empty() {
            report.cautions.insert(0, found.headline.clone());
        }
        report.sections.push(documents::changed("changes", &found)?);
        Ok(())
    }
}

/// Reasons are those of the model itself, so lists that it was trained on have none.
fn rank_options(model: &Model, goal: &Goal, seen: TrainedOn) -> RankOptions {
    let has_reasons = model.rerank.is_none() && seen.lists == 0;
    RankOptions {
        reach: Some(goal.reach),
        reasons: if has_reasons { LOOKED_AT } else { 0 },
        ..RankOptions::default()
    }
}

/// What is known of the lists that judge the model.
struct Judged {
    evidence: Evidence,
    /// How many of them the model was trained on.
    trained_on: TrainedOn,
    /// The orders that are shown beside each other.
    scores: Vec<Scores>,
}

impl Judged {
    fn new(
        model: &Model,
        problem: &Problem<'_>,
        goal: &Goal,
        slider: &Slider,
        options: &ReportOptions,
    ) -> Result<Self, Error> {
        let scored = scoring::score(model, problem.data(), SeenLists::default())?;
        let values = model.priorities(scored.values, problem.data(), goal.reach);
        let own = Scores { name: "the model".to_owned(), values };
        let current = options.current.as_ref();
        let orders = Orders { problem, model: own.clone(), current };
        let evidence = orders.evidence(goal, slider, &options.amounts)?;
        let mut scores = vec![own];
        if let Some(current) = current {
            scores.extend(current.scores(problem.data())?);
        }
        Ok(Judged { evidence, trained_on: scored.trained_on, scores })
    }

    /// What must be known of the figures: how many of the lists the model knows.
    fn caution(&self, data: &Dataset) -> Option<String> {
        Note::trained_on("the model", data, self.trained_on).map(|note| note.to_string())
    }

    fn show(
        &self,
        model: &Model,
        problem: &Problem<'_>,
        goal: &Goal,
        report: &mut Report,
    ) -> Result<(), Error> {
        report.verdict.clone_from(&self.evidence.verdict);
        report.curve = Some(self.evidence.curve.clone());
        let words = &report.words;
        let rank = rank_options(model, goal, self.trained_on);
        let missed = past::missed(model, problem, &self.evidence, &rank, words)?;
        let mut sections = vec![past::orders(problem, goal, &self.scores, &asked(goal, words))?];
        sections.extend(past::over_time(problem, &self.evidence, words));
        sections.extend(missed);
        report.sections.extend(sections);
        Ok(())
    }
}

/// `Acting on 10 networks in each storm`.
fn asked(goal: &Goal, words: &Words) -> String {
    match goal.reach {
        Reach::Money(money) => format!("Spending {} in each {}", nice_number(money), words.list),
        Reach::Items(capacity) => {
            format!("Acting on {capacity} {} in each {}", words.items, words.list)
        }
    }
}

fn words_of(
    model: &Model,
    data: &Dataset,
    problem: Option<&Problem<'_>>,
    amounts: &Amounts,
) -> Words {
    let (list, item) = (noun(data, Role::List, "list"), noun(data, Role::Id, "item"));
    let unit = match (&amounts.unit, &amounts.money, problem) {
        (Some(unit), _, _) => unit.clone(),
        (None, Some((currency, 1.0)), _) => currency.clone(),
        (None, _, Some(problem)) => cost_name(problem),
        (None, _, None) => match (&model.goal.cost, model.columns.get(&Role::Impact)) {
            (CostModel::Impact, Some(impact)) => impact.clone(),
            (cost, _) => cost.to_string(),
        },
    };
    let money = amounts.money.clone().filter(|(_, worth)| *worth != 1.0);
    let money = money.map(|(currency, worth)| Money { currency, worth });
    Words { lists: plural(&list), items: plural(&item), list, item, unit, money }
}
