//! Classes of characters: `char_type/2` and `code_type/2`, after SWI-Prolog.
//!
//! One built-in serves both and every mode: it either decides at once or gives
//! all answers as a list of pairs, which the library goes through.

use super::text::{to_lower, to_upper};
use super::{Entry, OrFault, World, args};
use zug_machine::{Machine, Outcome};
use zug_term::symbol::atoms;
use zug_term::{Cell, Value};

/// The predicates of this file.
pub const TABLE: &[Entry] = &[Entry::pure("$char_type", 4, char_type)];

/// A class without argument.
type Test = fn(char) -> bool;

/// The classes without argument, in the order they are enumerated.
const CLASSES: &[(&str, Test)] = &[
    ("alnum", char::is_alphanumeric),
    ("alpha", char::is_alphabetic),
    ("csym", |c| c.is_alphanumeric() || c == '_'),
    ("csymf", |c| c.is_alphabetic() || c == '_'),
    ("prolog_var_start", |c| c.is_uppercase() || c == '_'),
    ("prolog_atom_start", |c| c.is_alphabetic() && !c.is_uppercase()),
    ("prolog_identifier_continue", |c| c.is_alphanumeric() || c == '_'),
    ("prolog_symbol", |c| "#$&*+-./:<=>?@\\^~".contains(c)),
    ("ascii", |c| c.is_ascii()),
    ("white", |c| c == ' ' || c == '\t'),
    ("cntrl", char::is_control),
    ("digit", |c| c.is_ascii_digit()),
    ("space", char::is_whitespace),
    ("end_of_line", |c| ('\n'..='\r').contains(&c)),
    ("lower", char::is_lowercase),
    ("upper", char::is_uppercase),
    ("punct", |c| is_graphic(c) && !c.is_alphanumeric()),
    ("graph", is_graphic),
    ("print", |c| is_graphic(c) || c == ' '),
    ("period", |c| matches!(c, '.' | '?' | '!')),
    ("quote", |c| matches!(c, '\'' | '"' | '`')),
    ("paren", |c| matches!(c, '(' | ')' | '[' | ']' | '{' | '}')),
    ("newline", |c| c == '\n'),
    ("end_of_file", |_| false),
];

/// The classes with one argument.
const RELATIONS: &[&str] =
    &["digit", "xdigit", "upper", "lower", "to_lower", "to_upper", "paren", "code"];

fn is_graphic(c: char) -> bool {
    !c.is_whitespace() && !c.is_control()
}

/// The argument that a relation gives a character: a character or a number.
enum Image {
    Char(char),
    Number(i64),
}

/// The argument of a relation for a character; `None` when it isn't of the class.
fn image(relation: &str, c: char) -> Option<Image> {
    match relation {
        "digit" => c.to_digit(10).map(|weight| Image::Number(i64::from(weight))),
        "xdigit" => c.to_digit(16).map(|weight| Image::Number(i64::from(weight))),
        "upper" => c.is_uppercase().then(|| Image::Char(to_lower(c))),
        "lower" => c.is_lowercase().then(|| Image::Char(to_upper(c))),
        "to_lower" => Some(Image::Char(to_upper(c))),
        "to_upper" => Some(Image::Char(to_lower(c))),
        "code" => Some(Image::Number(i64::from(u32::from(c)))),
        "paren" => match c {
            '(' => Some(Image::Char(')')),
            '[' => Some(Image::Char(']')),
            '{' => Some(Image::Char('}')),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a relation holds between a character and a known other one.
fn relates(relation: &str, c: char, other: char) -> bool {
    match relation {
        // "Other can be mapped to this one": the way round that SWI-Prolog has it.
        "to_lower" => to_lower(other) == c,
        "to_upper" => to_upper(other) == c,
        _ => matches!(image(relation, c), Some(Image::Char(found)) if found == other),
    }
}

/// What the type argument asks for.
enum Class {
    /// A class without argument.
    Plain(&'static str, Test),
    /// A relation and its argument.
    Relation(&'static str, Cell),
}

/// `$char_type(Kind, Char, Type, Answers)`: Kind is `char` or `code`. Answers is
/// `true` when Char and Type are known and agree, else a list of `Char-Type`.
fn char_type(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let codes = a[0].as_atom().is_some_and(|kind| m.symbols.name(kind) == "code");
    let c = known_char(m, a[1])?;
    let class = if a[2].is_var() { None } else { Some(class(m, a[2])?) };
    match (c, class) {
        (Some(None), class) => {
            let at_end = matches!(class, Some(Class::Plain("end_of_file", _)));
            Ok(at_end && m.unify(a[3], Cell::atom(atoms::TRUE)))
        }
        (Some(Some(c)), Some(class)) => {
            Ok(holds(m, codes, c, &class) && m.unify(a[3], Cell::atom(atoms::TRUE)))
        }
        (None, Some(class)) => {
            let all = (0..=u32::from(char::MAX)).filter_map(char::from_u32);
            let answers = all.filter_map(|c| answer(m, codes, c, &class, a[2])).collect();
            answers_as_list(m, a[3], answers)
        }
        (c, None) => {
            let one = c.flatten().map_or('\0'..='\u{ff}', |c| c..=c);
            let answers = one.flat_map(|c| every_class(m, codes, c)).collect();
            answers_as_list(m, a[3], answers)
        }
    }
}

/// The character of the first argument: `Some(None)` for -1, `None` for a variable.
fn known_char(m: &mut Machine, cell: Cell) -> OrFault<Option<Option<char>>> {
    let found = match m.heap.value(cell) {
        Value::Var(_) => return Ok(None),
        Value::Int(-1) => return Ok(Some(None)),
        Value::Int(code) => args::char_of(code),
        Value::Atom(atom) if m.symbols.name(atom) == "end_of_file" => return Ok(Some(None)),
        Value::Atom(atom) => args::only_char(m.symbols.name(atom)),
        _ => None,
    };
    match found {
        Some(c) => Ok(Some(Some(c))),
        None => Err(m.type_error("character", cell)),
    }
}

fn class(m: &mut Machine, cell: Cell) -> OrFault<Class> {
    if let Some((name, arity, args)) = m.heap.name_arity(cell) {
        let name = m.symbols.name(name);
        if arity == 0
            && let Some(&(name, test)) = CLASSES.iter().find(|class| class.0 == name)
        {
            return Ok(Class::Plain(name, test));
        }
        if arity == 1
            && let Some(relation) = RELATIONS.iter().find(|relation| **relation == name)
        {
            return Ok(Class::Relation(relation, m.heap.deref(m.heap.at(args))));
        }
    }
    Err(m.type_error("char_type", cell))
}

/// Whether a known character is of a class; binds the argument of a relation.
fn holds(m: &mut Machine, codes: bool, c: char, class: &Class) -> bool {
    match *class {
        Class::Plain(_, test) => test(c),
        Class::Relation(relation, argument) if argument.is_var() => match image(relation, c) {
            Some(image) => {
                let image = image_cell(m, codes, image);
                m.unify(argument, image)
            }
            None => false,
        },
        Class::Relation(relation, argument) => {
            // A character is mapped to itself, too, when both are known.
            let mapped = matches!(relation, "to_lower" | "to_upper");
            agrees(m, relation, c, argument)
                || mapped && matches!(known_char(m, argument), Ok(Some(Some(other))) if other == c)
        }
    }
}

/// Whether a relation holds between a character and a bound argument.
fn agrees(m: &Machine, relation: &str, c: char, argument: Cell) -> bool {
    let numeric = matches!(relation, "digit" | "xdigit" | "code");
    match m.heap.value(argument) {
        Value::Int(wanted) if numeric => {
            matches!(image(relation, c), Some(Image::Number(found)) if found == wanted)
        }
        Value::Int(code) => args::char_of(code).is_some_and(|other| relates(relation, c, other)),
        Value::Atom(atom) => {
            args::only_char(m.symbols.name(atom)).is_some_and(|other| relates(relation, c, other))
        }
        _ => false,
    }
}

fn char_cell(m: &mut Machine, codes: bool, c: char) -> Cell {
    if codes { Cell::small(i64::from(u32::from(c))) } else { Cell::atom(m.symbols.intern_char(c)) }
}

fn image_cell(m: &mut Machine, codes: bool, image: Image) -> Cell {
    match image {
        Image::Char(c) => char_cell(m, codes, c),
        Image::Number(value) => Cell::small(value),
    }
}

/// The pair `Char-Type` if the character is of the class.
fn answer(m: &mut Machine, codes: bool, c: char, class: &Class, given: Cell) -> Option<Cell> {
    let term = match *class {
        Class::Plain(_, test) => test(c).then_some(given)?,
        Class::Relation(relation, argument) if argument.is_var() => {
            let image = image(relation, c)?;
            let image = image_cell(m, codes, image);
            args::compound(m, relation, &[image])
        }
        Class::Relation(relation, argument) => agrees(m, relation, c, argument).then_some(given)?,
    };
    let c = char_cell(m, codes, c);
    Some(m.heap.new_struct(atoms::MINUS, &[c, term]))
}

/// The pairs of one character with every class it is of.
fn every_class(m: &mut Machine, codes: bool, c: char) -> Vec<Cell> {
    let mut answers = Vec::new();
    for &(name, test) in CLASSES {
        if test(c) {
            answers.push(args::atom_cell(m, name));
        }
    }
    for &relation in RELATIONS {
        if let Some(image) = image(relation, c) {
            let image = image_cell(m, codes, image);
            answers.push(args::compound(m, relation, &[image]));
        }
    }
    let c = char_cell(m, codes, c);
    answers.into_iter().map(|term| m.heap.new_struct(atoms::MINUS, &[c, term])).collect()
}

fn answers_as_list(m: &mut Machine, cell: Cell, answers: Vec<Cell>) -> Outcome {
    Ok(args::unify_list(m, cell, &answers))
}
