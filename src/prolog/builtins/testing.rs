//! A bench for tests of built-ins: reads goals from text, runs one built-in
//! after the other, shows what they bound or raised.

#[path = "../../machine/bench_text.rs"]
mod text;

use super::{Entry, World};
use std::sync::Arc;
use text::Variables;
use zug_machine::{Fault, Machine};
use zug_term::Cell;
use zug_term::symbol::atoms;

/// A machine, a world and the variables of the goal read last.
pub struct Bench {
    pub machine: Machine,
    pub world: World,
    variables: Variables,
}

impl Default for Bench {
    fn default() -> Self {
        let mut machine = Machine::new();
        let (world, _) = World::captured(&mut machine.symbols, "");
        Bench { machine, world, variables: Vec::new() }
    }
}

impl Bench {
    /// Reads a term.
    #[track_caller]
    pub fn read(&mut self, text: &str) -> Cell {
        let (root, variables) = text::read(&mut self.machine, &self.world.operators, text);
        self.variables = variables;
        root
    }

    /// The term as text, with the names of variables of the goal read last; `_` for others.
    pub fn show(&self, cell: Cell) -> String {
        let machine = &self.machine;
        let unbound = |(_, cell): &&(Arc<str>, Cell)| machine.heap.deref(*cell).is_var();
        let mut names: Vec<_> = self.variables.iter().filter(unbound).cloned().collect();
        for variable in zug_term::variables(&machine.heap, cell) {
            if !names.iter().any(|(_, named)| machine.heap.deref(*named) == variable) {
                names.push(("_".into(), variable));
            }
        }
        text::show(machine, &self.world.operators, &names, cell)
    }

    /// Runs one goal: `false`, the formal term of the error, or the bindings.
    #[track_caller]
    pub fn run(&mut self, goal: &str) -> String {
        let goal = self.read(goal);
        match self.call(goal) {
            Ok(true) => {
                let shown: Vec<String> = (self.variables.iter().enumerate())
                    .filter(|(i, (_, var))| {
                        let value = self.machine.heap.deref(*var);
                        let same = |(_, other): &(Arc<str>, Cell)| {
                            self.machine.heap.deref(*other) == value
                        };
                        !value.is_var() || self.variables[..*i].iter().any(same)
                    })
                    .map(|(_, (name, var))| format!("{name}={}", self.show(*var)))
                    .collect();
                if shown.is_empty() { "true".into() } else { shown.join(" ") }
            }
            Ok(false) => "false".into(),
            Err(fault) => self.show_fault(&fault),
        }
    }

    /// Calls the built-in of a goal; `,` runs one goal after the other.
    #[track_caller]
    pub fn call(&mut self, goal: Cell) -> Result<bool, Fault> {
        let (name, arity, args) = self.machine.heap.name_arity(goal).expect("a callable term");
        let args: Vec<Cell> = (args..args + arity)
            .map(|at| self.machine.heap.deref(self.machine.heap.at(at)))
            .collect();
        if name == atoms::COMMA {
            return Ok(self.call(args[0])? && self.call(args[1])?);
        }
        let name = self.machine.symbols.name(name);
        let entry: &Entry = (super::CORE_TABLES.iter().chain(super::IO_TABLES))
            .flat_map(|table| table.iter())
            .find(|entry| entry.name == name && entry.arity == arity)
            .unwrap_or_else(|| panic!("no built-in {name}/{arity}"));
        (entry.run)(&mut self.machine, &mut self.world, &args)
    }

    /// The formal term of an error, or the ball.
    pub fn show_fault(&mut self, fault: &Fault) -> String {
        match text::thrown(&mut self.machine, fault) {
            Ok(thrown) => self.show(thrown),
            Err(words) => words,
        }
    }

    /// Runs each goal of a table and compares.
    #[track_caller]
    pub fn table(&mut self, rows: &[(&str, &str)]) {
        let wrong: Vec<String> = rows
            .iter()
            .map(|(goal, expected)| (goal, expected, self.run(goal)))
            .filter(|(_, expected, found)| *expected != found)
            .map(|(goal, expected, found)| {
                format!("{goal}\n  expected {expected}\n  found    {found}")
            })
            .collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
