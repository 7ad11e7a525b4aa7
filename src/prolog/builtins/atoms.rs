//! Atoms and their text (ISO 13211-1, 8.16), and SWI-Prolog's conversions.
//!
//! Where the standard wants an atom, a number or a string will do, as in
//! SWI-Prolog.

use super::text::{self, Items};
use super::{Entry, World, args};
use zug_machine::{Fault, Machine, Outcome};
use zug_term::{Cell, Value};

/// The predicates of this group.
pub const TABLE: &[Entry] = &[
    Entry::pure("atom_length", 2, atom_length),
    Entry::pure("atom_chars", 2, |m, _, a| atom_list(m, a, Items::Chars)),
    Entry::pure("atom_codes", 2, |m, _, a| atom_list(m, a, Items::Codes)),
    Entry::pure("char_code", 2, char_code),
    Entry::pure("number_chars", 2, |m, _, a| number_list(m, a, Items::OnlyChars)),
    Entry::pure("number_codes", 2, |m, _, a| number_list(m, a, Items::OnlyCodes)),
    Entry::pure("atom_number", 2, atom_number),
    Entry::pure("name", 2, name),
    Entry::pure("upcase_atom", 2, |m, _, a| atom_case(m, a, true)),
    Entry::pure("downcase_atom", 2, |m, _, a| atom_case(m, a, false)),
    Entry::pure("atom_string", 2, atom_string),
    Entry::pure("atomic_list_concat", 2, atomic_list_concat),
    Entry::pure("atomic_list_concat", 3, atomic_list_concat_separated),
    Entry::pure("atomics_to_string", 2, atomics_to_string),
    Entry::pure("term_hash", 2, term_hash),
];

/// Checks what is to receive a length.
pub(super) fn check_length(m: &mut Machine, cell: Cell) -> Result<(), Fault> {
    text::count(m, cell).map(|_| ())
}

fn atom_length(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let text = text::required(m, a[0], "atom")?;
    check_length(m, a[1])?;
    let length = m.heap.new_int(text::length(&text) as i64);
    Ok(m.unify(a[1], length))
}

/// `atom_chars/2`, `atom_codes/2`.
fn atom_list(m: &mut Machine, a: &[Cell], items: Items) -> Outcome {
    let items = if m.is_iso() { items.strict() } else { items };
    if a[0].is_var() {
        let text = text::from_list(m, a[1], items)?;
        let atom = args::atom_cell(m, &text);
        return Ok(m.unify(a[0], atom));
    }
    let text = text::required(m, a[0], "atom")?;
    text::check_list(m, a[1], items)?;
    Ok(text::unify_list(m, a[1], &text, items))
}

fn char_code(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    if a[0].is_var() && a[1].is_var() {
        return Err(m.instantiation_error());
    }
    let known = match m.heap.value(a[0]) {
        Value::Var(_) => None,
        Value::Atom(atom) => match args::only_char(m.symbols.name(atom)) {
            Some(c) => Some(c),
            None => return Err(m.type_error("character", a[0])),
        },
        _ => return Err(m.type_error("character", a[0])),
    };
    let code = match m.number_of(a[1]) {
        _ if a[1].is_var() => None,
        Some(number) if number.is_integer() => a[1].as_int(),
        _ => return Err(m.type_error("integer", a[1])),
    };
    let code = match code {
        None if a[1].is_var() => None,
        code => match code.and_then(|code| u32::try_from(code).ok()).and_then(char::from_u32) {
            Some(c) => Some(c),
            None => return Err(m.representation_error("character_code")),
        },
    };
    match (known, code) {
        (Some(c), _) => {
            let code = Cell::small(i64::from(u32::from(c)));
            Ok(m.unify(a[1], code))
        }
        (None, Some(c)) => {
            let atom = Cell::atom(m.symbols.intern_char(c));
            Ok(m.unify(a[0], atom))
        }
        (None, None) => Err(m.instantiation_error()),
    }
}

/// `number_chars/2`, `number_codes/2`: the list decides when it is complete. What its first item is decides whether
/// it is read as codes or characters, but by the standard.
fn number_list(m: &mut Machine, a: &[Cell], items: Items) -> Outcome {
    let first = m.heap.items(a[1]).next().filter(|_| !m.is_iso());
    let items = match first.map(|first| m.heap.value(first)) {
        Some(Value::Int(_)) => Items::OnlyCodes,
        Some(Value::Atom(_)) => Items::OnlyChars,
        _ => items,
    };
    let number = m.number_of(a[0]);
    if number.is_none() && !a[0].is_var() {
        return Err(m.type_error("number", a[0]));
    }
    if number.is_some() && !text::is_complete(m, a[1]) {
        text::check_list(m, a[1], items)?;
        let text = text::required(m, a[0], "number")?;
        return Ok(text::unify_list(m, a[1], &text, items));
    }
    let text = text::from_list(m, a[1], items)?;
    let value = text::number_with_layout(m, &text)?;
    Ok(m.unify(a[0], value))
}

/// `atom_number(A, N)`: fails when A spells no number.
fn atom_number(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    match m.heap.value(a[0]) {
        Value::Var(_) if a[1].is_var() => Err(m.instantiation_error()),
        Value::Var(_) if m.number_of(a[1]).is_none() => Err(m.type_error("number", a[1])),
        Value::Var(_) => {
            let text = text::required(m, a[1], "number")?;
            let atom = args::atom_cell(m, &text);
            Ok(m.unify(a[0], atom))
        }
        Value::Atom(_) | Value::Str(_) => {
            let text = text::required(m, a[0], "atom")?;
            match text::number(m, &text) {
                Some(number) => Ok(m.unify(a[1], number)),
                None => Ok(false),
            }
        }
        _ => Err(m.type_error("atom", a[0])),
    }
}

/// `name(A, Codes)`: a number where the codes spell one, else an atom.
fn name(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    if a[0].is_var() {
        let text = text::from_list(m, a[1], Items::Codes)?;
        let value = match text::number(m, &text) {
            Some(number) => number,
            None => args::atom_cell(m, &text),
        };
        return Ok(m.unify(a[0], value));
    }
    let text = text::required(m, a[0], "atomic")?;
    text::check_list(m, a[1], Items::Codes)?;
    Ok(text::unify_list(m, a[1], &text, Items::Codes))
}

fn atom_case(m: &mut Machine, a: &[Cell], upper: bool) -> Outcome {
    let text = text::required(m, a[0], "atomic")?;
    let mapped = text::map_case(&text, upper);
    Ok(text::unify_text(m, a[1], &mapped, false))
}

/// `atom_string(A, S)`: the same text, as an atom and as a string.
fn atom_string(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    if a[0].is_var() {
        let text = text::any(m, a[1], "string")?;
        let atom = args::atom_cell(m, &text);
        return Ok(m.unify(a[0], atom));
    }
    let text = text::any(m, a[0], "atom")?;
    Ok(text::unify_text(m, a[1], &text, true))
}

/// The parts of a list joined, or `None` when some part or the end is unbound.
fn join(m: &mut Machine, list: Cell, separator: &str) -> Result<Option<String>, Fault> {
    let mut walk = m.heap.items(list);
    let limit = m.heap.top() + 1;
    let items: Vec<Cell> = walk.by_ref().take(limit).collect();
    let rest = m.heap.deref(walk.rest);
    if !rest.is_var() && rest != Cell::NIL {
        return Err(m.type_error("list", list));
    }
    let mut joined = String::new();
    let mut complete = rest == Cell::NIL;
    for (i, item) in items.into_iter().enumerate() {
        let item = m.heap.deref(item);
        if item.is_var() {
            complete = false;
            continue;
        }
        if i > 0 {
            joined.push_str(separator);
        }
        let part = text::required(m, item, "atomic")?;
        if joined.len() + part.len() > joined.capacity() {
            m.room_for(2 * (joined.len() + part.len()))?;
            m.keep_going()?;
        }
        joined.push_str(&part);
    }
    Ok(complete.then_some(joined))
}

fn atomic_list_concat(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    match join(m, a[0], "")? {
        Some(text) => {
            let atom = args::atom_cell(m, &text);
            Ok(m.unify(a[1], atom))
        }
        None => Err(m.instantiation_error()),
    }
}

/// `atomic_list_concat(Parts, Separator, Atom)`: joins, or splits at a separator
/// that isn't empty.
fn atomic_list_concat_separated(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let separator = text::required(m, a[1], "atomic")?;
    if let Some(text) = join(m, a[0], &separator)? {
        let atom = args::atom_cell(m, &text);
        return Ok(m.unify(a[2], atom));
    }
    if a[2].is_var() {
        return Err(m.instantiation_error());
    }
    if separator.is_empty() {
        return Err(m.domain_error("non_empty_atom", a[1]));
    }
    let whole = text::required(m, a[2], "atomic")?;
    m.room_for(whole.len())?;
    let parts: Vec<Cell> = whole.split(&*separator).map(|part| args::atom_cell(m, part)).collect();
    let list = m.heap.list_from(&parts, Cell::NIL);
    Ok(m.unify(a[0], list))
}

fn atomics_to_string(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    match join(m, a[0], "")? {
        Some(text) => Ok(text::unify_text(m, a[1], &text, true)),
        None => Err(m.instantiation_error()),
    }
}

/// `term_hash(T, H)`: the same for variants that are ground; H stays unbound else.
fn term_hash(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    use std::hash::{Hash, Hasher};
    if !zug_term::is_ground(&m.heap, a[0]) {
        return Ok(true);
    }
    let record = zug_term::Record::new(&mut m.heap, a[0]);
    let mut hasher = rustc_hash::FxHasher::default();
    record.hash(&mut hasher);
    let hash = Cell::small((hasher.finish() >> 40) as i64);
    Ok(m.unify(a[1], hash))
}

#[cfg(test)]
mod tests {
    use crate::builtins::testing::Bench;

    #[test]
    fn length_and_lists() {
        Bench::default().table(&[
            ("atom_length(X,L)", "instantiation_error"),
            ("atom_length(f(a),L)", "type_error(atom,f(a))"),
            ("atom_length(123,L)", "L=3"),
            ("atom_length(1.5,L)", "L=3"),
            ("atom_length(\"abc\",L)", "L=3"),
            ("atom_length(abc,a)", "type_error(integer,a)"),
            ("atom_length([],L)", "L=2"),
            ("atom_length(abc,-1)", "domain_error(not_less_than_zero,-1)"),
            ("atom_length('día',L)", "L=3"),
            ("atom_chars(X,Y)", "instantiation_error"),
            ("atom_chars(f(a),L)", "type_error(atom,f(a))"),
            ("atom_chars(123,L)", "L=['1','2','3']"),
            ("atom_chars([],L)", "L=['[',']']"),
            ("atom_chars(X,[a|Y])", "instantiation_error"),
            ("atom_chars(X,[a,Y])", "instantiation_error"),
            ("atom_chars(X,[a,f(b)])", "type_error(character,f(b))"),
            ("atom_chars(X,[a|b])", "type_error(list,[a|b])"),
            ("atom_chars(X,a)", "type_error(list,a)"),
            ("atom_chars(X,[a,bc])", "type_error(character,bc)"),
            ("atom_chars(X,['1','2'])", "X='12'"),
            ("atom_chars(X,[97,98])", "X=ab"),
            ("atom_chars(X,[])", "X=''"),
            ("atom_chars(abc,[a,f(x)])", "type_error(character,f(x))"),
            ("atom_chars(abc,foo)", "type_error(list,foo)"),
            ("atom_chars(abc,[a|T])", "T=[b,c]"),
            ("atom_chars(X,\"abc\")", "X=abc"),
            ("atom_chars(ab,[X,Y])", "X=a Y=b"),
            ("atom_codes(X,[0'a,-1])", "representation_error(character_code)"),
            ("atom_codes(X,[0'a,f(b)])", "representation_error(character_code)"),
            ("atom_codes(X,[0'a|Y])", "instantiation_error"),
            ("atom_codes(12,L)", "L=[49,50]"),
            ("atom_codes(X,[a,b])", "X=ab"),
            ("atom_codes(X,\"abc\")", "X=abc"),
            ("char_code(X,Y)", "instantiation_error"),
            ("char_code(a,X)", "X=97"),
            ("char_code(X,97)", "X=a"),
            ("char_code(ab,X)", "type_error(character,ab)"),
            ("char_code(X,a)", "type_error(integer,a)"),
            ("char_code(X,-1)", "representation_error(character_code)"),
            ("char_code(a,98)", "false"),
        ]);
    }

    #[test]
    fn numbers_as_text() {
        Bench::default().table(&[
            ("number_codes(X,Y)", "instantiation_error"),
            ("number_codes(X,[0'1|Y])", "instantiation_error"),
            ("number_codes(X,[0'1,Y])", "instantiation_error"),
            ("number_codes(X,[0'1|a])", "type_error(list,[49|a])"),
            ("number_codes(X,a)", "type_error(list,a)"),
            ("number_codes(a,Y)", "type_error(number,a)"),
            ("number_codes(X,[0'a])", "syntax_error(illegal_number)"),
            ("number_codes(X,[])", "syntax_error(illegal_number)"),
            ("number_codes(X,\" 12\")", "X=12"),
            ("number_codes(X,\"12 \")", "syntax_error(illegal_number)"),
            ("number_codes(X,\"0x1F\")", "X=31"),
            ("number_codes(X,\"0'a\")", "X=97"),
            ("number_codes(X,\"-12\")", "X=-12"),
            ("number_codes(X,\"- 12\")", "syntax_error(illegal_number)"),
            ("number_codes(X,\"1.5e3\")", "X=1500.0"),
            ("number_codes(X,\"foo\")", "syntax_error(illegal_number)"),
            ("number_codes(12,\"012\")", "true"),
            ("number_codes(13,\"12\")", "false"),
            ("number_codes(12,[0'1|T])", "T=[50]"),
            ("number_chars(12,L)", "L=['1','2']"),
            ("number_chars(X,['1',2])", "type_error(character,2)"),
            ("number_chars(X,[a])", "syntax_error(illegal_number)"),
            ("number_chars(X,[' ','1'])", "X=1"),
            ("number_chars(X,['0','''',a])", "X=97"),
            ("number_chars(1,[X])", "X='1'"),
            ("number_chars(X,[f(a)])", "type_error(character,f(a))"),
            ("atom_number(X,Y)", "instantiation_error"),
            ("atom_number('12',X)", "X=12"),
            ("atom_number(a,X)", "false"),
            ("atom_number(X,12)", "X='12'"),
            ("atom_number(12,X)", "type_error(atom,12)"),
            ("atom_number(' 12',X)", "false"),
            ("atom_number('12 ',X)", "false"),
            ("atom_number('0x1f',X)", "X=31"),
            ("atom_number('+12',X)", "X=12"),
            ("atom_number('- 12',X)", "false"),
            ("atom_number(X,a)", "type_error(number,a)"),
            ("atom_number('',X)", "false"),
            ("atom_number('12abc',X)", "false"),
            ("atom_number('3.14',3.14)", "true"),
            ("atom_number('-',X)", "false"),
            ("name(X,\"12\")", "X=12"),
            ("name(X,\"abc\")", "X=abc"),
            ("name(12,X)", "X=[49,50]"),
            ("name(X,[])", "X=''"),
            ("name(X,\" 12\")", "X=' 12'"),
            ("name(X,\"-12\")", "X=-12"),
            ("name(f(a),X)", "type_error(atomic,f(a))"),
        ]);
    }

    #[test]
    fn conversions() {
        Bench::default().table(&[
            ("upcase_atom(abc,X)", "X='ABC'"),
            ("upcase_atom('straße',X)", "X='STRAßE'"),
            ("upcase_atom(1,X)", "X='1'"),
            ("downcase_atom('ÀB',X)", "X=àb"),
            ("upcase_atom(X,Y)", "instantiation_error"),
            ("atomic_list_concat([a,b,1,\"c\",2.5],X)", "X='ab1c2.5'"),
            ("atomic_list_concat([a,Y],X)", "instantiation_error"),
            ("atomic_list_concat([a,f(x)],X)", "type_error(atomic,f(x))"),
            ("atomic_list_concat(a,X)", "type_error(list,a)"),
            ("atomic_list_concat(X,',','a,b')", "X=[a,b]"),
            ("atomic_list_concat([X,b],',','a,b')", "X=a"),
            ("atomic_list_concat([a,b],',',X)", "X='a,b'"),
            ("atomic_list_concat(X,'',ab)", "domain_error(non_empty_atom,'')"),
            ("atomic_list_concat(X,',',Y)", "instantiation_error"),
            ("atomic_list_concat(X,Y,'a,b')", "instantiation_error"),
            ("atomic_list_concat(X,',','')", "X=['']"),
            ("atomic_list_concat([],',',X)", "X=''"),
            ("atomic_list_concat([a|T],',','a,b,c')", "T=[b,c]"),
            ("atomic_list_concat(X,',','a,12')", "X=[a,'12']"),
            ("atomic_list_concat(X,', ',\"a, b\")", "X=[a,b]"),
            ("atomic_list_concat([X,c],',','a,b')", "false"),
            ("atom_string(X,\"abc\")", "X=abc"),
            ("atom_string(abc,X)", "X=\"abc\""),
            ("atom_string(12,X)", "X=\"12\""),
            ("atom_string(X,12)", "X='12'"),
            ("atom_string(abc,abc)", "true"),
            ("atom_string(X,Y)", "instantiation_error"),
            ("atom_string(42,\"42\")", "true"),
            ("atom_string(f(a),X)", "type_error(atom,f(a))"),
        ]);
    }
}
