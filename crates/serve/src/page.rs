//! The page at `/`: choose a model and a file, see the report.
//!
//! The report is shown in a frame without an origin, which can run its own script and nothing else. A frame inherits the
//! policy of the page around it, so that policy names the style and the script of both, by their hashes.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hyper::header;
use sha2::{Digest, Sha256};

use crate::reply::{HTML, Reply};

const PAGE: &str = include_str!("../assets/page.html");
const STYLE: &str = include_str!("../assets/page.css");
const SCRIPT: &str = include_str!("../assets/page.js");

/// The page.
pub(crate) fn page(needs_token: bool) -> Reply {
    let page = PAGE
        .replace("{needs_token}", if needs_token { "true" } else { "false" })
        .replace("{style}", STYLE)
        .replace("{script}", SCRIPT);
    let of_report = stakes_report::hashes();
    let policy = format!(
        "default-src 'none'; style-src '{}' '{}'; script-src '{}' '{}'; connect-src 'self'; base-uri 'none'; \
         form-action 'none'; frame-ancestors 'none'",
        hash(STYLE),
        of_report.style,
        hash(SCRIPT),
        of_report.script
    );
    Reply::new(HTML, page).with(header::CONTENT_SECURITY_POLICY, &policy)
}

/// A report as an answer: a page without an origin.
pub(crate) fn report(html: String) -> Reply {
    let of_report = stakes_report::hashes();
    let policy = format!(
        "sandbox allow-scripts allow-downloads; default-src 'none'; style-src '{}'; script-src '{}'; base-uri 'none'; \
         form-action 'none'; frame-ancestors 'none'",
        of_report.style, of_report.script
    );
    Reply::new(HTML, html).with(header::CONTENT_SECURITY_POLICY, &policy)
}

fn hash(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text.as_bytes())))
}
