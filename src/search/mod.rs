//! Generic search engines.
