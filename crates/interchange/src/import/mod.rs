//! Reading models of other libraries.
