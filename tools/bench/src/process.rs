//! What the operating system knows of this process: processor seconds and memory.

use std::time::Instant;

use rustix::time::{ClockId, clock_gettime};

/// Seconds on the clock and on all processors together.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Span {
    pub(crate) wall: f64,
    pub(crate) cpu: f64,
}

/// A clock that was started.
pub(crate) struct Stopwatch {
    begun: Instant,
    cpu: f64,
}

impl Stopwatch {
    pub(crate) fn start() -> Self {
        Stopwatch { begun: Instant::now(), cpu: cpu_seconds() }
    }

    pub(crate) fn read(&self) -> Span {
        Span { wall: self.begun.elapsed().as_secs_f64(), cpu: cpu_seconds() - self.cpu }
    }
}

/// Processor seconds of all threads so far.
fn cpu_seconds() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// Resident memory now, after the peak was set back to it: what follows has a peak of its own
/// (Linux; where the peak cannot be set back it is that of the whole process).
pub(crate) fn restart_peak() -> f64 {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    megabytes("VmRSS:")
}

/// Peak resident memory since [`restart_peak`], or since the beginning (Linux; elsewhere 0).
pub(crate) fn peak_megabytes() -> f64 {
    megabytes("VmHWM:")
}

fn megabytes(field: &str) -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix(field));
    let kilobytes = line.and_then(|l| l.split_whitespace().next()?.parse::<f64>().ok());
    kilobytes.unwrap_or(0.0) * 1024.0 / 1e6
}
