//! A small HTTP client that can also misbehave.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;

/// An answer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.body.clone()).unwrap()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|e| panic!("{e}: {}", self.text()))
    }

    /// The text of a refusal, which must be JSON with an id.
    pub(crate) fn error(&self) -> String {
        let json = self.json();
        assert!(json["request_id"].as_str().is_some_and(|id| !id.is_empty()), "{json}");
        json["error"].as_str().unwrap_or_else(|| panic!("{json}")).to_owned()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let line = self.head.lines().find(|line| {
            line.split(':').next().is_some_and(|found| found.eq_ignore_ascii_case(name))
        })?;
        line.split_once(':').map(|(_, value)| value.trim())
    }
}

/// A connection, kept open.
pub(crate) struct Client(pub(crate) TcpStream);

impl Client {
    pub(crate) fn new(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        Client(stream)
    }

    /// Sends bytes as they are; the other side may have hung up.
    pub(crate) fn send(&mut self, bytes: &[u8]) {
        let _ = self.0.write_all(bytes);
    }

    /// Sends a request with a body.
    pub(crate) fn request(&mut self, first: &str, headers: &[&str], body: &[u8]) -> Answer {
        let mut head = format!("{first} HTTP/1.1\r\n");
        if !headers.iter().any(|header| header.to_ascii_lowercase().starts_with("host:")) {
            head += "Host: localhost\r\n";
        }
        if !first.starts_with("GET") && !first.starts_with("HEAD") {
            head += &format!("Content-Length: {}\r\n", body.len());
        }
        headers.iter().for_each(|header| head += &format!("{header}\r\n"));
        let mut bytes = (head + "\r\n").into_bytes();
        bytes.extend_from_slice(body);
        self.send(&bytes);
        self.receive(first.starts_with("HEAD")).expect("an answer")
    }

    /// Reads an answer, or `None` if the other side hung up.
    pub(crate) fn receive(&mut self, is_head: bool) -> Option<Answer> {
        let mut bytes = Vec::new();
        let mut byte = [0];
        while !bytes.ends_with(b"\r\n\r\n") {
            if self.0.read(&mut byte).ok()? == 0 {
                return None;
            }
            bytes.push(byte[0]);
        }
        let head = String::from_utf8(bytes).unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        let mut answer = Answer { status, head, body: Vec::new() };
        let length = answer.header("content-length").map_or(0, |length| length.parse().unwrap());
        if !is_head {
            answer.body = vec![0; length];
            self.0.read_exact(&mut answer.body).ok()?;
        }
        Some(answer)
    }
}
