//! Where variables live: chunks, positions, permanence.
//!
//! A *chunk* is a stretch of code that no call and no choice point interrupts: X registers survive within it. A
//! variable that occurs in two chunks is permanent and gets a Y register. Positions number the goals in the order
//! they are emitted; a variable's last position says how long it is live.

use super::goal::{Goal, GoalNode};
use super::image::Image;
use rustc_hash::FxHashMap;
use zug_term::Cell;

/// What is known of a variable before code is made.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Chunk of its first occurrence.
    chunk: u32,
    /// Occurs in several chunks.
    pub permanent: bool,
    /// Occurrences.
    pub count: u32,
    /// Position of the last occurrence.
    pub last: u32,
    /// Argument register it should live in, if free.
    pub hint: Option<u16>,
}

/// The variables of a clause.
#[derive(Default)]
pub struct Analysis {
    /// By image address.
    pub index: FxHashMap<usize, u32>,
    /// By number.
    pub variables: Vec<Variable>,
    chunk: u32,
    chunks: u32,
    pos: u32,
    /// Largest number of arguments of a call.
    pub max_args: usize,
    /// Whether some call is made that is not the last thing.
    seen: Vec<u32>,
}

impl Analysis {
    /// Analyses a clause; numbers the nodes of its body.
    pub fn run(image: Image, head_args: &[Cell], body: &mut GoalNode) -> Analysis {
        let mut analysis = Analysis { max_args: head_args.len(), ..Analysis::default() };
        for &arg in head_args {
            analysis.term(image, arg);
        }
        analysis.node(image, body);
        analysis
    }

    fn occurrence(&mut self, addr: usize) {
        let chunk = self.chunk;
        let pos = self.pos;
        let number = *self.index.entry(addr).or_insert_with(|| {
            self.variables.push(Variable {
                chunk,
                permanent: false,
                count: 0,
                last: pos,
                hint: None,
            });
            self.variables.len() as u32 - 1
        });
        let variable = &mut self.variables[number as usize];
        variable.count += 1;
        variable.last = pos;
        variable.permanent |= variable.chunk != chunk;
        self.seen.push(number);
    }

    fn term(&mut self, image: Image, cell: Cell) {
        image.for_each_variable(cell, |addr| self.occurrence(addr));
    }

    fn fresh(&mut self) {
        self.chunks += 1;
        self.chunk = self.chunks;
    }

    fn node(&mut self, image: Image, node: &mut GoalNode) {
        self.pos += 1;
        node.pos = self.pos;
        let is_test = node.is_test();
        let seen_before = self.seen.len();
        match &mut node.goal {
            Goal::True | Goal::Fail | Goal::Cut(_) => {}
            Goal::Call { args, .. } => {
                self.max_args = self.max_args.max(args.len());
                for (i, &arg) in args.iter().enumerate() {
                    self.term(image, arg);
                    self.hint(image, arg, i);
                }
                self.fresh();
            }
            Goal::Builtin { args, .. } => {
                for &arg in args.iter() {
                    self.term(image, arg);
                }
            }
            Goal::Unify(a, b)
            | Goal::Match(a, b)
            | Goal::Is(a, b)
            | Goal::CompareNumbers(_, a, b)
            | Goal::CompareTerms(_, a, b) => {
                self.term(image, *a);
                self.term(image, *b);
            }
            Goal::Type(_, a) => self.term(image, *a),
            Goal::Seq(goals) | Goal::Either(goals) => {
                for goal in goals {
                    self.node(image, goal);
                }
            }
            Goal::If { parts, soft, .. } => {
                let [test, then, other] = &mut **parts;
                let start = self.chunk;
                let inline = !*soft && test.is_test();
                self.node(image, test);
                self.node(image, then);
                let end = self.chunk;
                if inline {
                    self.chunk = start;
                } else {
                    self.fresh();
                }
                self.node(image, other);
                if !inline || end != start || self.chunk != start {
                    self.fresh();
                }
            }
            Goal::Or(alternatives) => {
                for (i, goal) in alternatives.iter_mut().enumerate() {
                    if i > 0 {
                        self.fresh();
                    }
                    self.node(image, goal);
                }
                self.fresh();
            }
            Goal::Guarded { goal, .. } => {
                self.node(image, goal);
                self.fresh();
            }
            Goal::Not { goal, .. } => {
                self.node(image, goal);
                if !is_test {
                    self.fresh();
                }
            }
            Goal::Findall { template, goal, result, .. } => {
                self.node(image, goal);
                self.pos += 1;
                self.term(image, *template);
                self.fresh();
                self.pos += 1;
                self.term(image, *result);
            }
        }
        self.pos += 1;
        node.end = self.pos;
        if !matches!(node.goal, Goal::Seq(_)) {
            let mut vars = self.seen[seen_before..].to_vec();
            vars.sort_unstable();
            vars.dedup();
            if matches!(
                node.goal,
                Goal::If { .. }
                    | Goal::Or(_)
                    | Goal::Either(_)
                    | Goal::Not { .. }
                    | Goal::Guarded { .. }
                    | Goal::Findall { .. }
            ) {
                node.vars.clone_from(&vars);
            }
            // Keep each variable once for the constructs around.
            self.seen.truncate(seen_before);
            self.seen.extend(vars);
        }
    }

    /// The first call of a variable's chunk asks for its argument register.
    fn hint(&mut self, image: Image, arg: Cell, i: usize) {
        let arg = image.deref(arg);
        if !arg.is_var() {
            return;
        }
        let number = self.index[&arg.addr()];
        let chunk = self.chunk;
        let variable = &mut self.variables[number as usize];
        if variable.chunk == chunk && variable.hint.is_none() {
            variable.hint = Some(i as u16);
        }
    }

    /// Number of a variable by its image address.
    pub fn number(&self, addr: usize) -> u32 {
        self.index[&addr]
    }
}
