//! Which request gets which answer.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Instant, SystemTime};

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::header::{self, HeaderMap, HeaderValue};
use hyper::{Method, Request, Response, StatusCode};
use serde_json::{Value, json};
use subtle::ConstantTimeEq;

use crate::calendar::iso;
use crate::gate::{Gate, guarded};
use crate::metrics::{Gauge, Metrics};
use crate::models::{Loaded, Models};
use crate::options::ServeOptions;
use crate::query::Query;
use crate::reply::{REQUEST_ID, Refusal, Reply, TEXT};
use crate::upload::{Memory, receive};
use crate::work::{Ask, Wanted, answer};
use crate::{Log, openapi, page};

/// Bodies up to this size are answered by the thread that received them.
const SMALL: usize = 16 << 10;

/// All that answering needs.
pub(crate) struct Service {
    pub(crate) options: ServeOptions,
    pub(crate) models: Models,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) log: Log,
    gate: Gate,
    memory: Memory,
    /// Whether hosts of other names are refused.
    is_local: bool,
    /// Of this process, so that ids differ from those of the one before.
    start: u64,
    requests: AtomicU64,
}

/// A path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Route {
    Ask(Ask),
    Models,
    Health,
    Metrics,
    OpenApi,
    Page,
}

const ROUTES: [(&str, Route); 10] = [
    ("/", Route::Page),
    ("/v1/report", Route::Ask(Ask::Report)),
    ("/v1/rank", Route::Ask(Ask::Rank)),
    ("/v1/plan", Route::Ask(Ask::Plan)),
    ("/v1/explain", Route::Ask(Ask::Explain)),
    ("/v1/score", Route::Ask(Ask::Score)),
    ("/v1/models", Route::Models),
    ("/v1/health", Route::Health),
    ("/metrics", Route::Metrics),
    ("/openapi.json", Route::OpenApi),
];

impl Service {
    pub(crate) fn new(options: ServeOptions, address: IpAddr, log: Log) -> Self {
        let metrics = Arc::new(Metrics::default());
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        Service {
            models: Models::new(&options.models, metrics.clone(), log.clone()),
            metrics,
            log,
            gate: Gate::new(&options.limits),
            memory: Memory::new(&options.limits),
            is_local: address.is_loopback() && options.token.is_none(),
            start: now.as_micros() as u64,
            requests: AtomicU64::new(0),
            options,
        }
    }

    /// Answers a request, counts it, and writes a line about it.
    pub(crate) async fn respond(
        self: Arc<Self>,
        request: Request<Incoming>,
    ) -> Response<Full<Bytes>> {
        let began = Instant::now();
        let _under_way = Gauge::of(&self.metrics.in_flight);
        let id = self.request_id(request.headers());
        let method = request.method().clone();
        let known = ROUTES.iter().find(|(path, _)| *path == request.uri().path());
        let reply = match known {
            Some((path, route)) => self.clone().answer(path, *route, request).await,
            None => Err(Refusal::new(
                StatusCode::NOT_FOUND,
                format!(
                    "there is no such path; there are {}",
                    ROUTES.map(|(path, _)| path).join(", ")
                ),
            )),
        };
        let reply = reply.unwrap_or_else(|refusal| refusal.into_reply(&id));
        let took = began.elapsed();
        // What was asked for may be anything, and is no part of the log.
        let path = known.map_or("other", |(path, _)| path);
        self.metrics.answered(path, reply.status.as_u16(), took);
        (self.log)(&format!(
            "{} {path} {} {:.3} ms {} bytes {}",
            known_method(&method),
            reply.status.as_u16(),
            took.as_secs_f64() * 1e3,
            reply.bytes(),
            id.to_str().unwrap_or_default()
        ));
        reply.into_response(&id)
    }

    async fn answer(
        self: Arc<Self>,
        path: &str,
        route: Route,
        request: Request<Incoming>,
    ) -> Result<Reply, Refusal> {
        self.check_host(request.headers())?;
        let is_open = matches!(route, Route::Health | Route::OpenApi | Route::Page);
        if !is_open {
            self.check_token(request.headers())?;
        }
        let (allowed, allow) = match route {
            Route::Ask(_) => (matches!(*request.method(), Method::POST), "POST"),
            _ => (matches!(*request.method(), Method::GET | Method::HEAD), "GET, HEAD"),
        };
        if !allowed {
            let what = format!("{path} is asked by {allow}");
            return Err(
                Refusal::new(StatusCode::METHOD_NOT_ALLOWED, what).with(header::ALLOW, allow)
            );
        }
        match route {
            Route::Ask(ask) => self.ask(ask, request).await,
            _ => {
                Query::parse(request.uri().query(), &[])?;
                self.look(route)
            }
        }
    }

    fn look(&self, route: Route) -> Result<Reply, Refusal> {
        match route {
            Route::Models => {
                Reply::json(&self.models.all().iter().map(|m| describe(m)).collect::<Vec<_>>())
            }
            Route::Metrics => Ok(Reply::new(TEXT, self.metrics.text())),
            Route::Page => Ok(page::page(self.options.token.is_some())),
            Route::OpenApi => Reply::json(&openapi::document(&self.options)),
            _ if self.models.are_loaded() => Reply::json(&json!({ "status": "ready" })),
            _ => Err(Refusal::busy("the models are being loaded")),
        }
    }

    async fn ask(self: Arc<Self>, ask: Ask, request: Request<Incoming>) -> Result<Reply, Refusal> {
        let query = Query::parse(request.uri().query(), ask.parameters())?;
        let wanted = Wanted::of(ask, request.headers())?;
        let loaded = self.models.get(query.text("model"))?;
        let upload = receive(request, &self.options.limits, &self.memory).await?;
        self.keep(&upload)?;
        let is_small = upload.bytes.len() <= SMALL && !ask.is_heavy(&query);
        let service = self.clone();
        let work = move || answer(ask, &loaded, upload, &query, wanted, &service.options.limits);
        let (reply, rows) = if is_small { guarded(work) } else { self.gate.work(work).await }?;
        self.metrics.rows.fetch_add(rows as u64, Ordering::Relaxed);
        Ok(reply)
    }

    /// Stores what was sent, if that is wanted, under a name that nobody else chose.
    fn keep(&self, upload: &crate::upload::Upload) -> Result<(), Refusal> {
        let Some(folder) = &self.options.keep else { return Ok(()) };
        let number = self.requests.fetch_add(1, Ordering::Relaxed);
        let name = format!("{:x}-{number}.{}", self.start, upload.rows.extension());
        let path = folder.join(name);
        stakes::io::write_bytes(&path.to_string_lossy(), &upload.bytes).map_err(|error| {
            (self.log)(&format!("an upload was not kept: {error}"));
            Refusal::broken("the upload could not be kept; the log of the service says why")
        })
    }

    /// The id that the request came with, or a new one.
    fn request_id(&self, headers: &HeaderMap) -> HeaderValue {
        let is_plain = |b: u8| b.is_ascii_alphanumeric() || b"._-".contains(&b);
        let given = headers.get(REQUEST_ID).filter(|id| {
            (1..=64).contains(&id.len()) && id.as_bytes().iter().all(|b| is_plain(*b))
        });
        given.cloned().unwrap_or_else(|| {
            let number = self.requests.fetch_add(1, Ordering::Relaxed);
            let id = format!("{:x}-{number:x}", self.start);
            HeaderValue::from_str(&id).unwrap_or(HeaderValue::from_static("none"))
        })
    }

    /// Refuses names of other hosts: a page whose name was made to resolve to loopback could read answers.
    fn check_host(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        if !self.is_local {
            return Ok(());
        }
        let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
        let is_ours = |authority: &str| {
            let name = match authority.strip_prefix('[') {
                Some(rest) => rest.split(']').next().unwrap_or_default(),
                None => authority.split(':').next().unwrap_or_default(),
            };
            name.eq_ignore_ascii_case("localhost")
                || name.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
        };
        let origin =
            text(header::ORIGIN).map(|origin| origin.strip_prefix("http://").is_some_and(is_ours));
        if text(header::HOST).is_some_and(is_ours) && origin.unwrap_or(true) {
            return Ok(());
        }
        let what = "the service listens on loopback and answers to localhost and 127.0.0.1 only; with --listen and \
                    --token-file it answers to other names";
        Err(Refusal::new(StatusCode::MISDIRECTED_REQUEST, what))
    }

    fn check_token(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let Some(token) = &self.options.token else { return Ok(()) };
        let given = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let given = given.and_then(|value| {
            let (scheme, token) = value.split_once(' ')?;
            scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
        });
        // In constant time: the time of an answer does not tell how much of a guess is right.
        match given {
            Some(given) if bool::from(given.as_bytes().ct_eq(token.as_bytes())) => Ok(()),
            _ => {
                let what = "a token is needed: Authorization: Bearer TOKEN";
                let refusal = Refusal::new(StatusCode::UNAUTHORIZED, what);
                Err(refusal.with(header::WWW_AUTHENTICATE, "Bearer"))
            }
        }
    }
}

/// A method, or `other`: it may be any word.
fn known_method(method: &Method) -> &str {
    match *method {
        Method::GET
        | Method::HEAD
        | Method::POST
        | Method::PUT
        | Method::DELETE
        | Method::OPTIONS
        | Method::PATCH => method.as_str(),
        _ => "other",
    }
}

/// What should be known about a model before rows are sent.
fn describe(loaded: &Loaded) -> Value {
    let model = loaded.model();
    let feature = |feature: &stakes::model::ModelFeature| match &feature.categories {
        None => json!({ "name": feature.name, "kind": "number" }),
        Some(names) => {
            json!({ "name": feature.name, "kind": "category", "categories": names.len() })
        }
    };
    let roles: serde_json::Map<String, Value> = model
        .columns
        .iter()
        .map(|(role, column)| (role.name().to_owned(), json!(column)))
        .collect();
    json!({
        "name": loaded.name,
        "learner": model.learner,
        "goal": model.goal.reach.to_string(),
        "features": model.features.iter().map(feature).collect::<Vec<_>>(),
        "columns": roles,
        "calibrated": model.calibration.is_some(),
        "fingerprint": format!("{:016x}", loaded.fingerprint),
        "trained_on": { "items": model.data.items, "lists": model.data.lists },
        "loaded": iso(loaded.when),
    })
}
