//! `stakes serve`: the program itself, started on a free port.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use crate::common::{Folder, ROLES, on_one_line};

/// A folder with a model and new lists.
fn world() -> Folder {
    let folder = Folder::with_generated_storms();
    folder.ok(&format!(
        "train s.csv {ROLES} -k 5 --learner mart -p rounds=5 --hold-out 10 -o model.json -q"
    ));
    folder
}

/// The service, and the lines of its log that have come so far.
struct Served {
    child: Child,
    port: u16,
    log: BufReader<std::process::ChildStderr>,
}

impl Served {
    fn spawn(folder: &Folder) -> Child {
        Command::new(assert_cmd::cargo::cargo_bin!("stakes"))
            .args(["serve", "model.json", "--port", "0"])
            .current_dir(folder.path("."))
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program")
    }

    fn start(folder: &Folder) -> Self {
        let mut child = Served::spawn(folder);
        let mut log = BufReader::new(child.stderr.take().expect("its log"));
        let mut line = String::new();
        while !line.contains("listening on") {
            line.clear();
            assert!(log.read_line(&mut line).expect("a line") > 0, "the service ended");
        }
        let port = line.trim().rsplit(':').next().expect("a port").parse().expect("a port");
        Served { child, port, log }
    }

    fn post(&self, path: &str, body: &[u8]) -> (String, Vec<u8>) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a connection");
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: text/csv\r\nAccept: text/csv\r\n\
             Content-Length: {}\r\n\r\n",
            body.len()
        );
        stream.write_all(head.as_bytes()).expect("the head");
        stream.write_all(body).expect("the body");
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).expect("an answer");
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("a head") + 4;
        let body = bytes.split_off(end);
        (String::from_utf8(bytes).expect("text"), body)
    }
}

#[test]
fn the_bytes_are_those_of_stakes_rank_until_a_signal_ends_it() {
    let folder = world();
    let served = Served::start(&folder);
    let data = folder.bytes("s.csv");
    for (path, command) in [
        ("/v1/rank", "rank model.json s.csv -q"),
        ("/v1/rank?k=2&explain=2", "rank model.json s.csv -k 2 --explain 2 -q"),
        ("/v1/plan?k=3", "plan s.csv --model model.json -k 3 -q"),
    ] {
        let (head, body) = served.post(path, &data);
        assert!(head.starts_with("HTTP/1.1 200"), "{head}");
        assert_eq!(String::from_utf8_lossy(&body), folder.ok(command), "{path}");
    }
    let Served { mut child, mut log, .. } = served;
    let ended = Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
    assert!(ended.expect("a signal").success());
    assert!(child.wait().expect("an end").success());
    let mut rest = String::new();
    log.read_to_string(&mut rest).expect("the log");
    assert!(rest.contains("POST /v1/rank 200") && rest.contains("ending"), "{rest}");
}

/// Sends half of a model through a pipe that is called `model.json`, once somebody reads it, who then waits for the rest.
fn half_sent(folder: &Folder, model: &[u8]) -> File {
    let mut pipe = File::options().write(true).open(folder.path("model.json")).expect("a pipe");
    pipe.write_all(&model[..model.len() / 2]).expect("half of a model");
    pipe
}

fn killed(mut child: Child) {
    // With SIGKILL, which a process does not hear of.
    child.kill().expect("a signal");
    assert!(!child.wait().expect("an end").success());
}

#[test]
fn a_kill_while_a_model_is_loaded_or_replaced_leaves_nothing_broken() {
    let folder = world();
    let (model, data) = (folder.bytes("model.json"), folder.bytes("s.csv"));
    let ranked = folder.ok("rank model.json s.csv -q");
    let names = folder.names();
    let answers = |served: &Served| {
        let (head, body) = served.post("/v1/rank", &data);
        assert!(head.starts_with("HTTP/1.1 200"), "{head}");
        assert_eq!(String::from_utf8_lossy(&body), ranked);
    };
    // While it is replaced: the model before answers meanwhile.
    let served = Served::start(&folder);
    assert!(Command::new("mkfifo").arg(folder.path("pipe")).status().expect("mkfifo").success());
    std::fs::rename(folder.path("pipe"), folder.path("model.json")).expect("another model");
    let pipe = half_sent(&folder, &model);
    answers(&served);
    killed(served.child);
    drop(pipe);
    // While it is loaded for the first time.
    let child = Served::spawn(&folder);
    let pipe = half_sent(&folder, &model);
    killed(child);
    drop(pipe);
    // Half a file is refused, and a whole one is served again.
    std::fs::remove_file(folder.path("model.json")).expect("the pipe");
    folder.write("model.json", &model[..model.len() / 2]);
    let ran = folder.run("serve model.json --port 0");
    assert!(ran.code != 0 && ran.err.contains("model.json"), "{}", ran.err);
    folder.write("model.json", &model);
    let served = Served::start(&folder);
    answers(&served);
    killed(served.child);
    assert_eq!(folder.names(), names);
}

#[test]
fn what_would_be_unsafe_is_refused() {
    let folder = world();
    folder.write("short", "abc");
    for (flags, message) in [
        ("--listen 0.0.0.0:0", "--token-file"),
        ("--listen 0.0.0.0:0 --token-file short", "at least 16"),
        ("--listen 0.0.0.0:0 --token-file nothing", "the token cannot be read"),
        ("--max-rows 0", "--max-rows is 0"),
        ("--timeout -1", "--timeout"),
        ("--max-body 3X", "is no size"),
        ("model.json", "both called `model`"),
        ("--keep nowhere --port 0", "no such folder"),
    ] {
        let ran = folder.run(&format!("serve model.json {flags}"));
        let error = on_one_line(&ran.err);
        assert!(ran.code != 0 && error.contains(message), "{flags}: {error}");
    }
    folder.write("broken.json", "{");
    assert!(folder.run("serve broken.json --check").err.contains("broken.json"));
    assert!(folder.ok("serve model.json --check").contains("mart"));
}
