//! A folder of one's own, and the program run in it.

use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

/// The two storms of the README (McBride et al. 2019, table 1).
pub(crate) const STORMS: &str = "storm,network,cable,wind,customers
1,City 1,5,14,10000
1,City 2,4,15,100
1,City 3,3,16,0
2,Rural 1,3,13,100
2,Rural 2,4,12,1
2,Rural 3,5,10,0
";

/// What a run left behind.
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// An empty folder that vanishes at the end.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Folder(tempfile::tempdir().expect("a temporary folder"))
    }

    /// With `storms.csv` in it.
    pub(crate) fn with_storms() -> Self {
        let folder = Folder::new();
        folder.write("storms.csv", STORMS);
        folder
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), content).expect("a writable folder");
    }

    pub(crate) fn bytes(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    pub(crate) fn text(&self, name: &str) -> String {
        String::from_utf8(self.bytes(name)).expect("text")
    }

    /// The names in the folder, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.path()).expect("a readable folder");
        let name = |e: std::io::Result<std::fs::DirEntry>| e.expect("an entry").file_name();
        let mut names: Vec<String> =
            entries.map(|e| name(e).to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// Runs `stakes` here; words of `line` are split at blanks, `'...'` keeps them together.
    pub(crate) fn run(&self, line: &str) -> Ran {
        self.run_with(line, "")
    }

    pub(crate) fn run_with(&self, line: &str, stdin: impl Into<Vec<u8>>) -> Ran {
        let mut command = self.command(line);
        Ran::of(command.write_stdin(stdin))
    }

    /// Runs `stakes` with variables of the environment.
    pub(crate) fn run_in(&self, variables: &[(&str, &str)], line: &str) -> Ran {
        let mut command = self.command(line);
        Ran::of(command.envs(variables.iter().copied()))
    }

    /// Without the variables that say how text is shown.
    fn command(&self, line: &str) -> Command {
        let mut command = Command::cargo_bin("stakes").expect("the program is built");
        command.current_dir(self.0.path()).args(words(line));
        for variable in ["COLUMNS", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
            command.env_remove(variable);
        }
        command
    }

    /// Starts `stakes`, sends it a signal (`-INT`) as soon as a file is there, and waits.
    #[cfg(unix)]
    pub(crate) fn interrupted(&self, line: &str, signal: &str, file: &str) -> Ran {
        use std::process::{Command, Stdio};
        let mut child = Command::new(assert_cmd::cargo::cargo_bin!("stakes"))
            .current_dir(self.0.path())
            .args(words(line))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program runs");
        while !self.path(file).exists() {
            assert!(child.try_wait().expect("a child").is_none(), "it ended by itself");
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        let pid = child.id().to_string();
        assert!(Command::new("kill").args([signal, &pid]).status().expect("kill").success());
        Ran::from(child.wait_with_output().expect("it ends"))
    }

    /// Runs `stakes`, which must succeed, and gives back its stdout.
    pub(crate) fn ok(&self, line: &str) -> String {
        self.run(line).ok(line)
    }

    /// Generated storms with [`Folder::write_quick_contestants`].
    pub(crate) fn with_quick_contestants() -> Self {
        let folder = Folder::with_generated_storms();
        folder.write_quick_contestants();
        folder
    }

    /// Writes quick.toml: learners of few rounds in place of those that always take part in an experiment.
    pub(crate) fn write_quick_contestants(&self) {
        let quick = ["two-part", "tweedie-mart"].map(|learner| {
            format!("[[contestant]]\nlearner = '{learner}'\nparameters = {{ rounds = 3 }}\n")
        });
        self.write("quick.toml", quick.concat());
    }

    /// Runs `stakes ... --json` and reads what it says.
    pub(crate) fn json(&self, line: &str) -> Study {
        let out = self.ok(&format!("{line} --json"));
        Study(serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}: {out}")))
    }
}

impl Ran {
    fn of(command: &mut Command) -> Self {
        Ran::from(command.output().expect("the program runs"))
    }
}

impl From<std::process::Output> for Ran {
    fn from(output: std::process::Output) -> Self {
        Ran {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8(output.stdout).expect("text on stdout"),
            err: String::from_utf8(output.stderr).expect("text on stderr"),
        }
    }
}

impl Ran {
    pub(crate) fn ok(self, line: &str) -> String {
        assert_eq!(self.code, 0, "stakes {line}\n{}", self.err);
        self.out
    }
}

/// A model that another library wrote.
pub(crate) fn golden_import(file: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/interchange");
    std::fs::read(folder.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// A JSON document.
pub(crate) fn document(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Text without its line breaks and columns, wherever they are.
pub(crate) fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn words(line: &str) -> Vec<String> {
    let pieces = line.split('\'').enumerate();
    pieces
        .flat_map(|(i, piece)| match i % 2 {
            0 => piece.split_whitespace().map(str::to_owned).collect(),
            _ => vec![piece.to_owned()],
        })
        .collect()
}

/// Writes `crime.csv`, the communities of states, and says its roles; `None` without the data.
pub(crate) fn crime(folder: &Folder) -> Option<&'static str> {
    let part = |name: &str| {
        let path = real(&format!("communities-crime/communities.{name}"))?;
        Some(stakes::io::read_bytes(&path).expect("a file"))
    };
    let (names, rows) = (part("columns.csv")?, part("data.gz")?);
    let header = names.split(|b| *b == b'\n').next().expect("a header");
    folder.write("crime.csv", [header, b"\n", &rows].concat());
    Some("--list state --impact ViolentCrimesPerPop --drop communityname,county,community,fold")
}

/// The JSON of `stakes evaluate`.
pub(crate) struct Study(pub(crate) Value);

impl Study {
    pub(crate) fn row(&self, score: &str, metric: &str) -> &Value {
        let rows = self.0["results"].as_array().expect("results");
        let fits = |r: &&Value| r["score"] == score && r["metric"] == metric;
        rows.iter().find(fits).unwrap_or_else(|| panic!("no {score} {metric} in {:#}", self.0))
    }

    pub(crate) fn value(&self, score: &str, metric: &str) -> f64 {
        let row = self.row(score, metric);
        row["value"].as_f64().unwrap_or_else(|| panic!("no value in {row}"))
    }
}

pub(crate) fn assert_near(met: f64, expected: f64) {
    assert!((met - expected).abs() < 1e-6, "{met}, expected {expected}");
}

/// The path of a real file, or `None` with a word on stderr. STAKES_DATA names their folder,
/// by default `shared/data` beside the workspace.
pub(crate) fn real(name: &str) -> Option<String> {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("STAKES_DATA").map_or(default, PathBuf::from);
    let path = folder.join(name);
    if !path.exists() {
        eprintln!("skipped: {} is not there (set STAKES_DATA)", path.display());
        return None;
    }
    path.to_str().map(str::to_owned)
}

/// One learner of one stage, unless another one is named: what most tests of training are
/// about. (The default is a blend of several, which has tests of its own.)
pub(crate) fn plain(more: &str) -> &'static str {
    if more.contains("--learner") { "" } else { "--learner cs-mart -p start=none" }
}

/// How `generated_storms` are read.
pub(crate) const ROLES: &str =
    "--list storm --impact customers_out --id network --price crew_hours";

impl Folder {
    /// With `s.csv` in it: 24 generated storms.
    pub(crate) fn with_generated_storms() -> Self {
        let folder = Folder::new();
        folder.ok("generate storms --lists 24 --networks 25 --rows 480 --seed 3 -o s.csv");
        folder
    }

    /// Writes `to`: the rows of a CSV file in another order.
    pub(crate) fn shuffle(&self, from: &str, to: &str) {
        let text = self.text(from);
        let (header, rows) = text.split_once('\n').expect("a header");
        let mut rows: Vec<&str> = rows.lines().collect();
        // By the last signs of each row: any order that is not the old one will do.
        rows.sort_by_key(|row| row.chars().rev().collect::<String>());
        self.write(to, format!("{header}\n{}\n", rows.join("\n")));
    }
}
