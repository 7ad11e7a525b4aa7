//! A goal that does not end: the calls that come again and again, with what stays
//! the same in them and what grows.

use super::case::is_operator;
use super::explanation::Explanation;
use super::expressions::unevaluated_in;
use super::goals::{Bound, Call};
use super::places::{Site, goal_place, head_place};
use super::prover::Prover;
use super::terms::TermPrinter;
use zug_machine::{ClauseId, Space};
use zug_term::diagnostic::{Diagnostic, Label, Severity};
use zug_term::symbol::atoms;
use zug_term::{Cell, Value, size};

/// Callers looked at.
const CHAIN: usize = 1 << 20;
/// Calls in one round of a cycle.
const LONGEST: usize = 12;
/// Nodes of a term that are counted.
const SIZE: usize = 100_000;
/// Calls, and clauses, looked at for one that stops a recursion.
const STOPS: usize = 1000;
/// Calls inside each other that look like a recursion without end.
const DEEP: usize = 2_000;
/// Callers compared with a call.
const LOOK_BACK: usize = 128;
/// Calls shown of a round.
const SHOWN: usize = 8;
/// Characters shown of an argument.
const VALUE: usize = 32;

/// A call in the chain.
struct Link {
    site: Site,
    goal: Cell,
}

/// What an argument does from one round to the next.
enum Change {
    Stays,
    Grows,
    Other,
}

impl Prover<'_> {
    /// What is known of a run that was ended by a bound.
    pub fn endless(&mut self, bound: Bound) -> Explanation {
        let query = self.query_text();
        let how = match bound {
            Bound::Loop => "does not end: a call comes again unchanged".to_owned(),
            Bound::Depth => {
                format!("does not end within {} calls inside each other", self.budget.depth)
            }
            Bound::Steps => {
                let steps = self.steps.min(self.budget.steps);
                format!("does not end within {steps} steps")
            }
            Bound::Time => "does not end in the time there is".to_owned(),
            Bound::Memory => "does not end in the memory there is".to_owned(),
        };
        let mut found = Explanation { title: format!("{query} {how}"), ..Explanation::default() };
        let chain = self.chain();
        // A recursion that comes back from its depths is none that goes on for ever.
        let deep = |length: &usize| {
            let same = chain.iter().zip(&chain[*length..]).take_while(|(a, b)| a.site == b.site);
            matches!(bound, Bound::Loop | Bound::Depth) || same.count() > DEEP
        };
        match round(&chain).filter(deep) {
            Some(length) => {
                // The first rounds are the easiest to read.
                let last = (length..).take_while(|&i| {
                    chain.get(i).is_some_and(|link| link.site == chain[i - length].site)
                });
                let rounds = last.last().unwrap_or(length).saturating_sub(2 * length);
                let from = if bound == Bound::Loop { 0 } else { rounds };
                let mut finding = self.cycle(&chain[from..], length, bound);
                let counts = bound == Bound::Depth || bound == Bound::Steps;
                if counts
                    && finding.message.ends_with("again and again")
                    && let Some((id, goal)) = self.stop(&chain)
                {
                    self.tell_stop(&mut finding, &chain, length, id, &goal);
                }
                found.findings.push(finding);
            }
            None => found.findings.extend(self.busiest()),
        }
        found
    }

    /// The calls that are running, innermost first.
    fn chain(&self) -> Vec<Link> {
        let Some(last) = self.last else { return Vec::new() };
        let first = Link { site: self.goal_site(&last), goal: last.cell };
        let calls = self.frames(last.frame).filter(|call| call.space.is_users());
        let link =
            |call: &Call| Link { site: self.site_of(call.frame, call.site), goal: call.goal };
        let mut links: Vec<Link> =
            std::iter::once(first).chain(calls.map(link)).take(CHAIN).collect();
        // A goal that is no call of the user's is not part of the round.
        if links.len() > 1 && self.is_leaf(last.cell) {
            links.remove(0);
        }
        links
    }

    fn is_leaf(&self, cell: Cell) -> bool {
        let Some((name, arity, _)) = self.store.heap.name_arity(cell) else { return true };
        let own = self.m.program.lookup(name, arity, Space::User);
        !own.is_some_and(|id| {
            self.m.program.preds[self.m.program.resolve(id) as usize].space.is_users()
        })
    }

    fn cycle(&self, chain: &[Link], length: usize, bound: Bound) -> Diagnostic {
        let words = TermPrinter::new(&self.store.heap, self.m, self.w);
        let inner = &chain[0];
        let name = words.limited(inner.goal, 60);
        let changes = self.changes(chain, length);
        let same = changes.iter().all(|(_, change, _)| matches!(change, Change::Stays));
        let first_goal = self.is_first_goal(inner.site);
        let left = length == 1 && first_goal && (same || bound == Bound::Loop);
        let back = self.comes_back(chain);
        let message = if left {
            format!("left recursion: `{name}` calls itself before anything else")
        } else if let Some(way) = &back {
            format!("`{name}` comes back to itself: {way}")
        } else if length == 1 {
            format!("`{name}` calls itself again and again")
        } else {
            format!("`{name}` comes back to itself through {} calls", length)
        };
        let mut finding = Diagnostic::new(Severity::Note, "N0802", message);
        let mut hints = Vec::new();
        for (number, change, text) in changes.iter().filter(|_| back.is_none() || left) {
            match change {
                Change::Stays if changes.len() > 1 || same => {
                    hints.push(format!("argument {number} stays {text}"));
                }
                Change::Stays => {}
                Change::Grows => hints.push(format!("argument {number} grows: {text}")),
                Change::Other => hints.push(format!("argument {number} goes {text}")),
            }
        }
        let table = self.table_directive(inner.goal);
        let mut advice = if left {
            format!(
                "put a goal before it that leads on, as the first step, and let the recursion follow; or write `{table}`, which ends the loop"
            )
        } else if same || back.is_some() {
            format!(
                "the same call can only do the same again: keep a list of what was visited, let an argument get smaller, or write `{table}`"
            )
        } else {
            "no clause stops it: see that one does, and that its arguments come nearer to it"
                .to_owned()
        };
        let mut blame = None;
        let is_sum = |cell: Cell| {
            let term = self.store.heap.name_arity(cell);
            term.is_some_and(|(name, arity, _)| is_operator(self.m.symbols.name(name), arity))
        };
        for (number, change, _) in &changes {
            let grown = self.argument(inner.goal, *number);
            if matches!(change, Change::Grows) && grown.is_some_and(is_sum) {
                advice =
                    "the argument is a term that nobody works out: use `is`, not `=`".to_owned();
                let mut clauses = chain.iter().take(length).filter_map(|link| link.site.0);
                blame = clauses.find_map(|id| {
                    goal_place(self.m, self.w, (Some(id), unevaluated_in(self.m, id)?))
                });
            }
        }
        hints.push(advice);
        finding.hint = Some(hints.join("; "));
        if let Some((source, span)) = blame {
            finding = finding.at(&source, span, "this does not compute");
        }
        for (i, link) in chain[..length].iter().enumerate().rev() {
            let Some((source, span)) = goal_place(self.m, self.w, link.site) else { continue };
            let text = match (length, i) {
                (1, _) => "called from here each time".to_owned(),
                (_, 0) => "and so on".to_owned(),
                _ => format!("calls `{}`", words.limited(link.goal, VALUE)),
            };
            let label = Label { source, span, text };
            if finding.primary.is_none() {
                finding.primary = Some(label);
            } else if finding.primary.as_ref().is_some_and(|other| other.span != label.span) {
                finding.secondary.push(label);
            }
        }
        finding
    }

    /// A clause that does not recurse and matches one of the calls, with the call.
    fn stop(&mut self, chain: &[Link]) -> Option<(ClauseId, String)> {
        for link in chain.iter().rev().take(STOPS) {
            let (name, arity, _) = self.store.heap.name_arity(link.goal)?;
            let Some(pred) = self.m.program.lookup(name, arity, Space::User) else { continue };
            for id in self.m.program.live_clauses(pred).into_iter().take(STOPS) {
                let clause = &self.m.program.clauses[id as usize];
                if clause.body() != Cell::atom(atoms::TRUE) {
                    continue;
                }
                let mark = self.store.mark();
                let root = clause.record.instantiate(&mut self.store.heap);
                let head = self.store.heap.at(root.addr() + 1);
                let fits = self.store.unify(head, link.goal);
                self.store.undo(mark);
                if fits {
                    let words = TermPrinter::new(&self.store.heap, self.m, self.w);
                    return Some((id, words.limited(link.goal, VALUE)));
                }
            }
        }
        None
    }

    /// Says why a clause that would stop the calls did not.
    fn tell_stop(
        &self,
        finding: &mut Diagnostic,
        chain: &[Link],
        length: usize,
        id: ClauseId,
        goal: &str,
    ) {
        let Some((source, span)) = head_place(self.m, self.w, id) else { return };
        let clause = &self.m.program.clauses[id as usize];
        let recursive = chain.iter().take(length).filter_map(|link| link.site.0);
        let all = self.m.program.live_clauses(clause.pred);
        let place = |wanted: ClauseId| all.iter().position(|&id| id == wanted);
        let first = recursive.filter_map(place).min();
        let is_late = first.zip(place(id)).is_some_and(|(recursive, own)| recursive < own);
        finding.hint = Some(if is_late {
            format!(
                "a clause for `{goal}` is there, but the one before it matches too and is tried first: put it in front"
            )
        } else {
            format!(
                "the clause for `{goal}` stops it only once: when another answer is looked for, this clause goes on beyond; give it a test that says no there, as `N > 0`"
            )
        });
        let text = format!("this clause is for `{goal}`");
        finding.secondary.push(Label { source, span, text });
    }

    /// The calls from one to the next equal one: `p(a)`, `p(b)`, `p(a)`.
    fn comes_back(&self, chain: &[Link]) -> Option<String> {
        let first = &chain[0];
        let same = |link: &Link| self.store.is_variant(link.goal, first.goal);
        let again = 1 + chain.iter().skip(1).take(LOOK_BACK).position(same)?;
        let words = TermPrinter::new(&self.store.heap, self.m, self.w);
        let mut way: Vec<String> = chain[..=again]
            .iter()
            .rev()
            .map(|link| format!("`{}`", words.limited(link.goal, VALUE)))
            .collect();
        if way.len() > SHOWN {
            way.splice(SHOWN / 2..way.len() - SHOWN / 2, ["…".to_owned()]);
        }
        Some(way.join(", "))
    }

    /// The directive that has the predicate of a goal tabled.
    fn table_directive(&self, goal: Cell) -> String {
        let (name, arity, _) = self.store.heap.name_arity(goal).unwrap_or((atoms::NIL, 0, 0));
        let pred = self.m.program.lookup(name, arity, Space::User);
        let name = pred.map_or_else(
            || format!("{}/{arity}", self.m.symbols.name(name)),
            |pred| super::places::indicator(self.m, pred),
        );
        format!(":- table {name}.")
    }

    fn argument(&self, goal: Cell, number: usize) -> Option<Cell> {
        let (_, arity, args) = self.store.heap.name_arity(goal)?;
        (number <= arity).then(|| self.store.heap.deref(self.store.heap.at(args + number - 1)))
    }

    /// What the arguments do from round to round, with their values.
    fn changes(&self, chain: &[Link], length: usize) -> Vec<(usize, Change, String)> {
        let words = TermPrinter::new(&self.store.heap, self.m, self.w);
        let heap = &self.store.heap;
        let arity = heap.name_arity(chain[0].goal).map_or(0, |(_, arity, _)| arity);
        let mut found = Vec::new();
        for number in 1..=arity {
            let rounds: Vec<Cell> = (0..3)
                .rev()
                .filter_map(|round| self.argument(chain.get(round * length)?.goal, number))
                .collect();
            let [Some(&new), Some(&old)] = [rounds.last(), rounds.first()] else { continue };
            let sizes: Vec<usize> = rounds.iter().map(|&cell| size(heap, cell, SIZE)).collect();
            let texts = || {
                let texts =
                    rounds.iter().map(|&cell| format!("`{}`, ", words.limited(cell, VALUE)));
                texts.collect::<String>() + "…"
            };
            let both_open =
                matches!((heap.value(new), heap.value(old)), (Value::Var(_), Value::Var(_)));
            found.push(if both_open {
                (number, Change::Stays, "unbound".to_owned())
            } else if rounds.windows(2).all(|pair| self.store.is_variant(pair[0], pair[1])) {
                (number, Change::Stays, format!("`{}`", words.limited(new, VALUE)))
            } else if sizes.windows(2).all(|pair| pair[0] < pair[1]) {
                (number, Change::Grows, texts())
            } else {
                (number, Change::Other, texts())
            });
        }
        found
    }

    /// Whether a goal is the first of its clause's body.
    fn is_first_goal(&self, site: Site) -> bool {
        let Some(id) = site.0 else { return false };
        let place = &self.m.program.clauses[id as usize].place;
        place.as_ref().is_some_and(|place| {
            let first = place.goals.iter().min_by_key(|(_, span)| (span.start, span.end));
            first.is_some_and(|(slot, _)| *slot == site.1)
        })
    }

    /// The goal that failed most often: what a search without end goes on about.
    fn busiest(&self) -> Option<Diagnostic> {
        let failures = self.failures.as_ref()?.all();
        let busy = failures.iter().max_by_key(|failure| failure.times)?;
        let (heap, root) = busy.term.to_heap();
        let words = TermPrinter::new(&heap, self.m, self.w);
        let (_, _, args) = heap.name_arity(root)?;
        let message = format!(
            "`{}` and its like failed {} times, and there was always something left to try",
            words.term(heap.at(args)),
            busy.times
        );
        let finding = Diagnostic::new(Severity::Note, "N0803", message);
        Some(match goal_place(self.m, self.w, busy.site) {
            Some((source, span)) => finding.at(&source, span, ""),
            None => finding,
        })
    }
}

/// The number of calls after which a chain repeats, if it does.
fn round(chain: &[Link]) -> Option<usize> {
    (1..=LONGEST).find(|&length| {
        let times = if length == 1 { 3 } else { 2 };
        let part = length * times;
        chain.len() > part && (0..part).all(|i| chain[i].site == chain[i + length].site)
    })
}
