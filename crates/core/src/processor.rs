//! The vector width that code runs with, chosen in one place for the whole program.
//!
//! By default it is the widest that the processor has. For measurements and tests the environment variable
//! `STAKES_VECTORS` narrows it: `avx2` allows no more than AVX2, `scalar` none of the wider vectors. It never
//! widens: where the processor has less, that is used. The width decides only how long something takes, never what
//! comes out; so a library goes on with a value it does not know as without one, and programs refuse it
//! ([`check_environment`]): a measurement would not be of what it says.
//!
//! ```
//! // Dispatch by this instead of `pulp::Arch::new()`.
//! let arch = stakes_core::processor::arch();
//! # let _ = arch;
//! ```

use std::sync::OnceLock;

use pulp::Arch;

/// The environment variable that narrows the vectors.
const VARIABLE: &str = "STAKES_VECTORS";

/// The vectors to use; decided by the first call.
pub fn arch() -> Arch {
    static ARCH: OnceLock<Arch> = OnceLock::new();
    *ARCH.get_or_init(|| narrowed(std::env::var(VARIABLE).ok().as_deref()))
}

/// Refuses a value of `STAKES_VECTORS` that is not known.
pub fn check_environment() -> Result<(), String> {
    check_limit(&std::env::var_os(VARIABLE).unwrap_or_default().to_string_lossy())
}

fn check_limit(limit: &str) -> Result<(), String> {
    match limit {
        "" | "avx2" | "scalar" => Ok(()),
        other => Err(format!("{VARIABLE} is `{other}`; allowed are avx2 and scalar")),
    }
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

/// All vectors that this processor has, for tests.
#[cfg(test)]
pub(crate) fn all() -> Vec<Arch> {
    #[cfg(target_arch = "x86_64")]
    let wider = [pulp::x86::V3::try_new().map(Arch::V3), pulp::x86::V4::try_new().map(Arch::V4)];
    #[cfg(not(target_arch = "x86_64"))]
    let wider = [Some(Arch::new())];
    [Arch::Scalar].into_iter().chain(wider.into_iter().flatten()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_refuse_a_limit_that_is_not_known() {
        assert!(["", "avx2", "scalar"].iter().all(|limit| check_limit(limit).is_ok()));
        let error = "STAKES_VECTORS is `axv2`; allowed are avx2 and scalar";
        assert_eq!(check_limit("axv2"), Err(error.to_owned()));
    }

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
