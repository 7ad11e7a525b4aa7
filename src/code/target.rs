//! Contract predicates with the arguments that they are called with.

use zug_machine::{ClauseId, Kind, PredId, Program};
use zug_term::symbol::atoms;
use zug_term::{Cell, Record};

/// An argument of a contract predicate.
#[derive(Clone, PartialEq, Debug)]
pub enum Arg {
    /// Always the same term: a player, the name of a heuristic.
    Fixed(Record),
    /// The state.
    State,
    /// The name of a move.
    Name,
    /// Its cost.
    Cost,
    /// The state it leads to.
    To,
    /// A number.
    Value,
    /// The input with this number, of a call whose state is all of them.
    Part(u8),
    /// An output of a call, in addition to the state it leads to.
    Output,
}

/// A contract predicate with the arguments it is called with.
#[derive(Clone, Debug)]
pub struct Target {
    /// The predicate.
    pub pred: PredId,
    /// As in `rule/4`.
    pub indicator: &'static str,
    /// Its arguments.
    pub args: Vec<Arg>,
}

impl Target {
    /// Whether it is asked in the same way.
    pub fn is(&self, other: &Target) -> bool {
        self.pred == other.pred && self.indicator == other.indicator && self.args == other.args
    }

    /// Of a callee: which of its outputs is the state.
    pub fn state_output(&self) -> Option<usize> {
        let is_output = |arg: &&Arg| matches!(arg, Arg::To | Arg::Output);
        let outputs = self.args.iter().filter(is_output);
        if self.indicator == CALLED { { outputs }.position(|arg| *arg == Arg::To) } else { None }
    }

    /// Whether its answers are names, and lead nowhere.
    pub fn names_alone(&self) -> bool {
        self.args.contains(&Arg::Name) && !self.args.contains(&Arg::To)
    }
}

/// Whether no clause of a static predicate looks at an argument: in each it is a variable that occurs nowhere else
/// (redundant argument filtering: M. Leuschel, M. H. Sørensen, LOPSTR 1996).
pub fn is_ignored(program: &Program, pred: PredId, place: usize) -> bool {
    let ignores = |id: ClauseId| {
        let (heap, clause) = program.clauses[id as usize].record.to_heap();
        let parts = |term: Cell| {
            let (_, arity, first) = heap.name_arity(heap.deref(term)).unwrap_or((atoms::NIL, 0, 0));
            (first..first + arity).map(|at| heap.deref(heap.at(at))).collect::<Vec<Cell>>()
        };
        let head = parts(clause).first().map(|&head| parts(head));
        let Some(&argument) = head.as_ref().and_then(|head| head.get(place)) else { return false };
        let (mut waiting, mut times) = (vec![clause], 0);
        while let Some(term) = waiting.pop() {
            times += usize::from(heap.deref(term) == argument);
            waiting.extend(parts(term));
        }
        argument.is_var() && times == 1
    };
    program.preds[pred as usize].kind == Kind::Static
        && program.live_clauses(pred).into_iter().all(ignores)
}

/// The indicator of what is called for an answer of another target.
pub const CALLED: &str = "a call";
