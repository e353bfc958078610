//! How much memory the program has needed.

/// The most memory that the program has had so far, in bytes; `None` where the system does not say.
pub(crate) fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(1024 * kilobytes)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    #[test]
    fn the_peak_is_at_least_what_was_filled() {
        let block = vec![1u8; 64 << 20];
        let sum: u64 = block.iter().map(|&byte| u64::from(byte)).sum();
        assert!(sum > 0 && super::peak().unwrap_or(0) >= 64 << 20);
    }
}
