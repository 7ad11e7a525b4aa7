//! Descriptions of the outcomes of tests.

use super::loading::{shortened, shown};
use super::{Running, TestOutcome, TestRun, options};
use crate::builtins::database::strip_module;
use crate::builtins::{World, messages, suggest};
use std::fmt::Write as _;
use std::sync::Arc;
use zug_machine::{Fault, Machine, StopReason};
use zug_term::diagnostic::Diagnostic;
use zug_term::source::{Source, Span};
use zug_term::symbol::atoms;
use zug_term::{Cell, Record};

/// What ended a goal otherwise than by true or false.
#[derive(Clone, Debug)]
pub enum Trouble {
    /// An exception, and the user's goal that raised it.
    Raised(Box<Record>, Option<(Source, Span)>),
    /// A limit of the test's.
    Stopped(StopReason),
    /// `halt/1`.
    Halt(i32),
}

/// The result of a test.
#[derive(Default)]
pub struct Verdict {
    pub outcome: TestOutcome,
    pub choice_point: bool,
    pub reason: Option<String>,
    pub findings: Vec<Diagnostic>,
    pub warnings: Vec<Diagnostic>,
}

impl Verdict {
    fn found(outcome: TestOutcome, finding: Diagnostic) -> Verdict {
        Verdict { outcome, findings: vec![finding], ..Verdict::default() }
    }

    fn limit(which: &str, finding: Diagnostic) -> Verdict {
        let reason = Some(which.to_owned());
        Verdict { reason, ..Verdict::found(TestOutcome::Limit, finding) }
    }

    fn left_out(outcome: TestOutcome, reason: String) -> Verdict {
        Verdict { outcome, reason: Some(reason), ..Verdict::default() }
    }
}

/// A test that is over, with what its options say.
struct Case<'a> {
    m: &'a Machine,
    w: &'a World,
    running: &'a Running,
    source: &'a Source,
    head: Span,
    /// Each option as it is now, and where it stands.
    options: Vec<(Cell, Span)>,
    /// Variables of the head that have values: `X = 5`.
    values: Vec<String>,
}

/// Values shown of one test.
const VALUES: usize = 8;

/// Judges a test: `a` is its result, as `library/plunit.pl` has it, and the test's goal with
/// what was found.
pub fn of(m: &Machine, w: &World, running: &Running, a: &[Cell]) -> Verdict {
    let case = Case::new(m, w, running, a[1]);
    let mut verdict = case.judge(m.heap.deref(a[0]));
    if let Some(why) = case.option("fixme") {
        use TestOutcome::{Blocked, Skipped};
        if !matches!(verdict.outcome, Blocked | Skipped) {
            let how = if verdict.outcome == TestOutcome::Passed { "it passes" } else { "it fails" };
            let why = case.said(why);
            return Verdict {
                choice_point: verdict.choice_point,
                ..Verdict::left_out(TestOutcome::Fixme, format!("{why}; {how}"))
            };
        }
    }
    if verdict.outcome == TestOutcome::Passed && !running.assertions.is_empty() {
        verdict.outcome = TestOutcome::Failed;
    }
    if verdict.outcome.is_failure() {
        verdict.findings.splice(0..0, running.assertions.iter().cloned());
    }
    if verdict.choice_point && verdict.outcome == TestOutcome::Passed {
        let finding = Diagnostic::warning("W0901", "the test succeeds with a choice point left")
            .at(case.source, case.head, "")
            .hint(
                "if that is meant, give it the option `nondet`; else a cut or `once/1` is missing",
            );
        verdict.warnings.push(finding);
    }
    verdict
}

/// A test that a limit of the whole left in the middle.
pub fn stopped(m: &Machine, w: &World, running: &Running) -> Verdict {
    let case = Case::bare(m, w, running);
    match w.tests.troubles.last() {
        Some(trouble) => case.troubled("", trouble),
        None => Verdict::default(),
    }
}

impl<'a> Case<'a> {
    fn bare(m: &'a Machine, w: &'a World, running: &'a Running) -> Case<'a> {
        let test = &w.tests.units[running.unit].tests[running.test];
        let (options, values) = (Vec::new(), Vec::new());
        Case { m, w, running, source: &test.source, head: test.head, options, values }
    }

    fn new(m: &'a Machine, w: &'a World, running: &'a Running, goal: Cell) -> Case<'a> {
        let mut case = Case::bare(m, w, running);
        let test = &w.tests.units[running.unit].tests[running.test];
        case.values = values(m, w, test.clause, goal);
        if let Some((_, 2, args)) = m.heap.name_arity(goal) {
            let found = options::elements(&m.heap, m.heap.at(args + 1), args + 1);
            let spans = test.options.iter().copied().chain(std::iter::repeat(test.head));
            case.options = found.into_iter().map(|(option, _)| option).zip(spans).collect();
        }
        case
    }

    /// The argument of an option.
    fn option(&self, wanted: &str) -> Option<Cell> {
        self.options.iter().find_map(|&(option, _)| {
            let (name, _, args) = self.m.heap.name_arity(option).filter(|found| found.1 == 1)?;
            (self.m.symbols.name(name) == wanted).then(|| self.m.heap.at(args))
        })
    }

    /// Where the option stands that says what the test expects; else the head.
    fn expected_at(&self) -> Span {
        let says = |option: Cell| options::mode(self.m, &self.m.heap, option).is_some();
        self.options.iter().find(|(option, _)| says(*option)).map_or(self.head, |(_, span)| *span)
    }

    fn shown(&self, cell: Cell) -> String {
        shown(&self.m.heap, self.m, self.w, cell)
    }

    /// A reason: text without quotes.
    fn said(&self, cell: Cell) -> String {
        match self.m.heap.deref(cell) {
            cell if cell.is_atom() => {
                shortened(cell.as_atom().map_or("", |atom| self.m.symbols.name(atom)).to_owned())
            }
            cell => self.shown(cell),
        }
    }

    /// A finding at the option that says what is expected, with the values of variables.
    fn unexpected(&self, message: String) -> Verdict {
        let words = match &self.values[..] {
            [] => String::new(),
            values => format!("here {}", values.join(", ")),
        };
        let finding = Diagnostic::error("E0901", message);
        Verdict::found(TestOutcome::Failed, finding.at(self.source, self.expected_at(), words))
    }

    fn judge(&self, result: Cell) -> Verdict {
        let heap = &self.m.heap;
        let Some((name, arity, args)) = heap.name_arity(result) else { return Verdict::default() };
        let arg = |i: usize| heap.deref(heap.at(args + i));
        match (self.m.symbols.name(name), arity) {
            ("passed", 1) => {
                let det = arg(0).as_atom() == Some(atoms::TRUE);
                let meant = self.options.iter().any(|(option, _)| {
                    option.as_atom().is_some_and(|name| self.m.symbols.name(name) == "nondet")
                });
                Verdict {
                    outcome: TestOutcome::Passed,
                    choice_point: !det && !meant,
                    ..Verdict::default()
                }
            }
            ("failed", 1) => {
                let finding = Diagnostic::error("E0901", "the test has no answer");
                Verdict::found(TestOutcome::Failed, finding.at(self.source, self.head, ""))
            }
            ("raised", 2) => self.trouble("", arg(1)),
            ("stopped", 1) => self.trouble("", arg(0)),
            ("wrong", 1) => self.unexpected(self.wrong_answer(arg(0))),
            ("answers", 4) => {
                let [expected, got] = [2, 3].map(|i| self.shown(arg(i)));
                let what = match arg(0).as_atom().map(|kind| self.m.symbols.name(kind)) {
                    Some("set") => "the set of answers",
                    Some("bag") => "the bag of answers",
                    _ => "the answers",
                };
                let by = self.by(arg(1));
                self.unexpected(format!("expected {what} {expected}, got {got}{by}"))
            }
            ("succeeded", 0) => {
                self.unexpected("the test has an answer, and should have none".to_owned())
            }
            ("no_error", 2) => {
                let how = match arg(1).is_atom() {
                    true => "the test has no answer and raises nothing",
                    false => "the test has an answer and raises nothing",
                };
                self.unexpected(format!("expected the exception {}; {how}", self.shown(arg(0))))
            }
            ("wrong_error", 2) => {
                let mut verdict = self.trouble("", arg(1));
                let expected = self.shown(arg(0));
                if let Some(finding) = verdict.findings.first_mut() {
                    let got = match self.kept(arg(1)) {
                        Some(Trouble::Raised(ball, _)) => {
                            let (heap, root) = ball.to_heap();
                            shown(&heap, self.m, self.w, root)
                        }
                        _ => finding.message.clone(),
                    };
                    finding.message = format!("expected the exception {expected}, got {got}");
                    *finding =
                        finding.clone().also(self.source, self.expected_at(), "expected here");
                }
                verdict.outcome = match verdict.outcome {
                    TestOutcome::Limit => TestOutcome::Limit,
                    _ => TestOutcome::Failed,
                };
                verdict
            }
            ("around", 3) => self.around("", arg(0), arg(2)),
            ("unit_around", 3) => self.around(" of the unit", arg(0), arg(2)),
            ("blocked", 1) => Verdict::left_out(TestOutcome::Blocked, self.said(arg(0))),
            ("skipped", 0) => {
                Verdict::left_out(TestOutcome::Skipped, "its condition does not hold".into())
            }
            ("no_instance", 0) => {
                Verdict::left_out(TestOutcome::Skipped, "`forall` has no answer".into())
            }
            ("problem", 0) => {
                let test = &self.w.tests.units[self.running.unit].tests[self.running.test];
                let (words, span) = test.problem.clone().unwrap_or_default();
                let finding = Diagnostic::error("E0902", words).at(self.source, span, "");
                Verdict::found(TestOutcome::Error, finding)
            }
            _ => {
                let unit = &self.w.tests.units[self.running.unit];
                let words = unit.problem.clone().unwrap_or_default();
                let finding = Diagnostic::error("E0902", words).at(&unit.place.0, unit.place.1, "");
                Verdict::found(TestOutcome::Error, finding)
            }
        }
    }

    /// A condition that does not hold behind a test's body.
    fn wrong_answer(&self, condition: Cell) -> String {
        let heap = &self.m.heap;
        match heap.name_arity(condition) {
            Some((op @ (atoms::IDENTICAL | atoms::UNIFY | atoms::NUM_EQ), 2, args)) => {
                self.compared(op, args)
            }
            Some((op, 2, args)) if self.m.symbols.name(op) == "=@=" => self.compared(op, args),
            _ => format!("the condition {} does not hold", self.shown(condition)),
        }
    }

    fn compared(&self, op: zug_term::symbol::Atom, args: usize) -> String {
        let [got, expected] = [args, args + 1].map(|at| self.shown(self.m.heap.at(at)));
        format!("expected {expected}, got {got}{}", self.by(Cell::atom(op)))
    }

    /// How two terms were compared, where that is worth saying.
    fn by(&self, op: Cell) -> String {
        match op.as_atom() {
            Some(atoms::IDENTICAL) | None => String::new(),
            Some(op) => format!(" (by `{}`)", self.m.symbols.name(op)),
        }
    }

    /// What a key of [`super::Tests::troubles`] stands for.
    fn kept(&self, key: Cell) -> Option<&Trouble> {
        self.w.tests.troubles.get(usize::try_from(key.as_int()?).ok()?)
    }

    fn trouble(&self, what: &str, key: Cell) -> Verdict {
        match self.kept(key) {
            Some(trouble) => self.troubled(what, trouble),
            None => Verdict::default(),
        }
    }

    /// A goal that raised an exception or was stopped; `what` it was if not the test itself.
    fn troubled(&self, what: &str, trouble: &Trouble) -> Verdict {
        let it = if what.is_empty() { "the test" } else { what };
        let at_head =
            |message: String| Diagnostic::error("E0902", message).at(self.source, self.head, "");
        match trouble {
            Trouble::Raised(ball, place) => {
                let mut finding = raised(self.m, self.w, it, ball);
                finding = match place {
                    Some((source, span)) => {
                        let head = self.source.position(self.head.start).line;
                        let there = source.position(span.start).line;
                        let found = finding.at(source, *span, "");
                        match source.name == self.source.name && head == there {
                            true => found,
                            false => found.also(self.source, self.head, "the test"),
                        }
                    }
                    None => finding.at(self.source, self.head, ""),
                };
                match Fault::Ball(ball.clone()).resource() {
                    Some(which) => Verdict::limit(self.m.symbols.name(which), finding),
                    None => Verdict::found(TestOutcome::Error, finding),
                }
            }
            Trouble::Stopped(StopReason::Time) => {
                let time = self.running.allowed(self.w.tests.time);
                let most = time.map_or(String::new(), |time| {
                    format!(": {} s", (time.as_secs_f64() * 1000.0).round() / 1000.0)
                });
                let message = format!("{it} takes longer than it may{most}");
                Verdict::found(TestOutcome::Timeout, at_head(message))
            }
            Trouble::Stopped(StopReason::Output) => {
                let most = self.w.tests.bytes.map(|most| format!(": {most} bytes"));
                let most = most.unwrap_or_default();
                Verdict::limit("output", at_head(format!("{it} writes more than it may{most}")))
            }
            Trouble::Stopped(_) => {
                let most = self.w.tests.inferences.map(|most| format!(": {most}"));
                let most = most.unwrap_or_default();
                let message = format!("{it} takes more inferences than it may{most}");
                Verdict::limit("inferences", at_head(message))
            }
            Trouble::Halt(status) => {
                Verdict::found(TestOutcome::Error, at_head(format!("{it} called halt({status})")))
            }
        }
    }

    /// A goal of an option that did not come out true.
    fn around(&self, of: &str, what: Cell, result: Cell) -> Verdict {
        let name = what.as_atom().map_or("", |name| self.m.symbols.name(name));
        let what = match name {
            "forall" => "the generator of `forall`".to_owned(),
            "true" | "all" | "set" | "bag" => "the comparison with what is expected".to_owned(),
            name => format!("the {name}{of}"),
        };
        let span = self.options.iter().find_map(|&(option, span)| {
            let (found, _, _) = self.m.heap.name_arity(option)?;
            (self.m.symbols.name(found) == name).then_some(span)
        });
        let span = span.unwrap_or(if of.is_empty() { self.expected_at() } else { self.head });
        let unit = &self.w.tests.units[self.running.unit];
        let (source, span) =
            if of.is_empty() { (self.source, span) } else { (&unit.place.0, unit.place.1) };
        match self.m.heap.name_arity(result) {
            Some((_, arity @ (1 | 2), args)) => {
                let mut verdict =
                    self.trouble(&what, self.m.heap.deref(self.m.heap.at(args + arity - 1)));
                for finding in &mut verdict.findings {
                    let known =
                        finding.primary.as_ref().is_some_and(|label| label.span != self.head);
                    if !known {
                        finding.secondary.clear();
                        *finding = finding.clone().at(source, span, "");
                    }
                }
                verdict
            }
            _ => {
                let finding = Diagnostic::error("E0902", format!("{what} has no answer"));
                Verdict::found(TestOutcome::Error, finding.at(source, span, ""))
            }
        }
    }
}

/// An exception in words.
fn raised(m: &Machine, w: &World, what: &str, ball: &Record) -> Diagnostic {
    let (heap, root) = ball.to_heap();
    let meant = suggest::for_ball(m, w, &heap, root);
    let words = messages::describe(&heap, &m.symbols, &w.operators, root, meant.as_deref());
    let message = shortened(words.message);
    let message = match message.strip_prefix("nothing catches the exception ") {
        Some(exception) => format!("{what} raised the exception {exception}"),
        None => format!("{what} raised an error: {message}"),
    };
    let mut finding = Diagnostic::error("E0902", message);
    finding.hint = words.hint;
    finding
}

/// A cleanup that did not come out true: `a` is what, the goal and its result.
pub fn around(m: &Machine, w: &World, a: &[Cell], code: &'static str) -> Diagnostic {
    let what = m.heap.deref(a[0]).as_atom().map_or("goal", |name| m.symbols.name(name));
    let goal = shown(&m.heap, m, w, a[1]);
    let what = format!("the {what} `{goal}`");
    let result = m.heap.name_arity(m.heap.deref(a[2]));
    let key = result.filter(|found| found.1 > 0);
    let key = key.and_then(|(_, arity, args)| m.heap.deref(m.heap.at(args + arity - 1)).as_int());
    let kept = key.and_then(|key| w.tests.troubles.get(usize::try_from(key).ok()?));
    let message = match kept {
        Some(Trouble::Raised(ball, _)) => raised(m, w, &what, ball).message,
        Some(Trouble::Stopped(_)) => format!("{what} takes longer than it may"),
        Some(Trouble::Halt(status)) => format!("{what} called halt({status})"),
        None => format!("{what} has no answer"),
    };
    let finding = Diagnostic::warning(code, message);
    match w.tests.running.last() {
        Some(running) => {
            let test = &w.tests.units[running.unit].tests[running.test];
            finding.at(&test.source, test.head, "")
        }
        None => finding,
    }
}

/// An assertion of the running test that is not true: the goal, and the exception it raised.
pub fn assertion(m: &Machine, w: &World, goal: Cell, ball: Option<&Record>) -> Diagnostic {
    let goal = shown(&m.heap, m, w, strip_module(&m.heap, goal));
    let message = match ball {
        None => format!("the assertion `{goal}` fails"),
        Some(ball) => raised(m, w, &format!("the assertion `{goal}`"), ball).message,
    };
    let finding = Diagnostic::error("E0901", message);
    let Some(running) = w.tests.running.last() else { return finding };
    let test = &w.tests.units[running.unit].tests[running.test];
    finding.at(&test.source, test.head, "")
}

/// The variables of a test's head that have values, by the names they have in the text: the
/// head as it was read and as it is now are walked side by side.
fn values(m: &Machine, w: &World, clause: zug_machine::ClauseId, goal: Cell) -> Vec<String> {
    let clause = &m.program.clauses[clause as usize];
    let Some(place) = &clause.place else { return Vec::new() };
    let (image, root) = clause.record.to_heap();
    let named = |at: usize| -> Option<&Arc<str>> {
        place.variables.iter().find_map(|(name, addr)| {
            (image.deref(image.at(*addr as usize)).addr() == at).then_some(name)
        })
    };
    let mut found: Vec<(u32, Arc<str>, Cell)> = Vec::new();
    let mut todo = vec![(image.at(root.addr() + 1), goal)];
    while let Some((read, now)) = todo.pop() {
        let (read, now) = (image.deref(read), m.heap.deref(now));
        if read.is_var() {
            if let Some(name) = named(read.addr())
                && !found.iter().any(|(_, known, _)| known == name)
            {
                found.push((read.addr() as u32, name.clone(), now));
            }
            continue;
        }
        if let (Some((_, arity, from)), Some((_, same, to))) =
            (image.name_arity(read), m.heap.name_arity(now))
            && arity == same
        {
            todo.extend((0..arity).map(|i| (image.at(from + i), m.heap.at(to + i))));
        }
    }
    found.sort_by_key(|(addr, ..)| *addr);
    let bound = found.iter().filter(|(_, _, value)| !value.is_var());
    bound
        .take(VALUES)
        .map(|(_, name, value)| format!("{name} = {}", shown(&m.heap, m, w, *value)))
        .collect()
}

/// Runs by outcome, in words: `12 passed, 1 failed`.
pub fn summary(runs: &[TestRun]) -> String {
    use TestOutcome::{Blocked, Error, Failed, Fixme, Limit, Passed, Skipped, Timeout};
    let words = [
        (Passed, "passed"),
        (Failed, "failed"),
        (Error, "with an error"),
        (Timeout, "out of time"),
        (Limit, "over a limit"),
        (Blocked, "blocked"),
        (Fixme, "known to fail"),
        (Skipped, "skipped"),
    ];
    let counted = words.into_iter().filter_map(|(outcome, word)| {
        let count = runs.iter().filter(|run| run.outcome == outcome).count();
        (count > 0 || outcome == Passed).then(|| format!("{count} {word}"))
    });
    counted.collect::<Vec<String>>().join(", ")
}

/// `file:line: unit:test: failed: why`.
pub fn line(run: &TestRun) -> String {
    let mut text =
        format!("{}:{}: {}: {}", run.source.name, run.line(), run.label(), run.outcome.name());
    let why = run.findings.first().map(|finding| &finding.message).or(run.reason.as_ref());
    if let Some(why) = why {
        // Writing to a string doesn't fail.
        let _ = write!(text, ": {why}");
    }
    text
}

/// What `run_tests/0` reports: a line for each test that did not pass, and the counts.
pub fn report(runs: &[TestRun]) -> String {
    let mut text = String::new();
    for run in runs {
        let place = format!("{}:{}", run.source.name, run.line());
        if !matches!(run.outcome, TestOutcome::Passed | TestOutcome::Skipped) {
            let _ = writeln!(text, "{}", line(run));
            for finding in run.findings.iter().skip(1) {
                let _ = writeln!(text, "    {}", finding.message);
            }
        }
        for warning in &run.warnings {
            let _ = writeln!(text, "{place}: {}: warning: {}", run.label(), warning.message);
        }
    }
    match runs.is_empty() {
        true => text += "no tests to run\n",
        false => text += &format!("{}\n", summary(runs)),
    }
    text
}
