//! What is too much is refused, and what is slow does not hold up others.

use std::io::Write;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::client::Client;
use super::world::{World, made};

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn too_large_in_every_way() {
    let csv = &made().csv;
    let most = csv.len();
    let world = World::with_limits(|limits| {
        (limits.body, limits.rows, limits.columns) = (most, 100, 200);
    });
    assert_eq!(world.csv("/v1/rank").status, 200);
    // By its length, before any of it is sent.
    let mut client = world.client();
    let head = "POST /v1/rank HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/csv\r\nContent-Length: 99999999999\r\n\r\n";
    client.send(head.as_bytes());
    let answer = client.receive(false).unwrap();
    assert_eq!(answer.status, 413);
    assert!(answer.error().contains(&format!("longer than {most} bytes")));
    // Without a length, as it arrives.
    let mut client = world.client();
    let head = "POST /v1/rank HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/csv\r\nTransfer-Encoding: chunked\r\n\r\n";
    client.send(head.as_bytes());
    let chunk = format!("{:x}\r\n{csv}\r\n", csv.len());
    client.send(chunk.as_bytes());
    client.send(chunk.as_bytes());
    assert_eq!(client.receive(false).unwrap().status, 413);
    let rows = format!("a\n{}", "1\n".repeat(101));
    let columns: Vec<String> = (0..201).map(|i| format!("c{i}")).collect();
    let columns = format!("{}\n{}\n", columns.join(","), vec!["1"; 201].join(","));
    let json = format!("[{}{{}}]", "{},".repeat(100));
    for (kind, body, message) in [
        ("text/csv", rows, "more than 100 rows"),
        ("text/csv", columns, "201 columns"),
        ("application/json", json, "more than 100 rows"),
    ] {
        let answer = world.post("/v1/rank", kind, &body);
        assert_eq!(answer.status, 413, "{}", answer.text());
        assert!(answer.error().contains(message), "{}", answer.error());
    }
}

#[test]
fn rows_that_leave_out_nearly_all_columns_take_no_memory() {
    let world = World::with_limits(|limits| (limits.body, limits.columns) = (1 << 20, 10_000));
    let first: Vec<String> = (0..10_000).map(|i| format!("\"c{i}\":1")).collect();
    let json = format!("[{{{}}}{}]", first.join(","), ",{}".repeat(200_000));
    let answer = world.post("/v1/rank", "application/json", json);
    assert_eq!(answer.status, 413, "{}", answer.text());
    assert!(answer.error().contains("values"), "{}", answer.error());
}

#[test]
fn gzip_is_expanded_within_the_limit() {
    let csv = made().csv.as_bytes();
    let world = World::with_limits(|limits| limits.body = 1 << 20);
    let headers = ["Content-Type: text/csv", "Content-Encoding: gzip"];
    let plain = world.post("/v1/rank", "text/csv", csv);
    let answer = world.client().request("POST /v1/rank", &headers, &gzip(csv));
    assert_eq!((answer.status, &answer.body), (200, &plain.body));
    let bomb = gzip(&vec![b'1'; 64 << 20]);
    assert!(bomb.len() < 1 << 17);
    assert_eq!(world.client().request("POST /v1/rank", &headers, &bomb).status, 413);
    assert_eq!(world.client().request("POST /v1/rank", &headers, csv).status, 400);
    // What is compressed and does not say so is not expanded.
    let answer = world.post("/v1/rank", "text/csv", gzip(csv));
    assert_eq!(answer.status, 400, "{}", answer.text());
}

#[test]
fn bombs_of_other_formats_are_refused() {
    let world = World::with_limits(|limits| limits.body = 1 << 20);
    // Ten million rows of the same value take a few bytes of Parquet.
    let value = arrow_array::Float64Array::from(vec![1.0; 1_000_000]);
    let batch = arrow_array::RecordBatch::try_from_iter([(
        "wind",
        std::sync::Arc::new(value) as arrow_array::ArrayRef,
    )])
    .unwrap();
    let compressed = Some(arrow_ipc::CompressionType::ZSTD);
    let options =
        arrow_ipc::writer::IpcWriteOptions::default().try_with_compression(compressed).unwrap();
    let mut bytes = Vec::new();
    let mut writer =
        arrow_ipc::writer::StreamWriter::try_new_with_options(&mut bytes, &batch.schema(), options)
            .unwrap();
    writer.write(&batch).unwrap();
    writer.finish().unwrap();
    drop(writer);
    assert!(bytes.len() < 1 << 16);
    let answer = world.post("/v1/rank", "application/vnd.apache.arrow.stream", &bytes);
    assert!(matches!(answer.status, 400 | 413), "{}", answer.text());
    assert!(answer.error().contains("expands to more than"), "{}", answer.error());
}

#[test]
fn slow_headers_and_bodies_are_ended() {
    let world = World::with_limits(|limits| limits.timeout = Duration::from_millis(50));
    // Half a header, and nothing at all.
    for sent in ["GET /v1/hea", ""] {
        let mut client = world.client();
        client.send(sent.as_bytes());
        assert!(client.receive(false).is_none_or(|answer| answer.status == 408), "{sent}");
    }
    let mut client = world.client();
    let head = "POST /v1/rank HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/csv\r\nContent-Length: 100\r\n\r\nstorm";
    client.send(head.as_bytes());
    let answer = client.receive(false).unwrap();
    assert_eq!(answer.status, 408);
    assert!(answer.error().contains("did not arrive within 0.05 seconds"));
    assert!(client.receive(false).is_none(), "the connection is closed");
}

#[test]
fn a_body_that_ends_early_is_no_request() {
    let world = World::new();
    let mut client = world.client();
    let head = "POST /v1/rank HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/csv\r\nContent-Length: 100\r\n\r\nstorm";
    client.send(head.as_bytes());
    client.0.shutdown(std::net::Shutdown::Write).unwrap();
    assert!(client.receive(false).is_none_or(|answer| answer.status == 400));
    assert_eq!(world.get("/v1/health").status, 200);
}

#[test]
fn connections_beyond_the_limit_wait() {
    let world = World::with_limits(|limits| limits.connections = 3);
    let held: Vec<Client> = (0..3)
        .map(|_| {
            let mut client = world.client();
            assert_eq!(client.request("GET /v1/health", &[], b"").status, 200);
            client
        })
        .collect();
    let mut late = world.client();
    late.send(b"GET /v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n");
    late.0.set_nonblocking(true).unwrap();
    assert!(late.receive(false).is_none(), "there is no room for it yet");
    late.0.set_nonblocking(false).unwrap();
    drop(held);
    assert_eq!(late.receive(false).unwrap().status, 200);
}

#[test]
fn many_connections_at_once() {
    let world = World::new();
    let mut clients: Vec<Client> = (0..400).map(|_| world.client()).collect();
    for client in &mut clients {
        client.send(b"GET /v1/hea");
    }
    assert_eq!(world.csv("/v1/rank").status, 200);
    for client in &mut clients {
        client.send(b"lth HTTP/1.1\r\nHost: localhost\r\n\r\n");
    }
    for client in &mut clients {
        assert_eq!(client.receive(false).unwrap().status, 200);
    }
}
