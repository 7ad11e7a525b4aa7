//! What came of specialising a predicate, for people.

use super::answers::answers_text;
use super::merging::Folding;
use super::program::make::{Met, make, outcome};
use super::program::show::{Terms, leaf, planes_text, program_text, slices_text};
use super::program::{Block, End};
use super::reason::{Reason, TOO_MUCH};
use super::target::{Arg, CALLED, Target};
use super::units::unit::{At, State, Unit};
use super::units::{Asker, Units};
use std::cell::RefCell;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use zug_machine::{ClauseId, Machine};
use zug_prolog::builtins::World;
use zug_state::{Codec, Word};
use zug_symbolic::limits;
use zug_syntax::Operators;
use zug_syntax::printer::{WriteOptions, term_to_string};
use zug_term::symbol::{Atom, Symbols};
use zug_term::{Cell, Heap, Record};

/// What to write out of a predicate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Stage {
    /// Whether there is code, without figures: no more work than a search does.
    Verdict,
    /// Nothing but figures.
    #[default]
    Stats,
    /// The shapes, with the names of their leaves.
    Shape,
    /// What the symbolic run found, simplified: answers with their conditions.
    Answers,
    /// What is computed for all places of a board at once.
    Planes,
    /// Answers partitioned into decisions, before scheduling.
    Blocks,
    /// The guards of moves, and single moves.
    Slices,
    /// What the back ends run, scheduled: blocks and values, moves and tables.
    Program,
}

/// A contract predicate under the specialiser.
#[derive(Clone, Debug)]
pub struct Examined {
    /// The predicate with what is known of its arguments, as `move(x, M, S1, S2)`.
    pub what: String,
    /// Name and arity.
    pub indicator: String,
    /// By shape of the state.
    pub shapes: Vec<ExaminedShape>,
}

/// A contract predicate on one shape.
#[derive(Clone, Debug)]
pub struct ExaminedShape {
    /// The shape, as a term of its leaves.
    pub shape: String,
    /// How many leaves.
    pub leaves: usize,
    /// How many states of the shape were asked about.
    pub asked: u64,
    /// How many of them deoptimised though there is code.
    pub given_back: u64,
    /// The code, or why there is none.
    pub outcome: Result<CodeFigures, Obstacle>,
    /// Why states may deoptimise.
    pub gives_back: Vec<Obstacle>,
    /// The text that was asked for.
    pub text: String,
}

/// Figures of code.
#[derive(Clone, Copy, Debug, Default)]
pub struct CodeFigures {
    /// Steps of the symbolic run.
    pub steps: u64,
    /// Values that are computed.
    pub values: usize,
    /// Blocks.
    pub blocks: usize,
    /// Tables.
    pub tables: usize,
    /// Time that making it took.
    pub time: Duration,
}

/// What stands in the way of code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obstacle {
    /// Goal, place and what is wrong with it.
    pub text: String,
    /// What would help.
    pub hint: Option<&'static str>,
}

impl Obstacle {
    pub(super) fn of(reason: &Reason, m: &Machine, w: &World) -> Obstacle {
        let mut text = String::new();
        if !reason.goal.is_empty() {
            text += called(&reason.goal);
        }
        if let Some((file, line)) = reason.clause.and_then(|id| place(m, w, id, &reason.goal)) {
            text += &format!(" at {file}:{line}");
        }
        match reason.what.strip_prefix("it ") {
            Some(what) if !text.is_empty() => text += &format!(" {what}"),
            _ if text.is_empty() => text += &reason.what,
            _ => text += &format!(": {}", reason.what),
        }
        Obstacle { text, hint: hint(reason) }
    }
}

/// The predicate of the language behind one that only the library calls.
pub(super) fn called(goal: &str) -> &str {
    match goal {
        "$sub_text/7" => "sub_atom/5",
        "$concat/5" => "atom_concat/3",
        "$nth0/3" => "nth0/3",
        "$length/3" => "length/2",
        "$arg/3" => "arg/3",
        "$reversed/2" => "reverse/2",
        goal => goal,
    }
}

fn hint(reason: &Reason) -> Option<&'static str> {
    let name = reason.goal.split('/').next().unwrap_or("");
    Some(match name {
        "write" | "print" | "nl" | "writeln" | "format" | "put_char" | "tab" => {
            "rules that write are left to the machine; write in print_state/1 instead"
        }
        "assert" | "asserta" | "assertz" | "retract" | "retractall" => {
            "rules that change the program are left to the machine; keep it in the state"
        }
        "nb_getval" | "b_getval" | "nb_setval" | "b_setval" | "random" | "random_between" => {
            "what depends on more than the state is left to the machine"
        }
        _ if reason.what == TOO_MUCH => {
            "a loop over something that the state's shape does not bound, or very many cases"
        }
        _ => return None,
    })
}

/// File and line of a goal in a clause, or of the clause.
pub(super) fn place(m: &Machine, w: &World, id: ClauseId, goal: &str) -> Option<(String, u32)> {
    let clause = m.program.clauses.get(id as usize)?;
    let place = clause.place.as_deref()?;
    let source = w.loader.sources.get(place.source as usize)?;
    let cells = &clause.record.cells;
    let named = |slot: u32| {
        let heap = Heap { cells: cells.to_vec() };
        let (name, arity, _) = heap.name_arity(heap.at(slot as usize))?;
        Some(format!("{}/{arity}", m.symbols.name(name)))
    };
    let found = place.goals.iter().find(|&&(slot, _)| named(slot).as_deref() == Some(goal));
    let span = found.map_or(place.span, |&(_, span)| span);
    Some((source.name.to_string(), source.position(span.start).line))
}

struct TermWriter<'a> {
    codec: &'a Codec,
    symbols: RefCell<Symbols>,
    operators: &'a Operators,
}

impl TermWriter<'_> {
    fn text(&self, heap: &Heap, cell: Cell, quoted: bool) -> String {
        let options = WriteOptions { quoted, ..WriteOptions::default() };
        term_to_string(heap, &self.symbols.borrow(), self.operators, cell, &options)
    }
}

impl Terms for TermWriter<'_> {
    fn constant(&self, word: Word) -> String {
        if word.is_int() {
            return word.int_value().to_string();
        }
        match self.codec.constants().get(word.code() as usize) {
            Some(&cell) if cell.is_atom() => self.text(&Heap::new(), cell, true),
            _ => "?".to_owned(),
        }
    }

    fn term(&self, shape: u8, leaves: &[String]) -> String {
        let mut heap = Heap::new();
        let cell = self.codec.skeleton(shape, &mut heap, |_, i| {
            Cell::atom(self.symbols.borrow_mut().intern(&leaves[i]))
        });
        self.text(&heap, cell, false)
    }

    fn record(&self, term: &Record) -> String {
        let (heap, root) = term.to_heap();
        self.text(&heap, root, true)
    }

    fn name(&self, name: Atom) -> String {
        self.text(&Heap::new(), Cell::atom(name), true)
    }
}

impl Units {
    /// What there is of code for each predicate and shape that was asked about.
    pub fn examine(&mut self, (m, w, codec): Asker<'_>, stage: Stage) -> Vec<Examined> {
        self.cool();
        let mut all = Vec::new();
        for number in 0..self.targets.len() {
            let target = self.targets[number].clone();
            let is_called = target.indicator == CALLED;
            // What a search does not ask for is told of what asks for it.
            if is_called && (stage == Stage::Verdict || self.units.0[number].is_empty()) {
                continue;
            }
            let mut shapes = Vec::new();
            for shape in 0..=u8::MAX {
                let Some(unit) = self.units.get((number, shape)) else { continue };
                if stage == Stage::Verdict {
                    shapes.extend(verdict(unit, m, w));
                } else if !m.interrupt.load(Ordering::Relaxed) {
                    shapes.push(self.examine_shape((number, shape), unit, (m, w, codec), stage));
                }
            }
            let what = pattern(m, w, &target);
            let indicator = indicator(m, &target);
            all.push(Examined { what, indicator, shapes });
        }
        all
    }

    fn examine_shape(
        &self,
        at: At,
        unit: &Unit,
        (m, w, codec): Asker<'_>,
        stage: Stage,
    ) -> ExaminedShape {
        let Unit { sample, singles, .. } = unit;
        let is_unscheduled = stage == Stage::Blocks;
        let folding = Some(Folding::default());
        let met = Met { sample, singles, is_unscheduled, folding, ..Met::default() };
        let target = &self.targets[at.0];
        let (begun, mut shared, mut residual) = (Instant::now(), None, self.residual.clone());
        let kept = (&mut shared, &mut residual);
        let made = make(m, w, codec, target, (at.1, met), limits::STEPS, kept);
        let time = begun.elapsed();
        let found = shared.filter(|_| stage == Stage::Answers && made.is_ok());
        let answers = found.and_then(|shared| {
            let (found, shared) = outcome(m, w, (target, &mut residual), shared);
            let (outcome, asked) = found?;
            let (store, state) = shared.parts();
            Some(answers_text(store, &outcome, (asked, state), (&m.symbols, &w.operators)))
        });
        let symbols = RefCell::new(m.symbols.clone());
        let terms = TermWriter { codec, symbols, operators: &w.operators };
        let leaves = codec.leaves_of(at.1);
        let names: Vec<String> = (0..leaves as u16).map(leaf).collect();
        let (outcome, gives_back, text) = match made {
            Ok(made) => {
                let code = &made.lowered.code;
                let program = &code.program;
                let is_back = |block: &Block| matches!(block.end, End::Deopt(0));
                let gives_back = program.blocks.iter().any(is_back);
                let reasons = made.reasons.iter().filter(|_| gives_back);
                let folded = made.lowered.picking.as_ref().filter(|_| made.lowered.is_folded);
                let bodies = folded.map(|picking| &picking.bodies.program);
                let all = || [program].into_iter().chain(bodies);
                let figures = CodeFigures {
                    steps: made.work,
                    values: all().map(|program| program.values.len()).sum(),
                    blocks: all().map(|program| program.blocks.len()).sum(),
                    tables: all().map(|of| of.tables.len() + of.by_move.len()).sum(),
                    time,
                };
                let reasons = reasons.map(|why| Obstacle::of(why, m, w)).collect();
                let text = match stage {
                    Stage::Program | Stage::Blocks => match folded {
                        Some(picking) => slices_text(picking, &terms),
                        None => program_text(code, &terms),
                    },
                    Stage::Planes => planes_text(program, &terms),
                    Stage::Slices => made.lowered.picking.as_ref().map_or_else(
                        || "no moves to pick from\n".to_owned(),
                        |picking| slices_text(picking, &terms),
                    ),
                    _ => answers.unwrap_or_default(),
                };
                (Ok(figures), reasons, text)
            }
            Err(unmade) => {
                let why = unmade.why.err().unwrap_or_else(|| Reason::plain(TOO_MUCH));
                (Err(Obstacle::of(&why, m, w)), Vec::new(), String::new())
            }
        };
        ExaminedShape {
            shape: terms.term(at.1, &names),
            leaves,
            asked: u64::from(unit.asked) + unit.runs,
            given_back: unit.deopts,
            outcome,
            gives_back,
            text,
        }
    }
}

/// Whether there is code for a shape, if that was tried to an end.
fn verdict(unit: &Unit, m: &Machine, w: &World) -> Option<ExaminedShape> {
    let outcome = match &unit.state {
        // Not made yet, or more than may be spent on it by now.
        State::Cold => Err(Obstacle::of(unit.last_deopt.as_ref()?, m, w)),
        State::Machine(reason) => Err(Obstacle::of(reason, m, w)),
        State::Ready(_) | State::Waiting(_) => Ok(CodeFigures::default()),
    };
    Some(ExaminedShape {
        shape: String::new(),
        leaves: 0,
        asked: u64::from(unit.asked) + unit.runs,
        given_back: unit.deopts,
        outcome,
        gives_back: unit.last_deopt.iter().map(|reason| Obstacle::of(reason, m, w)).collect(),
        text: String::new(),
    })
}

fn indicator(m: &Machine, target: &Target) -> String {
    let predicate = &m.program.preds[target.pred as usize];
    match target.indicator {
        CALLED => format!("{}/{}", m.symbols.name(predicate.name), predicate.arity),
        known => known.to_owned(),
    }
}

/// A predicate with its arguments, as `move(x, M, S1, S2)`.
fn pattern(m: &Machine, w: &World, target: &Target) -> String {
    let has_to = target.args.iter().any(|arg| matches!(arg, Arg::To));
    let arg = |arg: &Arg| match arg {
        Arg::Fixed(term) => term_text(m, w, term),
        Arg::State => (if has_to { "S1" } else { "S" }).to_owned(),
        Arg::Name => "M".to_owned(),
        Arg::Cost => "Cost".to_owned(),
        Arg::To => "S2".to_owned(),
        Arg::Value => "V".to_owned(),
        Arg::Part(part) => format!("P{}", part + 1),
        Arg::Output => "X".to_owned(),
    };
    let args: Vec<String> = target.args.iter().map(arg).collect();
    let name = m.symbols.name(m.program.preds[target.pred as usize].name);
    format!("{name}({})", args.join(", "))
}

fn term_text(m: &Machine, w: &World, term: &Record) -> String {
    zug_prolog::term_text(m, w, term)
}
