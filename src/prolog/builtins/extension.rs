//! What others add to the language.

use super::{Entry, NativeAttribute, World};
use crate::session::LibraryText;
use zug_machine::{Machine, Trace};

/// Makes a text of the library.
pub type MakeText = fn() -> String;

/// Finds a better hint for an exception that was raised there, if it knows one.
pub type FindHint = fn(&Machine, &World, &Trace, Option<&str>) -> Option<String>;

/// Hands on what a session goes on with when it forgets its program: from the old world to the new.
pub type Carry = fn(&World, &mut World);

/// Something counted.
pub type Count = fn(&World) -> u64;
/// What to do about an option that a predicate of this name does not take as it stands: the name of
/// the option, or of what was given as one.
pub type FindAdvice = fn(&str, &str) -> Option<String>;

/// Predicates in Rust, and texts of the rule language over them, that a session has in addition to those
/// of Prolog. They belong to the system: a program may define predicates of the same names.
#[derive(Clone, Copy)]
pub struct Extension {
    /// Predicates in Rust, which may run goals of their own.
    pub tables: &'static [&'static [Entry]],
    /// Texts, loaded after those of Prolog, in this order.
    pub library: &'static [LibraryText],
    /// Text that is made when a session begins: its name and what it says.
    pub made: Option<(&'static str, MakeText)>,
    /// A better hint for an uncaught exception, from where it was raised and the hint there is.
    pub hint: Option<FindHint>,
    /// Settings that stay when a session forgets its program.
    pub carry: Option<Carry>,
    /// Questions that were answered without the machine, of which a profile therefore knows
    /// nothing.
    pub outside: Option<Count>,
    /// What to do about an option of one of its predicates that is none.
    pub option_advice: Option<FindAdvice>,
    /// Attributes of variables that it looks after. They are numbered through all extensions, as
    /// [`Machine::add_native`] tells.
    pub attributes: &'static [NativeAttribute],
    /// Libraries that programs ask for by name before they use its predicates.
    pub libraries: &'static [Library],
}

/// A library as programs ask for it: its predicates are always there, its operators from then on.
#[derive(Clone, Copy)]
pub struct Library {
    /// Its name, as in `library(lists)`.
    pub name: &'static str,
    /// Its operators: priority, type, name.
    pub operators: &'static [(i64, &'static str, &'static str)],
}

impl Extension {
    /// Nothing.
    pub const NONE: Extension = Extension {
        tables: &[],
        library: &[],
        made: None,
        hint: None,
        carry: None,
        outside: None,
        option_advice: None,
        attributes: &[],
        libraries: &[],
    };
}

impl World {
    /// The hint of an exception that was raised there: what an extension knows better, or the
    /// hint there is.
    pub fn better_hint(&self, m: &Machine, trace: &Trace, hint: Option<String>) -> Option<String> {
        let mut finders = self.extensions.iter().filter_map(|extension| extension.hint);
        finders.find_map(|find| find(m, self, trace, hint.as_deref())).or(hint)
    }
}
