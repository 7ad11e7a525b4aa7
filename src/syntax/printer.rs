//! Terms to text: `write_term/2` and its relatives.
//!
//! ISO/IEC 13211-1, 7.10.5, with the layout of SWI-Prolog: operators without
//! spaces (`a:-b,c`) but where two tokens would become one (`1- -1`, `a mod b`);
//! an atom that is an operator stands in parentheses when it is an operand.
//! What is written with [`WriteOptions::quoted`] reads back as a variant.
//!
//! Nothing recurses: what is still to be written waits on a stack. A cyclic term
//! is written to a limited depth, with `...` below.

use super::chars::{is_alphanumeric, is_plain_atom, is_symbol, push_quoted};
use super::operators::{Op, OpKind, Operators};
use super::token::floor_char_boundary;
use rustc_hash::FxHashMap;
use std::fmt::{Error, Result, Write};
use std::sync::Arc;
use zug_term::symbol::{Atom, Symbols, atoms};
use zug_term::{Cell, Heap, Value, is_acyclic, numeral, size, watchdog};

/// Depth to which a cyclic term is written.
const CYCLIC_DEPTH: usize = 10;

/// How a term is written.
#[derive(Clone, Copy, Debug)]
pub struct WriteOptions<'a> {
    /// Quote atoms and strings so that the text reads back.
    pub quoted: bool,
    /// Write operators as functors: `+(a,b)`.
    pub ignore_ops: bool,
    /// Write `'$VAR'(1)` as `B`.
    pub numbervars: bool,
    /// Write lists as `'.'(a,[])`.
    pub dotlists: bool,
    /// Write `{}(X)` with braces also where operators are ignored.
    pub brace_terms: bool,
    /// A space behind the comma between arguments.
    pub spacing: bool,
    /// A space on both sides of an infix operator that compares or connects: of priority 700 or more.
    pub wide: bool,
    /// Depth below which `...` is written; 0 for no limit.
    pub max_depth: usize,
    /// Priority above which an operator's term stands in parentheses: 1200, or
    /// 999 for an argument.
    pub priority: u16,
    /// Names of variables.
    pub variable_names: &'a [(Arc<str>, Cell)],
}

impl Default for WriteOptions<'_> {
    /// As `write/1` without `numbervars`.
    fn default() -> Self {
        WriteOptions {
            quoted: false,
            ignore_ops: false,
            numbervars: false,
            dotlists: false,
            brace_terms: true,
            spacing: false,
            wide: false,
            max_depth: 0,
            priority: 1200,
            variable_names: &[],
        }
    }
}

impl WriteOptions<'_> {
    /// As `write/1` and `print/1` do without quotes.
    pub fn write() -> Self {
        WriteOptions { numbervars: true, ..Self::default() }
    }
    /// As `writeq/1`.
    pub fn writeq() -> Self {
        WriteOptions { quoted: true, ..Self::write() }
    }
    /// As `write_canonical/1`, but for the names of variables.
    pub fn canonical() -> Self {
        WriteOptions { quoted: true, ignore_ops: true, ..Self::default() }
    }
}

/// Writes a term. The only error is one of `out`, which stops the writing.
pub fn write_term(
    out: &mut dyn Write,
    heap: &Heap,
    symbols: &Symbols,
    operators: &Operators,
    cell: Cell,
    options: &WriteOptions<'_>,
) -> Result {
    let names = variable_names(heap, options.variable_names);
    write_named_term(out, heap, symbols, operators, cell, (options, &names))
}

/// Names of variables by their cells.
pub type VariableNames = FxHashMap<Cell, Arc<str>>;

/// A name for a variable: `A`, `B`, …, `Z`, `A1`, …
pub fn letter(number: usize) -> String {
    let letter = char::from(b'A' + (number % 26) as u8);
    if number < 26 { letter.to_string() } else { format!("{letter}{}", number / 26) }
}

/// Names of variables, as many terms are written with them; of two names of one variable the first.
pub fn variable_names(heap: &Heap, names: &[(Arc<str>, Cell)]) -> VariableNames {
    let named = |(name, cell): &(Arc<str>, Cell)| {
        watchdog::step();
        (heap.deref(*cell), name.clone())
    };
    names.iter().rev().map(named).collect()
}

/// As [`write_term`], with names that are given in place of those of the options.
pub fn write_named_term(
    out: &mut dyn Write,
    heap: &Heap,
    symbols: &Symbols,
    operators: &Operators,
    cell: Cell,
    (options, names): (&WriteOptions<'_>, &VariableNames),
) -> Result {
    let mut printer = Printer {
        out,
        heap,
        symbols,
        operators,
        options,
        max_depth: options.max_depth,
        names,
        tasks: Vec::new(),
        last: None,
        scratch: String::new(),
        prefix: None,
    };
    printer.write(cell)
}

/// The longest text that is made of a term for people, in bytes.
pub const LONGEST: usize = 1 << 24;

/// The beginning of a text.
struct Beginning {
    text: String,
    most: usize,
    /// Chances to stop while nothing was written, …
    idle: u32,
    /// … and how many are let pass.
    read_limit: u32,
}

impl Write for Beginning {
    fn write_str(&mut self, text: &str) -> Result {
        self.idle = if text.is_empty() { self.idle + 1 } else { 0 };
        let may = floor_char_boundary(text, self.most - self.text.len());
        self.text.push_str(&text[..may]);
        if may < text.len() || self.idle > self.read_limit { Err(Error) } else { Ok(()) }
    }
}

/// The beginning of the text that `write` writes, in bytes: `…` at its end says that there
/// is more.
pub fn beginning(most: usize, write: impl FnOnce(&mut dyn Write) -> Result) -> String {
    // Steps of digits of a large number: for a line a few, for all that anybody reads thousands.
    let read_limit = (most >> 12).clamp(16, 1 << 12) as u32;
    patient_beginning(most, read_limit, write).0
}

/// As [`beginning`], and whether it is the whole text. N steps are waited for the digits of
/// one number.
pub fn patient_beginning(
    most: usize,
    read_limit: u32,
    write: impl FnOnce(&mut dyn Write) -> Result,
) -> (String, bool) {
    let mut out = Beginning { text: String::new(), most, idle: 0, read_limit };
    let whole = write(&mut out).is_ok();
    if !whole {
        out.text.push('…');
    }
    (out.text, whole)
}

/// A term as a string: [`write_term`] for tests and messages, which cuts what is longer than
/// 16 MiB.
pub fn term_to_string(
    heap: &Heap,
    symbols: &Symbols,
    operators: &Operators,
    cell: Cell,
    options: &WriteOptions<'_>,
) -> String {
    beginning(LONGEST, |out| write_term(out, heap, symbols, operators, cell, options))
}

/// What is still to be written.
#[derive(Clone, Copy)]
enum Task {
    /// A term; as an operand, an atom that is an operator needs parentheses.
    Term {
        cell: Cell,
        priority: u16,
        operand: bool,
        depth: usize,
    },
    /// Arguments from this address, and how many.
    Args {
        at: usize,
        count: usize,
        depth: usize,
    },
    /// What follows the first element of a list.
    Tail {
        cell: Cell,
        depth: usize,
    },
    /// An infix operator.
    Infix(Atom),
    /// A prefix operator.
    Prefix(Atom),
    /// A postfix operator.
    Postfix(Atom),
    Close(char),
}

/// A term being written.
struct Printer<'p> {
    out: &'p mut dyn Write,
    heap: &'p Heap,
    symbols: &'p Symbols,
    operators: &'p Operators,
    options: &'p WriteOptions<'p>,
    max_depth: usize,
    names: &'p VariableNames,
    tasks: Vec<Task>,
    /// The character written last: the next token may need a space before it.
    last: Option<char>,
    scratch: String,
    /// The prefix operator written last, if nothing was written since. A digit
    /// right behind a minus would make a negative number, a `(` right behind any
    /// a compound.
    prefix: Option<Atom>,
}

impl Printer<'_> {
    fn write(&mut self, cell: Cell) -> Result {
        // More subterms than cells: some are shared, perhaps with themselves.
        let most = self.heap.top() + 1;
        if size(self.heap, cell, most + 1) > most && !is_acyclic(self.heap, cell) {
            self.max_depth = match self.max_depth {
                0 => CYCLIC_DEPTH,
                depth => depth.min(CYCLIC_DEPTH),
            };
        }
        let priority = self.options.priority;
        self.tasks.push(Task::Term { cell, priority, operand: false, depth: 1 });
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Term { cell, priority, operand, depth } => {
                    self.term(cell, priority, operand, depth)?;
                }
                Task::Args { at, count, depth } => {
                    self.comma()?;
                    self.args(at, count, depth);
                }
                Task::Tail { cell, depth } => self.tail(cell, depth)?,
                Task::Infix(name) => self.infix(name)?,
                Task::Prefix(name) => {
                    self.atom(name)?;
                    self.prefix = Some(name);
                }
                Task::Postfix(name) => {
                    self.atom(name)?;
                }
                Task::Close(c) => self.put_char(c)?,
            }
        }
        Ok(())
    }

    /// Writes text as it is.
    fn put(&mut self, text: &str) -> Result {
        if let Some(c) = text.chars().next_back() {
            self.last = Some(c);
        }
        self.prefix = None;
        self.out.write_str(text)
    }

    fn put_char(&mut self, c: char) -> Result {
        self.last = Some(c);
        self.prefix = None;
        self.out.write_char(c)
    }

    /// Writes a token, behind a space if it would otherwise join the one before;
    /// whether there was need of one.
    fn token(&mut self, text: &str) -> std::result::Result<bool, Error> {
        let space = match (self.last, text.chars().next()) {
            (Some(last), Some(first)) => joins(last, first) || self.joins_prefix(first),
            _ => false,
        };
        if space {
            self.out.write_char(' ')?;
        }
        self.put(text)?;
        Ok(space)
    }

    fn joins_prefix(&self, first: char) -> bool {
        match self.prefix {
            Some(atoms::MINUS) if first.is_ascii_digit() => true,
            Some(_) => matches!(first, '(' | '{'),
            None => false,
        }
    }

    fn comma(&mut self) -> Result {
        self.put(if self.options.spacing { ", " } else { "," })
    }

    /// An atom as a token.
    fn atom(&mut self, name: Atom) -> std::result::Result<bool, Error> {
        let text = self.symbols.name(name);
        if !self.options.quoted || is_plain_atom(text) {
            return self.token(text);
        }
        self.quoted(text, '\'')
    }

    fn quoted(&mut self, text: &str, quote: char) -> std::result::Result<bool, Error> {
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.clear();
        push_quoted(&mut scratch, text, quote);
        let written = self.token(&scratch);
        self.scratch = scratch;
        written
    }

    /// An opening parenthesis that isn't one of arguments.
    fn open(&mut self) -> Result {
        if self.last.is_some_and(is_alphanumeric) {
            self.put(" ")?;
        }
        self.token("(").map(drop)
    }

    fn term(&mut self, cell: Cell, priority: u16, operand: bool, depth: usize) -> Result {
        if self.max_depth > 0 && depth > self.max_depth {
            return self.token("...").map(drop);
        }
        match self.heap.value(cell) {
            Value::Var(addr) => match self.names.get(&self.heap.deref(cell)) {
                Some(name) => self.token(name).map(drop),
                None => self.token(&format!("_{addr}")).map(drop),
            },
            Value::Atom(name) => self.atom_term(name, operand),
            Value::Int(value) => self.token(&value.to_string()).map(drop),
            Value::Big(value) => {
                // A writer with limits may end the work between its parts.
                let digits = numeral::text(&value, 10, &mut || self.out.write_str(""))?;
                self.token(&digits).map(drop)
            }
            Value::Float(value) => self.token(&format_float(value)).map(drop),
            Value::Rational(value) => {
                let mut digits = |part| numeral::text(part, 10, &mut || self.out.write_str(""));
                let text = format!("{}r{}", digits(value.numer())?, digits(value.denom())?);
                self.token(&text).map(drop)
            }
            Value::Str(text) => match self.options.quoted {
                true => self.quoted(text, '"').map(drop),
                false => self.token(text).map(drop),
            },
            Value::List(at) if self.options.dotlists => self.compound(atoms::DOT, 2, at, depth),
            Value::List(at) => {
                self.token("[")?;
                self.tasks.push(Task::Tail { cell: self.heap.at(at + 1), depth: depth + 1 });
                self.argument(self.heap.at(at), depth);
                Ok(())
            }
            Value::Struct(name, arity, at) => self.structure(name, arity, at, priority, depth),
        }
    }

    /// An argument of a term at `depth`.
    fn argument(&mut self, cell: Cell, depth: usize) {
        let task = Task::Term { cell, priority: 999, operand: false, depth: depth + 1 };
        self.tasks.push(task);
    }

    fn atom_term(&mut self, name: Atom, operand: bool) -> Result {
        if !operand || !self.operators.is_op(name) {
            return self.atom(name).map(drop);
        }
        self.open()?;
        self.atom(name)?;
        self.put_char(')')
    }

    fn structure(
        &mut self,
        name: Atom,
        arity: usize,
        at: usize,
        priority: u16,
        depth: usize,
    ) -> Result {
        if arity == 1
            && name == atoms::VARNAME
            && self.options.numbervars
            && let Some(text) = self.variable_name(self.heap.at(at))
        {
            return self.token(&text).map(drop);
        }
        if self.options.ignore_ops {
            return self.compound(name, arity, at, depth);
        }
        if arity == 1 && name == atoms::CURLY {
            self.token("{")?;
            self.tasks.push(Task::Close('}'));
            let cell = self.heap.at(at);
            let task = Task::Term { cell, priority: 1200, operand: false, depth: depth + 1 };
            self.tasks.push(task);
            return Ok(());
        }
        let op = match arity {
            1 => self.operators.prefix(name).or_else(|| self.operators.postfix(name)),
            2 => self.operators.infix(name),
            _ => None,
        };
        match op {
            Some(op) => self.operation(name, op, at, priority, depth),
            None => self.compound(name, arity, at, depth),
        }
    }

    /// A compound whose functor is an operator.
    fn operation(&mut self, name: Atom, op: Op, at: usize, priority: u16, depth: usize) -> Result {
        if op.priority > priority {
            self.open()?;
            self.tasks.push(Task::Close(')'));
        }
        let operand = |at, priority| Task::Term {
            cell: self.heap.at(at),
            priority,
            operand: true,
            depth: depth + 1,
        };
        match op.kind {
            OpKind::Fx | OpKind::Fy => {
                let task = operand(at, op.right());
                self.tasks.push(task);
                self.tasks.push(Task::Prefix(name));
            }
            OpKind::Xf | OpKind::Yf => {
                let task = operand(at, op.left());
                self.tasks.push(Task::Postfix(name));
                self.tasks.push(task);
            }
            _ => {
                let left = operand(at, op.left());
                let right = operand(at + 1, op.right());
                self.tasks.extend([right, Task::Infix(name), left]);
            }
        }
        Ok(())
    }

    fn infix(&mut self, name: Atom) -> Result {
        if name == atoms::COMMA {
            return self.comma();
        }
        if name == atoms::BAR {
            return self.put("|");
        }
        let priority = self.operators.infix(name).map_or(0, |op| op.priority);
        if self.options.wide && priority >= 700 {
            self.put(" ")?;
            self.atom(name)?;
            return self.put(" ");
        }
        // A space on one side calls for one on the other: `X is -Y`.
        if self.atom(name)? {
            self.put(" ")?;
        }
        Ok(())
    }

    /// A compound in functional notation.
    fn compound(&mut self, name: Atom, arity: usize, at: usize, depth: usize) -> Result {
        if self.options.ignore_ops && self.options.brace_terms && arity == 1 && name == atoms::CURLY
        {
            self.token("{")?;
            self.tasks.push(Task::Close('}'));
        } else {
            self.atom(name)?;
            self.put_char('(')?;
            self.tasks.push(Task::Close(')'));
        }
        self.args(at, arity, depth);
        Ok(())
    }

    fn args(&mut self, at: usize, count: usize, depth: usize) {
        if count == 0 {
            return;
        }
        if count > 1 {
            self.tasks.push(Task::Args { at: at + 1, count: count - 1, depth });
        }
        self.argument(self.heap.at(at), depth);
    }

    /// The rest of a list behind an element.
    fn tail(&mut self, cell: Cell, depth: usize) -> Result {
        let cell = self.heap.deref(cell);
        if cell == Cell::NIL {
            return self.put_char(']');
        }
        if self.max_depth > 0 && depth >= self.max_depth {
            return self.put("|...]");
        }
        if cell.is_list() {
            self.comma()?;
            let rest = self.heap.at(cell.addr() + 1);
            self.tasks.push(Task::Tail { cell: rest, depth: depth + 1 });
            self.argument(self.heap.at(cell.addr()), depth);
        } else {
            self.put_char('|')?;
            self.tasks.push(Task::Close(']'));
            self.argument(cell, depth);
        }
        Ok(())
    }

    /// How `'$VAR'(N)` is written, if N is a number from 0 on.
    fn variable_name(&self, cell: Cell) -> Option<String> {
        match self.heap.value(cell) {
            Value::Int(number) if number >= 0 => Some(letter(number as usize)),
            Value::Int(number) => Some(format!("S_{}", number.unsigned_abs())),
            // The name of a variable; `_` is one that occurs once, as `numbervars/4` marks it.
            Value::Atom(name) => {
                let name = self.symbols.name(name);
                let begins = name.starts_with(|c: char| c == '_' || c.is_uppercase());
                (begins && name.chars().all(is_alphanumeric)).then(|| name.to_owned())
            }
            _ => None,
        }
    }
}

/// Whether a token that ends and one that begins with these characters would be
/// read as one.
fn joins(last: char, first: char) -> bool {
    (is_alphanumeric(last) && is_alphanumeric(first))
        || (is_symbol(last) && is_symbol(first))
        || (last == first && matches!(first, '\'' | '"' | '`'))
        || (last.is_ascii_digit() && first == '\'')
}

/// A float as SWI-Prolog writes it: the shortest digits that read back, with a
/// fraction, and an exponent from 1e15 on and below 1e-4.
pub fn format_float(value: f64) -> String {
    if value.is_nan() {
        return if value.is_sign_negative() { "-1.5NaN" } else { "1.5NaN" }.into();
    }
    if value.is_infinite() {
        return if value < 0.0 { "-1.0Inf" } else { "1.0Inf" }.into();
    }
    // Rust's `{:e}` has the shortest digits: "d.ddde-5".
    let shortest = format!("{value:e}");
    let (digits, exponent) = shortest.split_once('e').unwrap_or((&shortest, "0"));
    let point = exponent.parse::<i32>().unwrap_or(0) + 1;
    let count = digits.bytes().filter(u8::is_ascii_digit).count() as i32;
    if point <= -4 || (point > 15 && count <= point) {
        let fraction = if digits.contains('.') { "" } else { ".0" };
        let sign = if point > 0 { "+" } else { "" };
        return format!("{digits}{fraction}e{sign}{exponent}");
    }
    let plain = format!("{value}");
    if plain.contains('.') { plain } else { format!("{plain}.0") }
}
