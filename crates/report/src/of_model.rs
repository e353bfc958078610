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
use stakes::scoring::{self, SeenLists, TrainedOn};
use stakes::{Error, Note, Observer, Task};

use crate::evidence::{Evidence, Orders};
use crate::lists::{LOOKED_AT, Source};
use crate::plans::Plans;
use crate::slider::Slider;
use crate::{Money, Report, ReportOptions, Subject, Words, documents, looks, past};

/// The most bytes of what the script reads; fewer items are shown where there would be more.
const MOST_BYTES: usize = 1_100_000;

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
    let words = words_of(model, data, problem.as_ref(), &options.amounts);
    let mut report = Report {
        title: format!("Which {} to act on", words.items),
        subtitle: format!(
            "{}: {} in {}, ranked by {name}",
            data.source(),
            counted(data.len(), &words.item),
            counted(data.n_lists(), &words.list)
        ),
        words,
        cautions: judging.caution.into_iter().collect(),
        ..Report::empty()
    };
    stage(observer, "judging");
    let judged = match &problem {
        Some(problem) => Some(Judged::new(model, problem, &goal, &slider, options)?),
        None => None,
    };
    let here = Here {
        model,
        data,
        goal: &goal,
        own: own.as_ref(),
        seen: scoring::trained_on(model, data)?,
        options,
    };
    stage(observer, "ranking");
    let is_same = judging.data.as_deref().is_some_and(|judged| std::ptr::eq(judged, data));
    let source = Source {
        model,
        data,
        options: here.rank_options(),
        slider: &slider,
        costs: own.as_ref().map(Problem::cost),
        outcomes: judged.as_ref().filter(|_| is_same).map(|judged| &judged.evidence.outcomes[..]),
        plans: plans.map_or_else(Vec::new, |plans| plans.at),
    };
    show_lists(&source, &mut report)?;
    if past.is_some() {
        let seen = scoring::score(model, data, SeenLists::default())?.trained_on;
        let note = Note::trained_on("the model", data, seen);
        report.cautions.extend(note.iter().map(ToString::to_string));
    }
    if past.is_some() && here.seen.lists == 0 {
        report.verdict_here = here.verdict()?;
    }
    if let (Some(problem), Some(judged)) = (&problem, &judged) {
        judged.show(model, problem, &goal, &mut report)?;
    }
    report.sections.extend(here.calibration(&report.words)?);
    if let Some(groups) = &options.groups {
        stage(observer, "looking at groups");
        let (score, expected) = here.order()?;
        report.sections.push(looks::groups(
            data,
            &goal,
            &score,
            expected.as_deref(),
            groups,
            options.seed,
        )?);
    }
    if model.profile.is_some() && here.seen.lists == 0 {
        stage(observer, "looking for changes");
        let usual = MonitorOptions { seed: options.seed, ..MonitorOptions::default() };
        let found = monitor(model, data, &usual)?;
        if !found.alarms.is_empty() {
            report.cautions.insert(0, found.headline.clone());
        }
        report.sections.push(documents::changed("changes", &found)?);
    }
    stage(observer, "explaining");
    let explained = judging.data.as_deref().unwrap_or(data);
    let following = observer.as_deref_mut().map(|observer| observer as &mut dyn Observer);
    report.sections.push(looks::features(
        model,
        explained,
        problem.is_some(),
        options.seed,
        following,
    )?);
    let k = goal.capacity().unwrap_or(Capacity::Items(DEFAULT_ITEMS));
    report.sections.push(looks::checks(model, data, own.as_ref(), k)?);
    report.sections.push(looks::card(name, model, Some(data)));
    report.slider = Some(slider);
    Ok(report)
}

fn stage(observer: &mut Option<&mut dyn Observer>, what: &str) {
    if let Some(observer) = observer.as_deref_mut() {
        observer.stage(what);
    }
}

/// Shows as much of the lists as there is room for.
fn show_lists(source: &Source<'_>, report: &mut Report) -> Result<(), Error> {
    let mut share = 1.0;
    let shown = loop {
        let shown = source.lists(share)?;
        let size = serde_json::to_vec(&shown.lists).map_or(0, |json| json.len());
        if size <= MOST_BYTES || shown.depth <= 1 {
            break shown;
        }
        share /= 2.0;
    };
    report.lists_left_out = source.data.n_lists() - shown.lists.len();
    report.lists = shown.lists;
    report.cautions.extend(shown.notes);
    Ok(())
}

/// The lists that can judge the model, if there are any, and what must be known of them.
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
    seen: TrainedOn,
    options: &'h ReportOptions,
}

impl Here<'_> {
    fn rank_options(&self) -> RankOptions {
        rank_options(self.model, self.goal, self.seen)
    }

    /// The model's order, and expected costs.
    fn order(&self) -> Result<(Scores, Option<Vec<f64>>), Error> {
        let scored = scoring::score(self.model, self.data, SeenLists::default())?.values;
        let expected = expected_costs(self.model, &scored);
        let values = self.model.priorities(scored, self.data, self.goal.reach);
        Ok((Scores { name: "the model".to_owned(), values }, expected))
    }

    /// What the model reaches in these lists, where others judge it. The present order is known if it is columns.
    fn verdict(&self) -> Result<Option<stakes::judge::Reached>, Error> {
        let Some(own) = self.own else { return Ok(None) };
        let current = self.options.current.as_ref().filter(|current| !current.columns().is_empty());
        reached(own, self.order()?.0, current, &self.options.amounts)
    }

    /// Whether expected costs come true in these lists. (Of lists that calibrated the model they would by construction.)
    fn calibration(&self, words: &Words) -> Result<Option<crate::Section>, Error> {
        match (self.own, self.seen.lists) {
            (Some(own), 0) => {
                let scores = scoring::score(self.model, self.data, SeenLists::default())?.values;
                looks::calibration(self.model, own, &scores, words)
            }
            _ => Ok(None),
        }
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
