//! Writing models for programs that run others'.
