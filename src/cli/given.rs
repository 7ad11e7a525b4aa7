//! Tables of options as arguments of clap.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, ValueHint};
use std::fmt;
use std::ops::Deref;
use zug_options::{Kind, Table, TableOption, Value};

/// Options that a command takes from a table.
pub trait OptionSet {
    /// What they set.
    type Settings: Default + Clone + fmt::Debug + Send + Sync + 'static;

    /// Which there are, in the order of the help.
    fn table() -> &'static Table<Self::Settings>;
}

/// Makes a set of options of parts of tables.
macro_rules! option_set {
    ($(#[$doc:meta])* $set:ident: $settings:ty = [$($part:expr),+ $(,)?]) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub enum $set {}

        impl $crate::given::OptionSet for $set {
            type Settings = $settings;

            fn table() -> &'static ::zug_options::Table<$settings> {
                static TABLE: ::zug_options::Table<$settings> =
                    ::zug_options::Table(&[$(&$part),+]);
                &TABLE
            }
        }
    };
}

pub(super) use option_set;

/// What the command line says of the options of a set.
pub struct Given<S: OptionSet>(pub S::Settings);

impl<S: OptionSet> Clone for Given<S> {
    fn clone(&self) -> Self {
        Given(self.0.clone())
    }
}

impl<S: OptionSet> Default for Given<S> {
    fn default() -> Self {
        Given(S::Settings::default())
    }
}

impl<S: OptionSet> fmt::Debug for Given<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<S: OptionSet> Deref for Given<S> {
    type Target = S::Settings;

    fn deref(&self) -> &S::Settings {
        &self.0
    }
}

/// One of some words, each with what it means.
fn one_of(words: &'static [(&'static str, &'static str)]) -> PossibleValuesParser {
    PossibleValuesParser::new(words.iter().map(|&(word, means)| {
        let value = PossibleValue::new(word);
        if means.is_empty() { value } else { value.help(means) }
    }))
}

/// An option as clap knows it. A value that the settings would not take is wrong at once.
fn argument<T: Default + Send + Sync + 'static>(found: TableOption<T>) -> Arg {
    let info = found.info();
    let arg = Arg::new(info.name).long(info.name).help(info.help);
    let mut arg = match info.kind {
        Kind::Flag => arg.action(ArgAction::SetTrue),
        Kind::Names => {
            let arg = arg.value_name(info.metavar).num_args(1).action(ArgAction::Append);
            let arg = if info.repeated { arg } else { arg.value_delimiter(',') };
            if info.words.is_empty() { arg } else { arg.value_parser(one_of(info.words)) }
        }
        Kind::Word(words) => {
            let parser = one_of(words).map(Value::<zug_options::Nothing>::Word);
            arg.value_name(info.metavar).value_parser(parser)
        }
        kind => {
            let read = move |text: &str| -> Result<Value, String> {
                let value = info.read(text)?;
                let taken = found.take(&mut T::default(), value.clone());
                taken.map_err(|out| info.refusal(out))?;
                Ok(value)
            };
            let arg = match (kind, info.metavar) {
                (Kind::File, "DIR") => arg.value_hint(ValueHint::DirPath),
                (Kind::File, "FILE") => arg.value_hint(ValueHint::FilePath),
                (Kind::File, _) => arg.value_hint(ValueHint::AnyPath),
                _ => arg,
            };
            let arg = if info.repeated { arg.action(ArgAction::Append) } else { arg };
            let hyphens = matches!(kind, Kind::Integers(_) | Kind::TermText);
            arg.value_name(info.metavar).value_parser(read).allow_hyphen_values(hyphens)
        }
    };
    if info.kind == Kind::Names && !info.default.is_empty() {
        arg = arg.default_values(info.default.split(','));
    } else if !info.default.is_empty() {
        arg = arg.default_value(info.default);
    }
    if !info.bare.is_empty() {
        arg = arg.num_args(0..=1).require_equals(true).default_missing_value(info.bare);
    }
    if !info.requires.is_empty() {
        arg = arg.requires(info.requires);
    }
    arg = match info.letter {
        Some(letter) => arg.short(letter),
        None => arg,
    };
    if !info.alias.is_empty() {
        arg = arg.visible_alias(info.alias);
    }
    arg.conflicts_with_all(info.conflicts)
}

impl<S: OptionSet> Args for Given<S> {
    fn augment_args(command: Command) -> Command {
        command.args(S::table().all().map(argument))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<S: OptionSet> FromArgMatches for Given<S> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut given = Self::default();
        given.update_from_arg_matches(matches)?;
        Ok(given)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        for found in S::table().all() {
            let info = found.info();
            let values: Vec<Value> = match info.kind {
                Kind::Flag if matches.get_flag(info.name) => vec![Value::Flag(true)],
                Kind::Flag => Vec::new(),
                Kind::Names => {
                    let names = matches.get_many::<String>(info.name);
                    names.map(|names| Value::Names(names.cloned().collect())).into_iter().collect()
                }
                _ => matches.get_many::<Value>(info.name).into_iter().flatten().cloned().collect(),
            };
            let taken = values.into_iter().try_for_each(|value| found.take(&mut self.0, value));
            taken.map_err(|out| {
                let why = format!("`--{}`: {}", info.name, info.refusal(out));
                clap::Error::raw(clap::error::ErrorKind::ValueValidation, why)
            })?;
        }
        Ok(())
    }
}
