//! `format/1,2,3`.
//!
//! The format is run through once; its text grows in [`columns::Columns`] and
//! goes to the stream in one piece at the end. `~@` and, where a program has
//! `portray/1`, `~p` call goals: the library wrapper runs those first
//! (`'$format_goals'/3` says which) and hands their output in as strings.

mod columns;
mod number;

use super::output::{Style, write_options};
use super::stream_predicates::{Unit, emit, output, split};
use super::{Entry, World, args};
use crate::builtins::OrFault;
use columns::Columns;
use num_bigint::BigInt;
use number::Number;
use zug_machine::{Fault, Machine, Outcome};
use zug_term::{Cell, Value, watchdog};

/// The predicates of this directory.
pub const TABLE: &[Entry] = &[
    Entry::output("$format", 2, format).up_to(3),
    Entry::session("$format_called", 3, format_called).up_to(4),
    Entry::session("$format_goals", 3, format_goals),
];

/// The largest column, count or precision: more is surely a mistake, and would
/// only fill the memory.
const MAX_ARGUMENT: usize = 10_000_000;

/// `'$format'(F, As)`.
fn format(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let (stream, rest) = split(a, 2);
    run(m, w, stream, rest, &[])
}

/// `'$format_called'(F, As, Texts)`: the texts stand for what `~@` and `~p` print.
fn format_called(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let (stream, rest) = split(a, 3);
    let texts = args::list(m, rest[2])?;
    run(m, w, stream, rest, &texts)
}

fn run(
    m: &mut Machine,
    w: &mut World,
    stream: Option<Cell>,
    rest: &[Cell],
    texts: &[Cell],
) -> Outcome {
    let format = format_text(m, rest[0])?;
    let id = output(m, &w.streams, stream, Unit::Text)?;
    let mut directives = Directives {
        rest: &format,
        arguments: arguments(m, rest[1]),
        next: 0,
        texts,
        columns: Columns::new(w.streams.column(id)),
    };
    let done = directives.run(m, w);
    let text = match &done {
        Ok(()) => &*directives.columns.text,
        Err(_) => directives.columns.settled(),
    };
    let result = emit(m, w, id, text);
    done?;
    result
}

/// The format: an atom, a string, codes or characters.
fn format_text(m: &mut Machine, cell: Cell) -> OrFault<String> {
    args::text(m, cell).ok_or_else(|| m.type_error("text", cell))
}

/// A list gives the arguments; anything else is the only one.
fn arguments(m: &Machine, cell: Cell) -> Vec<Cell> {
    m.heap.proper_list(cell).unwrap_or_else(|| vec![cell])
}

/// A directive: what stands between `~` and its letter.
#[derive(Clone, Copy)]
enum Prefix {
    None,
    Number(usize),
    Star,
}

/// The next directive of a format: what comes before it, its prefix and letter.
/// `None` behind the last; `Err` when the format ends in the middle of one.
type Scanned<'f> = Result<Option<(&'f str, Prefix, char)>, ()>;

/// Takes the next directive off a format.
fn scan<'f>(format: &mut &'f str) -> Scanned<'f> {
    let Some((before, behind)) = format.split_once('~') else {
        return Ok(None);
    };
    let mut chars = behind.chars();
    let digits = behind.bytes().take_while(u8::is_ascii_digit).count();
    let prefix = match chars.next() {
        Some('*') => Prefix::Star,
        Some('`') => match chars.next() {
            Some(c) => Prefix::Number(c as usize),
            None => return Err(()),
        },
        Some(c) if c.is_ascii_digit() => {
            chars = behind[digits..].chars();
            Prefix::Number(behind[..digits].parse().unwrap_or(usize::MAX))
        }
        _ => {
            chars = behind.chars();
            Prefix::None
        }
    };
    // A colon asks for the locale's grouping; there is one locale here.
    let after = chars.as_str();
    chars = after.strip_prefix(':').unwrap_or(after).chars();
    let Some(letter) = chars.next() else { return Err(()) };
    *format = chars.as_str();
    Ok(Some((before, prefix, letter)))
}

struct Directives<'f> {
    rest: &'f str,
    arguments: Vec<Cell>,
    /// The next argument.
    next: usize,
    /// Output of goals, in the order of their directives.
    texts: &'f [Cell],
    columns: Columns,
}

impl Directives<'_> {
    fn run(&mut self, m: &mut Machine, w: &World) -> OrFault<()> {
        loop {
            watchdog::step();
            match scan(&mut self.rest) {
                Err(()) => return Err(format_error(m, "truncated format specification")),
                Ok(None) => break,
                Ok(Some((before, prefix, letter))) => {
                    self.columns.text.push_str(before);
                    self.directive(m, w, prefix, letter)?;
                }
            }
        }
        self.columns.text.push_str(self.rest);
        if self.next < self.arguments.len() {
            return Err(format_error(m, "too many arguments"));
        }
        Ok(())
    }

    fn directive(
        &mut self,
        m: &mut Machine,
        w: &World,
        prefix: Prefix,
        letter: char,
    ) -> OrFault<()> {
        let count = self.count(m, prefix)?;
        // The prefix of ~t, and with a back quote of any other, is a character.
        if letter != 't' && count.is_some_and(|count| count > MAX_ARGUMENT) {
            return Err(m.resource_error("memory"));
        }
        let wide = if letter == 't' { 0 } else { count.unwrap_or(0) };
        m.room_for(self.columns.text.len().saturating_add(wide))?;
        match letter {
            '~' => self.columns.text.push('~'),
            'n' => self.push_repeated('\n', count.unwrap_or(1)),
            'N' if self.columns.column() == 0 => {}
            'N' => self.columns.text.push('\n'),
            't' => self.columns.fill(fill_char(count)),
            '|' => self.columns.stop_at(count),
            '+' => self.columns.stop_behind(count.unwrap_or(8)),
            'i' => {
                self.argument(m)?;
            }
            'w' => self.term(m, w, Style::Write)?,
            'q' => self.term(m, w, Style::Quoted)?,
            'k' => self.term(m, w, Style::Canonical)?,
            'p' => self.printed(m, w)?,
            'W' => self.with_options(m, w)?,
            '@' => {
                self.argument(m)?;
                self.called(m);
            }
            'a' => self.atomic(m, w)?,
            'c' => self.code(m, count.unwrap_or(1))?,
            's' => self.string(m, count)?,
            'd' | 'D' => self.integer(m, count.unwrap_or(0), letter == 'D')?,
            'I' => self.grouped(m, count.unwrap_or(3))?,
            'e' | 'E' | 'f' | 'g' | 'G' => self.float(m, count, letter)?,
            'r' | 'R' => self.radix(m, count.unwrap_or(8), letter == 'R')?,
            _ => {
                let culprit = Cell::atom(m.symbols.intern_char(letter));
                return Err(m.existence_error("format_character", culprit));
            }
        }
        Ok(())
    }

    fn count(&mut self, m: &mut Machine, prefix: Prefix) -> OrFault<Option<usize>> {
        match prefix {
            Prefix::None => Ok(None),
            Prefix::Number(count) => Ok(Some(count)),
            Prefix::Star => {
                let argument = self.argument(m)?;
                match argument.as_int().and_then(|count| usize::try_from(count).ok()) {
                    Some(count) => Ok(Some(count)),
                    None => Err(format_error(m, "no or negative integer for `*' argument")),
                }
            }
        }
    }

    /// Takes the next argument.
    fn argument(&mut self, m: &mut Machine) -> OrFault<Cell> {
        match self.arguments.get(self.next) {
            Some(&cell) => {
                self.next += 1;
                Ok(m.heap.deref(cell))
            }
            None => Err(format_error(m, "not enough arguments")),
        }
    }

    fn push_repeated(&mut self, c: char, count: usize) {
        columns::push_repeated(&mut self.columns.text, c, count);
    }

    fn term(&mut self, m: &mut Machine, w: &World, style: Style) -> OrFault<()> {
        let cell = self.argument(m)?;
        self.columns.text.push_str(&style.text(m, w, cell)?);
        Ok(())
    }

    /// `~W`: a term, and the options of `write_term/2` for it.
    fn with_options(&mut self, m: &mut Machine, w: &World) -> OrFault<()> {
        let term = self.argument(m)?;
        let options = self.argument(m)?;
        let write = write_options(m, options)?;
        self.columns.text.push_str(&write.text(m, w, term)?);
        Ok(())
    }

    /// `~p`: what the program's `portray/1` printed, or the term.
    fn printed(&mut self, m: &mut Machine, w: &World) -> OrFault<()> {
        if self.texts.is_empty() {
            return self.term(m, w, Style::Print);
        }
        self.argument(m)?;
        self.called(m);
        Ok(())
    }

    /// Takes the next text that a goal printed.
    fn called(&mut self, m: &Machine) {
        if let [text, rest @ ..] = self.texts {
            self.columns.text.push_str(&args::text(m, *text).unwrap_or_default());
            self.texts = rest;
        }
    }

    fn atomic(&mut self, m: &mut Machine, w: &World) -> OrFault<()> {
        let cell = self.argument(m)?;
        // The empty list is an atom by its tag, and no text.
        if cell.is_var() || cell.is_compound() || cell == Cell::NIL {
            return Err(argument_error(m, "a", cell));
        }
        self.columns.text.push_str(&Style::Write.text(m, w, cell)?);
        Ok(())
    }

    fn code(&mut self, m: &mut Machine, count: usize) -> OrFault<()> {
        let cell = self.argument(m)?;
        let code = cell.as_int().and_then(args::char_of);
        match code {
            Some(c) => self.push_repeated(c, count),
            None if cell.as_int().is_some_and(|code| code > i64::from(u32::from(char::MAX))) => {
                return Err(m.representation_error("code_point"));
            }
            None => return Err(argument_error(m, "c", cell)),
        }
        Ok(())
    }

    /// A text, of which as many characters are written as `most` says.
    fn string(&mut self, m: &mut Machine, most: Option<usize>) -> OrFault<()> {
        let cell = self.argument(m)?;
        match args::text(m, cell) {
            Some(text) => self.columns.text.extend(text.chars().take(most.unwrap_or(usize::MAX))),
            None => return Err(argument_error(m, "s", cell)),
        }
        Ok(())
    }

    fn integer(&mut self, m: &mut Machine, decimals: usize, group: bool) -> OrFault<()> {
        let value = self.integer_argument(m, if group { "D" } else { "d" })?;
        let digits = m.integer_text(&value, 10)?;
        self.columns.text.push_str(&number::integer(&digits, decimals, group));
        Ok(())
    }

    fn radix(&mut self, m: &mut Machine, base: usize, upper: bool) -> OrFault<()> {
        let base = match u32::try_from(base) {
            Ok(base @ 2..=36) => base,
            _ => return Err(m.domain_error("radix", Cell::small(base as i64))),
        };
        let value = self.integer_argument(m, if upper { "R" } else { "r" })?;
        let digits = m.integer_text(&value, base)?;
        self.columns.text.push_str(&if upper { digits.to_ascii_uppercase() } else { digits });
        Ok(())
    }

    fn float(&mut self, m: &mut Machine, count: Option<usize>, letter: char) -> OrFault<()> {
        let cell = self.argument(m)?;
        let value = evaluated(m, cell)?;
        let digits = count.unwrap_or(6);
        let text = match letter {
            'e' | 'E' => {
                m.room_for(digits)?;
                number::exponent(&value, digits)
            }
            'f' => match &value {
                Number::Integer(value) => number::fixed_integer(m.integer_text(value, 10)?, digits),
                Number::Float(value) => number::fixed(*value, digits),
                Number::Rational(value) => {
                    m.room_for(digits)?;
                    number::fixed_rational(value, digits)
                }
            },
            _ => number::general(&value, digits),
        };
        let text = if letter.is_ascii_uppercase() { text.to_ascii_uppercase() } else { text };
        self.columns.text.push_str(&text);
        Ok(())
    }

    /// `~NI`: an integer with `_` between every N digits, as it can be read.
    fn grouped(&mut self, m: &mut Machine, size: usize) -> OrFault<()> {
        let value = self.integer_argument(m, "I")?;
        let digits = m.integer_text(&value, 10)?;
        self.columns.text.push_str(&number::grouped(&digits, size));
        Ok(())
    }

    fn integer_argument(&mut self, m: &mut Machine, directive: &str) -> OrFault<BigInt> {
        let cell = self.argument(m)?;
        match evaluated(m, cell)? {
            Number::Integer(value) => Ok(value),
            _ => Err(argument_error(m, directive, cell)),
        }
    }
}

/// The character a pad is made of.
fn fill_char(count: Option<usize>) -> char {
    count.and_then(|code| u32::try_from(code).ok()).and_then(char::from_u32).unwrap_or(' ')
}

/// The number an argument is or evaluates to.
fn evaluated(m: &mut Machine, cell: Cell) -> OrFault<Number> {
    let cell = m.eval(cell)?;
    match m.heap.value(cell) {
        Value::Int(value) => Ok(Number::Integer(value.into())),
        Value::Big(value) => Ok(Number::Integer(value)),
        Value::Float(value) => Ok(Number::Float(value)),
        Value::Rational(value) => Ok(Number::Rational(*value)),
        _ => Err(m.type_error("evaluable", cell)),
    }
}

/// `error(format(Message), _)`.
fn format_error(m: &mut Machine, message: &str) -> Fault {
    let message = args::atom_cell(m, message);
    let formal = args::compound(m, "format", &[message]);
    m.error(formal)
}

/// `error(format_argument_type(Directive, Argument), _)`.
fn argument_error(m: &mut Machine, directive: &str, argument: Cell) -> Fault {
    let directive = args::atom_cell(m, directive);
    let formal = args::compound(m, "format_argument_type", &[directive, argument]);
    m.error(formal)
}

/// `'$format_goals'(F, As, Goals)`: what has to be called before: the arguments
/// of `~@`, and `print(X)` for those of `~p` when `'$portray'` is on; `[]` for
/// nearly every format. A format that is wrong has none: running it says why.
fn format_goals(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let format = format_text(m, a[0])?;
    let portray = super::output::has_portray(m) && format.contains('p');
    let mut goals = Vec::new();
    if portray || format.contains('@') {
        let arguments = arguments(m, a[1]);
        let (mut rest, mut next) = (&*format, 0);
        while let Ok(Some((_, prefix, letter))) = scan(&mut rest) {
            next += usize::from(matches!(prefix, Prefix::Star));
            if "acdDeEfgGiIkpqrRsw@".contains(letter) {
                match (letter, arguments.get(next)) {
                    ('@', Some(&goal)) => goals.push(goal),
                    ('p', Some(&term)) if portray => {
                        goals.push(args::compound(m, "print", &[term]))
                    }
                    _ => {}
                }
                next += 1;
            }
        }
    }
    Ok(args::unify_list(m, a[2], &goals))
}

#[cfg(test)]
mod tests;
