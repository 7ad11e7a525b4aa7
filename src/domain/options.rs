//! Options in lists of queries: terms read by the tables of options.

use crate::verify::Effort;
use std::time::Duration;
use zug_machine::{Fault, Machine};
use zug_options::{Kind, OptionInfo, Rejected, Row, Table, Value};
use zug_prolog::builtins::World;
use zug_prolog::term_text;
use zug_term::symbol::atoms;
use zug_term::{Cell, Record, Value as Term};

/// What is done to find out whether plans are the cheapest.
pub static EFFORT: [Row<Effort>; 2] = [
    Row::count(
        "verify",
        "N",
        "Look at up to N states without the heuristic to find out whether there is a cheaper plan \
         than the one found with it [default: 200000, fewer where the rules take long]",
        |to: &mut Effort, states| {
            *to = Effort::states(states);
            Ok(())
        },
    ),
    Row::flag(
        "no-verify",
        "Don't find out: plans are the cheapest if the heuristic never overestimates",
        |to: &mut Effort, on| {
            *to = if on { Effort::NONE } else { Effort::default() };
            Ok(())
        },
    )
    .conflicts(&["verify"]),
];

/// An error of a list of options.
pub enum OptionError {
    /// A variable stands where a value is needed.
    Unbound,
    /// This is not of this type.
    Type(&'static str, Cell),
    /// This is no option.
    Unknown(Cell),
    /// This option does not take its value; why, if there is more to say.
    Value(Cell, &'static OptionInfo, Rejected),
}

/// What numbers are in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// Counts may be floats, and `inf`.
    Any,
    /// Counts are integers.
    Integers,
    /// As `Any`; what is no number is no value of the option.
    OrNone,
}

/// A kind of lists of options: of which domain errors are, and how strict it is.
#[derive(Clone, Copy, Debug)]
pub struct OptionList {
    /// The domain of an option that is none.
    pub domain: &'static str,
    /// What numbers are.
    pub numbers: Numbers,
    /// `name` is `name(true)`.
    pub bare: bool,
}

/// Options of engines.
pub(crate) const OF_ENGINES: OptionList =
    OptionList { domain: "engine_option", numbers: Numbers::Any, bare: false };
/// Options where all choose at once.
pub(crate) const AT_ONCE: OptionList =
    OptionList { domain: "option", numbers: Numbers::Integers, bare: true };
/// Options of training.
pub(crate) const OF_TRAINING: OptionList =
    OptionList { domain: "train_option", numbers: Numbers::OrNone, bare: false };
/// Options of queries that the prompt answers itself.
pub const AT_THE_PROMPT: OptionList =
    OptionList { domain: "option", numbers: Numbers::OrNone, bare: true };

impl OptionList {
    /// Puts the values of a list where a table says.
    ///
    /// # Errors
    /// The list is none, has an option that is none, or a value that its option does not take: as the
    /// standard names these errors.
    pub(crate) fn read<U>(
        &self,
        m: &mut Machine,
        w: &World,
        list: Cell,
        table: &Table<U, Cell>,
        to: &mut U,
    ) -> Result<(), Fault> {
        let Some(items) = m.heap.proper_list(list) else { return Err(m.type_error("list", list)) };
        for item in items {
            self.take(m, w, item, table, to).map_err(|wrong| match wrong {
                OptionError::Unbound => m.instantiation_error(),
                OptionError::Type(kind, value) => m.type_error(kind, value),
                OptionError::Unknown(item) | OptionError::Value(item, ..) => {
                    m.domain_error(self.domain, item)
                }
            })?;
        }
        Ok(())
    }

    /// Puts the value of one option where a table says; which one.
    ///
    /// # Errors
    /// It is none, or does not take the value.
    pub fn take<U>(
        &self,
        m: &mut Machine,
        w: &World,
        item: Cell,
        table: &Table<U, Cell>,
        to: &mut U,
    ) -> Result<&'static OptionInfo, OptionError> {
        let item = m.heap.deref(item);
        if item.is_var() {
            return Err(OptionError::Unbound);
        }
        let Some((name, arity, args)) = m.heap.name_arity(item) else {
            return Err(OptionError::Unknown(item));
        };
        let Some(found) = table.find(m.symbols.name(name)) else {
            return Err(OptionError::Unknown(item));
        };
        let info = found.info();
        let given: Vec<Cell> = (0..arity).map(|i| m.heap.deref(m.heap.at(args + i))).collect();
        let value = match (info.kind, &given[..]) {
            (Kind::Integers(count), given) if given.len() == count => {
                let numbers: Vec<i64> = given.iter().filter_map(|value| value.as_int()).collect();
                (numbers.len() == count).then_some(Value::Integers(numbers))
            }
            (Kind::Integers(_), _) => None,
            (Kind::Pair, [first, second]) => {
                Some(Value::Text(format!("{}:{}", name_of(m, w, *first), name_of(m, w, *second))))
            }
            (_, []) if self.bare => self.value(m, w, info, Cell::atom(atoms::TRUE))?,
            (_, [value]) => self.value(m, w, info, *value)?,
            _ => None,
        };
        let taken = value.map_or_else(Rejected::out_of_range, |value| found.take(to, value));
        taken.map(|()| info).map_err(|out| OptionError::Value(item, info, out))
    }

    /// A value by its kind; none, if it is no value of the option.
    fn value(
        &self,
        m: &mut Machine,
        w: &World,
        info: &OptionInfo,
        value: Cell,
    ) -> Result<Option<Value<Cell>>, OptionError> {
        Ok(match info.kind {
            Kind::Flag => match value.as_atom() {
                Some(atoms::TRUE) => Some(Value::Flag(true)),
                Some(atoms::FALSE) => Some(Value::Flag(false)),
                _ => None,
            },
            Kind::Word(words) => {
                let word = value.as_atom().map(|word| m.symbols.name(word).replace('_', "-"));
                let known = words.iter().find(|(known, _)| word.as_deref() == Some(known));
                match known {
                    Some((known, _)) => Some(Value::Word((*known).to_owned())),
                    None if !info.bare.is_empty() && word.as_deref() == Some("true") => {
                        Some(Value::Word(info.bare.to_owned()))
                    }
                    None => None,
                }
            }
            Kind::Count | Kind::Whole if self.numbers == Numbers::Integers => {
                match m.heap.value(value) {
                    Term::Int(number) => u64::try_from(number).ok().map(Value::Count),
                    Term::Var(_) => return Err(OptionError::Unbound),
                    _ => return Err(OptionError::Type("integer", value)),
                }
            }
            // What is too large is as large as can be.
            Kind::Count | Kind::Whole => match m.heap.value(value) {
                Term::Int(number) => u64::try_from(number).ok().map(Value::Count),
                _ => self.quantity(m, value)?.map(|number| Value::Count(number as u64)),
            },
            Kind::Small => self.quantity(m, value)?.map(|number| Value::Small(number as u32)),
            Kind::Number => self.quantity(m, value)?.map(Value::Number),
            // What is too long for a duration is no limit.
            Kind::Time => self
                .quantity(m, value)?
                .map(|seconds| Value::Time(Duration::try_from_secs_f64(seconds).ok())),
            Kind::Size => self
                .quantity(m, value)?
                .map(|mebibytes| Value::Size((mebibytes * f64::from(1 << 20)) as usize)),
            Kind::Integers(_) => None,
            Kind::Names | Kind::Text | Kind::TermText | Kind::File | Kind::Pair
                if value.is_var() =>
            {
                return Err(OptionError::Unbound);
            }
            Kind::Names => {
                let items = m.heap.proper_list(value).unwrap_or_else(|| vec![value]);
                Some(Value::Names(items.into_iter().map(|item| name_of(m, w, item)).collect()))
            }
            Kind::Text | Kind::File | Kind::Pair => Some(Value::Text(name_of(m, w, value))),
            Kind::TermText => {
                let record = Record::new(&mut m.heap, value);
                Some(Value::Text(term_text(m, w, &record)))
            }
            Kind::Term => Some(Value::Term(value)),
        })
    }

    /// A number that is not negative; none, if it is negative.
    fn quantity(&self, m: &Machine, value: Cell) -> Result<Option<f64>, OptionError> {
        let number = match m.heap.value(value) {
            Term::Int(number) => number as f64,
            Term::Float(number) => number,
            Term::Atom(atoms::INF | atoms::INFINITE) => f64::INFINITY,
            _ if self.numbers == Numbers::OrNone => return Ok(None),
            Term::Var(_) => return Err(OptionError::Unbound),
            _ => return Err(OptionError::Type("number", value)),
        };
        Ok((number >= 0.0).then_some(number))
    }
}

/// A term as it is written; a name without quotes.
fn name_of(m: &mut Machine, w: &World, term: Cell) -> String {
    match m.heap.value(term) {
        Term::Atom(name) => m.symbols.name(name).to_owned(),
        Term::Str(text) => text.to_owned(),
        _ => {
            let record = Record::new(&mut m.heap, term);
            term_text(m, w, &record)
        }
    }
}
