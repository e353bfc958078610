//! The vector width that code runs with, chosen in one place for the whole program.
//!
//! By default it is the widest that the processor has. For measurements and tests the environment variable
//! `STAKES_VECTORS` narrows it: `avx2` allows no more than AVX2, `scalar` none of the wider vectors. It never
//! widens: where the processor has less, that is used, and a value that is not known changes nothing. The width
//! decides only how long something takes, never what comes out, so a wrong value is no error.
//!
//! ```
//! // Dispatch by this instead of `pulp::Arch::new()`.
//! let arch = stakes_core::processor::arch();
//! # let _ = arch;
//! ```

use std::sync::OnceLock;

use pulp::Arch;

/// The vectors to use; decided by the first call.
pub fn arch() -> Arch {
    static ARCH: OnceLock<Arch> = OnceLock::new();
    *ARCH.get_or_init(|| narrowed(std::env::var("STAKES_VECTORS").ok().as_deref()))
}

/// The widest vectors of this processor within a limit.
fn narrowed(limit: Option<&str>) -> Arch {
    match limit {
        Some("scalar") => Arch::Scalar,
        Some("avx2") => up_to_avx2(),
        _ => Arch::new(),
    }
}

#[cfg(target_arch = "x86_64")]
fn up_to_avx2() -> Arch {
    pulp::x86::V3::try_new().map_or(Arch::Scalar, Arch::V3)
}

#[cfg(not(target_arch = "x86_64"))]
fn up_to_avx2() -> Arch {
    Arch::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_narrows_and_never_widens() {
        assert!(matches!(narrowed(Some("scalar")), Arch::Scalar));
        let same = |a: Arch, b: Arch| format!("{a:?}") == format!("{b:?}");
        for unknown in [None, Some(""), Some("avx1024")] {
            assert!(same(narrowed(unknown), Arch::new()), "{unknown:?}");
        }
        #[cfg(target_arch = "x86_64")]
        match Arch::new() {
            Arch::V4(_) | Arch::V3(_) => assert!(matches!(narrowed(Some("avx2")), Arch::V3(_))),
            _ => assert!(matches!(narrowed(Some("avx2")), Arch::Scalar)),
        }
    }
}
