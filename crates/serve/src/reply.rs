//! What is sent back: results, and refusals as JSON that say what was met and what is allowed.

use bytes::Bytes;
use http_body_util::Full;
use hyper::header::{self, HeaderName, HeaderValue};
use hyper::{Response, StatusCode};
use serde_json::json;
use stakes::Error;
use stakes::io::ReadError;

pub(crate) const JSON: &str = "application/json";
pub(crate) const CSV: &str = "text/csv; charset=utf-8";
pub(crate) const HTML: &str = "text/html; charset=utf-8";
pub(crate) const TEXT: &str = "text/plain; charset=utf-8";

const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// A policy for answers that are no pages: nothing of them is run or shown.
const NOTHING: HeaderValue = HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'");

/// About as many headers as an answer has: there is one allocation for them.
const MOST_HEADERS: usize = 12;

/// What is sent back.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    kind: &'static str,
    body: Bytes,
    headers: Vec<(HeaderName, HeaderValue)>,
}

impl Reply {
    pub(crate) fn new(kind: &'static str, body: impl Into<Bytes>) -> Self {
        Reply { status: StatusCode::OK, kind, body: body.into(), headers: Vec::new() }
    }

    pub(crate) fn json(value: &impl serde::Serialize) -> Result<Self, Refusal> {
        let body = serde_json::to_vec(value).map_err(|error| Refusal::broken(error.to_string()))?;
        Ok(Reply::new(JSON, body))
    }

    /// Adds a header; one whose value cannot be sent is left out.
    pub(crate) fn with(mut self, name: HeaderName, value: &str) -> Self {
        self.headers.extend(HeaderValue::from_str(value).ok().map(|value| (name, value)));
        self
    }

    pub(crate) fn bytes(&self) -> usize {
        self.body.len()
    }

    /// The answer as it is sent.
    pub(crate) fn into_response(self, request_id: &HeaderValue) -> Response<Full<Bytes>> {
        let mut response = Response::new(Full::new(self.body));
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        headers.reserve(MOST_HEADERS);
        for (name, value) in [
            (header::CONTENT_TYPE, HeaderValue::from_static(self.kind)),
            (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
            (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
            (header::CONTENT_SECURITY_POLICY, NOTHING),
            (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
            (RESOURCE_POLICY, HeaderValue::from_static("same-origin")),
            (REQUEST_ID, request_id.clone()),
        ] {
            headers.insert(name, value);
        }
        for (name, value) in self.headers {
            headers.insert(name, value);
        }
        response
    }
}

/// Why a request is not answered.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Refusal {
    status: StatusCode,
    what: String,
    header: Option<(HeaderName, &'static str)>,
}

impl Refusal {
    pub(crate) fn new(status: StatusCode, what: impl Into<String>) -> Self {
        Refusal { status, what: what.into(), header: None }
    }

    pub(crate) fn bad(what: impl Into<String>) -> Self {
        Refusal::new(StatusCode::BAD_REQUEST, what)
    }

    /// Too much is under way; another attempt may succeed.
    pub(crate) fn busy(what: impl Into<String>) -> Self {
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, what).with(header::RETRY_AFTER, "1")
    }

    /// A mistake of ours.
    pub(crate) fn broken(what: impl Into<String>) -> Self {
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, what)
    }

    pub(crate) fn with(self, name: HeaderName, value: &'static str) -> Self {
        Refusal { header: Some((name, value)), ..self }
    }

    pub(crate) fn into_reply(self, request_id: &HeaderValue) -> Reply {
        let id = request_id.to_str().unwrap_or_default();
        let body = json!({ "error": self.what, "request_id": id }).to_string();
        let reply = Reply { status: self.status, ..Reply::new(JSON, body) };
        match self.header {
            Some((name, value)) => reply.with(name, value),
            None => reply,
        }
    }
}

/// Content that cannot be read is a bad request; content that can be read and cannot be ranked is unprocessable.
impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        let status = match &error {
            Error::Read(ReadError::TooLarge { .. }) => StatusCode::PAYLOAD_TOO_LARGE,
            Error::Read(_) => StatusCode::BAD_REQUEST,
            _ => StatusCode::UNPROCESSABLE_ENTITY,
        };
        Refusal::new(status, error.to_string())
    }
}
