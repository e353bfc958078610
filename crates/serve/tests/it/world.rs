//! A service with small models, trained once.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

use stakes::prelude::*;
use stakes::synth::Storms;
use stakes_serve::{Log, NamedModel, ServeLimits, ServeOptions, Server};
use tempfile::TempDir;

use super::client::{Answer, Client};

/// New lists and two models.
pub(crate) struct Made {
    pub(crate) model: Model,
    pub(crate) other: Model,
    /// New lists as CSV, without outcomes.
    pub(crate) csv: String,
    pub(crate) roles: Roles,
}

/// The same for all tests.
pub(crate) fn made() -> &'static Made {
    static MADE: OnceLock<Made> = OnceLock::new();
    MADE.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
        let storms = |seed, lists| Storms {
            lists,
            networks: 12,
            rows: lists * 10,
            seed,
            ..Storms::default()
        };
        let past = storms(1, 40).generate().unwrap();
        let next = storms(2, 4).generate().unwrap();
        stakes::io::write(&next, &path("next.csv"), None).unwrap();
        let csv = std::fs::read_to_string(path("next.csv")).unwrap();
        let fit = |name: &str, parameters: &[(&str, &str)]| {
            let fit = Fit::with_parameters(name, parameters.iter().copied()).unwrap();
            fit.fit(&past, &Goal::act_on(3)).unwrap()
        };
        let mut model = fit("mart", &[("rounds", "8"), ("leaves", "6")]);
        let other = Model { calibration: None, ..fit("ridge", &[]) };
        if model.calibration.is_none() {
            let lists = storms(3, 30).generate().unwrap();
            let problem = Problem::new(&lists, &model.goal).unwrap();
            model.calibrate(&problem).unwrap();
        }
        let roles = Roles::new().list("storm").id("network");
        Made { model, other, csv, roles }
    })
}

/// A running service, and what it wrote to its log.
pub(crate) struct World {
    pub(crate) server: Option<Server>,
    pub(crate) folder: TempDir,
    pub(crate) log: Arc<Mutex<Vec<String>>>,
}

impl World {
    pub(crate) fn new() -> Self {
        World::with(|_| {})
    }

    pub(crate) fn with_limits(change: impl FnOnce(&mut ServeLimits)) -> Self {
        World::with(|options| change(&mut options.limits))
    }

    pub(crate) fn with(change: impl FnOnce(&mut ServeOptions)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut options = options(folder.path());
        change(&mut options);
        let log = Arc::new(Mutex::new(Vec::new()));
        let lines = log.clone();
        let write: Log = Arc::new(move |line| lines.lock().unwrap().push(line.to_owned()));
        let server = Some(Server::start(options, write).unwrap());
        World { server, folder, log }
    }

    pub(crate) fn server(&self) -> &Server {
        self.server.as_ref().unwrap()
    }

    pub(crate) fn client(&self) -> Client {
        Client::new(self.server().address())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.client().request(&format!("GET {path}"), &[], b"")
    }

    /// Sends rows.
    pub(crate) fn post(&self, path: &str, kind: &str, body: impl AsRef<[u8]>) -> Answer {
        let kind = format!("Content-Type: {kind}");
        self.client().request(&format!("POST {path}"), &[&kind], body.as_ref())
    }

    /// Sends the new lists as CSV, and gets CSV.
    pub(crate) fn csv(&self, path: &str) -> Answer {
        let headers = ["Content-Type: text/csv", "Accept: text/csv"];
        self.client().request(&format!("POST {path}"), &headers, made().csv.as_bytes())
    }

    pub(crate) fn logged(&self) -> String {
        self.log.lock().unwrap().join("\n")
    }
}

impl Drop for World {
    fn drop(&mut self) {
        if let Some(server) = self.server.take() {
            server.stop();
        }
    }
}

/// Options for two models in a folder: `model` and `other`.
pub(crate) fn options(folder: &Path) -> ServeOptions {
    let Made { model, other, .. } = made();
    let save = |name: &str, model: &Model| {
        let path = folder.join(name).to_string_lossy().into_owned();
        model.save(&path).unwrap();
        NamedModel::parse(&path).unwrap()
    };
    ServeOptions {
        models: vec![save("model.json", model), save("other.json", other)],
        address: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0),
        token: None,
        limits: ServeLimits::default(),
        keep: None,
    }
}
