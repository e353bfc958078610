//! Counters of what was served, as Prometheus reads them (text format 0.0.4).

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Upper ends of the buckets of seconds.
const BUCKETS: [f64; 13] =
    [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 30.0];

/// Counters of one process.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    requests: Mutex<BTreeMap<(&'static str, u16), u64>>,
    seconds: Mutex<BTreeMap<&'static str, Histogram>>,
    pub(crate) in_flight: AtomicU64,
    pub(crate) connections: AtomicU64,
    pub(crate) rows: AtomicU64,
    pub(crate) reloads: AtomicU64,
    pub(crate) failed_reloads: AtomicU64,
}

#[derive(Debug, Default)]
struct Histogram {
    counts: [u64; BUCKETS.len()],
    sum: f64,
    count: u64,
}

impl Metrics {
    /// Counts a request that has been answered; `path` is one of ours, never what was asked for.
    pub(crate) fn answered(&self, path: &'static str, status: u16, took: Duration) {
        *locked(&self.requests).entry((path, status)).or_default() += 1;
        let seconds = took.as_secs_f64();
        let mut all = locked(&self.seconds);
        let histogram = all.entry(path).or_default();
        if let Some(bucket) = BUCKETS.iter().position(|end| seconds <= *end) {
            histogram.counts[bucket] += 1;
        }
        histogram.sum += seconds;
        histogram.count += 1;
    }

    /// All of it as text.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        self.write(&mut text).expect("memory takes all that is written");
        text
    }

    fn write(&self, text: &mut String) -> std::fmt::Result {
        head(
            text,
            "stakes_requests_total",
            "counter",
            "Requests that were answered, by path and status.",
        )?;
        for ((path, status), count) in &*locked(&self.requests) {
            writeln!(text, "stakes_requests_total{{path=\"{path}\",status=\"{status}\"}} {count}")?;
        }
        head(
            text,
            "stakes_request_seconds",
            "histogram",
            "Seconds from the header of a request to its answer.",
        )?;
        for (path, Histogram { counts, sum, count }) in &*locked(&self.seconds) {
            let mut below = 0;
            for (end, count) in BUCKETS.iter().zip(counts) {
                below += count;
                writeln!(
                    text,
                    "stakes_request_seconds_bucket{{path=\"{path}\",le=\"{end}\"}} {below}"
                )?;
            }
            writeln!(text, "stakes_request_seconds_bucket{{path=\"{path}\",le=\"+Inf\"}} {count}")?;
            writeln!(text, "stakes_request_seconds_sum{{path=\"{path}\"}} {sum}")?;
            writeln!(text, "stakes_request_seconds_count{{path=\"{path}\"}} {count}")?;
        }
        for (name, kind, help, value) in [
            ("stakes_rows_total", "counter", "Rows that were scored.", &self.rows),
            ("stakes_in_flight", "gauge", "Requests under way.", &self.in_flight),
            ("stakes_connections", "gauge", "Open connections.", &self.connections),
            ("stakes_reloads_total", "counter", "Models that were loaded again.", &self.reloads),
            (
                "stakes_reload_failures_total",
                "counter",
                "Model files that could not be loaded; the model before stayed.",
                &self.failed_reloads,
            ),
        ] {
            head(text, name, kind, help)?;
            writeln!(text, "{name} {}", value.load(Ordering::Relaxed))?;
        }
        Ok(())
    }
}

fn head(text: &mut String, name: &str, kind: &str, help: &str) -> std::fmt::Result {
    writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}")
}

/// Counters stay right if a thread that held them ended early.
fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Counts something as long as it lives.
pub(crate) struct Gauge<'m>(&'m AtomicU64);

impl<'m> Gauge<'m> {
    pub(crate) fn of(counter: &'m AtomicU64) -> Self {
        counter.fetch_add(1, Ordering::Relaxed);
        Gauge(counter)
    }
}

impl Drop for Gauge<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_count_all_that_is_below_them() {
        let metrics = Metrics::default();
        for millis in [1, 1, 40, 60_000] {
            metrics.answered("/v1/rank", 200, Duration::from_millis(millis));
        }
        let text = metrics.text();
        for line in [
            "stakes_requests_total{path=\"/v1/rank\",status=\"200\"} 4",
            "stakes_request_seconds_bucket{path=\"/v1/rank\",le=\"0.0005\"} 0",
            "stakes_request_seconds_bucket{path=\"/v1/rank\",le=\"0.001\"} 2",
            "stakes_request_seconds_bucket{path=\"/v1/rank\",le=\"30\"} 3",
            "stakes_request_seconds_bucket{path=\"/v1/rank\",le=\"+Inf\"} 4",
        ] {
            assert!(text.lines().any(|other| other == line), "{line}\n{text}");
        }
    }
}
