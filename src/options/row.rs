//! An option: its name, the kind of its value, and the setter of that value.

use crate::units;
use std::convert::Infallible;
use std::time::Duration;

/// The type of terms where no option takes one: it has no values.
pub type Nothing = Infallible;

/// A value that an option does not accept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected {
    /// The reason, if it is another one than [`OptionInfo::wants`].
    pub why: Option<String>,
}

impl Rejected {
    /// The value is outside of the option's range.
    pub fn out_of_range() -> SetResult {
        Err(Rejected { why: None })
    }
}

impl From<String> for Rejected {
    fn from(why: String) -> Rejected {
        Rejected { why: Some(why) }
    }
}

/// The result of setting a value.
pub type SetResult = Result<(), Rejected>;

/// The kind of an option's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// No value: the option is on where it is given. `name` or `name(true)` in a list.
    Flag,
    /// A number of things, as `5M`; in a list any number.
    Count,
    /// A whole number, as a seed.
    Whole,
    /// A whole number that is small, as a depth.
    Small,
    /// A number.
    Number,
    /// A time, as `10s`; in a list seconds, of which too many are no limit.
    Time,
    /// An amount of memory, as `512M`; in a list MiB.
    Size,
    /// So many whole numbers, as `3,1,-1`; in a list `name(3, 1, -1)`.
    Integers(usize),
    /// One of these words, each with what it means (or nothing, where that is clear); in a list with
    /// `_` for `-`.
    Word(&'static [(&'static str, &'static str)]),
    /// Several names, as `a,b`; in a list a name, or a list of them.
    Names,
    /// A name, a term, a file: in a list as it is written, a name without quotes.
    Text,
    /// A term: in a list as it is written in a query.
    TermText,
    /// A file; in a list as it is written.
    File,
    /// A name, or two words with a colon, as `alphabeta:4`; in a list `name(alphabeta, 4)` too.
    Pair,
    /// A term as it stands in a list; what is found out, if it is a variable. Not for command lines.
    Term,
}

/// A value, of the kind of the same name.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<X = Nothing> {
    /// On or off.
    Flag(bool),
    /// A number of things.
    Count(u64),
    /// A whole number.
    Whole(u64),
    /// A small whole number.
    Small(u32),
    /// A number.
    Number(f64),
    /// A time; none, if it is too long for the type.
    Time(Option<Duration>),
    /// Bytes.
    Size(usize),
    /// Whole numbers.
    Integers(Vec<i64>),
    /// One of the words.
    Word(String),
    /// Names.
    Names(Vec<String>),
    /// Text.
    Text(String),
    /// A term.
    Term(X),
}

impl<X> Value<X> {
    /// The same where no option takes a term.
    pub fn plain(self) -> Option<Value> {
        Some(match self {
            Value::Flag(on) => Value::Flag(on),
            Value::Count(number) => Value::Count(number),
            Value::Whole(number) => Value::Whole(number),
            Value::Small(number) => Value::Small(number),
            Value::Number(number) => Value::Number(number),
            Value::Time(time) => Value::Time(time),
            Value::Size(bytes) => Value::Size(bytes),
            Value::Integers(numbers) => Value::Integers(numbers),
            Value::Word(word) => Value::Word(word),
            Value::Names(names) => Value::Names(names),
            Value::Text(text) => Value::Text(text),
            Value::Term(_) => return None,
        })
    }
}

/// The description of an option.
#[derive(Clone, Copy, Debug)]
pub struct OptionInfo {
    /// Its name; in a list with `_` for `-`.
    pub name: &'static str,
    /// What stands for its value.
    pub metavar: &'static str,
    /// The help text.
    pub help: &'static str,
    /// The kind of its value.
    pub kind: Kind,
    /// Of several names those there are, each with what it means; none where any will do.
    pub words: &'static [(&'static str, &'static str)],
    /// Its default, as help shows it; empty for none, or where `help` has it.
    pub default: &'static str,
    /// The message for a value out of range; empty where the kind has one.
    pub wants: &'static str,
    /// What is appended to that message; empty for nothing.
    pub besides: &'static str,
    /// Its value where it is given without one; empty if it needs one.
    pub bare: &'static str,
    /// Options that can't be given together with it.
    pub conflicts: &'static [&'static str],
    /// An option that it needs beside it; empty for none.
    pub requires: &'static str,
    /// Another name, which command lines take; empty for none.
    pub alias: &'static str,
    /// On a command line, a letter for it.
    pub letter: Option<char>,
    /// On a command line it may be given several times, each with one value.
    pub repeated: bool,
}

impl OptionInfo {
    /// Parses a value.
    pub fn read(&self, text: &str) -> Result<Value, String> {
        let read = match self.kind {
            Kind::Flag | Kind::Term => Err("it takes no value".to_owned()),
            Kind::Count => units::count(text).map(Value::Count),
            Kind::Whole => units::whole(text).map(Value::Whole),
            Kind::Small => units::whole(text).map(Value::Small),
            Kind::Number => units::number(text).map(Value::Number),
            Kind::Time => units::duration(text).map(|time| Value::Time(Some(time))),
            Kind::Size => units::size(text).map(Value::Size),
            Kind::Integers(count) => {
                let numbers = text.split(',').map(|number| units::whole(number.trim()));
                let numbers: Result<Vec<i64>, String> = numbers.collect();
                match numbers {
                    Ok(numbers) if numbers.len() == count => Ok(Value::Integers(numbers)),
                    Ok(_) => Err(format!("write {count} whole numbers, with commas")),
                    Err(why) => Err(why),
                }
            }
            Kind::Word(words) => match words.iter().any(|(word, _)| *word == text) {
                true => Ok(Value::Word(text.to_owned())),
                false => {
                    let words: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
                    Err(format!("write one of {}", words.join(", ")))
                }
            },
            Kind::Names => Ok(Value::Names(text.split(',').map(str::to_owned).collect())),
            Kind::Text | Kind::TermText | Kind::File | Kind::Pair => {
                Ok(Value::Text(text.to_owned()))
            }
        };
        let numeric = matches!(self.kind, Kind::Number | Kind::Integers(_));
        let read = read.map_err(|why| if numeric { self.wanted().unwrap_or(why) } else { why });
        read.map_err(|why| match self.besides {
            "" => why,
            more => format!("{why}; {more}"),
        })
    }

    /// The message for a rejected value.
    pub fn refusal(&self, rejected: Rejected) -> String {
        rejected.why.or(self.wanted()).unwrap_or_else(|| "this value can't be taken".to_owned())
    }

    fn wanted(&self) -> Option<String> {
        (!self.wants.is_empty()).then(|| self.wants.to_owned())
    }

    /// Whether this is its name, or its other one, with `_` or `-`.
    pub fn answers_to(&self, name: &str) -> bool {
        let same = |own: &str| {
            own.len() == name.len()
                && own
                    .bytes()
                    .zip(name.bytes())
                    .all(|(own, b)| own == b || (own, b) == (b'-', b'_'))
        };
        same(self.name) || !self.alias.is_empty() && same(self.alias)
    }

    /// Its name in a list.
    pub fn atom(&self) -> String {
        self.name.replace('-', "_")
    }

    /// The option as it is written in a list: `nodes(N)`, `instance(Name)`, `time(Seconds)`, `method(q)`.
    pub fn in_list(&self) -> String {
        let value = match self.kind {
            Kind::Flag => return self.atom(),
            Kind::Time => "Seconds".to_owned(),
            Kind::Size => "MB".to_owned(),
            Kind::Word(words) => words[0].0.replace('-', "_"),
            Kind::Names if !self.words.is_empty() => {
                let words: Vec<&str> = self.words.iter().map(|(word, _)| *word).collect();
                format!("[{}]", words.join(","))
            }
            _ => variable(self.metavar),
        };
        format!("{}({value})", self.atom())
    }
}

/// What stands for a value, as a variable: `NAME` is `Name`.
fn variable(metavar: &str) -> String {
    let mut inside = false;
    let small = |c: char| {
        let letter = if inside { c.to_ascii_lowercase() } else { c };
        inside = c.is_alphabetic();
        letter
    };
    metavar.chars().map(small).collect()
}

/// The function that sets a value, by kind.
enum Setter<T: 'static, X: 'static> {
    Flag(fn(&mut T, bool) -> SetResult),
    Count(fn(&mut T, u64) -> SetResult),
    Small(fn(&mut T, u32) -> SetResult),
    Number(fn(&mut T, f64) -> SetResult),
    Time(fn(&mut T, Option<Duration>) -> SetResult),
    Size(fn(&mut T, usize) -> SetResult),
    Integers(fn(&mut T, &[i64]) -> SetResult),
    Text(fn(&mut T, &str) -> SetResult),
    Names(fn(&mut T, Vec<String>) -> SetResult),
    Term(fn(&mut T, X) -> SetResult),
}

impl<T, X> Clone for Setter<T, X> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, X> Copy for Setter<T, X> {}

/// An option of settings `T`.
pub struct Row<T: 'static, X: 'static = Nothing> {
    info: OptionInfo,
    put: Setter<T, X>,
}

impl<T, X> Clone for Row<T, X> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, X> Copy for Row<T, X> {}

/// Makes the functions that make rows: name, kind, where the value goes.
macro_rules! rows {
    ($($(#[$doc:meta])* $make:ident, $kind:expr, $put:ident($value:ty);)*) => {
        $(
            $(#[$doc])*
            pub const fn $make(
                name: &'static str,
                metavar: &'static str,
                help: &'static str,
                put: fn(&mut T, $value) -> SetResult,
            ) -> Self {
                Self::new(name, metavar, help, $kind, Setter::$put(put))
            }
        )*
    };
}

/// Makes the functions that change a row: name and type of the argument, what is changed.
macro_rules! changes {
    ($($(#[$doc:meta])* $name:ident: $argument:ty => $field:ident = $value:expr;)*) => {
        $(
            $(#[$doc])*
            pub const fn $name(mut self, $name: $argument) -> Self {
                self.info.$field = $value;
                self
            }
        )*
    };
}

impl<T, X> Row<T, X> {
    const fn new(
        name: &'static str,
        metavar: &'static str,
        help: &'static str,
        kind: Kind,
        put: Setter<T, X>,
    ) -> Self {
        let info = OptionInfo {
            name,
            metavar,
            help,
            kind,
            words: &[],
            default: "",
            wants: "",
            besides: "",
            bare: "",
            conflicts: &[],
            requires: "",
            alias: "",
            letter: None,
            repeated: false,
        };
        Row { info, put }
    }

    rows! {
        /// An option that takes a number of things.
        count, Kind::Count, Count(u64);
        /// An option that takes a whole number.
        whole, Kind::Whole, Count(u64);
        /// An option that takes a small whole number.
        small, Kind::Small, Small(u32);
        /// An option that takes a number.
        number, Kind::Number, Number(f64);
        /// An option that takes a time.
        time, Kind::Time, Time(Option<Duration>);
        /// An option that takes an amount of memory.
        size, Kind::Size, Size(usize);
        /// An option that takes text.
        text, Kind::Text, Text(&str);
        /// An option that takes a term as text.
        term_text, Kind::TermText, Text(&str);
        /// An option that takes a file.
        file, Kind::File, Text(&str);
        /// An option that takes a name with something behind a colon.
        pair, Kind::Pair, Text(&str);
        /// An option that takes several names.
        names, Kind::Names, Names(Vec<String>);
        /// An option that takes a term.
        term, Kind::Term, Term(X);
    }

    /// An option without a value, on where it is given.
    pub const fn flag(
        name: &'static str,
        help: &'static str,
        put: fn(&mut T, bool) -> SetResult,
    ) -> Self {
        Self::new(name, "", help, Kind::Flag, Setter::Flag(put))
    }

    /// An option that takes one of some words.
    pub const fn word(
        name: &'static str,
        metavar: &'static str,
        help: &'static str,
        words: &'static [(&'static str, &'static str)],
        put: fn(&mut T, &str) -> SetResult,
    ) -> Self {
        Self::new(name, metavar, help, Kind::Word(words), Setter::Text(put))
    }

    /// An option that takes so many whole numbers.
    pub const fn integers(
        name: &'static str,
        metavar: &'static str,
        help: &'static str,
        count: usize,
        put: fn(&mut T, &[i64]) -> SetResult,
    ) -> Self {
        Self::new(name, metavar, help, Kind::Integers(count), Setter::Integers(put))
    }

    changes! {
        /// The same in other words.
        help: &'static str => help = help;
        /// The same with another name.
        name: &'static str => name = name;
        /// The same, but only for these names, each with what it means.
        words: &'static [(&'static str, &'static str)] => words = words;
        /// The same with a default, as written on a command line.
        default: &'static str => default = default;
        /// The same with a message for values out of range.
        wants: &'static str => wants = wants;
        /// The same with a supplement to that message.
        besides: &'static str => besides = besides;
        /// The same with a value where it is given without one, as `--eliminate`; others follow behind a
        /// `=`.
        bare: &'static str => bare = bare;
        /// The same, but not together with others.
        conflicts: &'static [&'static str] => conflicts = conflicts;
        /// The same, but only together with another one.
        requires: &'static str => requires = requires;
        /// The same with a letter for it on a command line.
        letter: char => letter = Some(letter);
        /// The same with another name beside its own.
        alias: &'static str => alias = alias;
    }

    /// The same, given several times on a command line, each with one value.
    pub const fn repeated(mut self) -> Self {
        self.info.repeated = true;
        self
    }

    /// Its description.
    pub const fn info(&self) -> &OptionInfo {
        &self.info
    }

    /// Puts a value where it belongs.
    pub fn take(&self, to: &mut T, value: Value<X>) -> SetResult {
        match (self.put, value) {
            (Setter::Flag(put), Value::Flag(on)) => put(to, on),
            (Setter::Count(put), Value::Count(number) | Value::Whole(number)) => put(to, number),
            (Setter::Small(put), Value::Small(number)) => put(to, number),
            (Setter::Number(put), Value::Number(number)) => put(to, number),
            (Setter::Time(put), Value::Time(time)) => put(to, time),
            (Setter::Size(put), Value::Size(bytes)) => put(to, bytes),
            (Setter::Integers(put), Value::Integers(numbers)) => put(to, &numbers),
            (Setter::Text(put), Value::Text(text) | Value::Word(text)) => put(to, &text),
            (Setter::Names(put), Value::Names(names)) => {
                let words: Vec<&str> = self.info.words.iter().map(|(word, _)| *word).collect();
                let wrong = names.iter().find(|name| !words.contains(&&***name));
                if let Some(name) = wrong.filter(|_| !words.is_empty()) {
                    let (what, known) = (self.info.name, words.join(", "));
                    return Err(format!("there is no {what} `{name}`; there are {known}").into());
                }
                put(to, names)
            }
            (Setter::Term(put), Value::Term(term)) => put(to, term),
            _ => Rejected::out_of_range(),
        }
    }
}
