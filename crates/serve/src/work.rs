//! From a body to an answer: the library's reader, then one of its workflows, then JSON or CSV.

use hyper::StatusCode;
use hyper::header::{self, HeaderMap, HeaderName};
use serde::Serialize;
use stakes::Task;
use stakes::classes::{ClassifyOptions, classify};
use stakes::cost::Capacity;
use stakes::data::{Dataset, notes_on_matched};
use stakes::evaluate::scores::{check_finite, column as column_scores};
use stakes::goal::Reach;
use stakes::model::Model;
use stakes::plan::{PlanOptions, plan_by};
use stakes::rank::{RankLists, RankOptions, expected_costs};
use stakes::scoring::{PreparedModel, SeenLists, in_file_order};
use stakes::{Error, Note};
use stakes_report::{ReportOptions, Subject};

use crate::models::Loaded;
use crate::options::ServeLimits;
use crate::page;
use crate::query::{Query, wrong};
use crate::reply::{CSV, Refusal, Reply};
use crate::rows::read;
use crate::upload::Upload;

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ask {
    Rank,
    Plan,
    Explain,
    Score,
    Report,
}

impl Ask {
    /// The parameters that have an effect.
    pub(crate) fn parameters(self) -> &'static [&'static str] {
        match self {
            Ask::Rank => {
                &["model", "k", "budget", "top", "list", "explain", "min_share", "at_most"]
            }
            Ask::Explain => &["model", "k", "budget", "top", "list", "explain"],
            Ask::Plan => &[
                "model", "k", "budget", "resource", "at_most", "at_least", "must", "must_not",
                "current", "explain",
            ],
            Ask::Score => &["model"],
            Ask::Report => &["model", "k", "budget", "title", "name"],
        }
    }

    /// Whether this is much work even for few rows.
    pub(crate) fn is_heavy(self, query: &Query) -> bool {
        matches!(self, Ask::Plan | Ask::Explain | Ask::Report) || query.text("explain").is_some()
    }
}

/// How an answer is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    Json,
    Csv,
    Html,
}

impl Wanted {
    /// What a request accepts: the best of its media ranges that there is, the usual where it does not care.
    pub(crate) fn of(ask: Ask, headers: &HeaderMap) -> Result<Self, Refusal> {
        let (usual, other) = match ask {
            Ask::Report => (Wanted::Html, Wanted::Json),
            _ => (Wanted::Json, Wanted::Csv),
        };
        let Some(accept) = headers.get(header::ACCEPT) else { return Ok(usual) };
        let accept = accept.to_str().unwrap_or_default();
        let mut best: Option<(f32, Wanted)> = None;
        for range in accept.split(',') {
            let mut parts = range.split(';').map(str::trim);
            let kind = parts.next().unwrap_or_default().to_ascii_lowercase();
            let takes = |wanted: Wanted| {
                let (group, name) = wanted.kind();
                kind == format!("{group}/{name}") || kind == format!("{group}/*")
            };
            let wanted = match [usual, other].into_iter().find(|wanted| takes(*wanted)) {
                Some(wanted) => wanted,
                None if kind == "*/*" => usual,
                None => continue,
            };
            let quality = parts.find_map(|part| part.strip_prefix("q=")?.parse().ok());
            let quality = quality.unwrap_or(1.0);
            if quality > 0.0 && best.is_none_or(|(other, _)| quality > other) {
                best = Some((quality, wanted));
            }
        }
        best.map(|(_, wanted)| wanted).ok_or_else(|| {
            let names =
                [usual, other].map(Wanted::kind).map(|(group, name)| format!("{group}/{name}"));
            let what = format!(
                "nothing that `accept` names can be sent; there are {}",
                names.join(" and ")
            );
            Refusal::new(StatusCode::NOT_ACCEPTABLE, what)
        })
    }

    /// Its media type.
    fn kind(self) -> (&'static str, &'static str) {
        match self {
            Wanted::Json => ("application", "json"),
            Wanted::Csv => ("text", "csv"),
            Wanted::Html => ("text", "html"),
        }
    }
}

/// Scores in the order of the rows.
#[derive(Serialize)]
struct Scores {
    scores: Vec<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected_costs: Option<Vec<f64>>,
}

/// Answers a request; the second value is the number of rows.
pub(crate) fn answer(
    ask: Ask,
    loaded: &Loaded,
    upload: Upload,
    query: &Query,
    wanted: Wanted,
    limits: &ServeLimits,
) -> Result<(Reply, usize), Refusal> {
    let model = loaded.model();
    let reach = reach(ask, model, query)?;
    let data = read(ask, loaded, upload, query, reach, limits)?;
    let (reply, notes) = match ask {
        Ask::Rank | Ask::Explain if Task::of(model) != Task::Rank => {
            classes(ask, model, &data, query, wanted)?
        }
        Ask::Rank | Ask::Explain => rank(ask, &loaded.prepared, &data, reach, query, wanted)?,
        Ask::Plan => plan(model, &data, query, wanted)?,
        Ask::Score => score(&loaded.prepared, &data, wanted)?,
        Ask::Report => (report(loaded, &data, reach, query, wanted)?, Vec::new()),
    };
    let reply = reply.with(HeaderName::from_static("stakes-model"), &loaded.name);
    Ok((with_notes(reply, &notes), data.len()))
}

/// How far down a list actions reach: as asked, or as in training.
fn reach(ask: Ask, model: &Model, query: &Query) -> Result<Reach, Refusal> {
    const MONEY: &str = "a finite number above 0";
    let money = query.value::<f64>("budget", MONEY)?;
    if let Some(money) = money.filter(|money| !(*money > 0.0 && money.is_finite())) {
        return Err(wrong("budget", &money.to_string(), MONEY));
    }
    let k: Vec<Capacity> = if ask == Ask::Plan { Vec::new() } else { query.values("k")? };
    match (money, &k[..]) {
        (Some(_), [_, ..]) => Err(Refusal::bad("k and budget are both given; give one of them")),
        (None, [_, _, ..]) => Err(Refusal::bad("the parameter k has several values; give one")),
        (Some(money), []) => Ok(Reach::Money(money)),
        (None, [k]) => Ok((*k).into()),
        (None, []) => Ok(model.goal.reach),
    }
}

/// The number of reasons.
fn reasons(ask: Ask, query: &Query) -> Result<usize, Refusal> {
    const USUAL: u16 = 3;
    const ALLOWED: &str = "a whole number from 1 to 65535";
    let asked = query.value::<u16>("explain", ALLOWED)?;
    match asked {
        Some(0) => Err(wrong("explain", "0", ALLOWED)),
        Some(reasons) => Ok(reasons.into()),
        None if ask == Ask::Explain => Ok(USUAL.into()),
        None => Ok(0),
    }
}

fn top(query: &Query) -> Result<Option<usize>, Refusal> {
    query.value("top", "a whole number")
}

fn rank(
    ask: Ask,
    model: &PreparedModel,
    data: &Dataset,
    reach: Reach,
    query: &Query,
    wanted: Wanted,
) -> Result<(Reply, Vec<Note>), Refusal> {
    let options = RankOptions {
        reach: Some(reach),
        list: query.text("list").map(str::to_owned),
        top: top(query)?,
        reasons: reasons(ask, query)?,
        min_shares: query.values("min_share")?,
        seen: SeenLists::OutOfFold,
        at_most: query.values("at_most")?,
    };
    let ranked = model.rank_with(data, &options)?;
    let reply = match wanted {
        Wanted::Json => Reply::json(&ranked)?,
        _ => Reply::new(CSV, ranked.csv(None)),
    };
    Ok((reply, ranked.notes))
}

fn classes(
    ask: Ask,
    model: &Model,
    data: &Dataset,
    query: &Query,
    wanted: Wanted,
) -> Result<(Reply, Vec<Note>), Refusal> {
    let useless = ["k", "budget", "min_share", "at_most"];
    if let Some(name) = useless.iter().find(|name| query.text(name).is_some()) {
        return Err(Refusal::bad(format!(
            "the model predicts classes, so the parameter {name} has no effect; leave it out (top sets how many \
             classes are shown)"
        )));
    }
    let options = ClassifyOptions {
        row: query.text("list").map(str::to_owned),
        top: top(query)?.unwrap_or(1),
        reasons: reasons(ask, query)?,
    };
    let classified = classify(model, data, &options)?;
    let reply = match wanted {
        Wanted::Json => Reply::json(&classified)?,
        _ => Reply::new(CSV, classified.csv()),
    };
    Ok((reply, classified.notes))
}

fn plan(
    model: &Model,
    data: &Dataset,
    query: &Query,
    wanted: Wanted,
) -> Result<(Reply, Vec<Note>), Refusal> {
    if Task::of(model) != Task::Rank {
        return Err(Error::ClassModel.into());
    }
    let resource = |text: &str| {
        let parts = text.split_once('=').and_then(|(name, n)| Some((name, n.trim().parse().ok()?)));
        let (name, amount) =
            parts.ok_or_else(|| wrong("resource", text, "COLUMN=AMOUNT, such as crew_hours=40"))?;
        Ok((name.trim().to_owned(), amount))
    };
    let ids = |name: &str| query.texts(name).into_iter().map(str::to_owned).collect();
    let current = |column: &str| {
        let scores = column_scores(data, column)?;
        check_finite(data, &scores)?;
        Ok::<_, Error>(scores.values)
    };
    let options = PlanOptions {
        k: query.value("k", "a whole number")?,
        budget: query.value("budget", "a number")?,
        resources: query
            .texts("resource")
            .into_iter()
            .map(resource)
            .collect::<Result<_, Refusal>>()?,
        at_most: query.values("at_most")?,
        at_least: query.values("at_least")?,
        must: ids("must"),
        must_not: ids("must_not"),
        current: query.text("current").map(current).transpose()?,
        forecast: None,
    };
    let planned = plan_by(model, data, options, reasons(Ask::Plan, query)?, SeenLists::OutOfFold)?;
    let reply = match wanted {
        Wanted::Json => Reply::json(&planned.planned)?,
        _ => Reply::new(CSV, planned.planned.csv()),
    };
    Ok((reply, planned.notes))
}

fn score(
    prepared: &PreparedModel,
    data: &Dataset,
    wanted: Wanted,
) -> Result<(Reply, Vec<Note>), Refusal> {
    let model = prepared.model();
    if Task::of(model) != Task::Rank {
        return Err(Error::ClassModel.into());
    }
    let matched = model.match_columns(data).map_err(Error::from)?;
    let scored = prepared.score_matched(data, &matched, SeenLists::OutOfFold);
    let mut notes: Vec<Note> =
        Note::trained_on("the model", data, scored.trained_on).into_iter().collect();
    notes.extend(notes_on_matched(model, data, &matched));
    let scores = in_file_order(data, &scored.values);
    let reply = match wanted {
        Wanted::Json => {
            Reply::json(&Scores { expected_costs: expected_costs(model, &scores), scores })?
        }
        _ => {
            let lines: String = scores.iter().map(|score| format!("{score}\n")).collect();
            Reply::new(CSV, lines)
        }
    };
    Ok((reply, notes))
}

fn report(
    loaded: &Loaded,
    data: &Dataset,
    reach: Reach,
    query: &Query,
    wanted: Wanted,
) -> Result<Reply, Refusal> {
    let subject = Subject { name: &loaded.name, model: loaded.model(), data, past: None };
    let options = ReportOptions {
        title: query.text("title").map(str::to_owned),
        reach: Some(reach),
        ..ReportOptions::default()
    };
    let made = stakes_report::report(Some(&subject), &options, None)?;
    match wanted {
        Wanted::Json => Reply::json(&made),
        _ => Ok(page::report(made.html()?)),
    }
}

/// Notes are a header, a JSON array of ASCII text: the body is what `stakes rank` writes.
fn with_notes(reply: Reply, notes: &[Note]) -> Reply {
    const MOST: usize = 4096;
    if notes.is_empty() {
        return reply;
    }
    let texts: Vec<String> = notes.iter().map(Note::to_string).collect();
    let json = serde_json::to_string(&texts).unwrap_or_default();
    let mut ascii = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            ' '..='~' => ascii.push(c),
            _ => c
                .encode_utf16(&mut [0; 2])
                .iter()
                .for_each(|unit| ascii.push_str(&format!("\\u{unit:04x}"))),
        }
    }
    let count = notes.len().to_string();
    let reply = reply.with(HeaderName::from_static("stakes-notes-count"), &count);
    if ascii.len() > MOST {
        reply
    } else {
        reply.with(HeaderName::from_static("stakes-notes"), &ascii)
    }
}
