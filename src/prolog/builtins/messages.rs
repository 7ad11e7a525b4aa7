//! Error messages.
//!
//! [`describe`] turns the ball of an uncaught exception into one sentence, the
//! predicate it came from, and advice where some can be given. It knows the
//! standard's error terms and those of `format/2` and streams; anything else is
//! shown as it is.

use super::libraries::instead_of;
use super::output::Style;
use super::{Entry, World, args, expectations, sandbox, suggest};
use zug_machine::{Machine, Outcome};
use zug_syntax::Operators;
use zug_syntax::printer::{self, WriteOptions};
use zug_term::diagnostic::Diagnostic;
use zug_term::symbol::{Symbols, atoms};
use zug_term::{Cell, Heap, Record, Value};

/// The predicates of this file.
pub const TABLE: &[Entry] = &[Entry::session("$describe_error", 2, describe_ball)];

/// `'$describe_error'(Ball, Text)`: the error in words, as a string.
fn describe_ball(m: &mut Machine, w: &mut World, a: &[Cell]) -> Outcome {
    let text = describe_error(&m.heap, &m.symbols, &w.operators, a[0], None);
    Ok(args::unify_string(m, a[1], &text))
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
/// something does not exist ([`suggest::for_ball`]).
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

/// Messages by a word and what the term at fault is put into; a hint, if it is not empty.
type Messages = &'static [(&'static str, &'static str, &'static str)];

const REPRESENTATION: Messages = &[
    ("max_arity", "a term can't have so many arguments", ""),
    ("character", "no character has this code", ""),
    ("character_code", "no character has this code", ""),
    ("in_character_code", "no character has this code", ""),
    ("max_tagged_integer", "the integer is too large here", ""),
    ("max_integer", "the integer is too large here", ""),
];

const EVALUATION: Messages = &[
    ("zero_divisor", "arithmetic: division by zero", ""),
    ("undefined", "arithmetic: the result is undefined", ""),
    ("float_overflow", "arithmetic: the result is too large for a float", ""),
    ("int_overflow", "arithmetic: the result is too large for an integer", ""),
];

const DOMAINS: Messages = &[
    ("not_less_than_zero", "expected a number that is not negative, found `{}`", ""),
    ("stream_or_alias", "`{}` is no stream", ""),
    ("stream", "`{}` is no stream", ""),
    ("source_sink", "`{}` is no file name", ""),
    ("operator_priority", "`{}` is no priority: they go from 0 to 1200", ""),
    (
        "operator_specifier",
        "`{}` is no kind of operator: they are xfx, xfy, yfx, fy, fx, xf and yf",
        "",
    ),
    ("prolog_flag", "there is no flag `{}`", ""),
    ("flag_value", "`{}` is no value for a flag", ""),
    ("radix", "`{}` is no base for numbers: they go from 2 to 36", ""),
    (
        "clpfd_domain",
        "`{}` is no domain",
        "a domain is written `1..9`, `1..3 \\/ 7..9` or `{1,4,9}`",
    ),
    ("labeling_option", "`{}` is no option of labeling/2", LABELLING),
    ("nonrepeating_labeling_options", "`{}` has an option twice", LABELLING),
    ("consistent_labeling_options", "`{}` has two options that say different things", LABELLING),
    (
        "bisect_up_or_down",
        "`bisect` does not go with `{}`",
        "it takes the lower half first (`up`) or the upper one (`down`)",
    ),
];

const EXISTENCE: Messages = &[
    ("procedure", "unknown procedure {}", ""),
    ("source_sink", "file `{}` does not exist", ""),
    ("file", "file `{}` does not exist", ""),
    ("matching_rule", "no rule matches {}", ""),
    ("stream", "there is no open stream `{}`", ""),
];

/// By action and kind; a kind alone goes with any action.
const PERMISSION: Messages = &[
    (
        "modify static_procedure",
        "{} can't be changed while the program runs: it is not dynamic",
        "if it is meant to change, declare it: `:- dynamic {}.`",
    ),
    ("negate tabled_procedure", "the answers of {} depend on their own negation", UNDECIDED),
    ("collect tabled_procedure", "the answers of {} depend on a list of all of them", UNDECIDED),
    ("access private_procedure", "the clauses of {} can't be looked at", ""),
    ("open source_sink", "file `{}` can't be opened", ""),
    ("open base", "the base `{}` can't be used", ""),
    ("modify flag", "the flag `{}` can't be changed", ""),
    ("modify operator", "`{}` can't be made such an operator", ""),
    ("create operator", "`{}` can't be made such an operator", ""),
    ("input past_end_of_stream", "the stream `{}` is at its end", ""),
    ("input stream", "the stream `{}` is not for input", ""),
    ("output stream", "the stream `{}` is not for output", ""),
    ("binary_stream", "the stream `{}` has bytes, not characters", ""),
    ("text_stream", "the stream `{}` has characters, not bytes", ""),
];

fn known(table: Messages, word: &str, shown: &str) -> Option<Said> {
    let &(_, message, hint) = table.iter().find(|row| row.0 == word)?;
    let hint = (!hint.is_empty()).then(|| hint.replace("{}", shown));
    Some((message.replace("{}", shown), hint))
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
            ("representation_error", 1) => {
                let what = self.name(argument(0));
                known(REPRESENTATION, &what, "")
                    .unwrap_or_else(|| said(format!("this can't be represented: {what}")))
            }
            ("evaluation_error", 1) => {
                let what = self.name(argument(0));
                known(EVALUATION, &what, "")
                    .unwrap_or_else(|| said(format!("arithmetic: {}", what.replace('_', " "))))
            }
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
                let (action, stream) = (self.name(argument(0)), self.term(argument(1)));
                said(format!("could not {action} the stream `{stream}`"))
            }
            _ => said(format!("error `{}`", self.term(formal))),
        }
    }

    fn syntax(&self, message: Cell) -> String {
        match self.heap.value(message) {
            Value::Struct(name, 1, args) => {
                let name = self.symbols.name(name).replace('_', " ");
                format!("{name} `{}`", self.name(self.heap.at(args)))
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
                let message = "arithmetic: a list stands where a number is needed";
                let hint = "arithmetic needs numbers: is the order of arguments right where the list comes from?";
                return (message.to_owned(), Some(hint.to_owned()));
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
        if domain == "clpfd_expression" {
            let message = format!("`{shown}` is no expression over integers");
            return (message, Some(self.expression_advice(culprit)));
        }
        if domain == "flag_value"
            && let Some([flag, value]) = self.heap.match_struct(culprit, atoms::PLUS)
        {
            let (flag, value) = (self.term(flag), self.term(value));
            return said(format!("the flag `{flag}` can't be `{value}`"));
        }
        let other = || said(format!("`{shown}` is not a valid {}", domain.replace('_', " ")));
        known(DOMAINS, &domain, &shown).unwrap_or_else(other)
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
        said(match self.heap.name_arity(what) {
            Some((name, 3, args)) if self.symbols.name(name) == "value_type" => {
                let [flag, kind, text] = [0, 1, 2].map(|i| self.term(self.heap.at(args + i)));
                format!("option {flag}: {text} is no {kind}")
            }
            _ => format!("option {}", self.term(what)),
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
        if kind == "format_character" {
            return said(format!("format: there is no directive `~{}`", self.name(what)));
        }
        let other = || said(format!("{} `{shown}` does not exist", kind.replace('_', " ")));
        known(EXISTENCE, &kind, &shown).unwrap_or_else(other)
    }

    fn permission_error(&self, action: Cell, kind: Cell, culprit: Cell) -> Said {
        let (action, kind, shown) = (self.name(action), self.name(kind), self.term(culprit));
        let found = known(PERMISSION, &format!("{action} {kind}"), &shown);
        found.or_else(|| known(PERMISSION, &kind, &shown)).unwrap_or_else(|| {
            said(format!("no permission to {action} the {} `{shown}`", kind.replace('_', " ")))
        })
    }

    fn resource_error(&self, resource: Cell) -> Said {
        match &*self.name(resource) {
            "memory" | "stack" | "global_stack" | "local_stack" => {
                ("out of memory".into(), Some(ENDLESS.into()))
            }
            other => said(format!("out of {}", other.replace('_', " "))),
        }
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
            ("file" | "stream", 4) => {
                let (line, column) = (self.term(argument(1)), self.column(argument(2)));
                let place = match self.symbols.name(name) {
                    "file" => format!(", at {}:{line}:{column}", self.name(argument(0))),
                    _ => format!(", in line {line}, column {column}"),
                };
                (None, place)
            }
            ("string", 2) => {
                let text = match self.heap.value(argument(0)) {
                    Value::Str(text) => text.to_owned(),
                    _ => self.term(argument(0)),
                };
                (None, format!(", in `{text}` at character {}", self.column(argument(1))))
            }
            _ => (None, String::new()),
        }
    }

    /// A place counted from 0, counted from 1.
    fn column(&self, cell: Cell) -> i64 {
        self.heap.deref(cell).as_int().unwrap_or(0) + 1
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

/// The finding that something raised a ball.
pub(super) fn finding(
    m: &mut Machine,
    w: &mut World,
    ball: &Record,
    code: &'static str,
    what: &str,
) -> Diagnostic {
    let (heap, root) = ball.to_heap();
    let meant = suggest::for_ball(m, w, &heap, root);
    let words = describe(&heap, &m.symbols, &w.operators, root, meant.as_deref());
    let mut finding = Diagnostic::error(code, format!("{what} raised an error: {}", words.message));
    let said = |name: &String| words.message.ends_with(&**name);
    // Where a resource was used up is by chance: other limits may have been looked at first.
    let formal = heap.match_struct::<2>(root, atoms::ERROR).map(|[formal, _]| heap.deref(formal));
    let by_chance = formal.and_then(|formal| heap.name_arity(formal));
    let by_chance = by_chance.is_some_and(|(name, ..)| name == atoms::RESOURCE_ERROR);
    if let Some(predicate) = words.predicate.filter(|name| !by_chance && !said(name)) {
        finding.message += &format!(", in {predicate}");
    }
    finding.hint = words.hint;
    finding
}

#[cfg(test)]
mod tests;
