//! A bench for tests of built-ins: reads goals from text, runs one built-in,
//! shows what it bound or raised.
//!
//! The reader here knows a fixed operator table and recurses; it serves tests only.

use super::{Entry, World};
use crate::machine::{Fault, Machine};
use crate::symbol::{Atom, atoms};
use crate::term::{Cell, Heap, Value};
use std::collections::BTreeMap;

/// A machine, a world and the variables of the goal read last.
#[derive(Default)]
pub struct Bench {
    pub machine: Machine,
    pub world: World,
    variables: BTreeMap<String, Cell>,
}

impl Bench {
    /// Reads a term; a variable of the same name is the same variable until [`Bench::run`].
    pub fn read(&mut self, text: &str) -> Cell {
        let tokens = tokens(text);
        let mut parser = Parser { bench: self, tokens, at: 0 };
        let term = parser.expression(1200);
        assert_eq!(parser.at, parser.tokens.len(), "rest of {text:?}");
        term
    }

    /// The term as text, in canonical form.
    pub fn show(&self, cell: Cell) -> String {
        show(&self.machine, &self.machine.heap, &self.variables, cell)
    }

    /// Runs one goal: `false`, the formal term of the error, or the bindings.
    pub fn run(&mut self, goal: &str) -> String {
        self.variables.clear();
        let goal = self.read(goal);
        match self.call(goal) {
            Ok(true) => {
                let bound = self.variables.iter().filter(|(_, var)| {
                    let value = self.machine.heap.deref(**var);
                    value != **var
                });
                let shown: Vec<String> =
                    bound.map(|(name, var)| format!("{name}={}", self.show(*var))).collect();
                if shown.is_empty() { "true".into() } else { shown.join(" ") }
            }
            Ok(false) => "false".into(),
            Err(fault) => self.show_fault(&fault),
        }
    }

    /// Calls the built-in of a goal; `,` runs one goal after the other.
    pub fn call(&mut self, goal: Cell) -> Result<bool, Fault> {
        let (name, arity, args) = self.machine.heap.name_arity(goal).expect("a callable term");
        let args: Vec<Cell> =
            (args..args + arity).map(|at| self.machine.heap.deref(self.machine.heap.at(at))).collect();
        if name == atoms::COMMA {
            return Ok(self.call(args[0])? && self.call(args[1])?);
        }
        let name = self.machine.symbols.name(name);
        let found = super::groups().iter().flat_map(|group| group.iter());
        let entry: &Entry = found
            .filter(|entry| entry.0 == name && entry.1 == arity)
            .next()
            .unwrap_or_else(|| panic!("no built-in {name}/{arity}"));
        (entry.2)(&mut self.machine, &mut self.world, &args)
    }

    /// The formal term of an error, or the ball.
    pub fn show_fault(&mut self, fault: &Fault) -> String {
        let Fault::Ball(record) = fault else { return format!("{fault:?}") };
        let ball = record.instantiate(&mut self.machine.heap);
        match self.machine.heap.match_struct::<2>(ball, atoms::ERROR) {
            Some([formal, _]) => self.show(formal),
            None => self.show(ball),
        }
    }

    /// Runs each goal of a table and compares.
    #[track_caller]
    pub fn table(&mut self, rows: &[(&str, &str)]) {
        let wrong: Vec<String> = rows
            .iter()
            .map(|(goal, expected)| (goal, expected, self.run(goal)))
            .filter(|(_, expected, found)| *expected != found)
            .map(|(goal, expected, found)| format!("{goal}\n  expected {expected}\n  found    {found}"))
            .collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}

fn show(machine: &Machine, heap: &Heap, names: &BTreeMap<String, Cell>, cell: Cell) -> String {
    let again = |cell| show(machine, heap, names, cell);
    let atom = |name: Atom| show_atom(machine.symbols.name(name));
    match heap.value(cell) {
        Value::Var(addr) => {
            let var = Cell::reference(addr);
            match names.iter().find(|(_, cell)| heap.deref(**cell) == var) {
                Some((name, _)) => name.clone(),
                None => "_".into(),
            }
        }
        Value::Atom(name) => atom(name),
        Value::Int(value) => value.to_string(),
        Value::Big(value) => value.to_string(),
        Value::Float(value) => crate::machine::arithmetic::format_float(value),
        Value::Str(text) => format!("{text:?}"),
        Value::List(_) => {
            let mut items = heap.items(cell);
            let shown: Vec<String> = items.by_ref().take(50).map(again).collect();
            match heap.deref(items.rest) {
                Cell::NIL => format!("[{}]", shown.join(",")),
                rest => format!("[{}|{}]", shown.join(","), again(rest)),
            }
        }
        Value::Struct(name, arity, args) => {
            let shown: Vec<String> = (args..args + arity).map(|at| again(heap.at(at))).collect();
            format!("{}({})", atom(name), shown.join(","))
        }
    }
}

fn show_atom(text: &str) -> String {
    const SYMBOLS: &str = "+-*/\\^<>=~:.?@#&$";
    let solo = ["[]", "{}", "!", ",", ";", "|"].contains(&text);
    let symbolic = !text.is_empty() && text.chars().all(|c| SYMBOLS.contains(c));
    let plain = text.starts_with(|c: char| c.is_lowercase())
        && text.chars().all(|c| c.is_alphanumeric() || c == '_');
    if solo || symbolic || plain { text.into() } else { format!("'{}'", text.escape_debug()) }
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Name(String),
    Quoted(String),
    Variable(String),
    Number(String),
    Text(String),
    /// A name with `(` right behind it.
    Open(String),
    Punctuation(char),
}

fn tokens(text: &str) -> Vec<Token> {
    let chars: Vec<char> = text.chars().collect();
    let mut tokens = Vec::new();
    let mut i = 0;
    while i < chars.len() {
        let start = i;
        let run = |i: &mut usize, ok: &dyn Fn(char) -> bool| {
            while *i < chars.len() && ok(chars[*i]) {
                *i += 1;
            }
            chars[start..*i].iter().collect::<String>()
        };
        let c = chars[i];
        let named = if c.is_whitespace() {
            i += 1;
            continue;
        } else if c.is_ascii_digit() {
            if c == '0' && chars.get(i + 1) == Some(&'\'') {
                tokens.push(Token::Number((chars[i + 2] as u32).to_string()));
                i += 3;
                continue;
            }
            let number = run(&mut i, &|c| c.is_ascii_alphanumeric() || c == '.');
            tokens.push(Token::Number(number));
            continue;
        } else if c.is_uppercase() || c == '_' {
            let name = run(&mut i, &|c| c.is_alphanumeric() || c == '_');
            tokens.push(Token::Variable(name));
            continue;
        } else if c == '\'' || c == '"' {
            let mut body = String::new();
            i += 1;
            while chars[i] != c {
                if chars[i] == '\\' {
                    i += 1;
                    body.push(match chars[i] {
                        'n' => '\n',
                        't' => '\t',
                        other => other,
                    });
                } else {
                    body.push(chars[i]);
                }
                i += 1;
            }
            i += 1;
            if c == '"' {
                tokens.push(Token::Text(body));
                continue;
            }
            if chars.get(i) == Some(&'(') {
                body
            } else {
                tokens.push(Token::Quoted(body));
                continue;
            }
        } else if c.is_lowercase() {
            run(&mut i, &|c| c.is_alphanumeric() || c == '_')
        } else if "()[]{},|".contains(c) {
            tokens.push(Token::Punctuation(c));
            i += 1;
            continue;
        } else if c == '$' {
            run(&mut i, &|c| c.is_alphanumeric() || c == '_' || c == '$')
        } else {
            run(&mut i, &|c| "+-*/\\^<>=~:.?@#&!;".contains(c))
        };
        tokens.push(if chars.get(i) == Some(&'(') { Token::Open(named) } else { Token::Name(named) });
    }
    tokens
}

struct Parser<'b> {
    bench: &'b mut Bench,
    tokens: Vec<Token>,
    at: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn next(&mut self) -> Token {
        self.at += 1;
        self.tokens[self.at - 1].clone()
    }

    fn expect(&mut self, c: char) {
        assert_eq!(self.next(), Token::Punctuation(c));
    }

    fn expression(&mut self, most: u32) -> Cell {
        let mut left = self.primary();
        loop {
            let name = match self.peek() {
                Some(Token::Name(name)) => name.clone(),
                // `a+(b)`: the operator stands right before the bracket.
                Some(Token::Open(name)) => name.clone(),
                Some(Token::Punctuation(',')) => ",".into(),
                _ => return left,
            };
            let (priority, right) = match name.as_str() {
                "," => (1000, 1000),
                "is" | "=" | "==" | "<" | ">" | "=<" | ">=" | "=:=" | "=\\=" | "@<" | "@>" | "@=<" | "@>="
                | "\\==" | "=@=" | "\\=@=" | "=.." | "\\=" => (700, 699),
                "+" | "-" | "/\\" | "\\/" | "xor" => (500, 499),
                "*" | "/" | "//" | "mod" | "rem" | "div" | "<<" | ">>" => (400, 399),
                "**" => (200, 199),
                "^" => (200, 200),
                _ => return left,
            };
            if priority > most {
                return left;
            }
            self.at += 1;
            let right = self.expression(right);
            let name = self.bench.machine.symbols.intern(&name);
            left = self.bench.machine.heap.new_struct(name, &[left, right]);
        }
    }

    fn arguments(&mut self, close: char) -> Vec<Cell> {
        let mut found = vec![self.expression(999)];
        while self.peek() == Some(&Token::Punctuation(',')) {
            self.at += 1;
            found.push(self.expression(999));
        }
        if close == ')' {
            self.expect(')');
        }
        found
    }

    fn primary(&mut self) -> Cell {
        match self.next() {
            Token::Number(text) => self.number(&text, 1),
            Token::Text(text) => self.bench.machine.heap.new_string(&text),
            Token::Quoted(name) => Cell::atom(self.bench.machine.symbols.intern(&name)),
            Token::Variable(name) => self.variable(name),
            Token::Open(name) => {
                self.expect('(');
                let args = self.arguments(')');
                let name = self.bench.machine.symbols.intern(&name);
                self.bench.machine.heap.new_struct(name, &args)
            }
            Token::Name(name) => self.name(&name),
            Token::Punctuation('(') => {
                let inner = self.expression(1200);
                self.expect(')');
                inner
            }
            Token::Punctuation('[') => self.list(),
            other => panic!("unexpected {other:?}"),
        }
    }

    fn name(&mut self, name: &str) -> Cell {
        if ["-", "\\", "+"].contains(&name) {
            match self.peek() {
                Some(Token::Number(text)) if name == "-" => {
                    let text = text.clone();
                    self.at += 1;
                    return self.number(&text, -1);
                }
                None | Some(Token::Punctuation(',' | ')' | ']')) => {}
                _ => {
                    let operand = self.expression(200);
                    let name = self.bench.machine.symbols.intern(name);
                    return self.bench.machine.heap.new_struct(name, &[operand]);
                }
            }
        }
        Cell::atom(self.bench.machine.symbols.intern(name))
    }

    fn variable(&mut self, name: String) -> Cell {
        let heap = &mut self.bench.machine.heap;
        if name == "_" {
            return heap.new_var();
        }
        *self.bench.variables.entry(name).or_insert_with(|| heap.new_var())
    }

    fn list(&mut self) -> Cell {
        if self.peek() == Some(&Token::Punctuation(']')) {
            self.at += 1;
            return Cell::NIL;
        }
        let items = self.arguments(']');
        let mut tail = Cell::NIL;
        if self.peek() == Some(&Token::Punctuation('|')) {
            self.at += 1;
            tail = self.expression(999);
        }
        self.expect(']');
        self.bench.machine.heap.list_from(&items, tail)
    }

    fn number(&mut self, text: &str, sign: i64) -> Cell {
        let heap = &mut self.bench.machine.heap;
        match text.parse::<num_bigint::BigInt>() {
            Ok(value) => heap.new_big(&(value * sign)),
            Err(_) => heap.new_float(text.parse::<f64>().expect("a float") * sign as f64),
        }
    }
}
