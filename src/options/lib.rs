//! Options as data.
//!
//! A [`Row`] has the name of an option, the kind of its value, its help, and its setter: a
//! function into the settings that it belongs to. Tables of rows stand where
//! the settings are. Code that reads options, from a command line, a list of a query, or a
//! prompt, asks the table which there are, reads a [`Value`] of the row's [`Kind`], and hands it back:
//! no other code knows options by name.
//!
//! | what | is |
//! |---|---|
//! | [`Row`] | an option of settings `T` |
//! | [`Rows`], [`Within`] | rows of some settings, and of settings that are a part of others |
//! | [`Table`] | all options of a command, of a predicate: rows and parts, in order |
//! | [`OptionInfo`] | the description of an option |
//! | [`units`] | amounts as people type them |
//! | [`NameMatch`] | how a name matches the known ones |
//!
//! # Invariants
//!
//! - What is wrong with a value is found when it is given, not when it is used.
//! - A row is used as it stands in its table; who needs other words or another default makes a row
//!   from it ([`Row::help`], [`Row::default`]), and its value goes the same way.
//!
//! - A value that goes into a field as it is needs no setter: [`row!`] has one.
//!
//! # Example
//!
//! ```
//! use zug_options::{Kind, Rejected, Row, Rows, Table, Value, row};
//!
//! #[derive(Default)]
//! struct Settings {
//!     weight: f64,
//!     nodes: Option<u64>,
//! }
//!
//! static ROWS: [Row<Settings>; 2] = [
//!     Row::number("weight", "W", "Factor on the heuristic", |to: &mut Settings, weight| {
//!         to.weight = if weight >= 1.0 { weight } else { return Rejected::out_of_range() };
//!         Ok(())
//!     })
//!     .wants("a weight is a number that is at least 1"),
//!     row!(count("nodes", "N", "Stop after this many expansions") => Some(Settings.nodes)),
//! ];
//! static TABLE: Table<Settings> = Table(&[&Rows(&ROWS)]);
//!
//! let mut settings = Settings::default();
//! let nodes = TABLE.find("nodes").expect("it is in the table");
//! assert_eq!(nodes.info().kind, Kind::Count);
//! nodes.take(&mut settings, nodes.info().read("5M")?).expect("any count will do");
//! assert_eq!(settings.nodes, Some(5_000_000));
//! let weight = TABLE.find("weight").expect("it is in the table");
//! assert!(weight.take(&mut settings, Value::Number(0.5)).is_err());
//! # Ok::<(), String>(())
//! ```

mod nearest;
mod row;
mod table;
pub mod units;

pub use nearest::NameMatch;
pub use row::{Kind, Nothing, OptionInfo, Rejected, Row, SetResult, Value};
pub use table::{Named, Part, Rows, Table, TableOption, Within};

/// A row whose value goes into a field of the settings, as it is or in `Some`: `row!(flag("all", "All") => Settings.all)`.
#[macro_export]
macro_rules! row {
    ($kind:ident($($said:expr),+ $(,)?) => Some($to:ident.$($field:ident).+)) => {
        $crate::Row::$kind($($said,)+ |to: &mut $to, value| {
            to.$($field).+ = Some(value.into());
            Ok(())
        })
    };
    ($kind:ident($($said:expr),+ $(,)?) => $to:ident.$($field:ident).+) => {
        $crate::Row::$kind($($said,)+ |to: &mut $to, value| {
            to.$($field).+ = value.into();
            Ok(())
        })
    };
}
