//! Every mistake has an answer that says what it is.

use super::world::{World, made};

#[test]
fn bad_bodies() {
    let world = World::new();
    let csv = made().csv.clone();
    let broken = {
        let mut bytes = csv.clone().into_bytes();
        let middle = bytes.len() / 2;
        bytes[middle] = 0xff;
        bytes
    };
    let parquet = [b"PAR1".to_vec(), vec![7; 100], b"PAR1".to_vec()].concat();
    for (kind, body, status, message) in [
        ("text/csv", b"".to_vec(), 400, "the body is empty"),
        ("text/csv", b"\n\n".to_vec(), 400, "empty"),
        ("text/csv", b"a,b\n1\n".to_vec(), 400, "body:2"),
        ("text/csv", broken, 400, "not UTF-8"),
        ("text/csv", b"a\n1\n".to_vec(), 422, "columns that the model reads are missing"),
        ("application/json", b"{".to_vec(), 400, "not JSON"),
        ("application/json", b"[{\"a\":1}".to_vec(), 400, "not JSON"),
        ("application/json", b"[]".to_vec(), 400, "no rows"),
        ("application/json", b"[1]".to_vec(), 400, "row 1"),
        ("application/json", b"{\"lines\":[]}".to_vec(), 400, "no `lines`"),
        ("application/json", b"{\"rows\":{}}".to_vec(), 400, "array of rows"),
        (
            "application/json",
            b"[{\"a\":1},{\"a\":\"x\"}]".to_vec(),
            400,
            "body:2: `a` is the text `x`",
        ),
        ("application/json", b"[{\"a\":[1]}]".to_vec(), 400, "`a` is an array"),
        ("application/json", b"[{\"a\":1,\"a\":2}]".to_vec(), 400, "twice"),
        ("application/json", b"[{\"a\":1e999}]".to_vec(), 400, "not JSON"),
        ("application/json", b"[{\"a\":NaN}]".to_vec(), 400, "not JSON"),
        ("application/vnd.apache.parquet", parquet, 400, "damaged"),
        ("application/vnd.apache.arrow.stream", vec![0xff; 64], 400, "damaged"),
        ("application/vnd.apache.arrow.file", b"ARROW1".to_vec(), 400, "damaged"),
    ] {
        let answer = world.post("/v1/rank", kind, &body);
        let shown = String::from_utf8_lossy(&body).into_owned();
        assert_eq!(answer.status, status, "{shown}: {}", answer.text());
        assert!(answer.error().contains(message), "{shown}: {}", answer.error());
        assert_eq!(answer.header("content-type"), Some("application/json"));
    }
}

#[test]
fn truncated_files() {
    let world = World::new();
    for (extension, kind) in [
        ("parquet", "application/vnd.apache.parquet"),
        ("arrow", "application/vnd.apache.arrow.file"),
        ("xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    ] {
        let path = world.path(&format!("a.{extension}")).to_string_lossy().into_owned();
        let roles = made().roles.clone();
        stakes::io::write_csv_as(&made().csv, roles, &path, extension.parse().unwrap()).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        assert_eq!(world.post("/v1/rank", kind, &bytes).status, 200, "{extension}");
        for part in 1..8 {
            let answer = world.post("/v1/rank", kind, &bytes[..bytes.len() * part / 8]);
            assert_eq!(answer.status, 400, "{extension} {part}: {}", answer.text());
        }
    }
}

#[test]
fn bad_requests() {
    let world = World::new();
    let csv = &made().csv;
    for (path, status, message) in [
        ("/v1/rank?model=nothing", 404, "no model `nothing`"),
        ("/v1/rank?kk=3", 400, "no parameter `kk`"),
        ("/v1/rank?fitted", 400, "no parameter `fitted`"),
        ("/v1/rank?k=3&k=4", 400, "twice"),
        ("/v1/rank?k=0", 400, "k"),
        ("/v1/rank?k=1,2", 400, "several"),
        ("/v1/rank?k=x", 400, "k"),
        ("/v1/rank?budget=-1", 400, "above 0"),
        ("/v1/rank?budget=inf", 400, "above 0"),
        ("/v1/rank?budget=5&k=2", 400, "both"),
        ("/v1/rank?top=-1", 400, "whole number"),
        ("/v1/rank?explain=0", 400, "from 1"),
        ("/v1/rank?list=nowhere", 422, "no list `nowhere`"),
        ("/v1/rank?at_most=region", 400, "at_most"),
        ("/v1/rank?k=%zz", 400, "hexadecimal"),
        ("/v1/plan?model=other&k=2", 422, "not calibrated"),
        ("/v1/plan?k=2&must=nobody", 422, "no item `nobody`"),
        ("/v1/plan?resource=x", 400, "COLUMN=AMOUNT"),
        ("/v1/plan?k=2&must=@/etc/passwd", 422, "no item `@/etc/passwd`"),
        ("/v1/score?k=3", 400, "no parameter `k`"),
        ("/v1/ranks", 404, "no such path"),
    ] {
        let answer = world.post(path, "text/csv", csv);
        assert_eq!(answer.status, status, "{path}: {}", answer.text());
        assert!(answer.error().contains(message), "{path}: {}", answer.error());
    }
    let answer = world.get("/v1/health?x=1");
    assert_eq!((answer.status, answer.error().contains("none")), (400, true));
}

#[test]
fn methods_and_types() {
    let world = World::new();
    for (first, allow) in [
        ("GET /v1/rank", "POST"),
        ("PUT /v1/rank", "POST"),
        ("POST /v1/models", "GET, HEAD"),
        ("TRACE /metrics", "GET, HEAD"),
    ] {
        let answer = world.client().request(first, &[], b"");
        assert_eq!((answer.status, answer.header("allow")), (405, Some(allow)), "{first}");
        assert!(!answer.error().is_empty());
    }
    for kind in
        ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""]
    {
        let answer = world.post("/v1/rank", kind, "a\n1\n");
        assert_eq!(answer.status, 415, "{kind}");
        assert!(answer.error().contains("allowed are text/csv, application/json"));
    }
    let headers = ["Content-Type: text/csv", "Accept: image/png"];
    assert_eq!(world.client().request("POST /v1/rank", &headers, b"a\n1\n").status, 406);
    let headers = ["Content-Type: text/csv", "Accept: text/html, */*;q=0.1"];
    assert_eq!(
        world.client().request("POST /v1/rank", &headers, made().csv.as_bytes()).status,
        200
    );
    for encoding in ["br", "zstd", "gzip, gzip"] {
        let encoding = format!("Content-Encoding: {encoding}");
        let headers = ["Content-Type: text/csv", &encoding];
        assert_eq!(world.client().request("POST /v1/rank", &headers, b"a\n1\n").status, 415);
    }
}
