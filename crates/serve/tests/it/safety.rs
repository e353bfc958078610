//! Nobody else's pages, no paths, no tokens, no contents in logs.

use std::net::SocketAddr;

use stakes_serve::{NamedModel, ServeOptions};

use super::world::{World, made, options};

const TOKEN: &str = "0123456789abcdef0123";

#[test]
fn pages_of_other_hosts_are_refused() {
    let world = World::new();
    for (header, status) in [
        ("Host: localhost:8080", 200),
        ("Host: 127.0.0.1", 200),
        ("Host: [::1]:80", 200),
        ("Host: LOCALHOST", 200),
        ("Host: evil.example", 421),
        ("Host: localhost.evil.example", 421),
        ("Host: 127.0.0.1.evil.example:80", 421),
        ("Host: 10.0.0.1", 421),
        ("Host:", 421),
        ("Origin: http://localhost:8080", 200),
        ("Origin: https://evil.example", 421),
        ("Origin: null", 421),
    ] {
        let answer = world.client().request("GET /v1/health", &[header], b"");
        assert_eq!(answer.status, status, "{header}");
    }
}

#[test]
fn a_token_is_needed_where_there_is_one() {
    let world = World::with(|options| options.token = Some(TOKEN.to_owned()));
    let ask = |headers: &[&str]| world.client().request("GET /v1/models", headers, b"");
    let right = format!("Authorization: Bearer {TOKEN}");
    assert_eq!(ask(&[&right]).status, 200);
    assert_eq!(ask(&[&right, "Host: ranks.example"]).status, 200);
    let short = format!("Authorization: Bearer {}", &TOKEN[1..]);
    let long = format!("{right}0");
    let basic = format!("Authorization: Basic {TOKEN}");
    let wrong = [&short, &long, &basic, "Authorization: Bearer", "Authorization: Bearer ", "X: y"];
    for header in wrong {
        let answer = ask(&[header]);
        assert_eq!(
            (answer.status, answer.header("www-authenticate")),
            (401, Some("Bearer")),
            "{header}"
        );
        assert!(!answer.text().contains(TOKEN));
    }
    assert_eq!(world.csv("/v1/rank").status, 401);
    assert_eq!(world.get("/metrics").status, 401);
    assert_eq!(world.get("/v1/health").status, 200, "for those who watch over it");
    assert!(!world.logged().contains(TOKEN));
}

#[test]
fn other_addresses_need_a_token() {
    let folder = tempfile::tempdir().unwrap();
    let address: SocketAddr = "0.0.0.0:0".parse().unwrap();
    let open = ServeOptions { address, ..options(folder.path()) };
    assert!(open.check().unwrap_err().to_string().contains("token"));
    for (token, is_right) in
        [(TOKEN, true), ("short", false), ("with blanks in the middle", false), ("", false)]
    {
        let guarded = ServeOptions { token: Some(token.to_owned()), ..open.clone() };
        assert_eq!(guarded.check().is_ok(), is_right, "{token}");
    }
}

#[test]
fn names_of_models() {
    let name = |text: &str| NamedModel::parse(text).map(|model| model.name).ok();
    assert_eq!(name("a/b/storms.json.zst").as_deref(), Some("storms"));
    assert_eq!(name("next=a/b c.json").as_deref(), Some("next"));
    assert_eq!(name("a/b c.json"), None);
    let folder = tempfile::tempdir().unwrap();
    let mut twice = options(folder.path());
    twice.models[1].name = "model".to_owned();
    assert!(twice.check().unwrap_err().to_string().contains("both called `model`"));
}

#[test]
fn no_path_reaches_the_file_system() {
    let world = World::new();
    std::fs::write(world.path("secret.txt"), "secret").unwrap();
    let folder = world.folder.path().to_str().unwrap().to_owned();
    for path in [
        "/../secret.txt".to_owned(),
        "/v1/../../etc/passwd".to_owned(),
        "/%2e%2e/secret.txt".to_owned(),
        "/v1/models/../../secret.txt".to_owned(),
        "//etc/passwd".to_owned(),
        format!("/{folder}/secret.txt"),
        "/v1/rank%00".to_owned(),
        "/.".to_owned(),
    ] {
        let answer = world.get(&path);
        assert_eq!(answer.status, 404, "{path}");
        assert!(!answer.text().contains("secret"), "{path}");
    }
    for model in [
        "../model",
        "model.json",
        "%2Fetc%2Fpasswd",
        "/etc/passwd",
        &format!("{folder}/model.json"),
    ] {
        let answer = world.csv(&format!("/v1/rank?model={model}"));
        assert_eq!(answer.status, 404, "{model}: {}", answer.text());
    }
}

#[test]
fn hostile_ids_stay_text() {
    let world = World::new();
    let csv = &made().csv;
    let names: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
    let id = names.iter().position(|name| *name == "network").unwrap();
    let long = "x".repeat(10_000);
    let ids = [
        "<script>alert(1)</script>",
        "a\"\"b",
        "\u{202e}rtl",
        "\u{1f329}",
        &long,
        "a, b",
        "=1+1",
        "\\u0000",
    ];
    let rows: String = csv
        .lines()
        .skip(1)
        .zip(ids.iter().cycle())
        .enumerate()
        .map(|(i, (line, new))| {
            let mut fields: Vec<String> = line.split(',').map(str::to_owned).collect();
            fields[id] = format!("\"{new} {i}\"");
            fields.join(",") + "\n"
        })
        .collect();
    let body = format!("{}\n{rows}", names.join(","));
    let answer = world.post("/v1/explain", "text/csv", &body);
    assert_eq!(answer.status, 200, "{}", answer.text());
    let found: Vec<String> = answer
        .json()
        .as_array()
        .unwrap()
        .iter()
        .map(|item| item["id"].as_str().unwrap().to_owned())
        .collect();
    for (i, id) in ids.iter().enumerate() {
        let plain = id.replace("\"\"", "\"");
        assert!(found.contains(&format!("{plain} {i}")), "{id}");
    }
    let log = world.logged();
    assert!(!log.contains("script") && !log.contains("rtl"), "{log}");
}

#[test]
fn nothing_is_stored_unless_asked_for() {
    let world = World::new();
    world.csv("/v1/rank");
    assert_eq!(std::fs::read_dir(world.folder.path()).unwrap().count(), 2, "the models");
    let folder = tempfile::tempdir().unwrap();
    let keep = folder.path().to_owned();
    let world = World::with(|options| options.keep = Some(keep));
    world.csv("/v1/rank?list=..%2F..%2Fx");
    world.post("/v1/rank", "application/json", "[{}]");
    let mut kept: Vec<_> =
        std::fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().path()).collect();
    kept.sort_by_key(|path| path.extension().map(ToOwned::to_owned));
    let [csv, json] = &kept[..] else { panic!("{kept:?}") };
    assert_eq!(std::fs::read_to_string(csv).unwrap(), made().csv);
    assert_eq!(std::fs::read_to_string(json).unwrap(), "[{}]");
}

#[test]
fn logs_hold_no_rows_and_no_paths_of_others() {
    let world = World::new();
    world.csv("/v1/rank?list=private");
    world.get("/private/path?private=1");
    world.post("/v1/rank", "application/json", "[{\"private\": \"private\"}]");
    let log = world.logged();
    assert!(!log.contains("private"), "{log}");
    assert!(log.contains("GET other 404"), "{log}");
}
