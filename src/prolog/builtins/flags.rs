//! Flags: what `set_prolog_flag/2` sets (ISO 13211-1, 7.11).
//!
//! The few that the reader and the machine act on are fields of [`Flags`]; the
//! rest are rows of a table that programs may ask about.

use super::{Entry, World, args};
use std::collections::BTreeMap;
use zug_machine::{Machine, Outcome};
use zug_syntax::{Quotes, ReadOptions};
use zug_term::spelling::nearest;
use zug_term::symbol::{Symbols, atoms};
use zug_term::{Cell, Heap, MAX_ARITY, MAX_INT, MIN_INT, Record};

/// The predicates of this file.
pub const TABLE: &[Entry] = &[
    Entry::session("set_prolog_flag", 2, set_prolog_flag),
    Entry::session("create_prolog_flag", 3, create_prolog_flag),
    Entry::pure("$flag", 2, flag),
    Entry::pure("$flags", 1, flags),
];

/// What calling an unknown procedure does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unknown {
    /// An existence error.
    Error,
    /// Failure.
    Fail,
    /// Failure and a warning.
    Warning,
}

/// What unification does about cyclic terms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OccursCheck {
    /// Makes them.
    False,
    /// Fails.
    True,
    /// Raises an error.
    Error,
}

/// The value of a flag.
#[derive(Clone, Debug, PartialEq)]
enum Setting {
    Name(&'static str),
    Int(i64),
    /// `zug(Major, Minor, Patch, [])`.
    Version,
    /// What the program itself set.
    Term(Record),
}

/// What a flag may be set to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Allowed {
    Nothing,
    Names(&'static [&'static str]),
    Anything,
}

#[derive(Clone)]
struct Row {
    value: Setting,
    allowed: Allowed,
}

/// All flags.
#[derive(Clone)]
pub struct Flags {
    rows: BTreeMap<String, Row>,
    /// What `"text"` becomes.
    pub double_quotes: Quotes,
    /// What `` `text` `` becomes.
    pub back_quotes: Quotes,
    /// What calling an unknown procedure does.
    pub unknown: Unknown,
    /// What unification does about cyclic terms.
    pub occurs_check: OccursCheck,
    /// Whether the standard is followed where it differs from common practice.
    pub iso: bool,
    /// Whether it was so from the start, by [`Flags::follow_standard`].
    pub(crate) starts_iso: bool,
    /// Whether constraints over integers want variables to be marked as integers, as in `#(X)`.
    pub clpfd_monotonic: bool,
}

const BOOL: Allowed = Allowed::Names(&["true", "false"]);
const ON_OFF: Allowed = Allowed::Names(&["on", "off"]);
const QUOTES: Allowed = Allowed::Names(&["codes", "chars", "atom", "string"]);
const NONE: Allowed = Allowed::Nothing;

/// Flags with names for values: value at the start, what is allowed, names.
const NAMED: &[(&str, Allowed, &str)] = &[
    ("false", NONE, "bounded"),
    ("toward_zero", NONE, "integer_rounding_function"),
    ("unbounded", NONE, "max_arity"),
    ("off", ON_OFF, "char_conversion"),
    ("off", Allowed::Names(&["on", "off", "true", "false"]), "debug"),
    ("error", Allowed::Names(&["error", "fail", "warning"]), "unknown"),
    ("string", QUOTES, "double_quotes"),
    ("codes", QUOTES, "back_quotes"),
    ("false", Allowed::Names(&["true", "false", "error"]), "occurs_check"),
    ("false", BOOL, "iso prefer_rationals optimise clpb_monotonic clpfd_monotonic"),
    ("compatibility", Allowed::Anything, "rational_syntax"),
    ("zug", NONE, "dialect"),
    (
        "true",
        BOOL,
        "character_escapes gc last_call_optimisation generate_debug_info report_error \
         tty_control color_term toplevel_print_anon warn_override_implicit_import",
    ),
    ("utf8", Allowed::Anything, "encoding"),
    ("normal", Allowed::Anything, "verbose"),
    ("silent", Allowed::Anything, "verbose_load"),
    ("false", Allowed::Anything, "verbose_autoload verbose_file_search"),
    ("true", Allowed::Anything, "autoload"),
    ("?- ", Allowed::Anything, "toplevel_prompt"),
    ("1000", Allowed::Anything, "toplevel_var_size"),
    ("backtracking", Allowed::Anything, "toplevel_mode"),
    ("determinism", Allowed::Anything, "prompt_alternatives_on"),
    ("[]", Allowed::Anything, "answer_write_options print_write_options debugger_write_options"),
    ("unbounded", Allowed::Anything, "stack_limit table_space"),
    ("0", Allowed::Anything, "history"),
    ("error", Allowed::Names(&["error"]), "float_overflow float_zero_div float_undefined"),
    ("true", NONE, "unix"),
    ("on", ON_OFF, "hints"),
    ("default", Allowed::Names(&["default", "full"]), "clpfd_propagation"),
];

/// The same one by one.
fn named() -> impl Iterator<Item = (&'static str, &'static str, Allowed)> {
    let of_row = |&(value, allowed, names): &(&'static str, Allowed, &'static str)| {
        names.split(' ').map(move |name| (name, value, allowed))
    };
    NAMED.iter().flat_map(of_row)
}

/// Flags of other systems, which programs can't set.
const ELSEWHERE: &str = "windows apple gui readline threads version arch home executable pid os_argv xpce editor \
    emacs_inferior_process host_language singleton_warning toplevel_name signals timezone \
    tmp_dir cpu_count emulated_dialect compiled_at user_flags shared_object_extension \
    stream_type_check trace_gc traditional heartbeat";

impl Default for Flags {
    fn default() -> Self {
        Self::new()
    }
}

impl Flags {
    /// The flags that are not as a session starts with them, with their values, by name; `term`
    /// writes what the program itself set.
    pub fn changed(&self, term: impl Fn(&Record) -> String) -> Vec<String> {
        let start = Flags::new().rows;
        let same = |name: &str, row: &Row| match (&row.value, start.get(name)) {
            (_, None) => false,
            (value, Some(old)) => *value == old.value,
        };
        let value = |row: &Row| match &row.value {
            Setting::Name(name) => (*name).to_owned(),
            Setting::Int(number) => number.to_string(),
            Setting::Version => env!("CARGO_PKG_VERSION").to_owned(),
            Setting::Term(record) => term(record),
        };
        let changed = self.rows.iter().filter(|(name, row)| !same(name, row));
        changed.map(|(name, row)| format!("{name} = {}", value(row))).collect()
    }

    /// The flags as a session starts with them.
    pub fn new() -> Flags {
        let named = named().map(|(name, value, allowed)| {
            (name.to_owned(), Row { value: Setting::Name(value), allowed })
        });
        let numbers = [
            ("max_integer", i64::MAX),
            ("min_integer", i64::MIN),
            ("max_tagged_integer", MAX_INT),
            ("min_tagged_integer", MIN_INT),
            ("max_procedure_arity", MAX_ARITY as i64),
            ("max_char_code", 0x10_FFFF),
        ];
        let numbers = numbers.map(|(name, value)| {
            (name.to_owned(), Row { value: Setting::Int(value), allowed: NONE })
        });
        let version = Row { value: Setting::Version, allowed: NONE };
        let version = ("version_data".to_owned(), version);
        let none = Record { cells: Box::new([]), root: Cell::NIL };
        let arguments = Row { value: Setting::Term(none), allowed: Allowed::Anything };
        let arguments = ("argv".to_owned(), arguments);
        Flags {
            rows: named.chain(numbers).chain([version, arguments]).collect(),
            double_quotes: Quotes::String,
            back_quotes: Quotes::Codes,
            unknown: Unknown::Error,
            occurs_check: OccursCheck::False,
            iso: false,
            starts_iso: false,
            clpfd_monotonic: false,
        }
    }

    /// What the command line has behind `--` for the rules: the flag `argv`.
    pub fn set_arguments(&mut self, symbols: &mut Symbols, arguments: &[String]) {
        let mut heap = Heap::new();
        let names: Vec<Cell> =
            arguments.iter().map(|text| Cell::atom(symbols.intern(text))).collect();
        let list = heap.list_from(&names, Cell::NIL);
        let value = Setting::Term(Record::new(&mut heap, list));
        self.rows.insert("argv".to_owned(), Row { value, allowed: Allowed::Anything });
    }

    /// Follows the standard from the start: the flag `iso`, and text in double quotes as codes, as
    /// most systems that follow it have it.
    pub(crate) fn follow_standard(&mut self) {
        self.starts_iso = true;
        for (name, value) in [("iso", "true"), ("double_quotes", "codes")] {
            if let Some(row) = self.rows.get_mut(name) {
                row.value = Setting::Name(value);
            }
            self.apply(name, value);
        }
    }

    /// What text between double and back quotes becomes.
    pub(super) fn quotes(&self) -> [Quotes; 2] {
        [self.double_quotes, self.back_quotes]
    }

    /// What text between quotes becomes in a new module.
    pub(super) fn quotes_of_modules(&self) -> [Quotes; 2] {
        [if self.starts_iso { Quotes::Codes } else { Quotes::String }, Quotes::Codes]
    }

    /// Sets what text between double and back quotes becomes.
    pub(super) fn set_quotes(&mut self, quotes: [Quotes; 2]) {
        for (flag, quotes) in ["double_quotes", "back_quotes"].into_iter().zip(quotes) {
            let name = name_of_quotes(quotes);
            if let Some(row) = self.rows.get_mut(flag) {
                row.value = Setting::Name(name);
            }
            self.apply(flag, name);
        }
    }

    /// How text is read under these flags.
    pub fn read_options(&self) -> ReadOptions {
        ReadOptions {
            double_quotes: self.double_quotes,
            back_quotes: self.back_quotes,
            iso: self.iso,
        }
    }

    /// Whether a flag of the table is `true` or `on`.
    pub fn is_on(&self, m: &Machine, name: &str) -> bool {
        match self.rows.get(name).map(|row| &row.value) {
            Some(Setting::Name(value)) => matches!(*value, "true" | "on"),
            Some(Setting::Term(record)) => args::boolean(m, record.root) == Some(true),
            _ => false,
        }
    }

    /// Sets a flag of the table that is `on` or `off`.
    pub fn switch(&mut self, name: &str, on: bool) {
        if let Some(row) = self.rows.get_mut(name) {
            row.value = Setting::Name(if on { "on" } else { "off" });
        }
    }

    /// Brings the fields in line with a flag that was set to one of its names.
    fn apply(&mut self, name: &str, value: &str) {
        match name {
            "double_quotes" => self.double_quotes = quotes_named(value).unwrap_or(Quotes::String),
            "back_quotes" => self.back_quotes = quotes_named(value).unwrap_or(Quotes::Codes),
            "iso" => self.iso = value == "true",
            "clpfd_monotonic" => self.clpfd_monotonic = value == "true",
            "unknown" => {
                self.unknown = match value {
                    "fail" => Unknown::Fail,
                    "warning" => Unknown::Warning,
                    _ => Unknown::Error,
                }
            }
            "occurs_check" => {
                self.occurs_check = match value {
                    "true" => OccursCheck::True,
                    "error" => OccursCheck::Error,
                    _ => OccursCheck::False,
                }
            }
            _ => {}
        }
    }
}

/// What text between quotes becomes, by the name of it.
pub(super) fn quotes_named(name: &str) -> Option<Quotes> {
    match name {
        "codes" => Some(Quotes::Codes),
        "chars" => Some(Quotes::Chars),
        "atom" => Some(Quotes::Atom),
        "string" => Some(Quotes::String),
        _ => None,
    }
}

/// The name of what text between quotes becomes.
fn name_of_quotes(quotes: Quotes) -> &'static str {
    match quotes {
        Quotes::Codes => "codes",
        Quotes::Chars => "chars",
        Quotes::Atom => "atom",
        Quotes::String => "string",
    }
}

fn setting_cell(m: &mut Machine, setting: &Setting) -> Cell {
    match setting {
        Setting::Name(name) => match name.parse() {
            Ok(number) => m.heap.new_int(number),
            Err(_) => args::atom_cell(m, name),
        },
        Setting::Int(value) => m.heap.new_int(*value),
        Setting::Version => {
            let parts = env!("CARGO_PKG_VERSION").split('.').filter_map(|part| part.parse().ok());
            let mut parts: Vec<Cell> = parts.map(Cell::small).collect();
            parts.push(Cell::NIL);
            args::compound(m, "zug", &parts)
        }
        Setting::Term(record) => record.instantiate(&mut m.heap),
    }
}

fn set_prolog_flag(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    w.changes += 1;
    args::bound(m, a[1])?;
    let name = args::atom(m, a[0])?;
    let name = m.symbols.name(name).to_owned();
    let Some(row) = w.flags.rows.get_mut(&name) else {
        let mistyped = nearest(named().map(|row| row.0), &name).is_some();
        if w.flags.iso || mistyped || args::is_among(ELSEWHERE, &name) {
            return Err(m.domain_error("prolog_flag", a[0]));
        }
        // A flag of the program's own.
        let value = Setting::Term(Record::new(&mut m.heap, a[1]));
        w.flags.rows.insert(name, Row { value, allowed: Allowed::Anything });
        return Ok(true);
    };
    match row.allowed {
        Allowed::Nothing => Err(m.permission_error("modify", "flag", a[0])),
        Allowed::Anything => {
            row.value = Setting::Term(Record::new(&mut m.heap, a[1]));
            Ok(true)
        }
        Allowed::Names(names) => {
            let wanted = m.heap.deref(a[1]).as_atom().map(|atom| m.symbols.name(atom));
            let Some(&value) = names.iter().find(|&&value| Some(value) == wanted) else {
                let culprit = m.heap.new_struct(atoms::PLUS, a);
                return Err(m.domain_error("flag_value", culprit));
            };
            row.value = Setting::Name(value);
            w.flags.apply(&name, value);
            m.set_iso(w.flags.iso);
            if name == "prefer_rationals" {
                m.prefer_rationals = value == "true";
            }
            Ok(true)
        }
    }
}

/// `create_prolog_flag(Name, Value, Options)`: a flag that is there stays as it is by `keep(true)`, and can't be
/// changed by `access(read_only)`.
fn create_prolog_flag(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    args::bound(m, a[1])?;
    let name = args::atom(m, a[0])?;
    let name = m.symbols.name(name).to_owned();
    if w.flags.rows.get(&name).is_some_and(|row| row.allowed != Allowed::Anything) {
        return set_prolog_flag(m, w, &a[..2]);
    }
    let options = args::list(m, a[2])?;
    let mut has = |name: &str, value: &str| {
        let wanted = args::atom_cell(m, value);
        let name = m.symbols.intern(name);
        options.iter().any(|&option| {
            let given = m.heap.match_struct::<1>(option, name);
            given.is_some_and(|[given]| m.heap.deref(given) == wanted)
        })
    };
    let (keep, fixed) = (has("keep", "true"), has("access", "read_only"));
    if keep && w.flags.rows.contains_key(&name) {
        return Ok(true);
    }
    let value = Setting::Term(Record::new(&mut m.heap, a[1]));
    let allowed = if fixed { Allowed::Nothing } else { Allowed::Anything };
    w.flags.rows.insert(name, Row { value, allowed });
    Ok(true)
}

/// `'$flag'(Name, Value)`: the value of one flag.
fn flag(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let name = args::atom(m, a[0])?;
    let name = m.symbols.name(name).to_owned();
    match w.flags.rows.get(&name) {
        Some(row) => {
            let value = setting_cell(m, &row.value);
            Ok(m.unify(a[1], value))
        }
        // The standard wants an error, which breaks programs that ask whether there is a flag.
        None if !w.flags.iso || args::is_among(ELSEWHERE, &name) => Ok(false),
        None => Err(m.domain_error("prolog_flag", a[0])),
    }
}

/// `'$flags'(List)`: all flags as `Name-Value`, by name.
fn flags(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let mut pairs = Vec::new();
    for (name, row) in &w.flags.rows {
        let name = args::atom_cell(m, name);
        let value = setting_cell(m, &row.value);
        pairs.push(m.heap.new_struct(atoms::MINUS, &[name, value]));
    }
    Ok(args::unify_list(m, a[0], &pairs))
}

#[cfg(test)]
mod tests {
    use super::*;
    use zug_term::Value;

    fn check(name: &str, value: &str, expect: Option<&str>) {
        let mut m = Machine::new();
        let (mut w, _) = World::captured(&mut m.symbols, "");
        let a = [name, value].map(|text| args::atom_cell(&mut m, text));
        match (set_prolog_flag(&mut m, &mut w, &a), expect) {
            (Ok(true), None) => {
                assert!(matches!(flag(&mut m, &mut w, &a), Ok(true)), "{name} is now {value}");
            }
            (Err(zug_machine::Fault::Ball(ball)), Some(kind)) => {
                let cell = ball.instantiate(&mut m.heap);
                let Value::Struct(_, _, args) = m.heap.value(cell) else { panic!("{name}") };
                let formal = m.heap.name_arity(m.heap.at(args)).expect("a compound").0;
                assert_eq!(m.symbols.name(formal), kind, "{name} = {value}");
            }
            (other, _) => panic!("{name} = {value}: {other:?}"),
        }
    }

    #[test]
    fn flags_are_set_or_refused_as_the_standard_says() {
        check("double_quotes", "codes", None);
        check("unknown", "fail", None);
        check("verbose", "silent", None);
        check("bounded", "true", Some("permission_error"));
        check("unknown", "maybe", Some("domain_error"));
        check("duble_quotes", "codes", Some("domain_error"));
    }

    #[test]
    fn settings_reach_the_fields() {
        let mut m = Machine::new();
        let (mut w, _) = World::captured(&mut m.symbols, "");
        let a = ["double_quotes", "chars"].map(|text| args::atom_cell(&mut m, text));
        assert!(matches!(set_prolog_flag(&mut m, &mut w, &a), Ok(true)));
        assert_eq!(w.flags.double_quotes, Quotes::Chars);
    }
}
