//! Hooks: while a run is observed, calls of the user's predicates lead past an observer.
//!
//! A hooked predicate's entry in [`Program::entries`] leads to an [`Instr::Hook`] of its own, with its definition
//! behind it. Runs without observer have plain entries, and the loop knows nothing of hooks.
//!
//! - [`Observer::Boxes`] turns a call into one of `'$traced_call'/2`, the box of L. Byrd ("Understanding the control
//!   flow of Prolog programs", 1980) in `library/trace.pl`. While it is on, clauses of the user run as *plain* code:
//!   built-ins are called rather than compiled in place, and a last call returns to its clause, so that every goal is
//!   seen and its place is known.
//! - [`Observer::Profile`] counts the call and goes on in the definition ([`super::profile`]).

use super::clause::OtherCode;
use super::clause::{ClauseId, PredId, Space};
use super::host::Next;
use super::instr::Instr;
use super::program::{Hooks, Kind, Program};
use super::{Fault, Machine};
use rustc_hash::FxHashSet;
use zug_term::Cell;
use zug_term::source::Span;
use zug_term::symbol::Atom;

/// Who sees the calls of hooked predicates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Observer {
    /// None: a hook only leads on.
    #[default]
    Nobody,
    /// The box in the library: `'$traced_call'(Goal, Site)`.
    Boxes(PredId),
    /// The profile that is being made.
    Profile,
}

impl Program {
    /// Address of a predicate's entry, past its hook.
    pub fn definition(&self, id: PredId) -> u32 {
        match &self.hooks {
            Some(hooks) => hooks.behind[id as usize],
            None => self.entries[id as usize],
        }
    }

    pub(super) fn set_entry(&mut self, id: PredId, address: u32) {
        let mut address = self.tabled.get(&id).map_or(address, |tabled| tabled.slot);
        if let Some(det) = self.det.get_mut(&id) {
            let own = self.preds[id as usize].slot;
            det.behind = match address == det.slot {
                true => self.tabled.get(&id).map_or(own, |tabled| tabled.slot),
                false => address,
            };
            address = det.slot;
        }
        let entry = &mut self.entries[id as usize];
        match &mut self.hooks {
            Some(hooks) => {
                let behind = &mut hooks.behind[id as usize];
                if entry == behind {
                    *entry = address;
                }
                *behind = address;
            }
            None => *entry = address,
        }
    }

    pub(super) fn new_entry(&mut self, id: PredId) {
        if let Some(hooks) = &mut self.hooks {
            hooks.behind.push(self.entries[id as usize]);
            self.hook(id);
        }
    }

    /// Whether calls go past hooks.
    pub fn is_hooked(&self) -> bool {
        self.hooks.is_some()
    }

    /// Hooks the user's predicates, but for those `unseen`.
    pub fn hook_all(&mut self, unseen: FxHashSet<(Atom, usize)>) {
        if self.hooks.is_some() {
            return;
        }
        self.hooks = Some(Box::new(Hooks { behind: self.entries.clone(), unseen }));
        for id in 0..self.preds.len() as PredId {
            self.hook(id);
        }
    }

    /// Takes the hooks away.
    pub fn unhook_all(&mut self) {
        if let Some(hooks) = self.hooks.take() {
            self.entries = hooks.behind;
        }
    }

    fn hook(&mut self, id: PredId) {
        let predicate = &self.preds[id as usize];
        let unseen = |hooks: &Hooks| hooks.unseen.contains(&(predicate.name, predicate.arity));
        // What a unit of tests shares with the user is seen as the user's.
        let shared = predicate.space.is_users() && predicate.kind == Kind::Undefined;
        let hidden = !shared && !self.modules.is_programs(predicate.space);
        if hidden || self.hooks.as_deref().is_none_or(unseen) {
            return;
        }
        if self.hook_slots.len() <= id as usize {
            self.hook_slots.resize(id as usize + 1, 0);
        }
        if self.hook_slots[id as usize] == 0 {
            self.hook_slots[id as usize] = self.code.len() as u32;
            self.code.extend([Instr::Hook { pred: id }, Instr::HookReturn { pred: id }]);
        }
        self.entries[id as usize] = self.hook_slots[id as usize];
    }

    /// Whether the user's clauses run as plain code. What runs now ends as it began;
    /// calls from here on take the code asked for.
    pub fn set_plain(&mut self, plain: bool) {
        if std::mem::replace(&mut self.plain, plain) == plain {
            return;
        }
        for clause in &mut self.clauses {
            if !self.modules.is_programs(self.preds[clause.pred as usize].space) {
                continue;
            }
            let spans = std::mem::take(&mut clause.goal_spans);
            let used = OtherCode { start: clause.code, len: clause.code_len, goal_spans: spans };
            let next = clause.other.take().map_or_else(OtherCode::default, |other| *other);
            clause.other = (used.start != 0).then(|| Box::new(used));
            (clause.code, clause.code_len) = (next.start, next.len);
            clause.goal_spans = next.goal_spans;
        }
        for id in 0..self.preds.len() {
            let predicate = &self.preds[id];
            if self.modules.is_programs(predicate.space)
                && predicate.kind == Kind::Static
                && !predicate.clauses.is_empty()
            {
                self.code[predicate.slot as usize] = Instr::Link { pred: id as PredId };
            }
        }
    }

    /// Where the goal stands, in the text its clause was read from, that the clause's code was calling at an address.
    pub fn goal_span(&self, clause: ClauseId, address: u32) -> Option<Span> {
        let address = self.origin(address);
        let clause = self.clauses.get(clause as usize)?;
        let place = clause.place.as_ref()?;
        let (start, spans) = match &clause.other {
            Some(other) if (other.start..other.start + other.len).contains(&address) => {
                (other.start, &other.goal_spans)
            }
            _ => (clause.code, &clause.goal_spans),
        };
        let offset = address.saturating_sub(start);
        let goal = spans.iter().rev().find(|(from, _)| *from <= offset);
        Some(goal.map_or(place.span, |(_, span)| *span))
    }
}

impl Machine {
    pub(super) fn enter_hook(&mut self, pred: PredId) -> u32 {
        match self.observer {
            Observer::Nobody => self.program.definition(pred),
            Observer::Profile => self.enter_profiled(pred),
            Observer::Boxes(boxed) => {
                // What the library calls on its own account is no news to the user.
                let name = self.program.preds[pred as usize].name;
                if self.symbols.name(name).starts_with('$') {
                    return self.program.definition(pred);
                }
                self.x[0] = self.goal_in_x(pred);
                self.x[1] = Cell::small(i64::from(self.cp.saturating_sub(1)));
                self.program.entries[boxed as usize]
            }
        }
    }

    /// `'$traced_original'(Goal)`: runs the definition of a hooked predicate.
    pub(super) fn enter_original(&mut self) -> Result<Next, Fault> {
        let (goal, space) = self.goal_and_space(self.x[0], Space::User);
        let Some((name, arity, args)) = self.heap.name_arity(goal) else {
            return Err(self.type_error("callable", goal));
        };
        self.load_arguments(args, arity, 0)?;
        let pred = self.program.pred(name, arity, space);
        Ok(Next::Go(self.program.definition(pred)))
    }

    /// Number of choice points.
    pub fn choice_height(&self) -> usize {
        self.choices.len()
    }

    /// Drops the choice points above a height, as a cut does.
    pub fn drop_choices(&mut self, height: usize) {
        self.cut_to(height);
    }
}
