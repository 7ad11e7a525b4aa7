//! Terms as Python objects: numbers, `Atom`, `str` for strings, lists, `Term` and `Var`.
//!
//! A term is taken down first, without the interpreter, as a list of parts in which those of a
//! compound stand before it; Python objects are made of that. Neither recurses.

use crate::errors::Trouble;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyList, PyString};
use zug_term::symbol::Symbols;
use zug_term::{Cell, Heap, Value, is_acyclic};

/// Parts of a term that are handed over at most.
const MOST_PARTS: usize = 20_000_000;

/// A part of a term that was taken down.
enum Part {
    Int(i64),
    /// An integer of many digits.
    Big(String),
    Float(f64),
    /// Numerator and denominator.
    Fraction(String, String),
    Atom(String),
    Text(String),
    Var(String),
    /// A list of so many of the parts before it.
    List(usize),
    /// A list with a tail, which is one of so many.
    Partial(usize),
    /// A compound with so many arguments.
    Compound(String, usize),
}

/// A term that was taken down.
pub(crate) struct Taken(Vec<Part>);

enum Task {
    Visit(Cell),
    Put(Part),
}

impl Taken {
    /// Takes a term down.
    pub(crate) fn of(heap: &Heap, symbols: &Symbols, cell: Cell) -> Result<Taken, Trouble> {
        if !is_acyclic(heap, cell) {
            return Err(Trouble::new("RulesError", "a cyclic term is no Python object"));
        }
        let mut parts = Vec::new();
        let mut tasks = vec![Task::Visit(cell)];
        while let Some(task) = tasks.pop() {
            if parts.len() + tasks.len() > MOST_PARTS {
                return Err(Trouble::new("LimitError", "a term is too large for a Python object"));
            }
            match task {
                Task::Put(part) => parts.push(part),
                Task::Visit(cell) => visit(heap, symbols, cell, &mut parts, &mut tasks),
            }
        }
        Ok(Taken(parts))
    }
}

fn visit(heap: &Heap, symbols: &Symbols, cell: Cell, parts: &mut Vec<Part>, tasks: &mut Vec<Task>) {
    let cell = heap.deref(cell);
    parts.push(match heap.value(cell) {
        Value::Var(at) => Part::Var(format!("_G{at}")),
        Value::Atom(_) if cell == Cell::NIL => Part::List(0),
        Value::Atom(atom) => Part::Atom(symbols.name(atom).to_string()),
        Value::Int(value) => Part::Int(value),
        Value::Big(value) => Part::Big(value.to_string()),
        Value::Float(value) => Part::Float(value),
        Value::Rational(value) => {
            Part::Fraction(value.numer().to_string(), value.denom().to_string())
        }
        Value::Str(text) => Part::Text(text.to_owned()),
        Value::List(_) => {
            let mut items = heap.items(cell);
            let mut all: Vec<Cell> = items.by_ref().collect();
            let tail = heap.deref(items.rest);
            let put = if tail == Cell::NIL {
                Part::List(all.len())
            } else {
                all.push(tail);
                Part::Partial(all.len())
            };
            tasks.push(Task::Put(put));
            tasks.extend(all.into_iter().rev().map(Task::Visit));
            return;
        }
        Value::Struct(name, arity, args) => {
            let name = symbols.name(name).to_string();
            tasks.push(Task::Put(Part::Compound(name, arity)));
            tasks.extend((0..arity).rev().map(|at| Task::Visit(heap.at(args + at))));
            return;
        }
    });
}

/// The classes of the package that terms are made of.
struct Classes {
    atom: Py<PyAny>,
    var: Py<PyAny>,
    compound: Py<PyAny>,
    partial: Py<PyAny>,
    fraction: Py<PyAny>,
    int: Py<PyAny>,
}

static CLASSES: PyOnceLock<Classes> = PyOnceLock::new();

fn classes(py: Python<'_>) -> PyResult<&'static Classes> {
    CLASSES.get_or_try_init(py, || {
        let terms = py.import("zug._terms")?;
        Ok(Classes {
            atom: terms.getattr("Atom")?.unbind(),
            var: terms.getattr("Var")?.unbind(),
            compound: terms.getattr("Term")?.unbind(),
            partial: terms.getattr("partial_list")?.unbind(),
            fraction: py.import("fractions")?.getattr("Fraction")?.unbind(),
            int: py.import("builtins")?.getattr("int")?.unbind(),
        })
    })
}

impl Taken {
    /// The Python object.
    pub(crate) fn object<'py>(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let classes = classes(py)?;
        let mut made: Vec<Bound<'py, PyAny>> = Vec::new();
        for part in self.0 {
            let object = match part {
                Part::Int(value) => value.into_pyobject(py)?.into_any(),
                Part::Big(digits) => classes.int.bind(py).call1((digits,))?,
                Part::Float(value) => value.into_pyobject(py)?.into_any(),
                Part::Fraction(above, below) => {
                    let int = classes.int.bind(py);
                    let parts = (int.call1((above,))?, int.call1((below,))?);
                    classes.fraction.bind(py).call1(parts)?
                }
                Part::Atom(name) => classes.atom.bind(py).call1((name,))?,
                Part::Text(text) => PyString::new(py, &text).into_any(),
                Part::Var(name) => classes.var.bind(py).call1((name,))?,
                Part::List(count) => {
                    let items = made.split_off(made.len() - count);
                    PyList::new(py, items)?.into_any()
                }
                Part::Partial(count) => {
                    let items = PyList::new(py, made.split_off(made.len() - count))?;
                    classes.partial.bind(py).call1((items,))?
                }
                Part::Compound(name, arity) => {
                    let arguments = PyList::new(py, made.split_off(made.len() - arity))?;
                    classes.compound.bind(py).call1((name, arguments))?
                }
            };
            made.push(object);
        }
        Ok(made.pop().unwrap_or_else(|| py.None().into_bound(py)))
    }
}
