//! Lists: what pays to be done in one step.

use super::sort::list_end;
use super::text::count;
use super::{Entry, OrFault, World, args};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use zug_machine::arithmetic::{Number, Op2};
use zug_machine::{Machine, Outcome};
use zug_term::Cell;

/// The predicates of this group.
pub const TABLE: &[Entry] = &[
    Entry::pure("$length", 3, length),
    Entry::pure("$must_be_partial_list", 1, |m, _, a| {
        super::sort::check_partial_list(m, a[0]).map(|()| true)
    }),
    Entry::pure("$skip_list", 3, skip_list),
    Entry::pure("numlist", 3, numlist),
    Entry::pure("sum_list", 2, |m, _, a| fold(m, a[0], Cell::ZERO, Op2::Add, a[1])),
    Entry::pure("sumlist", 2, |m, _, a| fold(m, a[0], Cell::ZERO, Op2::Add, a[1])),
    Entry::pure("$sum_list", 3, |m, _, a| fold(m, a[0], a[1], Op2::Add, a[2])),
    Entry::pure("max_list", 2, |m, _, a| extreme(m, a, Op2::Max)),
    Entry::pure("min_list", 2, |m, _, a| extreme(m, a, Op2::Min)),
    Entry::pure("$max_list", 3, |m, _, a| fold(m, a[0], a[1], Op2::Max, a[2])),
    Entry::pure("$min_list", 3, |m, _, a| fold(m, a[0], a[1], Op2::Min, a[2])),
    Entry::pure("memberchk", 2, memberchk),
    Entry::pure("$reversed", 2, reversed),
    Entry::pure("$nth0", 3, nth0),
    Entry::pure("$list_end", 2, |m, _, a| Ok(m.unify(a[1], list_end(&m.heap, a[0]).1))),
];

/// `$length(List, N, Plan)`: Plan is `done`, or `from(K)` when List is partial with
/// K items and N is unbound.
fn length(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let wanted = count(m, a[1])?;
    let (found, end) = list_end(&m.heap, a[0]);
    let done = args::atom_cell(m, "done");
    if end == Cell::NIL {
        return Ok(m.unify(a[1], Cell::small(found as i64)) && m.unify(a[2], done));
    }
    if !end.is_var() {
        // The standard's drafts have failure for what is no list.
        return if m.is_iso() { Ok(false) } else { Err(m.type_error("list", a[0])) };
    }
    let Some(wanted) = wanted else {
        // length(L, L) and length([a|L], L): no list is its own length.
        if end == a[1] {
            return Ok(false);
        }
        let plan = args::compound(m, "from", &[Cell::small(found as i64)]);
        return Ok(m.unify(a[2], plan));
    };
    let Some(missing) = wanted.checked_sub(found) else { return Ok(false) };
    let rest = list_of_variables(m, missing, Cell::NIL)?;
    Ok(m.unify(end, rest) && m.unify(a[2], done))
}

/// A list of different variables in front of `tail`.
fn list_of_variables(m: &mut Machine, length: usize, mut tail: Cell) -> OrFault<Cell> {
    m.room_for(length.saturating_mul(2 * size_of::<Cell>()))?;
    for _ in 0..length {
        let at = m.heap.top();
        m.heap.push(Cell::reference(at));
        m.heap.push(tail);
        tail = Cell::list(at);
    }
    Ok(tail)
}

/// `$skip_list(Length, List, Rest)`: the number of items, and what ends the list.
fn skip_list(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let (length, end) = list_end(&m.heap, a[1]);
    Ok(m.unify(a[0], Cell::small(length as i64)) && m.unify(a[2], end))
}

/// An integer argument of any size.
fn integer(m: &mut Machine, cell: Cell) -> OrFault<BigInt> {
    match m.number_of(cell) {
        Some(Number::Int(value)) => Ok(value.into()),
        Some(Number::Big(value)) => Ok(value),
        _ => Err(m.type_error("integer", cell)),
    }
}

/// `numlist(Low, High, List)`: the integers from Low to High; fails for none.
fn numlist(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let (low, high) = (integer(m, a[0])?, integer(m, a[1])?);
    if low > high {
        return Ok(false);
    }
    let length = (&high - &low).to_usize().unwrap_or(usize::MAX).saturating_add(1);
    m.room_for(length.saturating_mul(2 * size_of::<Cell>()))?;
    let mut list = Cell::NIL;
    if let (Some(low), Some(high)) = (a[0].as_int(), a[1].as_int()) {
        for value in (low..=high).rev() {
            list = m.heap.new_list(Cell::small(value), list);
        }
    } else {
        let mut value = high;
        while value >= low {
            let item = m.heap.new_big(&value);
            list = m.heap.new_list(item, list);
            value -= 1;
        }
    }
    Ok(m.unify(a[2], list))
}

/// Number of items of a list of numbers; `None` when it is no list.
fn number_list(m: &mut Machine, list: Cell) -> OrFault<Option<usize>> {
    let (length, end) = list_end(&m.heap, list);
    args::bound(m, end)?;
    Ok((end == Cell::NIL).then_some(length))
}

/// Unifies `result` with what an operation makes of `start` and the values of the
/// items of a list, from the left.
fn fold(m: &mut Machine, list: Cell, start: Cell, op: Op2, result: Cell) -> Outcome {
    let Some(length) = number_list(m, list)? else { return Ok(false) };
    let mut rest = list;
    let mut value = if length == 0 { start } else { m.eval(start)? };
    for _ in 0..length {
        rest = m.heap.deref(rest);
        let item = m.heap.at(rest.addr());
        let item = m.eval(item)?;
        value = m.apply2(op, value, item)?;
        rest = m.heap.at(rest.addr() + 1);
    }
    Ok(m.unify(result, value))
}

/// `max_list/2`, `min_list/2`: an only item is not evaluated.
fn extreme(m: &mut Machine, a: &[Cell], op: Op2) -> Outcome {
    match a[0].is_list() {
        true => {
            let (first, rest) = (m.heap.at(a[0].addr()), m.heap.at(a[0].addr() + 1));
            fold(m, rest, first, op, a[1])
        }
        false => Ok(number_list(m, a[0])?.is_some_and(|_| false)),
    }
}

/// `memberchk(X, List)`: unifies X with the first item it unifies with; a partial
/// list without one gets X as its next item.
fn memberchk(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let wanted = a[0];
    let simple = wanted.is_atom() || wanted.is_int();
    let mut rest = a[1];
    // Who takes more steps than there are cells walks in a circle.
    for _ in 0..m.heap.top() {
        if !rest.is_list() {
            break;
        }
        if m.worked(1) {
            m.keep_going()?;
        }
        let item = m.heap.deref(m.heap.at(rest.addr()));
        if item == wanted {
            return Ok(true);
        }
        // Cells of different tags, or two constants, need no attempt.
        let hopeless = !item.is_var() && !wanted.is_var() && (simple || item.tag() != wanted.tag());
        if !hopeless && m.unify_or_undo(wanted, item) {
            return Ok(true);
        }
        rest = m.heap.deref(m.heap.at(rest.addr() + 1));
    }
    if rest.is_var() {
        let tail = m.heap.new_var();
        let list = m.heap.new_list(wanted, tail);
        return Ok(m.unify(rest, list));
    }
    if rest == Cell::NIL || rest.is_list() { Ok(false) } else { Err(m.type_error("list", rest)) }
}

/// `$reversed(List, Reversed)`: fails for anything but a proper list.
fn reversed(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let (length, end) = list_end(&m.heap, a[0]);
    if end != Cell::NIL {
        return Ok(false);
    }
    let (mut rest, mut list) = (a[0], Cell::NIL);
    for _ in 0..length {
        rest = m.heap.deref(rest);
        let item = m.heap.deref(m.heap.at(rest.addr()));
        list = m.heap.new_list(item, list);
        rest = m.heap.at(rest.addr() + 1);
    }
    Ok(m.unify(a[1], list))
}

/// `$nth0(I, List, X)` for an integer I that is not negative; a partial list is
/// made longer.
fn nth0(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let Some(index) = count(m, a[0])? else { return Err(m.instantiation_error()) };
    let mut rest = a[1];
    for walked in 0..=index {
        rest = m.heap.deref(rest);
        if rest.is_var() {
            let items = partial_list(m, index - walked, a[2])?;
            return Ok(m.unify(rest, items));
        }
        if !rest.is_list() {
            return Ok(false);
        }
        if walked == index {
            break;
        }
        // A list that goes round has an element for every index.
        if m.worked(1) {
            m.keep_going()?;
        }
        rest = m.heap.at(rest.addr() + 1);
    }
    let item = m.heap.at(rest.addr());
    Ok(m.unify(item, a[2]))
}

/// A partial list of N variables and one more item.
fn partial_list(m: &mut Machine, before: usize, item: Cell) -> OrFault<Cell> {
    let rest = m.heap.new_var();
    let last = m.heap.new_list(item, rest);
    list_of_variables(m, before, last)
}

#[cfg(test)]
mod tests {
    use crate::builtins::testing::Bench;

    #[test]
    fn length() {
        let mut bench = Bench::default();
        let cyclic = bench.read("f(X,[a,b|X],N,P)");
        let [x, list, n, plan] = bench
            .machine
            .heap
            .match_struct(cyclic, bench.machine.symbols.lookup("f").expect("read"))
            .expect("f/4");
        assert!(bench.machine.unify(x, list));
        let list = bench.machine.heap.deref(list);
        let fault = super::length(&mut bench.machine, &mut bench.world, &[list, n, plan]);
        assert!(fault.is_err(), "a cyclic list has no length");
    }
}
