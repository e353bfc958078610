//! The page itself: template, style, script and the figures that the script looks up.

use askama::Template;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use sha2::{Digest, Sha256};
use stakes::Error;

use crate::chart::curve_svg;
use crate::evidence::Curve;
use crate::section::Part;
use crate::slider::{Kind, Slider};
use crate::{ListReport, Report, Words};

const STYLE: &str = include_str!("../assets/report.css");
const SCRIPT: &str = include_str!("../assets/report.js");

#[derive(Template)]
#[template(path = "report.html")]
struct Page<'r> {
    report: &'r Report,
    policy: String,
    style: &'static str,
    script: &'static str,
    data: String,
    curve: Option<String>,
    /// The list that is shown first: the newest.
    first: usize,
}

/// What the script looks up.
#[derive(Serialize)]
struct Looked<'r> {
    words: &'r Words,
    slider: &'r Slider,
    curve: Option<&'r Curve>,
    lists: &'r [ListReport],
}

/// What a content-security policy calls the style and the script of a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hashes {
    /// Of the style.
    pub style: String,
    /// Of the script.
    pub script: String,
}

/// The hashes of the style and the script of every report, for the policy of a page that shows one in a frame.
pub fn hashes() -> Hashes {
    Hashes { style: hash(STYLE), script: hash(SCRIPT) }
}

pub(crate) fn html(report: &Report) -> Result<String, Error> {
    let data = match &report.slider {
        Some(slider) => {
            let (words, curve) = (&report.words, report.curve.as_ref());
            json(&Looked { words, slider, curve, lists: &report.lists })
        }
        None => "null".to_owned(),
    };
    let curve = report.curve.as_ref().zip(report.slider.as_ref());
    let page = Page {
        report,
        policy: format!(
            "default-src 'none'; style-src '{}'; script-src '{}'; base-uri 'none'; form-action 'none'",
            hash(STYLE),
            hash(SCRIPT)
        ),
        style: STYLE,
        script: SCRIPT,
        data,
        curve: curve.map(|(curve, slider)| curve_svg(curve, slider, &report.words)),
        first: report.lists.len().saturating_sub(1),
    };
    page.render()
        .map_err(|error| Error::Document { name: "the page".to_owned(), why: error.to_string() })
}

/// The hash by which a browser knows that an inline style or script is ours.
fn hash(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text.as_bytes())))
}

/// JSON that cannot end the script element which it stands in.
fn json(value: &impl Serialize) -> String {
    let text = serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned());
    text.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

impl Page<'_> {
    /// Whether the slider moves money.
    fn is_money(&self) -> bool {
        self.report.slider.as_ref().is_some_and(|slider| slider.kind == Kind::Money)
    }

    fn has_plans(&self) -> bool {
        self.report.lists.iter().any(|list| !list.plans.is_empty())
    }
}
