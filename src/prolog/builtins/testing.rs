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
            .find(|entry| entry.name == name && (entry.arity..=entry.most).contains(&arity))
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
    pub fn table<G: AsRef<str>>(&mut self, rows: &[(G, G)]) {
        let mut wrong = String::new();
        for (goal, expected) in
            rows.iter().map(|(goal, expected)| (goal.as_ref(), expected.as_ref()))
        {
            let found = self.run(goal);
            if found != expected {
                wrong += &format!("{goal}\n  expected {expected}\n  found    {found}\n");
            }
        }
        assert!(wrong.is_empty(), "{wrong}");
    }
}

/// What stands under one `% title` of a file in `builtins/tests`: goals, each
/// with its result indented by four columns below it; `< ` marks lines of the
/// input, `> ` lines that are written.
#[derive(Default)]
pub struct Section {
    title: String,
    input: Vec<String>,
    written: String,
    pub rows: Vec<(String, String)>,
}

pub fn sections(file: &str) -> Vec<Section> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("builtins/tests").join(file);
    let text = std::fs::read_to_string(path).expect("a file of the tests");
    let mut sections: Vec<Section> = Vec::new();
    for line in text.lines() {
        if let Some(title) = line.strip_prefix("% ") {
            sections.push(Section { title: title.to_owned(), ..Section::default() });
            continue;
        }
        let section = sections.last_mut().expect("the title comes first");
        if let Some(input) = line.strip_prefix('<') {
            let input = input.strip_prefix(' ').unwrap_or(input);
            section.input.push(input.replace("\\r", "\r"));
        } else if let Some(written) = line.strip_prefix("> ") {
            section.written += &format!("{written}\n");
        } else if let Some(result) = line.strip_prefix("    ") {
            let (_, expected) = section.rows.last_mut().expect("the goal comes first");
            let joint = if expected.is_empty() { "" } else { "\n" };
            *expected += &format!("{joint}{result}");
        } else if !line.is_empty() {
            section.rows.push((line.to_owned(), String::new()));
        }
    }
    sections
}

/// A section's goals run one after the other in one world, whose folder is empty.
#[track_caller]
fn check_sections(file: &str) {
    for (number, section) in sections(file).into_iter().enumerate() {
        if !cfg!(unix) && section.title.ends_with("of unix") {
            continue;
        }
        let mut bench = Bench::default();
        let input = section.input.join("\n");
        let (world, output) = World::captured(&mut bench.machine.symbols, &input);
        bench.world = world;
        let name = format!("zug-{}-{file}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).expect("a temporary folder");
        bench.world.directory = Some(folder.clone());
        bench.table(&section.rows);
        let _ = std::fs::remove_dir_all(&folder);
        bench.world.streams.flush_standard().expect("kept in memory");
        assert_eq!(output.take(), section.written, "output of {file}, {}", section.title);
    }
}

#[test]
fn goals_of_terms_and_texts() {
    for file in ["arithmetic", "atoms", "lists", "sort", "strings", "sub_text", "terms"] {
        check_sections(&format!("{file}.txt"));
    }
}

#[test]
fn goals_of_the_world() {
    for file in ["files", "io", "store", "system"] {
        check_sections(&format!("{file}.txt"));
    }
}
