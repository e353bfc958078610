//! Results of other commands, from the JSON that they print: comparisons, backtests, plans, audits, monitorings and
//! trainings.
//! What a document is, is found from its fields, which are documented contracts.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use stakes::Error;
use stakes::display::{counted, nice_number};
use stakes::eval::picture::{IntervalRow, PeriodLine, intervals_svg, periods_svg};
use stakes::monitor::Monitored;
use stakes::text::{DIFFERS, p_words, percent, short};

use crate::section::{Section, Table};

/// Items of a list of a plan that are shown.
const PLANNED: usize = 50;
/// Features of a monitoring that are shown.
const CHANGED: usize = 15;

/// A result of another command.
#[derive(Debug, Clone)]
pub struct Document {
    /// Where it comes from, for errors and the page.
    pub name: String,
    /// The JSON.
    pub json: Value,
}

impl Document {
    /// Reads the JSON of `stakes compare`, `backtest`, `plan`, `audit`, `monitor` or `train`.
    pub fn parse(name: &str, text: &[u8]) -> Result<Self, Error> {
        let json = serde_json::from_slice(text)
            .map_err(|error| Error::Document { name: name.to_owned(), why: error.to_string() })?;
        Ok(Document { name: name.to_owned(), json })
    }

    /// Whether a JSON value is a model, not a result.
    pub fn is_model(&self) -> bool {
        self.json.get("format").is_some_and(|format| format == "stakes-model")
    }

    /// The sections of the page. `number` tells documents of one kind apart.
    pub(crate) fn sections(&self, number: usize) -> Result<Vec<Section>, Error> {
        let has = |field: &str| self.json.get(field).is_some();
        let sections = match () {
            () if has("contestants") && has("results") => self.compared(number)?,
            () if has("headline") && has("alarms") => {
                vec![
                    self.read::<MonitoredJson>("a monitoring")?
                        .section(&format!("changes-{number}")),
                ]
            }
            () if has("measures") && has("groups") => vec![self.audited(number)?],
            () if has("lists") && self.json["lists"].is_array() => vec![self.planned(number)?],
            () if has("learner") && has("stages") => vec![self.trained(number)?],
            () => {
                return Err(Error::Document {
                    name: self.name.clone(),
                    why: "this is neither a model nor the JSON of stakes compare, backtest, plan, audit, monitor or train"
                        .to_owned(),
                });
            }
        };
        Ok(sections)
    }

    fn read<T: for<'d> Deserialize<'d>>(&self, what: &str) -> Result<T, Error> {
        T::deserialize(&self.json).map_err(|error| Error::Document {
            name: self.name.clone(),
            why: format!("this looks like {what}, but {error}"),
        })
    }

    fn compared(&self, number: usize) -> Result<Vec<Section>, Error> {
        let found: ComparedJson = self.read("a comparison")?;
        let names: BTreeMap<&str, &EntrantJson> =
            found.contestants.iter().map(|entrant| (entrant.name.as_str(), entrant)).collect();
        let is_reference = |name: &str| {
            names
                .get(name)
                .is_some_and(|entrant| !["learner", "score"].contains(&entrant.part.as_str()))
        };
        let shown = |name: &str| {
            names.get(name).map_or_else(|| name.to_owned(), |entrant| entrant.shown.clone())
        };
        let metric = &found.settings.saved;
        let mut rows: Vec<&FigureJson> =
            found.results.iter().filter(|row| row.metric == *metric).collect();
        rows.sort_by(|a, b| {
            b.value.unwrap_or(f64::NEG_INFINITY).total_cmp(&a.value.unwrap_or(f64::NEG_INFINITY))
        });
        let mut table = Table::new("What each saved", ["", "saved", "95 % interval", "lists"]);
        let mut bars = Vec::new();
        for row in rows {
            let Some(value) = row.value else { continue };
            let interval = row.low.zip(row.high);
            let ends = interval.map_or_else(
                || "-".to_owned(),
                |(low, high)| format!("{} to {}", figure(low), figure(high)),
            );
            let cells = [shown(&row.contestant), figure(value), ends, row.lists.to_string()];
            let reference = is_reference(&row.contestant);
            if reference {
                table.push_reference(cells)
            } else {
                table.push(cells)
            }
            bars.push(IntervalRow { name: shown(&row.contestant), value, interval, reference });
        }
        let mut section = Section::new(&format!("comparison-{number}"), "Comparison of learners")
            .say(format!(
                "{}: {}; {}.",
                found.data.source, found.settings.goal, found.settings.folds
            ));
        section = found.verdict.into_iter().fold(section, Section::say);
        section = section.draw(intervals_svg(&bars, metric, "What each saved")).add(table);
        let mut sections = vec![section];
        sections.extend(periods(&found.periods, &shown, &is_reference, number));
        Ok(sections)
    }

    fn planned(&self, number: usize) -> Result<Section, Error> {
        let found: PlannedJson = self.read("a plan")?;
        let mut section = Section::new(&format!("plan-{number}"), "The plan");
        for list in found.lists {
            let name =
                if list.list.is_empty() { String::new() } else { format!("{}: ", list.list) };
            let spent =
                list.spent.map_or(String::new(), |spent| format!(" for {}", nice_number(spent)));
            let sure = match list.proven {
                true => "no other plan is expected to save more".to_owned(),
                false => format!("no other plan is expected to save {} more", percent(list.gap)),
            };
            section = section.say(format!(
                "{name}{}{spent}, expected to save {}; {sure}.",
                counted(list.chosen.len(), "item"),
                nice_number(list.expected)
            ));
            let caption = if list.list.is_empty() { "The items" } else { &list.list };
            let mut table = Table::new(caption, ["item", "expected", "price"]);
            for item in list.items.iter().take(PLANNED) {
                let price = item.price.map_or_else(|| "-".to_owned(), nice_number);
                table.push([item.id.clone(), nice_number(item.expected), price]);
            }
            section = section.add(table);
            if list.items.len() > PLANNED {
                let more = counted(list.items.len() - PLANNED, "item");
                section = section.say(format!("{more} more of it are in {}.", self.name));
            }
        }
        Ok(section)
    }

    fn audited(&self, number: usize) -> Result<Section, Error> {
        let found: AuditedJson = self.read("an audit")?;
        let mut section = Section::new(&format!("audit-{number}"), "How groups are treated").say(format!(
            "{}: the order of {}. This does not say whether it is fair: it says which measures differ from what \
             chance would give.",
            found.data.source, found.score
        ));
        let mut table = Table::new(
            "What differs from chance",
            ["group", "measure", "value", "the others", "p"],
        );
        let several = found.groups.len() > 1;
        for row in &found.measures {
            let p = if several { row.p_corrected } else { row.p };
            let Some(p) = p.filter(|p| *p < DIFFERS) else { continue };
            let figure = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), short);
            table.push([
                row.group.clone(),
                row.measure.clone(),
                figure(row.value),
                figure(row.rest),
                p_words(p),
            ]);
        }
        if table.rows.is_empty() {
            section = section.say("No measure differs from what chance would give.");
        }
        for warning in found.warnings {
            section = section.caution(warning);
        }
        Ok(section.add(table))
    }

    fn trained(&self, number: usize) -> Result<Section, Error> {
        let found: TrainedJson = self.read("a training")?;
        let mut section = Section::new(&format!("training-{number}"), "When the model was made");
        let sentences = found.verdict.map(|verdict| verdict.sentences).unwrap_or_default();
        section = sentences.into_iter().fold(section, Section::say);
        let mut table =
            Table::new("On lists that it had not seen", ["order", "figure", "95 % interval"]);
        for row in found.results {
            let Some(value) = row.value else { continue };
            let ends = row.low.zip(row.high);
            let ends = ends.map_or_else(
                || "-".to_owned(),
                |(low, high)| format!("{} to {}", figure(low), figure(high)),
            );
            let cells = [row.score, figure(value), ends];
            if row.kind == "reference" { table.push_reference(cells) } else { table.push(cells) }
        }
        Ok(section.add(table))
    }
}

/// What has changed since training.
pub(crate) fn changed(id: &str, found: &Monitored) -> Result<Section, Error> {
    let json = serde_json::to_value(found).unwrap_or_default();
    let document = Document { name: "monitor".to_owned(), json };
    Ok(document.read::<MonitoredJson>("a monitoring")?.section(id))
}

impl MonitoredJson {
    fn section(self, id: &str) -> Section {
        let mut section = Section::new(id, "What has changed since training").say(self.headline);
        let mut alarms =
            Table::new("What is past its limit", ["what has changed", "what to do"]).wordy();
        for alarm in self.alarms {
            alarms.push([alarm.what, alarm.todo]);
        }
        section = section.add(alarms);
        let head = ["feature", "change (PSI)", "by chance below", "missing then", "missing now"];
        let mut features =
            Table::new("The features that changed most, weighed by importance", head).folded();
        for feature in self.features.into_iter().take(CHANGED) {
            features.push([
                feature.name,
                short(feature.psi),
                feature.psi_by_chance.map_or_else(|| "-".to_owned(), short),
                percent(feature.missing.then),
                percent(feature.missing.now),
            ]);
        }
        section.add(features)
    }
}

/// What each period of a backtest brought.
fn periods(
    periods: &[PeriodJson],
    shown: &dyn Fn(&str) -> String,
    is_reference: &dyn Fn(&str) -> bool,
    number: usize,
) -> Option<Section> {
    let first = periods.first().filter(|_| periods.len() > 1)?;
    let share = |period: &PeriodJson, name: &str| {
        let ideal = period.ideal.filter(|ideal| *ideal > 0.0)?;
        Some(period.saved.get(name).copied().flatten()? / ideal)
    };
    let lines: Vec<PeriodLine> = (first.saved.keys())
        .map(|name| PeriodLine {
            name: shown(name),
            shares: periods.iter().map(|period| share(period, name)).collect(),
            reference: is_reference(name),
        })
        .collect();
    let labels: Vec<&str> = periods.iter().map(|period| period.as_of.as_str()).collect();
    let section = Section::new(&format!("periods-{number}"), "Period after period").say(
        "As of each date everything was learnt from what was known then, and judged by the period that followed.",
    );
    Some(section.draw(periods_svg(&lines, &labels, "What was saved, of what could be")))
}

/// A share or an amount.
fn figure(value: f64) -> String {
    if (0.0..=1.0).contains(&value) { percent(value) } else { nice_number(value) }
}

#[derive(Deserialize)]
struct DataJson {
    source: String,
}

#[derive(Deserialize)]
struct ComparedJson {
    data: DataJson,
    settings: SettingsJson,
    contestants: Vec<EntrantJson>,
    results: Vec<FigureJson>,
    verdict: Vec<String>,
    #[serde(default)]
    periods: Vec<PeriodJson>,
}

#[derive(Deserialize)]
struct SettingsJson {
    goal: String,
    saved: String,
    folds: String,
}

#[derive(Deserialize)]
struct EntrantJson {
    name: String,
    shown: String,
    part: String,
}

#[derive(Deserialize)]
struct FigureJson {
    contestant: String,
    metric: String,
    value: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    lists: usize,
}

#[derive(Deserialize)]
struct PeriodJson {
    as_of: String,
    ideal: Option<f64>,
    saved: BTreeMap<String, Option<f64>>,
}

#[derive(Deserialize)]
struct PlannedJson {
    lists: Vec<PlannedListJson>,
}

#[derive(Deserialize)]
struct PlannedListJson {
    list: String,
    chosen: Vec<String>,
    spent: Option<f64>,
    expected: f64,
    proven: bool,
    gap: f64,
    items: Vec<PlannedItemJson>,
}

#[derive(Deserialize)]
struct PlannedItemJson {
    id: String,
    expected: f64,
    price: Option<f64>,
}

#[derive(Deserialize)]
struct AuditedJson {
    data: DataJson,
    score: String,
    groups: Vec<Value>,
    measures: Vec<MeasureJson>,
    #[serde(default)]
    warnings: Vec<String>,
}

#[derive(Deserialize)]
struct MeasureJson {
    group: String,
    measure: String,
    value: Option<f64>,
    rest: Option<f64>,
    p: Option<f64>,
    p_corrected: Option<f64>,
}

#[derive(Deserialize)]
struct MonitoredJson {
    headline: String,
    alarms: Vec<AlarmJson>,
    features: Vec<ChangeJson>,
}

#[derive(Deserialize)]
struct AlarmJson {
    what: String,
    todo: String,
}

#[derive(Deserialize)]
struct ChangeJson {
    name: String,
    psi: f64,
    psi_by_chance: Option<f64>,
    missing: ThenNow,
}

#[derive(Deserialize)]
struct ThenNow {
    then: f64,
    now: f64,
}

#[derive(Deserialize)]
struct TrainedJson {
    results: Vec<ResultJson>,
    verdict: Option<VerdictJson>,
}

#[derive(Deserialize)]
struct ResultJson {
    score: String,
    value: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    kind: String,
}

#[derive(Deserialize)]
struct VerdictJson {
    sentences: Vec<String>,
}
