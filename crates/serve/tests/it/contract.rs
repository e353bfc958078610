//! What every answer promises.

use serde_json::Value;

use super::world::{World, made};

#[test]
fn health_says_that_it_can_rank() {
    let world = World::new();
    let answer = world.get("/v1/health");
    assert_eq!((answer.status, answer.text().as_str()), (200, "{\"status\":\"ready\"}"));
    assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    assert!(
        answer
            .header("content-security-policy")
            .is_some_and(|csp| csp.contains("default-src 'none'"))
    );
    assert_eq!(answer.header("access-control-allow-origin"), None);
    let head = world.client().request("HEAD /v1/health", &[], b"");
    assert_eq!((head.status, head.body.len()), (200, 0));
}

#[test]
fn models_say_what_they_read() {
    let models = World::new().get("/v1/models").json();
    let [first, second] = &models.as_array().unwrap()[..] else { panic!("{models}") };
    assert_eq!((first["name"].as_str(), first["learner"].as_str()), (Some("model"), Some("mart")));
    assert_eq!(
        (second["name"].as_str(), second["learner"].as_str()),
        (Some("other"), Some("ridge"))
    );
    assert_eq!(first["columns"]["list"], "storm");
    assert_eq!(first["features"].as_array().unwrap().len(), made().model.features.len());
    assert!(first["loaded"].as_str().unwrap().ends_with('Z'));
    assert_ne!(first["fingerprint"], second["fingerprint"]);
}

#[test]
fn a_model_is_chosen_by_name() {
    let world = World::new();
    let [none, model, other] =
        ["/v1/score", "/v1/score?model=model", "/v1/score?model=other"].map(|path| world.csv(path));
    assert_eq!(none.body, model.body);
    assert_ne!(none.body, other.body);
    assert_eq!(other.header("stakes-model"), Some("other"));
}

#[test]
fn parameters_change_the_ranking() {
    let world = World::new();
    let items =
        |path: &str| world.post(path, "text/csv", &made().csv).json().as_array().unwrap().clone();
    let acted = |items: &[Value]| items.iter().filter(|item| item["act"] == true).count();
    let all = items("/v1/rank");
    assert_eq!(acted(&all), 4 * 3);
    assert_eq!(acted(&items("/v1/rank?k=1")), 4);
    assert_eq!(items("/v1/rank?top=2").len(), 4 * 2);
    let list = all[0]["list"].as_str().unwrap();
    let one = items(&format!("/v1/rank?list={list}"));
    assert!(one.iter().all(|item| item["list"] == list) && one.len() < all.len());
    assert!(all[0].get("because").is_none());
    let because = |items: &[Value]| items[0]["because"].as_array().unwrap().len();
    assert_eq!(because(&items("/v1/explain")), 3);
    assert_eq!(because(&items("/v1/explain?explain=1")), 1);
}

#[test]
fn requests_have_ids() {
    let world = World::new();
    let given = world.client().request("GET /v1/health", &["X-Request-Id: abc-1.2_3"], b"");
    assert_eq!(given.header("x-request-id"), Some("abc-1.2_3"));
    let ids: Vec<String> = (0..3)
        .map(|_| world.get("/v1/health").header("x-request-id").unwrap().to_owned())
        .collect();
    assert!(ids[0] != ids[1] && ids[1] != ids[2]);
    // Not what could be taken for something else in a log.
    let long = format!("X-Request-Id: {}", "a".repeat(65));
    for id in ["X-Request-Id: a b", "X-Request-Id: \"", &long] {
        let answer = world.client().request("GET /v1/health", &[id], b"");
        assert!(answer.header("x-request-id").unwrap().contains('-'), "{id}");
    }
    assert!(world.logged().contains("GET /v1/health 200"));
    assert!(world.logged().contains(&ids[2]));
}

#[test]
fn notes_are_a_header() {
    let world = World::new();
    let csv: String = made()
        .csv
        .lines()
        .enumerate()
        .map(|(i, line)| {
            let more = if i == 0 { "\u{fc}ml\u{e4}ut" } else { "1" };
            format!("{line},{more}\n")
        })
        .collect();
    let answer = world.post("/v1/rank", "text/csv", csv);
    let notes: Vec<String> = serde_json::from_str(answer.header("stakes-notes").unwrap()).unwrap();
    assert!(notes.iter().any(|note| note.contains("\u{fc}ml\u{e4}ut")), "{notes:?}");
}

#[test]
fn metrics_count_what_was_answered() {
    let world = World::new();
    let rows = made().csv.lines().count() - 1;
    world.csv("/v1/rank");
    world.csv("/v1/rank");
    world.get("/no/such/path");
    let text = world.get("/metrics").text();
    for line in [
        "stakes_requests_total{path=\"/v1/rank\",status=\"200\"} 2".to_owned(),
        "stakes_requests_total{path=\"other\",status=\"404\"} 1".to_owned(),
        "stakes_request_seconds_count{path=\"/v1/rank\"} 2".to_owned(),
        format!("stakes_rows_total {}", 2 * rows),
        // This one.
        "stakes_in_flight 1".to_owned(),
    ] {
        assert!(text.lines().any(|other| other == line), "{line}\n{text}");
    }
}

#[test]
fn the_description_has_every_path_and_parameter() {
    let world = World::new();
    let document = world.get("/openapi.json").json();
    assert_eq!(document["openapi"], "3.1.0");
    let paths = document["paths"].as_object().unwrap();
    for (path, methods) in paths {
        let (method, described) = methods.as_object().unwrap().iter().next().unwrap();
        let parameters = described["parameters"].as_array();
        let answer = match method.as_str() {
            "get" => world.get(path),
            _ => world.post(path, "text/csv", &made().csv),
        };
        assert_eq!(answer.status, 200, "{path}");
        // Those that are described are read: a wrong value or a wrong name is refused.
        for parameter in parameters.into_iter().flatten() {
            let name = parameter["name"].as_str().unwrap();
            assert!(!parameter["description"].as_str().unwrap().is_empty(), "{path}?{name}");
            if parameter["schema"]["type"] != "string" || name == "model" {
                let answer = world.post(&format!("{path}?{name}=x"), "text/csv", &made().csv);
                assert!(answer.error().contains(if name == "model" {
                    "no model `x`"
                } else {
                    name
                }));
            }
        }
    }
    let missing = world.get("/nothing").error();
    let known = missing.split("there are ").nth(1).unwrap();
    for path in known.split(", ") {
        assert!(paths.contains_key(path), "{path}");
    }
}

#[test]
fn a_connection_is_used_again() {
    let world = World::new();
    let mut client = world.client();
    for _ in 0..3 {
        assert_eq!(client.request("GET /v1/health", &[], b"").status, 200);
        let answer = client.request("POST /v1/rank", &["Content-Type: text/csv"], b"a\n1\n");
        assert_eq!(answer.status, 422);
    }
    assert!(world.get("/metrics").text().contains("stakes_connections"));
}

#[test]
fn requests_that_have_begun_are_answered_at_the_end() {
    let mut world = World::new();
    let mut client = world.client();
    let csv = made().csv.as_bytes();
    let head = format!(
        "POST /v1/rank HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/csv\r\nContent-Length: {}\r\n\r\n",
        csv.len()
    );
    client.send(head.as_bytes());
    client.send(&csv[..10]);
    // Only when it has been met is there something to finish.
    while !world.get("/metrics").text().contains("stakes_in_flight 2") {
        std::thread::yield_now();
    }
    let server = world.server.take().unwrap();
    let end = std::thread::spawn(move || server.stop());
    client.send(&csv[10..]);
    assert_eq!(client.receive(false).unwrap().status, 200);
    end.join().unwrap();
}

#[test]
fn the_page_runs_its_own_script_only() {
    let world = World::new();
    let page = world.get("/");
    assert_eq!((page.status, page.header("content-type")), (200, Some("text/html; charset=utf-8")));
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
    assert!(page.text().contains("data-token=\"false\"") && !page.text().contains("http://"));
}

#[test]
fn a_report_is_that_of_the_library() {
    use stakes::data::{Purpose, read_for};
    use stakes_report::{ReportOptions, Subject, report};
    let world = World::new();
    let path = world.path("n.csv").to_string_lossy().into_owned();
    std::fs::write(&path, &made().csv).unwrap();
    let model = &made().model;
    let data = read_for(model, &path, &Default::default(), Purpose::Report).unwrap();
    let subject = Subject { name: "model", model, data: &data, past: None };
    let made_here = report(Some(&subject), &ReportOptions::default(), None).unwrap();
    let query = path.replace('/', "%2F");
    let answer = world.post(&format!("/v1/report?name={query}"), "text/csv", &made().csv);
    assert_eq!(
        (answer.status, answer.header("content-type")),
        (200, Some("text/html; charset=utf-8"))
    );
    assert_eq!(answer.text(), made_here.html().unwrap());
    let policy = answer.header("content-security-policy").unwrap();
    assert!(
        policy.starts_with("sandbox allow-scripts allow-downloads; default-src 'none'"),
        "{policy}"
    );
    let headers = ["Content-Type: text/csv", "Accept: application/json"];
    let answer = world.client().request("POST /v1/report?k=2", &headers, made().csv.as_bytes());
    assert!(answer.json()["verdict"].is_object(), "outcomes are known");
}
