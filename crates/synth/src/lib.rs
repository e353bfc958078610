//! Part of Stakes; see ARCHITECTURE.md.
