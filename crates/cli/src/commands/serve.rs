//! `stakes serve`: ranking as an HTTP service.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use stakes::model::Model;
use stakes::model_file::ModelFile;
use stakes_serve::{Log, NamedModel, ServeLimits, ServeOptions, serve};

use crate::args::Size;
use crate::terminal::output::{self, log, print_page};

const LIMITS: &str = "How much is taken on";

/// Rank for other programs: an HTTP service
///
/// POST rows to /v1/rank, /v1/plan, /v1/explain or /v1/score, as CSV, JSON, Arrow or Parquet; the answer is the JSON of
/// stakes rank, or its CSV for `accept: text/csv`, with the same scores to the bit. GET /v1/models, /v1/health, /metrics
/// (Prometheus) and /openapi.json say what is served. http://localhost:8080/ is a page: drop a file, see the report.
///
/// A model whose file changes is loaded again, as a whole, and on SIGHUP; a damaged file changes nothing. Nothing that
/// is sent is stored, unless --keep says where. The log, on stderr, has a line per request and none of its rows.
#[derive(Args)]
pub(crate) struct Serve {
    /// Models (stakes train): FILE, or NAME=FILE
    ///
    /// Requests ask for a model by its name, which is that of the file without .json; those that ask for none get the
    /// first.
    #[arg(required = true, value_name = "MODEL")]
    models: Vec<String>,

    /// Port on this machine; 0 is any that is free
    #[arg(short, long, value_name = "N", default_value_t = 8080, conflicts_with = "listen")]
    port: u16,
    /// Address for other machines: 0.0.0.0:8080 (needs --token-file)
    ///
    /// Without it only programs on this machine are answered. The service speaks plain HTTP: put a proxy with TLS
    /// before it.
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<SocketAddr>,
    /// A file with the token that requests must have
    ///
    /// At least 16 characters, such as of openssl rand -hex 32; requests have the header Authorization: Bearer TOKEN.
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// Store what is sent in this folder
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
    /// Only load the models and say what would be served
    #[arg(long)]
    check: bool,

    /// Most bytes of a body, also when it is expanded
    #[arg(long, value_name = "BYTES", default_value_t = Size(ServeLimits::default().body), help_heading = LIMITS)]
    max_body: Size,
    /// Most rows of a request
    #[arg(long, value_name = "N", default_value_t = ServeLimits::default().rows, help_heading = LIMITS)]
    max_rows: usize,
    /// Most columns of a request
    #[arg(long, value_name = "N", default_value_t = ServeLimits::default().columns, help_heading = LIMITS)]
    max_columns: usize,
    /// Most seconds for sending a request, and for its answer
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = ServeLimits::default().timeout.as_secs_f64(),
        allow_negative_numbers = true,
        help_heading = LIMITS
    )]
    timeout: f64,
    /// Requests worked on at the same time (default: cores)
    #[arg(long, value_name = "N", help_heading = LIMITS)]
    max_concurrent: Option<usize>,
    /// Requests that may wait for that
    #[arg(
        long,
        value_name = "N",
        default_value_t = ServeLimits::default().waiting,
        help_heading = LIMITS,
        hide_short_help = true
    )]
    max_waiting: usize,
    /// Open connections
    #[arg(
        long,
        value_name = "N",
        default_value_t = ServeLimits::default().connections,
        help_heading = LIMITS,
        hide_short_help = true
    )]
    max_connections: usize,
}

impl Serve {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let options = self.options()?;
        if self.check {
            return check(&options);
        }
        let log: Log = Arc::new(log);
        Ok(serve(options, log)?)
    }

    fn options(&self) -> anyhow::Result<ServeOptions> {
        let models: Result<Vec<_>, _> =
            self.models.iter().map(|text| NamedModel::parse(text)).collect();
        let local = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), self.port);
        let address = self.listen.unwrap_or(local);
        if self.listen.is_some_and(|address| !address.ip().is_loopback())
            && self.token_file.is_none()
        {
            bail!(
                "--listen {address} is open to other machines; give them a token: openssl rand -hex 32 > token, then \
                 --token-file token"
            );
        }
        if !(self.timeout > 0.0 && self.timeout <= 86_400.0) {
            bail!("--timeout is {}; allowed is above 0, up to 86400 seconds", self.timeout);
        }
        for (flag, value) in [
            ("--max-body", self.max_body.0),
            ("--max-rows", self.max_rows),
            ("--max-columns", self.max_columns),
            ("--max-concurrent", self.max_concurrent.unwrap_or(1)),
            ("--max-connections", self.max_connections),
        ] {
            if value == 0 {
                bail!("{flag} is 0, so nothing would be answered; give a number above 0");
            }
        }
        let limits = ServeLimits {
            body: self.max_body.0,
            rows: self.max_rows,
            columns: self.max_columns,
            timeout: Duration::from_secs_f64(self.timeout),
            concurrent: self.max_concurrent.unwrap_or(ServeLimits::default().concurrent),
            waiting: self.max_waiting,
            connections: self.max_connections,
        };
        let token = self.token_file.as_ref().map(|path| {
            let text = std::fs::read_to_string(path);
            let text =
                text.with_context(|| format!("{}: the token cannot be read", path.display()));
            text.map(|text| text.trim().to_owned())
        });
        let options = ServeOptions {
            models: models?,
            address,
            token: token.transpose()?,
            limits,
            keep: self.keep.clone(),
        };
        options.check()?;
        Ok(options)
    }
}

/// Loads the models and says what they are.
fn check(options: &ServeOptions) -> anyhow::Result<()> {
    let mut page = output::page();
    for NamedModel { name, path } in &options.models {
        let model = Model::load(path)?;
        page.line(name, &format!("{}, {}, from {path}", model.learner, model.goal.reach));
    }
    print_page(page)
}
