//! Learners.
