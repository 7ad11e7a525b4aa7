//! The public interface, from outside.

mod ask;
mod attributes;
mod indexing;
#[cfg(feature = "native")]
mod native;
mod standard;
