//! `why_not/1`: how close a goal came, and what stood in the way.

use super::advice::{advice, is_natural_end};
use super::case::Case;
use super::explanation::Explanation;
use super::failures::{Failure, FailureReason, Failures};
use super::goals::{Budget, CutSeen, Effects, RunEnd};
use super::minimal;
use super::places::{goal_place, head_place, indicator, line};
use super::prover::Prover;
use super::question::Question;
use super::terms::TermPrinter;
use super::trials::{SEARCH, Trials};
use zug_machine::{Fault, Machine};
use zug_prolog::builtins::World;
use zug_term::diagnostic::{Diagnostic, Label, Severity};
use zug_term::symbol::atoms;
use zug_term::{Record, Value};

/// Steps of a run on a changed program, in addition to those of the goal itself.
const MENDED: u64 = 20_000;
/// Steps of all runs on changed programs together.
const TRIED: u64 = 1_000_000;
/// Cuts that are tried to be left out.
const CUTS: usize = 12;
/// Findings shown.
const FINDINGS: usize = 3;
/// Failures of which it is tried what would be if they were none.
const ASSUMED: usize = 8;
/// Failures looked at closely.
const CLOSELY: usize = 24;

/// A finding and how likely it is the culprit.
pub struct Finding {
    pub diagnostic: Diagnostic,
    /// How sure it is to be one.
    pub weight: u8,
    /// Goals proved before; 0 where the failure is none of the query's.
    pub progress: usize,
}

/// Explains why a goal has no answer.
///
/// # Errors
/// An interrupt, or a limit of the whole query.
pub fn why_not(m: &mut Machine, w: &mut World, question: &Question) -> Result<Explanation, Fault> {
    within(m, w, question, Effort { search: SEARCH.steps, tried: TRIED })
}

/// Steps that an explanation may take.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Of the search for failures.
    pub search: u64,
    /// Of all trials with a change together.
    pub tried: u64,
}

/// As [`why_not`], within `steps` steps.
///
/// # Errors
/// As [`why_not`].
pub fn within(
    m: &mut Machine,
    w: &mut World,
    question: &Question,
    effort: Effort,
) -> Result<Explanation, Fault> {
    let budget = Budget { steps: effort.search, ..SEARCH };
    let mut prover = Prover::new(m, w, question, budget, Effects::Skip).recording();
    let ended = prover.first()?;
    let steps = prover.steps;
    let failures = match &ended {
        RunEnd::Bounded(_) => None,
        _ => prover.failures.take(),
    };
    let cuts = std::mem::take(&mut prover.cuts);
    let query = prover.query_text();
    let mut found = Explanation::default();
    match ended {
        RunEnd::Proved => {
            found.title = format!("{query} is true; `why` shows the proof");
            return Ok(found);
        }
        RunEnd::Bounded(bound) => return Ok(prover.endless(bound)),
        RunEnd::Failed => {}
        RunEnd::Raised(ball) => {
            drop(prover);
            let failures = failures.unwrap_or_default();
            found.findings.extend(error(m, w, &failures, &ball));
            let label = found.findings.first().and_then(|finding| finding.primary.as_ref());
            let at = label.map_or(String::new(), |label| format!(" at {}", line_of(label)));
            found.title = format!("{query} raises an error{at}");
            return Ok(found);
        }
        RunEnd::Refused(pred) => {
            found.notes.push(format!(
                "`{}` does more than answer: it is not called for an explanation, which ends there",
                indicator(prover.m, pred)
            ));
        }
    }
    drop(prover);
    let failures = failures.unwrap_or_default();
    let mut trials = Trials { each: 2 * steps + MENDED, left: effort.tried };
    let whole = found.notes.is_empty();
    let mut findings = Vec::new();
    if whole {
        for cut in cuts.iter().take(CUTS) {
            findings.extend(without_cut(m, w, question, cut, &mut trials)?);
        }
    }
    findings.extend(ranked(m, w, &failures, |m, w, failure| {
        if !whole {
            return Ok(false);
        }
        let ended = trials
            .first(|budget| Prover::new(m, w, question, budget, Effects::Skip).assuming(failure))?;
        Ok(matches!(ended, Some(RunEnd::Proved)))
    })?);
    findings.sort_by_key(|finding| std::cmp::Reverse((finding.weight, finding.progress)));
    // A finding that is neither a known mistake nor a cure is noise where there is one.
    let mut kept = 0;
    findings.retain(|finding| {
        kept += 1;
        kept == 1 || finding.weight >= 2
    });
    findings.truncate(FINDINGS);
    let told = findings.first().and_then(|finding| finding.diagnostic.primary.as_ref());
    found.title = match told.map(line_of) {
        _ if !whole => format!("{query} was followed in part"),
        Some(at) => format!("{query} has no proof; what stands in the way is at {at}"),
        None => format!("{query} has no proof"),
    };
    if whole {
        found.notes.extend(minimal::note(m, w, question, &failures, told, &mut trials)?);
    }
    found.findings = findings.into_iter().map(|finding| finding.diagnostic).collect();
    Ok(found)
}

fn line_of(label: &Label) -> String {
    line(&(label.source.clone(), label.span))
}

fn ranked(
    m: &mut Machine,
    w: &mut World,
    failures: &Failures,
    mut would_help: impl FnMut(&mut Machine, &mut World, &Failure) -> Result<bool, Fault>,
) -> Result<Vec<Finding>, Fault> {
    let mut all: Vec<&Failure> = failures.all().iter().collect();
    all.sort_by_key(|failure| (failure.soft, std::cmp::Reverse(failure.progress)));
    let mut found = Vec::new();
    for (at, failure) in all.into_iter().take(CLOSELY).enumerate() {
        let mut finding = finding(m, w, failure, failures.was_proved(failure.site));
        if at < ASSUMED && finding.progress > 0 && would_help(m, w, failure)? {
            finding.weight += 2;
        }
        found.push(finding);
    }
    // The same mistake is told once.
    let mut seen: Vec<(String, u32)> = Vec::new();
    found.sort_by_key(|finding| std::cmp::Reverse((finding.weight, finding.progress)));
    found.retain(|finding| {
        let Some(label) = &finding.diagnostic.primary else { return true };
        let key = (label.source.name.to_string(), label.span.start);
        let new = !seen.contains(&key);
        seen.push(key);
        new
    });
    Ok(found)
}

pub fn finding(m: &Machine, w: &World, failure: &Failure, proved: bool) -> Finding {
    let mut case = Case::new(m, w, failure, proved);
    let advice = advice(&mut case);
    let misses = if failure.why == FailureReason::NoClause { case.misses() } else { Vec::new() };
    let message = message(&case, &misses);
    let mut diagnostic = Diagnostic::new(Severity::Note, "N0801", message);
    let values = case.with_values();
    let here = case.place().map(|(source, span)| {
        let text = if values.is_empty() { String::new() } else { format!("here {values}") };
        Label { source, span, text }
    });
    let mut labels: Vec<Label> = Vec::new();
    if let Some(advice) = &advice
        && let Some((source, span, text)) = &advice.blame
    {
        labels.push(Label { source: source.clone(), span: *span, text: text.clone() });
    }
    let known = labels.first().map(|label| (label.source.name.clone(), label.span));
    labels.extend(here.filter(|label| known != Some((label.source.name.clone(), label.span))));
    if let Some(miss) = misses.first()
        && let Some((source, span)) = case.head(miss.clause)
    {
        let text = match miss.all.len() {
            1..=3 => miss.all.join("; "),
            more => format!("{}; and {} more", miss.all[..2].join("; "), more - 2),
        };
        labels.push(Label { source, span, text });
    }
    if let Some(clause) = failure.witness.as_ref().and_then(|witness| witness.clause)
        && let Some((source, span)) = case.head(clause)
    {
        labels.push(Label { source, span, text: "true by this clause".to_owned() });
    }
    if labels.is_empty()
        && let Some((source, span)) = case.place_or_caller()
    {
        labels.push(Label { source, span, text: "in this clause".to_owned() });
    }
    let mut labels = labels.into_iter();
    diagnostic.primary = labels.next();
    diagnostic.secondary = labels.collect();
    // What may well fail says nothing of how far the query came.
    let aside = failure.soft || is_natural_end(&case);
    let weight = advice.as_ref().map_or(0, |advice| advice.weight);
    let weight = if failure.soft { weight.saturating_sub(1) } else { weight };
    diagnostic.hint = advice.map(|advice| advice.hint);
    Finding { diagnostic, weight, progress: if aside { 0 } else { failure.progress } }
}

/// What failed, in a sentence.
fn message(case: &Case<'_>, misses: &[super::case::NearMiss]) -> String {
    let goal = case.text(case.goal);
    match case.failure.why {
        FailureReason::NoClause => {
            let name = case.failure.pred.map_or_else(String::new, |pred| indicator(case.m, pred));
            let Some(near) = misses.first() else {
                return format!("`{goal}`: there are no clauses of `{name}`");
            };
            let number = near.arguments.first().copied().unwrap_or(1);
            let one = misses.iter().all(|miss| miss.arguments.contains(&number));
            let wanted = case.argument(number as usize - 1);
            match wanted.filter(|cell| one && !cell.is_var()) {
                Some(cell) if case.name().1 > 1 => {
                    let (start, value) = (case.name().0, case.words().limited(cell, 40));
                    match number {
                        1 => format!(
                            "no clause of `{name}` begins with `{start}({value}, …)`, as `{goal}` asks"
                        ),
                        _ => format!(
                            "`{goal}` matches no clause of `{name}`: none has `{value}` as argument {number}"
                        ),
                    }
                }
                _ => format!("`{goal}` matches no clause of `{name}`"),
            }
        }
        FailureReason::Leaf => match (case.name(), case.argument(0), case.argument(1)) {
            (("=", 2), Some(left), Some(right)) => {
                format!("`{}` and `{}` can't be made equal", case.text(left), case.text(right))
            }
            (("fail" | "false", 0), ..) => "the program says `fail` here".to_owned(),
            _ => format!("`{goal}` is false"),
        },
        FailureReason::Refuted => match (case.name(), case.argument(0)) {
            (("forall", 2), _) => format!("`{goal}` is false: it does not hold for all"),
            (_, Some(inner)) => {
                let inner = case.witness().unwrap_or_else(|| case.text(inner));
                format!("`{goal}` fails because `{inner}` is true")
            }
            _ => format!("`{goal}` is false"),
        },
        FailureReason::Collected => {
            let list = case.collected().unwrap_or_default();
            format!("`{goal}` is false: the list of all answers is `{list}`")
        }
        FailureReason::Raised => format!("`{goal}` raises an error"),
    }
}

/// What the program does without a cut.
fn without_cut(
    m: &mut Machine,
    w: &mut World,
    question: &Question,
    cut: &CutSeen,
    trials: &mut Trials,
) -> Result<Option<Finding>, Fault> {
    let Some((source, span)) = goal_place(m, w, (Some(cut.clause), cut.site)) else {
        return Ok(None);
    };
    let ended = trials.first(|budget| {
        let prover = Prover::new(m, w, question, budget, Effects::Skip);
        prover.without_cut(cut.clause, cut.site)
    })?;
    if !matches!(ended, Some(RunEnd::Proved)) {
        return Ok(None);
    }
    // A cut with `fail` behind it is there to say no.
    let rest = source.text.get(span.end as usize..).unwrap_or_default().trim_start();
    let rest = rest.trim_start_matches(',').trim_start();
    let meant = rest.starts_with("fail") || rest.starts_with("false");
    let message = match meant {
        true => "`!, fail` says no here; without it the goal is true",
        false => "this cut comes too early: without it the goal is true",
    };
    let text = "from here on no other clause is tried";
    let mut diagnostic = Diagnostic::new(Severity::Note, "N0804", message).at(&source, span, text);
    if let Some((other, place)) = cut.kept_from.and_then(|id| head_place(m, w, id)) {
        diagnostic = diagnostic.also(&other, place, "this clause was kept from being tried");
    }
    if !meant {
        diagnostic.hint =
            Some("put the cut behind the goals that decide for this clause".to_owned());
    }
    Ok(Some(Finding { diagnostic, weight: if meant { 1 } else { 4 }, progress: usize::MAX }))
}

/// The goal that raised an error.
fn error(m: &mut Machine, w: &mut World, failures: &Failures, ball: &Record) -> Option<Diagnostic> {
    let failure =
        failures.all().iter().rev().find(|failure| failure.why == FailureReason::Raised)?;
    let mut diagnostic = finding(m, w, failure, false).diagnostic;
    let (heap, root) = ball.to_heap();
    let words =
        zug_prolog::builtins::messages::describe(&heap, &m.symbols, &w.operators, root, None);
    diagnostic.message = format!("{}: {}", diagnostic.message, words.message);
    diagnostic.hint = diagnostic.hint.or(words.hint);
    Some(diagnostic)
}

impl Prover<'_> {
    pub fn query_text(&self) -> String {
        let (heap, root) = self.asked.term.to_heap();
        let Some((_, arity, args)) = heap.name_arity(root) else { return String::new() };
        let names = &self.asked.names;
        let named = (1..arity).map(|i| heap.deref(heap.at(args + i)));
        let words = TermPrinter::new(&heap, self.m, self.w)
            .named(names.iter().cloned().zip(named).collect());
        let query = heap.deref(heap.at(args));
        let text = words.term(query);
        let loose = matches!(heap.value(query), Value::Struct(atoms::COMMA, 2, _));
        if loose { text } else { format!("`{text}`") }
    }
}
