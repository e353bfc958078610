//! The solver HiGHS, behind a safe door.
