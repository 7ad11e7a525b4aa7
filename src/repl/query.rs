//! One query: its answers, or why there are none.

use super::{Flow, NextAnswer, Repl};
use std::fmt::Write;
use std::io;
use std::sync::atomic::Ordering;
use std::time::Instant;
use zug_domain::model::labelling_steps;
use zug_domain::{Effort, Journal, journal, take_journal};
use zug_explain::{Question, has_explanations, take_explanations};
use zug_machine::{Fault, Machine, StopReason};
use zug_prolog::builtins::streams::USER_OUTPUT;
use zug_prolog::builtins::tracer::Report;
use zug_prolog::session::Query;
use zug_render::answer::{Layout, answer};
use zug_render::board::{draw, picture, svg, trimmed};
use zug_render::compare;
use zug_render::explain::explanation;
use zug_render::game;
use zug_render::model::labelled;
use zug_render::number::{counted, time};
use zug_render::style::paint;
use zug_render::uncaught::{Uncaught, uncaught};
use zug_render::{profile, solution, trace};
use zug_search::Engine;
use zug_term::diagnostic::Diagnostic;
use zug_term::source::Source;
use zug_term::symbol::{Atom, atoms};
use zug_term::{Cell, Record, is_ground, size};
use zug_usecases::compare::judge;

/// What a newcomer types to leave or to get help, and what does it here.
const ELSEWHERE: &[(&str, &str)] = &[
    ("quit", "`:quit`, `halt.` or Ctrl-D leaves"),
    ("exit", "`:quit`, `halt.` or Ctrl-D leaves"),
    ("bye", "`:quit`, `halt.` or Ctrl-D leaves"),
    ("help", "`:help` helps"),
];

/// Boards drawn under an answer.
const BOARDS: usize = 3;
/// Nodes of a term beyond which it is no state to be drawn.
const LARGEST_STATE: usize = 1000;
/// Searches reported under an answer.
const REPORTS: usize = 3;

/// What a query was when it was typed, for messages.
pub(super) struct TypedQuery {
    pub(super) name: Option<(Atom, usize)>,
    ground: bool,
    pub(super) text: String,
    /// The variables that stand where a state stands.
    states: Vec<String>,
}

/// When a query began.
struct QueryStart {
    at: Instant,
    inferences: u64,
    /// Steps of labelling.
    steps: u64,
}

/// Where states stand in the goals of the contract.
const STATE_PLACES: &[(&str, usize, &[usize])] = &[
    ("initial_state", 1, &[0]),
    ("initial_state", 2, &[1]),
    ("final_state", 1, &[0]),
    ("rule", 4, &[2, 3]),
    ("heuristic", 2, &[0]),
    ("heuristic", 3, &[1]),
    ("action", 3, &[1]),
    ("joint_move", 3, &[1, 2]),
    ("move", 4, &[2, 3]),
    ("terminal", 2, &[1]),
    ("utility", 3, &[1]),
];

/// The variables of a query that stand where a state stands, in a goal of the contract
/// or as the start of an engine.
fn state_arguments(m: &Machine, goal: Cell) -> Vec<Cell> {
    let mut found = Vec::new();
    let mut todo = vec![goal];
    let mut seen = 0;
    while let Some(cell) = todo.pop() {
        seen += 1;
        let Some((name, arity, args)) = m.heap.name_arity(cell) else { continue };
        if seen > LARGEST_STATE {
            break;
        }
        let name = m.symbols.name(name);
        let known = STATE_PLACES.iter().find(|(n, a, _)| *n == name && *a == arity);
        let places = match known {
            Some((_, _, places)) => *places,
            None if (3..=4).contains(&arity) && Engine::by_name(name).is_some() => &[0],
            None => &[],
        };
        found.extend(
            places.iter().map(|&i| m.heap.deref(m.heap.at(args + i))).filter(|c| c.is_var()),
        );
        todo.extend((0..arity).map(|i| m.heap.deref(m.heap.at(args + i))));
    }
    found
}

impl Repl<'_> {
    /// Answers a query.
    pub(super) fn query(&mut self, source: Source) -> io::Result<Flow> {
        let mut query = match self.session.query_from(source) {
            Ok(query) => query,
            Err(fault) => {
                self.complain(&fault.diagnostic)?;
                self.tally.unreadable += 1;
                return Ok(Flow::Continue);
            }
        };
        let typed = self.typed(&query);
        let asked = self.asked(&query);
        if let Some(finding) = self.clause_typed(&typed) {
            self.complain(&finding)?;
            self.tally.unreadable += 1;
            self.session.close(query);
            return Ok(Flow::Continue);
        }
        if let Some(own) = self.prompt_query(&typed) {
            return self.prompt_answer(own, query);
        }
        self.full = None;
        take_journal(&mut self.session.world);
        take_explanations(&mut self.session.world);
        let began = QueryStart {
            at: Instant::now(),
            inferences: self.session.machine.inferences(),
            steps: labelling_steps(&self.session.world),
        };
        let flow = self.answers(&mut query, &typed, asked.as_ref(), &began);
        self.session.close(query);
        self.session.world.streams.end_query()?;
        flow
    }

    /// Reports a query that the end of the input cuts off.
    pub(super) fn unfinished(&mut self, source: Source) -> io::Result<()> {
        self.tally.unreadable += 1;
        let finding = match self.session.query_from(source.clone()) {
            Err(fault) => fault.diagnostic,
            Ok(query) => {
                let span = query.span;
                self.session.close(query);
                Diagnostic::error("E0105", "the input ends before this query does")
                    .at(&source, span, "")
                    .hint("end it with a full stop")
            }
        };
        self.complain(&finding)
    }

    fn typed(&self, query: &Query) -> TypedQuery {
        let heap = &self.session.machine.heap;
        let goal = self.session.goal(query);
        let text = query.source.text.get(query.span.start as usize..query.span.end as usize);
        let text = text.unwrap_or_default().trim().trim_end_matches('.').trim_end();
        let mut states = Vec::new();
        if let Some(goal) = goal {
            for cell in state_arguments(&self.session.machine, goal) {
                let named = self
                    .session
                    .bindings(query)
                    .find(|(_, variable)| heap.deref(*variable) == cell);
                states.extend(named.map(|(name, _)| name.to_owned()));
            }
        }
        TypedQuery {
            states,
            name: goal.and_then(|goal| heap.name_arity(goal)).map(|(name, arity, _)| (name, arity)),
            ground: goal.is_some_and(|goal| is_ground(heap, goal)),
            text: text.trim_start_matches("?-").trim_start().to_owned(),
        }
    }

    /// A rule typed as if it were a query.
    fn clause_typed(&self, typed: &TypedQuery) -> Option<Diagnostic> {
        let (what, call) = match typed.name? {
            (atoms::NECK, 2) => ("rule", "assertz"),
            (atoms::DCG_ARROW, 2) => ("grammar rule", ""),
            _ => return None,
        };
        let hint = if call.is_empty() {
            "to add rules, type `[user].`, then the rules, then Ctrl-D".to_owned()
        } else {
            format!(
                "to add it, ask `{call}(({})).`, or type `[user].`, then rules, then Ctrl-D",
                typed.text
            )
        };
        let message = format!("this is a {what}; the prompt takes queries");
        Some(Diagnostic::error("E0701", message).hint(hint))
    }

    fn answers(
        &mut self,
        query: &mut Query,
        typed: &TypedQuery,
        asked: Option<&Question>,
        began: &QueryStart,
    ) -> io::Result<Flow> {
        let mut before = false;
        loop {
            let written = self.written();
            let found = self.session.next(query);
            let silent = self.written() == written;
            self.fresh_line()?;
            self.pending_findings()?;
            match found {
                Ok(true) => {}
                Ok(false) => {
                    let text = if before { "no more answers." } else { "false." };
                    let under = self.engine_reports();
                    self.say(&format!("{text}\n{under}"))?;
                    if let Some(asked) = asked.filter(|_| !before) {
                        self.closest(asked, typed)?;
                    }
                    return Ok(Flow::Continue);
                }
                Err(fault) => return self.fault(fault, typed, began),
            }
            before = true;
            let more = self.session.has_more(query);
            let shown = answer(self.session, query, Layout::Cut { advice: ":full shows all" });
            self.full = shown.full;
            // An explanation says more than that its goal is true.
            let explained = shown.text == "true" && has_explanations(&self.session.world);
            let under = self.under(query, typed, silent);
            if !more {
                let text = if explained { String::new() } else { format!("{}.\n", shown.text) };
                self.say(&format!("{text}{under}"))?;
                self.show_pictures()?;
                return Ok(Flow::Continue);
            }
            if !under.is_empty() {
                let text = if explained { String::new() } else { format!("{}\n", shown.text) };
                self.say(&format!("{text}{under}"))?;
                self.show_pictures()?;
                if self.wait("")? == NextAnswer::Stop {
                    return Ok(Flow::Continue);
                }
                continue;
            }
            let (lines, last) = match shown.text.rsplit_once('\n') {
                Some((lines, last)) => (Some(lines), last),
                None => (None, &*shown.text),
            };
            if let Some(lines) = lines {
                self.say(&format!("{lines}\n"))?;
            }
            let wish = self.wait(last)?;
            self.show_pictures()?;
            if wish == NextAnswer::Stop {
                return Ok(Flow::Continue);
            }
        }
    }

    fn wait(&mut self, line: &str) -> io::Result<NextAnswer> {
        let wish = self.console.more(self.session, line)?;
        // Ctrl-C while waiting was for the waiting, not for the search to come.
        self.session.machine.interrupt.store(false, Ordering::Relaxed);
        Ok(wish)
    }

    /// How much was written to `user_output`.
    fn written(&self) -> usize {
        self.session.world.streams.get(USER_OUTPUT).map_or(0, |stream| stream.place.characters)
    }

    /// What stands under an answer: states as boards, unless the query drew
    /// something itself, and what engines did.
    fn under(&mut self, query: &Query, typed: &TypedQuery, silent: bool) -> String {
        let mut text = String::new();
        let states = if silent { self.states(query, typed) } else { Vec::new() };
        for (name, state) in states {
            if let Some(pictures) = &mut self.pictures {
                if let Ok(drawn) = picture(self.session, &state) {
                    pictures.push(svg::single(&name, &drawn));
                }
            } else if let Some(board) = draw(self.session, &state) {
                let _ = write!(text, "{}\n{}\n", paint(self.theme.dim, &name), trimmed(&board));
            }
        }
        text + &self.engine_reports()
    }

    /// Bindings of variables that stand for states in the query, and look like some.
    fn states(&mut self, query: &Query, typed: &TypedQuery) -> Vec<(String, Record)> {
        let named: Vec<(String, Cell)> =
            self.session.bindings(query).map(|(name, cell)| (name.to_owned(), cell)).collect();
        let mut found = Vec::new();
        for (name, cell) in named {
            let heap = &mut self.session.machine.heap;
            let is_state = typed.states.contains(&name);
            if !is_state
                || name.starts_with('_')
                || size(heap, cell, LARGEST_STATE) >= LARGEST_STATE
            {
                continue;
            }
            let state = Record::new(heap, cell);
            if self.shapes.fit(self.session, &state) {
                found.push((name, state));
            }
        }
        found.truncate(BOARDS);
        found
    }

    /// Explanations asked for since the last answer, and reports of the engines that ran.
    fn engine_reports(&mut self) -> String {
        let mut text = String::new();
        for found in take_explanations(&mut self.session.world) {
            let shown = explanation(self.session, &found, ":full shows all", &self.theme);
            text += &shown.text;
            self.full = self.full.take().or(shown.full);
        }
        let Journal { mut puzzles, games, comparisons, conditions } =
            take_journal(&mut self.session.world);
        for searched in puzzles.iter_mut().take(REPORTS) {
            text += &match searched {
                Ok(searched) => {
                    let (m, w) = (&mut self.session.machine, &mut self.session.world);
                    searched.verify(m, w, Effort::default());
                    solution::run(&searched.solution, self.session, &self.theme)
                }
                Err(failed) => solution::failed(failed, &self.theme),
            };
        }
        for found in games.iter().take(REPORTS) {
            text += &game::run(found, self.session, &self.theme);
        }
        for report in std::mem::take(&mut self.session.world.tracer.reports) {
            text += &match report {
                Report::Tree(tree, layout) => trace::text(&tree, layout.lines, &self.theme),
                Report::Profile(report) => profile::text(&report, &self.theme),
            };
        }
        for found in comparisons {
            text += &compare::table(&judge(self.session, "", &found), &self.theme);
        }
        for condition in conditions {
            text += &game::condition(&condition, &self.theme);
        }
        let hidden = puzzles.len().saturating_sub(REPORTS) + games.len().saturating_sub(REPORTS);
        if hidden > 0 {
            let more = counted(hidden as u64, "search");
            let more = more.replace("searchs", "searches");
            let _ = writeln!(text, "and {more} more");
        }
        text
    }

    fn fault(&mut self, fault: Fault, typed: &TypedQuery, began: &QueryStart) -> io::Result<Flow> {
        match fault {
            Fault::Halt(status) => {
                self.tally.halted = Some(status);
                return Ok(Flow::Leave);
            }
            Fault::Stopped(reason) => {
                self.tally.errors += 1;
                self.stopped(reason, began)?;
            }
            Fault::Ball(_) if self.session.machine.interrupt.load(Ordering::Relaxed) => {
                self.tally.errors += 1;
                self.stopped(StopReason::Interrupted, began)?;
            }
            Fault::Ball(ball) => {
                self.tally.errors += 1;
                // A search that met its limit says so better than the exception does.
                if !self.is_search_limit(&ball) {
                    let mut error = uncaught(self.session, &ball);
                    self.advise(&mut error, typed);
                    self.advise_on_memory(&mut error, typed);
                    self.show_error(&error)?;
                }
            }
        }
        let reports = self.engine_reports();
        self.say(&reports)?;
        Ok(Flow::Continue)
    }

    /// Whether a ball is `resource_error(Limit)` of the engine that ran last.
    fn is_search_limit(&mut self, ball: &Record) -> bool {
        let done = journal(&mut self.session.world);
        let puzzle = done.puzzles.last().and_then(|last| last.as_ref().ok());
        let puzzle = puzzle.and_then(|last| last.solution.outcome().reason());
        let game = done.games.last().and_then(|found| found.outcome.reason());
        let Some(reason) = puzzle.or(game) else { return false };
        let (heap, root) = ball.to_heap();
        let formal = heap.match_struct::<2>(root, atoms::ERROR).map(|[formal, _]| formal);
        let resource =
            formal.and_then(|formal| heap.match_struct::<1>(formal, atoms::RESOURCE_ERROR));
        let name = resource.and_then(|[name]| heap.deref(name).as_atom());
        name.is_some_and(|name| self.session.machine.symbols.name(name) == reason.to_string())
    }

    /// Where an interrupted query was, and what it had done by then.
    fn stopped(&mut self, reason: StopReason, began: &QueryStart) -> io::Result<()> {
        let machine = &self.session.machine;
        let what = match reason {
            StopReason::Interrupted if self.session.world.tracer.aborted => "aborted",
            StopReason::Interrupted => "interrupted",
            StopReason::Time => "out of time",
            StopReason::Inferences => "out of inferences",
            StopReason::Output => "stopped at the limit of output",
        };
        let pred = machine.interrupted_in.filter(|_| what == "interrupted");
        let place = pred.map(|pred| machine.program.indicator(pred, &machine.symbols));
        let place = place.filter(|name| !name.starts_with('$'));
        let place = place.map_or(String::new(), |name| format!(" in {name}"));
        let inferences = machine.inferences().saturating_sub(began.inferences);
        let aborted = self.session.world.tracer.aborted;
        if self.console.interactive() && reason == StopReason::Interrupted && !aborted {
            // Behind the `^C` that the terminal shows.
            self.say("\n")?;
        }
        let what = paint(self.error_theme.warning, what);
        let steps = labelling_steps(&self.session.world) - began.steps;
        let text = format!(
            "{what}{place} after {} and {}{}\n",
            time(began.at.elapsed()),
            counted(inferences, "inference"),
            labelled(steps)
        );
        self.warn(&text)?;
        if reason == StopReason::Interrupted && !aborted && self.hints() {
            let advice = match steps {
                0 => "   `why_not(Goal).` shows which calls of a goal come again and again\n",
                _ => {
                    "   more constraints, or `labeling([ff], Vars)`, leave fewer values to be tried\n"
                }
            };
            let advice = paint(self.theme.dim, advice);
            self.say(&advice)?;
        }
        Ok(())
    }

    /// What a newcomer may have meant.
    fn advise(&self, error: &mut Uncaught, typed: &TypedQuery) {
        let Some((name, arity)) = error.unknown else { return };
        if typed.name != Some((name, arity)) {
            return;
        }
        let hint = &mut error.diagnostic.hint;
        let elsewhere =
            ELSEWHERE.iter().find(|(word, _)| *word == self.session.machine.symbols.name(name));
        if let Some((_, advice)) = elsewhere.filter(|_| arity == 0) {
            *hint = Some((*advice).to_owned());
        } else if typed.ground && arity > 0 {
            let add = format!(
                "o add it as a fact, ask `assertz({}).`; to type several, `[user].`",
                typed.text
            );
            *hint = Some(match hint.take() {
                Some(other) => format!("{other} T{add}"),
                None => format!("t{add}"),
            });
        }
    }

    fn show_error(&mut self, error: &Uncaught) -> io::Result<()> {
        self.complain(&error.diagnostic)?;
        if error.chain.len() > 1 {
            for line in &error.chain {
                let line = paint(self.error_theme.dim, line);
                self.warn(&format!("   {line}\n"))?;
            }
        }
        Ok(())
    }
}
