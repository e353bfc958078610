//! One page to decide from: what a model saves, which items to act on and why, where it went wrong, and what it
//! is made of, as one file for a browser that asks for nothing from elsewhere.
//!
//! ```
//! use stakes::prelude::*;
//! use stakes_report::{ReportOptions, Subject, report};
//! # let storms = stakes::synth::Storms { lists: 12, networks: 10, rows: 90, ..Default::default() };
//! # let storms = storms.generate()?;
//! # let model = Fit::with("ridge")?.fit(&storms, &Goal::act_on(3))?;
//! let subject = Subject { name: "model.json", model: &model, data: &storms, past: None };
//! let page = report(Some(&subject), &ReportOptions::default(), None)?.html()?;
//! assert!(page.starts_with("<!doctype html>"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! All figures are those of the library's workflows. What the slider moves is looked up in tables that are made
//! here; the script of the page only multiplies by what a unit is worth and takes one plan from the next. The page is written by [askama](https://askama.rs) templates,
//! which escape all text and are checked when they are compiled; its content-security policy names the hashes of
//! the page's own style and script (`sha2`, `base64`) and forbids everything else.

mod chart;
mod documents;
mod evidence;
mod lists;
mod looks;
mod of_model;
mod page;
mod past;
mod plans;
mod round;
mod section;
mod slider;

use serde::Serialize;
use stakes::audit::ItemGroups;
use stakes::data::Dataset;
use stakes::goal::Reach;
use stakes::judge::{Amounts, CurrentPolicy, Reached};
use stakes::model::Model;
use stakes::plan::PlanOptions;
use stakes::{Error, Observer};

pub use documents::Document;
pub use evidence::Curve;
pub use lists::{Items, ListReport, PlanAt};
pub use page::{Hashes, hashes};
pub use section::{Part, Row, Section, Table};
pub use slider::{Kind, Slider};

/// What a report is about.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'s> {
    /// The name of the model: its file.
    pub name: &'s str,
    /// The model.
    pub model: &'s Model,
    /// The lists to act on.
    pub data: &'s Dataset,
    /// Lists whose outcomes are known, to judge by; by default those of the data, if they are.
    pub past: Option<&'s Dataset>,
}

/// What is shown.
#[derive(Debug, Clone, Default)]
pub struct ReportOptions {
    /// The title of the page.
    pub title: Option<String>,
    /// How far down a list actions reach; by default as in training.
    pub reach: Option<Reach>,
    /// How it is decided now which items are acted on.
    pub current: Option<CurrentPolicy>,
    /// What costs are counted in.
    pub amounts: Amounts,
    /// Plans within a budget and limits, in place of the model's order.
    pub plan: Option<PlanOptions>,
    /// Groups of the items of the data, to look at how they are treated.
    pub groups: Option<ItemGroups>,
    /// Results of other commands.
    pub documents: Vec<Document>,
    /// The seed of all random draws.
    pub seed: u64,
}

/// What the lists, the items and the cost are called.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Words {
    /// One list: `storm`.
    pub list: String,
    /// Several.
    pub lists: String,
    /// One item: `network`.
    pub item: String,
    /// Several.
    pub items: String,
    /// The unit of the cost: `customers`.
    pub unit: String,
    /// What the unit is worth, if that is known and it is not money itself.
    pub money: Option<Money>,
}

/// What a unit of the cost is worth.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Money {
    /// The name of the currency.
    pub currency: String,
    /// How much of it a unit is worth.
    pub worth: f64,
}

/// A report, before it becomes a page. As JSON it has all figures of the page.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// The version of this library.
    pub stakes: &'static str,
    /// The title.
    pub title: String,
    /// What is shown, in a sentence.
    pub subtitle: String,
    /// What things are called.
    pub words: Words,
    /// What the model would have reached, if outcomes are known.
    pub verdict: Option<Reached>,
    /// The same of the lists that are shown, if others judge the model and outcomes are known there, too.
    pub verdict_here: Option<Reached>,
    /// What should be known before figures are trusted.
    pub cautions: Vec<String>,
    /// The positions of the slider.
    pub slider: Option<Slider>,
    /// What is reached at each of them, if outcomes are known.
    pub curve: Option<Curve>,
    /// The lists with their items.
    pub lists: Vec<ListReport>,
    /// The number of lists that are not shown.
    pub lists_left_out: usize,
    /// Everything else.
    pub sections: Vec<Section>,
}

/// Makes a report of a model and its lists, of results of other commands, or of both.
pub fn report(
    subject: Option<&Subject<'_>>,
    options: &ReportOptions,
    mut observer: Option<&mut dyn Observer>,
) -> Result<Report, Error> {
    let mut report = match subject {
        Some(subject) => of_model::report(subject, options, &mut observer)?,
        None => Report::empty(),
    };
    for (number, document) in options.documents.iter().enumerate() {
        let sections = document.sections(number + 1)?;
        // What was compared comes before what the model is made of.
        let card = report.sections.iter().position(|section| section.id == "data");
        let at = card.unwrap_or(report.sections.len());
        report.sections.splice(at..at, sections);
    }
    if let Some(title) = &options.title {
        report.title.clone_from(title);
    }
    Ok(report)
}

impl Report {
    fn empty() -> Self {
        let words = ["list", "lists", "item", "items", "cost"].map(str::to_owned);
        let [list, lists, item, items, unit] = words;
        Report {
            stakes: env!("CARGO_PKG_VERSION"),
            title: "Report".to_owned(),
            subtitle: String::new(),
            words: Words { list, lists, item, items, unit, money: None },
            verdict: None,
            verdict_here: None,
            cautions: Vec::new(),
            slider: None,
            curve: None,
            lists: Vec::new(),
            lists_left_out: 0,
            sections: Vec::new(),
        }
    }

    /// The report as one self-contained page for a browser.
    pub fn html(&self) -> Result<String, Error> {
        page::html(self)
    }
}
