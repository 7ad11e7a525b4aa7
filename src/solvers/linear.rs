//! Linear programs: the predicate over which `library/simplex.pl` has library(simplex).

use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::Zero;
use zug_machine::arithmetic::Number;
use zug_machine::{Fault, Machine, Outcome};
use zug_matrix::program::{self, Kind, Program, Row};
use zug_prolog::World;
use zug_prolog::builtins::Entry;
use zug_term::symbol::atoms;
use zug_term::{Cell, watchdog};

type Rational = Ratio<BigInt>;

pub const TABLE: &[Entry] = &[Entry::pure("$linear_program", 4, linear_program)];

/// `'$linear_program'(Rows, Objective, Whole, Result)`: Rows are `row(Terms, Kind, Right)` with terms `Number-Coefficient` and
/// the kinds `=<`, `=` and `>=`; Objective is a coefficient for each variable, Whole the numbers of those that are whole.
/// Result is `best(Value, Values, Prices)`, for the greatest value; fails if there is none.
fn linear_program(m: &mut Machine, _: &mut World, a: &[Cell]) -> Outcome {
    let objective = list(m, a[1], rational)?;
    let whole = list(m, a[2], number)?;
    let rows = list(m, a[0], row)?;
    let program = Program { rows, objective, whole };
    let cells = (program.rows.len() + 1) * (program.objective.len() + program.rows.len() + 1);
    m.room_for(cells * size_of::<BigInt>())?;
    // A pivot changes all entries.
    let found = program.maximise(&mut || watchdog::steps(cells));
    let program::Outcome::Best(best) = found else { return Ok(false) };
    let value = term(m, &best.value);
    let [variables, prices] = [best.variables, best.prices].map(|values| {
        let values: Vec<Cell> = values.iter().map(|value| term(m, value)).collect();
        m.heap.list_from(&values, Cell::NIL)
    });
    let name = m.symbols.intern("best");
    let result = m.heap.new_struct(name, &[value, variables, prices]);
    Ok(m.unify(a[3], result))
}

fn list<T>(
    m: &mut Machine,
    cell: Cell,
    item: impl Fn(&mut Machine, Cell) -> Result<T, Fault>,
) -> Result<Vec<T>, Fault> {
    let items = m.heap.proper_list(cell).ok_or_else(|| m.type_error("list", cell))?;
    items.into_iter().map(|cell| item(m, cell)).collect()
}

fn number(m: &mut Machine, cell: Cell) -> Result<usize, Fault> {
    let number = m.heap.deref(cell).as_int().and_then(|at| usize::try_from(at).ok());
    number.ok_or_else(|| m.type_error("integer", cell))
}

fn row(m: &mut Machine, cell: Cell) -> Result<Row, Fault> {
    let name = m.symbols.intern("row");
    let Some([terms, kind, right]) = m.heap.match_struct::<3>(cell, name) else {
        return Err(m.type_error("linear_constraint", cell));
    };
    let kind_name = m.heap.deref(kind).as_atom().map(|kind| m.symbols.name(kind));
    let kind = match kind_name {
        Some("=<") => Kind::AtMost,
        Some("=") => Kind::Equal,
        Some(">=") => Kind::AtLeast,
        _ => return Err(m.type_error("linear_constraint", cell)),
    };
    let right = rational(m, right)?;
    let terms = list(m, terms, |m, term| {
        let Some([at, coefficient]) = m.heap.match_struct::<2>(term, atoms::MINUS) else {
            return Err(m.type_error("linear_constraint", cell));
        };
        Ok((number(m, at)?, rational(m, coefficient)?))
    })?;
    Ok(Row { terms, kind, right })
}

fn rational(m: &mut Machine, cell: Cell) -> Result<Rational, Fault> {
    let cell = m.heap.deref(cell);
    let found = match m.number_of(cell) {
        Some(Number::Int(value)) => Some(BigInt::from(value).into()),
        Some(Number::Big(value)) => Some(value.into()),
        Some(Number::Rational(value)) => Some((*value).clone()),
        Some(Number::Float(_)) | None => None,
    };
    match found {
        Some(found) => Ok(found),
        None if cell.is_var() => Err(m.instantiation_error()),
        None => Err(m.type_error("rational", cell)),
    }
}

fn term(m: &mut Machine, value: &Rational) -> Cell {
    if value.is_zero() { Cell::small(0) } else { m.heap.new_rational(value) }
}
