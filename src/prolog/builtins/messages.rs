//! Error messages.
//!
//! [`describe`] turns the ball of an uncaught exception into one sentence, the
//! predicate it came from, and advice where some can be given. It knows the
//! standard's error terms and those of `format/2` and streams; anything else is
//! shown as it is.

use super::libraries::instead_of;
use super::output::Style;
use super::{Entry, World, expectations, sandbox};
use zug_machine::{Machine, Outcome};
use zug_syntax::Operators;
use zug_syntax::printer::{self, WriteOptions};
use zug_term::symbol::{Symbols, atoms};
use zug_term::{Cell, Heap, Value};

/// The predicates of this file.
pub const TABLE: &[Entry] = &[Entry::session("$describe_error", 2, describe_ball)];

/// `'$describe_error'(Ball, Text)`: the error in words, as a string.
fn describe_ball(machine: &mut Machine, world: &mut World, all: &[Cell]) -> Outcome {
    let text = describe_error(&machine.heap, &machine.symbols, &world.operators, all[0], None);
    let text = machine.heap.new_string(&text);
    Ok(machine.unify(all[1], text))
}

/// The longest a term in a message gets, in characters.
const LONGEST: usize = 200;

/// Subterms that [`Words::is_expression`] visits at most: an expression may be cyclic.
const MOST_TERMS: usize = 16;
/// Depth below which a term in a message is cut off.
const DEEPEST: usize = 12;

/// An error in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// One sentence, without a full stop.
    pub message: String,
    /// The predicate that raised it, `name/arity`, when it is known.
    pub predicate: Option<String>,
    /// What to do about it.
    pub hint: Option<String>,
}

impl std::fmt::Display for Description {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)?;
        // Of a procedure that is unknown the sentence says it already.
        if let Some(predicate) =
            self.predicate.as_ref().filter(|one| !self.message.ends_with(&**one))
        {
            write!(f, ", in {predicate}")?;
        }
        match &self.hint {
            Some(hint) => write!(f, "; {hint}"),
            None => Ok(()),
        }
    }
}

/// The ball of an uncaught exception as one line of text.
pub fn describe_error(
    heap: &Heap,
    symbols: &Symbols,
    operators: &Operators,
    ball: Cell,
    suggestion: Option<&str>,
) -> String {
    describe(heap, symbols, operators, ball, suggestion).to_string()
}

/// The ball of an uncaught exception in words. `suggestion` says what was perhaps meant where
/// something does not exist ([`suggest::for_ball`](super::suggest::for_ball)).
pub fn describe(
    heap: &Heap,
    symbols: &Symbols,
    operators: &Operators,
    ball: Cell,
    suggestion: Option<&str>,
) -> Description {
    let words = Words { heap, symbols, operators };
    let Some([formal, context]) = heap.match_struct(ball, atoms::ERROR) else {
        let message = format!("nothing catches the exception `{}`", words.term(ball));
        return Description { message, predicate: None, hint: None };
    };
    let (message, mut hint) = words.formal(formal);
    let (predicate, place) = words.context(context);
    if let Some(said) = words.said_of_a_game(formal, &place) {
        let (message, hint) = match said.split_once(": ").filter(|_| said.starts_with(LACKS)) {
            Some((message, hint)) => (message.to_owned(), Some(hint.to_owned())),
            None => (said, None),
        };
        return Description { message, predicate: None, hint };
    }
    if place.contains(SEARCH_STOPPED) {
        // Not a recursion: the search has more states than the limit holds.
        hint = Some("give it more memory, or take an engine that needs less, as `idastar`".into());
        hint = hint.filter(|_| message == "out of memory");
    }
    if place.contains(sandbox::REFUSED) {
        hint = Some("`--no-sandbox` lets them, if you trust these rules".into());
    }
    if predicate.as_deref() == Some("in/2") && message.starts_with("expected an integer") {
        hint = Some(
            "`X in 1..9` is a constraint; `member(X, List)` asks whether X is in a list".into(),
        );
    }
    if let Some(instead) = words.not_in_zug(formal) {
        hint = Some(instead.to_owned());
    } else if let Some(advice) = suggestion {
        hint = Some(advice.to_owned());
    }
    Description { message: message + &place, predicate, hint }
}

/// What is said of a variable without a value when no more is known.
pub const UNBOUND: &str = "bind it before this goal is called";

/// What is said of a lack of memory when no more is known.
pub const ENDLESS: &str =
    "this is often a recursion that never reaches its end; `--memory` gives more";

/// What to do about tabled predicates that no evaluation decides.
const UNDECIDED: &str = "no order of evaluation decides them: break the loop, for example by an argument that counts down";

/// The options of labeling/2.
const LABELLING: &str = "one of `leftmost`, `ff`, `ffc`, `min`, `max`, `random_variable(Seed)` says which variable is \
     next; one of `up`, `down`, `random_value(Seed)` which value; one of `step`, `enum`, `bisect` how values are tried";

/// What the engines say in the context of a limit's exception.
pub const SEARCH_STOPPED: &str = "the search was stopped before it could tell";

/// What does not exist, or is wrong, where a game's rules are at fault: the context of such an
/// exception says it all.
const OF_A_GAME: [&str; 5] = ["move", "player", "value", "end_of_play", "two_player_game"];

/// How a message begins about a predicate that an engine needs; what to do stands behind a colon.
pub const LACKS: &str = "the program has no ";

struct Words<'a> {
    heap: &'a Heap,
    symbols: &'a Symbols,
    operators: &'a Operators,
}

type Said = (String, Option<String>);

fn said(message: impl Into<String>) -> Said {
    (message.into(), None)
}

impl Words<'_> {
    /// What to do without a procedure that is not there and never will be.
    fn not_in_zug(&self, formal: Cell) -> Option<&'static str> {
        let [kind, what] = self.heap.match_struct::<2>(formal, atoms::EXISTENCE_ERROR)?;
        let [name, arity] = self.heap.match_struct::<2>(what, atoms::SLASH)?;
        let arity = self.heap.deref(arity).as_int()?.try_into().ok()?;
        let name = self.symbols.name(self.heap.deref(name).as_atom()?);
        let is_procedure = self.heap.deref(kind) == Cell::atom(atoms::PROCEDURE);
        is_procedure.then(|| instead_of(name, arity))?
    }

    /// The message in the context of an exception about a game.
    fn said_of_a_game(&self, formal: Cell, place: &str) -> Option<String> {
        let exists = self.heap.match_struct::<2>(formal, atoms::EXISTENCE_ERROR);
        let kind = exists.or_else(|| self.heap.match_struct::<2>(formal, atoms::TYPE_ERROR));
        let kind = self.heap.deref(kind?[0]).as_atom()?;
        let said = place.strip_prefix(" (")?.strip_suffix(')')?;
        let of_a_game = OF_A_GAME.contains(&self.symbols.name(kind));
        (of_a_game || said.starts_with(LACKS)).then(|| said.to_owned())
    }

    /// A term, cut off when it is long.
    fn term(&self, cell: Cell) -> String {
        let options = WriteOptions { max_depth: DEEPEST, ..Style::Quoted.options() };
        let text = printer::beginning(LONGEST * 5, |out| {
            printer::write_term(out, self.heap, self.symbols, self.operators, cell, &options)
        });
        match text.char_indices().nth(LONGEST) {
            Some((end, _)) => format!("{}...", &text[..end]),
            None => text,
        }
    }

    /// The text of an atom; of anything else, the term.
    fn name(&self, cell: Cell) -> String {
        match self.heap.deref(cell).as_atom() {
            Some(atom) => self.symbols.name(atom).to_owned(),
            None => self.term(cell),
        }
    }

    /// What kind of thing a term is, with its article.
    fn kind(&self, cell: Cell) -> &'static str {
        match self.heap.value(cell) {
            Value::Var(_) => "an unbound variable",
            Value::Atom(atoms::NIL) => "the empty list",
            Value::Atom(_) => "an atom",
            Value::Int(_) | Value::Big(_) => "an integer",
            Value::Float(_) => "a float",
            Value::Rational(_) => "a rational number",
            Value::Str(_) => "a string",
            Value::List(_) => "a list",
            Value::Struct(..) => "a compound term",
        }
    }

    fn formal(&self, formal: Cell) -> Said {
        let Some((name, arity, args)) = self.heap.name_arity(formal) else {
            return said(format!("error `{}`", self.term(formal)));
        };
        let argument = |i: usize| self.heap.at(args + i);
        match (self.symbols.name(name), arity) {
            ("instantiation_error", 0) => {
                ("a variable has no value yet where one is needed".into(), Some(UNBOUND.into()))
            }
            ("uninstantiation_error", 1) => {
                said(format!("expected an unbound variable, found `{}`", self.term(argument(0))))
            }
            ("type_error", 2) => self.type_error(argument(0), argument(1)),
            ("domain_error", 2) => self.domain_error(argument(0), argument(1)),
            ("opt_error", 1) => self.option_error(argument(0)),
            ("determinism_error", 4) => {
                self.determinism_error(argument(0), argument(2), argument(3))
            }
            ("existence_error", 2) => self.existence_error(argument(0), argument(1)),
            ("permission_error", 3) => self.permission_error(argument(0), argument(1), argument(2)),
            ("representation_error", 1) => said(match &*self.name(argument(0)) {
                "max_arity" => "a term can't have so many arguments".to_owned(),
                "character" | "character_code" | "in_character_code" => {
                    "no character has this code".to_owned()
                }
                "max_tagged_integer" | "max_integer" => "the integer is too large here".to_owned(),
                other => format!("this can't be represented: {other}"),
            }),
            ("evaluation_error", 1) => said(match &*self.name(argument(0)) {
                "zero_divisor" => "arithmetic: division by zero".to_owned(),
                "undefined" => "arithmetic: the result is undefined".to_owned(),
                "float_overflow" => "arithmetic: the result is too large for a float".to_owned(),
                "int_overflow" => "arithmetic: the result is too large for an integer".to_owned(),
                other => format!("arithmetic: {}", other.replace('_', " ")),
            }),
            ("resource_error", 1) => self.resource_error(argument(0)),
            ("syntax_error", 1) => said(format!("syntax error: {}", self.syntax(argument(0)))),
            ("format", 1) => said(format!("format: {}", self.name(argument(0)))),
            ("format_argument_type", 2) => said(format!(
                "format: `~{}` can't show `{}` ({})",
                self.name(argument(0)),
                self.term(argument(1)),
                self.kind(argument(1))
            )),
            ("io_error", 2) => {
                said(format!("could not {} {}", self.name(argument(0)), self.stream(argument(1))))
            }
            _ => said(format!("error `{}`", self.term(formal))),
        }
    }

    fn syntax(&self, message: Cell) -> String {
        match self.heap.value(message) {
            Value::Struct(name, 1, args) => {
                format!(
                    "{} `{}`",
                    self.symbols.name(name).replace('_', " "),
                    self.name(self.heap.at(args))
                )
            }
            _ => self.name(message).replace('_', " "),
        }
    }

    fn type_error(&self, expected: Cell, culprit: Cell) -> Said {
        let (expected, shown) = (self.name(expected), self.term(culprit));
        if expected == "evaluable" {
            // `[1,2] > 3`: what is said to be no function is a list.
            let is_list = matches!(&*shown, "[]/0" | "'.'/2" | "'[|]'/2" | "[|]/2");
            if is_list {
                let hint = "arithmetic needs numbers: is the order of arguments right where the list comes from?";
                return (
                    "arithmetic: a list stands where a number is needed".to_owned(),
                    Some(hint.to_owned()),
                );
            }
            let hint = match self.heap.match_struct(culprit, atoms::SLASH) {
                Some([_, arity]) if self.heap.deref(arity) == Cell::ZERO => {
                    Some("only numbers and functions can stand in arithmetic".into())
                }
                _ => None,
            };
            return (format!("arithmetic: there is no function {shown}"), hint);
        }
        if expected == "free_of_attvar" {
            let message = format!("`{shown}` has variables with attributes, which can't be here");
            return (message, Some("goals wait for them: bind them first".to_owned()));
        }
        let message =
            format!("expected {}, found `{shown}` ({})", noun(&expected), self.kind(culprit));
        let hint = match (&*expected, self.heap.value(culprit)) {
            ("integer" | "number", Value::Struct(..)) if self.is_expression(culprit) => {
                Some(format!(
                    "`=` and arguments leave arithmetic uncomputed: write `X is {shown}`, and use X"
                ))
            }
            ("list", Value::List(_)) => Some("it does not end in `[]`".to_owned()),
            ("integer", Value::Float(_)) => {
                Some("`round/1` or `truncate/1` make an integer of a float".to_owned())
            }
            ("callable", Value::Int(_) | Value::Float(_)) => {
                Some("a number can't be called as a goal".to_owned())
            }
            _ => None,
        };
        (message, hint)
    }

    /// Whether a term is a sum, a difference or a product of a few integers.
    fn is_expression(&self, cell: Cell) -> bool {
        let mut todo = vec![cell];
        for _ in 0..MOST_TERMS {
            let Some(cell) = todo.pop() else { return true };
            match self.heap.value(cell) {
                Value::Int(_) => {}
                Value::Struct(name, 2, args)
                    if matches!(self.symbols.name(name), "+" | "-" | "*") =>
                {
                    todo.extend([self.heap.at(args), self.heap.at(args + 1)]);
                }
                _ => return false,
            }
        }
        false
    }

    fn domain_error(&self, domain: Cell, culprit: Cell) -> Said {
        let (domain, shown) = (self.name(domain), self.term(culprit));
        if &*domain == "expectation"
            && let Some((name, ..)) = self.heap.name_arity(culprit)
        {
            let advice = expectations::advice(self.symbols.name(name));
            return (format!("`{shown}` is not a valid expectation"), Some(advice));
        }
        if let Some(said) = self.constraint_error(&domain, &shown, culprit) {
            return said;
        }
        said(match &*domain {
            "not_less_than_zero" => {
                format!("expected a number that is not negative, found `{shown}`")
            }
            "stream_or_alias" | "stream" => format!("`{shown}` is no stream"),
            "source_sink" => format!("`{shown}` is no file name"),
            "operator_priority" => format!("`{shown}` is no priority: they go from 0 to 1200"),
            "operator_specifier" => {
                format!(
                    "`{shown}` is no kind of operator: they are xfx, xfy, yfx, fy, fx, xf and yf"
                )
            }
            "prolog_flag" => format!("there is no flag `{shown}`"),
            "flag_value" => match self.heap.match_struct(culprit, atoms::PLUS) {
                Some([flag, value]) => {
                    format!("the flag `{}` can't be `{}`", self.term(flag), self.term(value))
                }
                None => format!("`{shown}` is no value for a flag"),
            },
            "radix" => format!("`{shown}` is no base for numbers: they go from 2 to 36"),
            _ => format!("`{shown}` is not a valid {}", domain.replace('_', " ")),
        })
    }

    /// What library(clpfd) refuses.
    fn constraint_error(&self, domain: &str, shown: &str, culprit: Cell) -> Option<Said> {
        let advised = |text, advice: &str| Some((text, Some(advice.to_owned())));
        match domain {
            "clpfd_expression" => Some((
                format!("`{shown}` is no expression over integers"),
                Some(self.expression_advice(culprit)),
            )),
            "clpfd_domain" => advised(
                format!("`{shown}` is no domain"),
                "a domain is written `1..9`, `1..3 \\/ 7..9` or `{1,4,9}`",
            ),
            "labeling_option" => {
                advised(format!("`{shown}` is no option of labeling/2"), LABELLING)
            }
            "nonrepeating_labeling_options" => {
                advised(format!("`{shown}` has an option twice"), LABELLING)
            }
            "consistent_labeling_options" => {
                advised(format!("`{shown}` has two options that say different things"), LABELLING)
            }
            "bisect_up_or_down" => advised(
                format!("`bisect` does not go with `{shown}`"),
                "it takes the lower half first (`up`) or the upper one (`down`)",
            ),
            _ => None,
        }
    }

    fn expression_advice(&self, culprit: Cell) -> String {
        match self.heap.name_arity(culprit) {
            Some((name, 2, _)) if self.symbols.name(name) == "/" => {
                "integers are divided by `//`, which cuts off the fraction, or by `div`".to_owned()
            }
            Some((name, 2, _)) if self.symbols.name(name) == "**" => {
                "a power is written `^`".to_owned()
            }
            Some((name, 0, _)) if self.symbols.name(name).starts_with(char::is_alphabetic) => {
                let name = self.symbols.name(name);
                let (first, rest) = name.split_at(name.chars().next().map_or(0, char::len_utf8));
                format!("a variable begins with a capital letter: `{}{rest}`", first.to_uppercase())
            }
            _ => "it is made of integers, variables and `+ - * ^ // div mod rem min max abs`"
                .to_owned(),
        }
    }

    fn option_error(&self, what: Cell) -> Said {
        let name = "value_type";
        let parts = self
            .heap
            .name_arity(what)
            .filter(|&(found, arity, _)| self.symbols.name(found) == name && arity == 3);
        said(match parts {
            Some((_, _, args)) => {
                let [flag, kind, text] = [0, 1, 2].map(|i| self.term(self.heap.at(args + i)));
                format!("option {flag}: {text} is no {kind}")
            }
            None => format!("option {}", self.term(what)),
        })
    }

    fn determinism_error(&self, what: Cell, observed: Cell, demand: Cell) -> Said {
        let shown = self.term(what);
        let why = match &*self.name(demand) {
            "property" => "is declared det",
            "goal" => "is called by `$/1`",
            "guard_in_caller" => "is called last behind `$`",
            _ => "has goals behind `$`",
        };
        let found = match &*self.name(observed) {
            "fail" => "failed",
            _ => "left a choice point",
        };
        said(format!("{shown} {why}, and {found}"))
    }

    fn existence_error(&self, kind: Cell, what: Cell) -> Said {
        let (kind, shown) = (self.name(kind), self.term(what));
        said(match &*kind {
            "procedure" => format!("unknown procedure {shown}"),
            "source_sink" | "file" => format!("file `{shown}` does not exist"),
            "matching_rule" => format!("no rule matches {shown}"),
            "stream" => format!("there is no open stream `{shown}`"),
            "format_character" => format!("format: there is no directive `~{}`", self.name(what)),
            _ => format!("{} `{shown}` does not exist", kind.replace('_', " ")),
        })
    }

    fn permission_error(&self, action: Cell, kind: Cell, culprit: Cell) -> Said {
        let (action, kind, shown) = (self.name(action), self.name(kind), self.term(culprit));
        match (&*action, &*kind) {
            ("modify", "static_procedure") => (
                format!("{shown} can't be changed while the program runs: it is not dynamic"),
                Some(format!("if it is meant to change, declare it: `:- dynamic {shown}.`")),
            ),
            ("negate", "tabled_procedure") => (
                format!("the answers of {shown} depend on their own negation"),
                Some(UNDECIDED.into()),
            ),
            ("collect", "tabled_procedure") => (
                format!("the answers of {shown} depend on a list of all of them"),
                Some(UNDECIDED.into()),
            ),
            ("access", "private_procedure") => {
                said(format!("the clauses of {shown} can't be looked at"))
            }
            ("open", "source_sink") => said(format!("file `{shown}` can't be opened")),
            ("open", "base") => said(format!("the base `{shown}` can't be used")),
            ("modify", "flag") => said(format!("the flag `{shown}` can't be changed")),
            ("modify" | "create", "operator") => {
                said(format!("`{shown}` can't be made such an operator"))
            }
            ("input", "past_end_of_stream") => {
                said(format!("{} is at its end", self.stream(culprit)))
            }
            ("input", "stream") => said(format!("{} is not for input", self.stream(culprit))),
            ("output", "stream") => said(format!("{} is not for output", self.stream(culprit))),
            (_, "binary_stream") => {
                said(format!("{} has bytes, not characters", self.stream(culprit)))
            }
            (_, "text_stream") => {
                said(format!("{} has characters, not bytes", self.stream(culprit)))
            }
            _ => {
                said(format!("no permission to {action} the {} `{shown}`", kind.replace('_', " ")))
            }
        }
    }

    fn resource_error(&self, resource: Cell) -> Said {
        match &*self.name(resource) {
            "memory" | "stack" | "global_stack" | "local_stack" => {
                ("out of memory".into(), Some(ENDLESS.into()))
            }
            other => said(format!("out of {}", other.replace('_', " "))),
        }
    }

    fn stream(&self, cell: Cell) -> String {
        format!("the stream `{}`", self.term(cell))
    }

    /// The predicate in a context, and its message or place as an addition to the sentence.
    fn context(&self, context: Cell) -> (Option<String>, String) {
        let Value::Struct(name, arity, args) = self.heap.value(context) else {
            return (None, String::new());
        };
        let argument = |i: usize| self.heap.at(args + i);
        match (self.symbols.name(name), arity) {
            ("context", 2) => {
                let predicate = self.heap.deref(argument(0));
                let predicate = (!predicate.is_var()).then(|| self.predicate(predicate));
                let extra = match self.heap.value(argument(1)) {
                    Value::Atom(atom) => format!(" ({})", self.symbols.name(atom)),
                    Value::Str(text) => format!(" ({text})"),
                    _ => String::new(),
                };
                (predicate, extra)
            }
            ("file", 4) => (
                None,
                format!(
                    ", at {}:{}:{}",
                    self.name(argument(0)),
                    self.term(argument(1)),
                    self.column(argument(2))
                ),
            ),
            ("stream", 4) => (
                None,
                format!(
                    ", in line {}, column {}",
                    self.term(argument(1)),
                    self.column(argument(2))
                ),
            ),
            ("string", 2) => (
                None,
                format!(
                    ", in `{}` at character {}",
                    self.text(argument(0)),
                    self.column(argument(1))
                ),
            ),
            _ => (None, String::new()),
        }
    }

    /// A place counted from 0, counted from 1.
    fn column(&self, cell: Cell) -> i64 {
        self.heap.deref(cell).as_int().unwrap_or(0) + 1
    }

    fn text(&self, cell: Cell) -> String {
        match self.heap.value(cell) {
            Value::Str(text) => text.to_owned(),
            _ => self.term(cell),
        }
    }

    /// `name/arity`, without the module `system` or `user`.
    fn predicate(&self, cell: Cell) -> String {
        match self.heap.match_struct(cell, atoms::COLON) {
            Some([_, indicator]) => self.term(indicator),
            None => self.term(cell),
        }
    }
}

/// A type's name with its article.
fn noun(expected: &str) -> String {
    match expected {
        "callable" => "a goal (an atom or a compound term)".to_owned(),
        "predicate_indicator" => "a predicate indicator (name/arity)".to_owned(),
        "character" | "in_character" => "a character (an atom of one letter)".to_owned(),
        "byte" | "in_byte" => "a byte (0 to 255)".to_owned(),
        "bool" | "boolean" => "`true` or `false`".to_owned(),
        "evaluable" => "an arithmetic expression".to_owned(),
        "pair" => "a pair (Key-Value)".to_owned(),
        "nonneg" => "an integer that is not negative".to_owned(),
        "positive_integer" => "an integer greater than zero".to_owned(),
        other => {
            let article = if other.starts_with(['a', 'e', 'i', 'o']) { "an" } else { "a" };
            format!("{article} {}", other.replace('_', " "))
        }
    }
}

#[cfg(test)]
mod tests;
