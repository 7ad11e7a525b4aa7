//! Lists: what pays to be done in one step.

use super::sort::list_end;
use super::text::count;
use super::{Entry, World, args};
use crate::machine::{Fault, Machine, Outcome};
use crate::term::Cell;

/// The predicates of this group.
pub const TABLE: &[Entry] = &[
    ("$length", 3, length),
    ("$must_be_partial_list", 1, |m, _, a| super::sort::check_partial_list(m, a[0]).map(|()| true)),
    ("$skip_list", 3, skip_list),
    ("$numlist", 3, numlist),
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
    if !end.is_ref() {
        return Err(m.type_error("list", a[0]));
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
    let rest = fresh_list(m, missing)?;
    Ok(m.unify(end, rest) && m.unify(a[2], done))
}

/// A list of different variables.
fn fresh_list(m: &mut Machine, length: usize) -> Result<Cell, Fault> {
    let cells = length.saturating_mul(2).saturating_add(m.heap.top());
    if cells.saturating_mul(size_of::<Cell>()) > m.memory_limit {
        return Err(m.resource_error("memory"));
    }
    let mut tail = Cell::NIL;
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

/// `$numlist(Low, High, List)` for integers of one word.
fn numlist(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let (low, high) = (args::integer(m, a[0])?, args::integer(m, a[1])?);
    let length = usize::try_from(high.saturating_sub(low).saturating_add(1)).unwrap_or(0);
    if length.saturating_mul(2 * size_of::<Cell>()) > m.memory_limit {
        return Err(m.resource_error("memory"));
    }
    let mut list = Cell::NIL;
    for value in (low..=high).rev() {
        list = m.heap.new_list(Cell::small(value), list);
    }
    Ok(m.unify(a[2], list))
}

#[cfg(test)]
mod tests {
    use crate::builtins::testing::Bench;

    #[test]
    fn length() {
        let mut bench = Bench::default();
        bench.table(&[
            ("'$length'(L,L,P)", "false"), ("'$length'(a,N,P)", "type_error(list,a)"), ("'$length'([a|b],N,P)", "type_error(list,[a|b])"),
            ("'$length'(L,-1,P)", "domain_error(not_less_than_zero,-1)"), ("'$length'(L,a,P)", "type_error(integer,a)"),
            ("'$length'([a|T],2,P)", "T=[_] P=done"), ("'$length'([a|T],0,P)", "false"), ("'$length'([a,b],N,P)", "N=2 P=done"),
            ("'$length'([a,b],-1,P)", "domain_error(not_less_than_zero,-1)"), ("'$length'([a|T],T,P)", "false"),
            ("'$length'([a,b],1,P)", "false"), ("'$length'([a|T],N,P)", "P=from(1)"), ("'$length'([],N,P)", "N=0 P=done"),
            ("'$length'(L,100000000000000000000000,P)", "resource_error(memory)"), ("'$length'([a],1.0,P)", "type_error(integer,1.0)"),
            ("'$skip_list'(N,[a,b|c],R)", "N=2 R=c"), ("'$numlist'(1,3,L)", "L=[1,2,3]"),
        ]);
        let cyclic = bench.read("f(X,[a,b|X],N,P)");
        let [x, list, n, plan] = bench.machine.heap.match_struct(cyclic, bench.machine.symbols.lookup("f").expect("read")).expect("f/4");
        assert!(bench.machine.unify(x, list));
        let list = bench.machine.heap.deref(list);
        let fault = super::length(&mut bench.machine, &mut bench.world, &[list, n, plan]);
        assert!(fault.is_err(), "a cyclic list has no length");
    }
}
