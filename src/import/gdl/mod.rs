//! GDL, the Game Description Language (M. Genesereth, N. Love, B. Pell, *General Game Playing*, 2005).

mod components;
pub mod interpret;
pub mod order;
pub mod program;
pub mod syntax;
pub mod table;
