//! Games, planning tasks and levels of other formats as rule files: text in, text and diagnostics out.
//!
//! | format | module |
//! |---|---|
//! | GDL, in KIF | [`gdl`] |

pub mod gdl;
pub mod sexpr;
pub mod text;
