//! Policies as files: Prolog clauses that a person can read.
//!
//! ```text
//! % A policy of zug: `zug train --resume` goes on with it, `--against policy:FILE` plays it.
//! policy(1).
//! rules('rules/nim.pl', '2c4d…').
//! start(a, 16).
//! method(matchboxes).
//! beads(1, 0, -1).
//! …
//! states(16).
//! state(_, 1, [move(take(1), 1, 2210)]).
//! …
//! end(policy).
//! ```
//!
//! A state says who is to move (`_` where players share their boxes), then its moves in move
//! order, each with its beads or worth and how often it was made. What does not fit is refused
//! with the line where it stands.

use super::against::Against;
use crate::{Failure, files};
use std::fmt::Write as _;
use std::path::Path;
use zug_base::Base;
use zug_domain::canonical_text;
use zug_domain::game::training::{CurvePoint, Row, Saved, fingerprint};
use zug_files::Access;
use zug_prolog::session::Session;
use zug_search::game::learn::{Beads, Method, MoveStats, OutcomeCounts, Rule};
use zug_syntax::ReadTerm;
use zug_term::diagnostic::Diagnostic;
use zug_term::source::{Source, Span};
use zug_term::{Cell, Record, Value};

/// The name of a policy in a base.
pub(super) const IN_BASE: &str = "policy";
/// How a policy begins.
pub(super) const HEADER: &str = "% A policy of zug";
/// The form that this version writes and reads.
const VERSION: i64 = 1;

/// What a file says.
#[derive(Debug)]
pub(super) struct SavedPolicy {
    pub source: Source,
    pub start: Option<(Option<Record>, Record)>,
    pub against: Against,
    pub baseline: Against,
    pub rule: Rule,
    pub seed: u64,
    pub saved: Saved,
    /// Where the states stand.
    pub places: Vec<Span>,
    states: Option<u64>,
    version: Option<i64>,
    known: bool,
    ended: bool,
}

/// What stands above the states.
pub(super) struct PolicyHeader<'a> {
    pub rules: &'a str,
    pub start: (Option<&'a Record>, &'a Record),
    pub against: &'a Against,
    pub baseline: &'a Against,
    pub rule: &'a Rule,
    pub seed: u64,
    pub games: u64,
    pub tally: OutcomeCounts,
    pub random: u64,
    pub curve: &'a [CurvePoint],
}

/// A policy as the text of a file.
pub(super) fn text(session: &Session, head: &PolicyHeader<'_>, rows: &[Row]) -> String {
    let (m, w) = (&session.machine, &session.world);
    let mut text = format!(
        "{HEADER}: `zug train --resume` goes on with it, `--against policy:FILE` plays it.\n\
         policy({VERSION}).\n"
    );
    let mut rules = String::new();
    zug_syntax::push_quoted(&mut rules, head.rules, '\'');
    let _ = writeln!(text, "rules({rules}, '{:016x}').", fingerprint(m, w));
    let player = head.start.0.map_or("_".to_owned(), |player| canonical_text(m, w, player));
    let _ = writeln!(text, "start({player}, {}).", canonical_text(m, w, head.start.1));
    text += &method_text(head.rule);
    let _ = writeln!(text, "against({}).\nbaseline({}).", head.against, head.baseline);
    let _ = writeln!(text, "seed({}).\nrandom({}).", head.seed, head.random);
    let OutcomeCounts { wins, draws, losses } = head.tally;
    let _ = writeln!(text, "games({}, {wins}, {draws}, {losses}).", head.games);
    for CurvePoint { games, tally: OutcomeCounts { wins, draws, losses } } in head.curve {
        let _ = writeln!(text, "curve({games}, {wins}, {draws}, {losses}).");
    }
    let _ = writeln!(text, "states({}).", rows.len());
    for row in rows {
        let moves = row.moves.iter().map(|(mv, known)| match head.rule.method {
            Method::Matchboxes => format!("move({mv}, {}, {})", known.worth, known.tries),
            _ => format!("move({mv}, {:?}, {})", known.worth, known.tries),
        });
        let moves = moves.collect::<Vec<_>>().join(", ");
        let player = row.player.as_deref().unwrap_or("_");
        let _ = writeln!(text, "state({player}, {}, [{moves}]).", row.state);
    }
    text + "end(policy).\n"
}

fn method_text(rule: &Rule) -> String {
    let Rule { method, beads, rates } = rule;
    let mut name = method.name().to_owned();
    if !zug_syntax::is_plain_atom(&name) {
        name = format!("'{name}'");
    }
    let mut text = format!("method({name}).\n");
    if *method == Method::Matchboxes {
        let Beads { win, draw, loss, all } = beads;
        let which = if *all { "all" } else { "last" };
        text += &format!("beads({win}, {draw}, {loss}).\nreinforce({which}).\n");
    } else {
        let alpha = rates.alpha.map_or("default".to_owned(), |alpha| format!("{alpha:?}"));
        text += &format!("epsilon({:?}).\nalpha({alpha}).\n", rates.epsilon);
        text += &format!("decay({:?}).\ndiscount({:?}).\n", rates.decay, rates.discount);
    }
    text
}

fn wrong(message: impl Into<String>) -> Failure {
    Failure::Policy(vec![Diagnostic::error("E0704", message)])
}

/// Whether a policy can be written there, and may be.
///
/// # Errors
/// It can't, or there is something else, which is left alone.
pub(super) fn may_write(access: &Access, path: &Path) -> Result<(), Failure> {
    if !access.is_sandbox() && zug_base::is_base(path) {
        // What is in it is looked at when it is opened.
        return access.try_to_write(path).map_err(|error| unwritable(path, &error));
    }
    let allowed = access.may_replace(path, HEADER, "policy");
    let allowed = allowed.and_then(|()| access.try_to_write(path));
    allowed.map_err(|error| unwritable(path, &error))
}

pub(super) fn unwritable(path: &Path, error: &std::io::Error) -> Failure {
    use std::io::{Error, ErrorKind};
    let is_full = matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded);
    match error.raw_os_error() {
        // Nothing is wrong with what was asked for.
        Some(code) if is_full => {
            Failure::Unwritable(path.to_owned(), Error::from_raw_os_error(code))
        }
        _ => wrong(format!("can't write `{}`: {error}", path.display())),
    }
}

/// Reads a policy that was learned with the rules that are loaded.
///
/// # Errors
/// It can't be read, is none, or one for other rules.
pub(super) fn read(
    session: &mut Session,
    access: &Access,
    path: &Path,
) -> Result<SavedPolicy, Failure> {
    let name = path.display().to_string();
    let found = session.world.path(&name);
    let text = if !access.is_sandbox() && zug_base::is_base(&found) {
        let kept = Base::open(&found).and_then(|base| base.document(IN_BASE));
        let kept = kept.map_err(Failure::Base)?;
        let kept = kept.ok_or_else(|| wrong(format!("there is no policy in the base `{name}`")))?;
        String::from_utf8(kept).map_err(|_| wrong(format!("`{name}`: it is no text in UTF-8")))?
    } else {
        let read = files::read_text(session, access, &found);
        read.map_err(|error| wrong(format!("can't read `{name}`: {error}")))?
    };
    if !text.starts_with(HEADER) {
        return Err(wrong(format!("`{name}` is no policy: it does not begin `{HEADER}`")));
    }
    let source = Source::new(&name, &text);
    let mut said = SavedPolicy::new(source.clone());
    let faults = files::each_clause(session, source.clone(), |session, clause| {
        let taken = Clause { session, clause }.take(&mut said);
        taken.map_err(|(why, span)| {
            let finding = Diagnostic::error("E0704", why);
            Failure::Policy(vec![finding.at(&source, span.unwrap_or(clause.span), "")])
        })
    })?;
    if !faults.is_empty() {
        return Err(Failure::Policy(faults));
    }
    said.whole().map_err(|why| {
        let end = source.text.trim_end().len();
        let finding = Diagnostic::error("E0704", why).at(&source, Span::new(end, end), "");
        Failure::Policy(vec![finding])
    })?;
    Ok(said)
}

impl SavedPolicy {
    fn new(source: Source) -> SavedPolicy {
        let saved = Saved {
            games: 0,
            tally: OutcomeCounts::default(),
            random: 0,
            curve: Vec::new(),
            rows: Vec::new(),
        };
        SavedPolicy {
            source,
            start: None,
            against: Against::Itself,
            baseline: Against::Itself,
            rule: Rule::default(),
            seed: 0,
            saved,
            places: Vec::new(),
            states: None,
            version: None,
            known: false,
            ended: false,
        }
    }

    /// Whether nothing is missing.
    fn whole(&self) -> Result<(), String> {
        let states = self.saved.rows.len() as u64;
        if !self.ended {
            return Err(match self.states {
                Some(all) if all > states => {
                    format!("the policy is cut off: {states} of its {all} states are there")
                }
                _ => "the policy is cut off: `end(policy).` is missing".to_owned(),
            });
        }
        if self.states != Some(states) {
            let said = self.states.unwrap_or(0);
            return Err(format!("there are {states} states, `states({said})` says {said}"));
        }
        let missing = [
            (self.version.is_none(), "policy(1)"),
            (!self.known, "rules(File, Fingerprint)"),
            (self.start.is_none(), "start(Player, State)"),
        ];
        match missing.iter().find(|(missing, _)| *missing) {
            Some((_, clause)) => Err(format!("the clause `{clause}` is missing")),
            None => Ok(()),
        }
    }
}

/// What is wrong with a clause, and where, if it is not all of it.
type ClauseError = (String, Option<Span>);

/// A clause being taken note of.
struct Clause<'c> {
    session: &'c mut Session,
    clause: &'c ReadTerm,
}

impl Clause<'_> {
    fn take(&mut self, said: &mut SavedPolicy) -> Result<(), ClauseError> {
        let heap = &self.session.machine.heap;
        let Some((name, arity, args)) = heap.name_arity(self.clause.root) else {
            return self.unknown();
        };
        let name = self.session.machine.symbols.shared(name);
        if said.ended {
            return Err(("nothing stands behind `end(policy).`".to_owned(), None));
        }
        if said.version.is_none() && &*name != "policy" {
            return Err(("a policy begins with `policy(1).`".to_owned(), None));
        }
        match (&*name, arity) {
            ("policy", 1) => said.version = Some(self.version(args)?),
            ("rules", 2) => said.known = self.rules(args)?,
            ("start", 2) => {
                let player = self.bound(args);
                said.start = Some((player, self.record(args + 1)));
            }
            ("method", 1) => {
                let method = Method::by_name(&self.atom(args)?);
                said.rule.method = method.ok_or_else(|| self.bad(args, "no method"))?;
            }
            ("beads", 3) => {
                let [win, draw, loss] = self.numbers::<3, i32>(args)?;
                said.rule.beads = Beads { win, draw, loss, ..said.rule.beads };
            }
            ("reinforce", 1) => said.rule.beads.all = self.atom(args)? == "all",
            ("epsilon", 1) => said.rule.rates.epsilon = self.rate(args)?,
            ("alpha", 1) if self.text(args) == "default" => said.rule.rates.alpha = None,
            ("alpha", 1) => said.rule.rates.alpha = Some(self.rate(args)?),
            ("decay", 1) => said.rule.rates.decay = self.rate(args)?,
            ("discount", 1) => said.rule.rates.discount = self.rate(args)?,
            ("against", 1) => said.against = self.against(args)?,
            ("baseline", 1) => said.baseline = self.against(args)?,
            ("seed", 1) => [said.seed] = self.numbers(args)?,
            ("random", 1) => [said.saved.random] = self.numbers(args)?,
            ("games", 4) => {
                let [games, wins, draws, losses] = self.numbers(args)?;
                (said.saved.games, said.saved.tally) =
                    (games, OutcomeCounts { wins, draws, losses });
            }
            ("curve", 4) => {
                let [games, wins, draws, losses] = self.numbers(args)?;
                said.saved
                    .curve
                    .push(CurvePoint { games, tally: OutcomeCounts { wins, draws, losses } });
            }
            ("states", 1) => said.states = Some(self.numbers::<1, u64>(args)?[0]),
            ("state", 3) => {
                let row = self.row(args, &said.rule)?;
                said.saved.rows.push(row);
                said.places.push(self.clause.span);
            }
            ("end", 1) => said.ended = true,
            _ => return self.unknown(),
        }
        Ok(())
    }

    fn unknown<T>(&self) -> Result<T, ClauseError> {
        Err(("this is no clause of a policy".to_owned(), None))
    }

    fn bad(&self, arg: usize, why: &str) -> ClauseError {
        (format!("`{}` is {why}", self.text(arg)), self.clause.span_of(arg))
    }

    fn cell(&self, arg: usize) -> Cell {
        self.session.machine.heap.deref(self.session.machine.heap.at(arg))
    }

    fn record(&mut self, arg: usize) -> Record {
        let cell = self.cell(arg);
        Record::new(&mut self.session.machine.heap, cell)
    }

    /// An argument that is not `_`.
    fn bound(&mut self, arg: usize) -> Option<Record> {
        (!self.cell(arg).is_var()).then(|| self.record(arg))
    }

    fn text(&self, arg: usize) -> String {
        let span = self.clause.span_of(arg);
        let place = span.and_then(|span| self.source_text(span));
        place.unwrap_or_else(|| "this".to_owned())
    }

    fn source_text(&self, span: Span) -> Option<String> {
        let m = &self.session.machine;
        let address = self.clause.spans.iter().find(|(_, other)| *other == span)?.0;
        let options = zug_syntax::WriteOptions::writeq();
        let operators = &self.session.world.operators;
        let cell = m.heap.at(address);
        Some(zug_syntax::term_to_string(&m.heap, &m.symbols, operators, cell, &options))
    }

    fn atom(&self, arg: usize) -> Result<String, ClauseError> {
        let atom = self.cell(arg).as_atom().ok_or_else(|| self.bad(arg, "no name"))?;
        Ok(self.session.machine.symbols.name(atom).to_owned())
    }

    fn numbers<const N: usize, T: std::str::FromStr>(
        &self,
        args: usize,
    ) -> Result<[T; N], ClauseError> {
        let mut found = Vec::new();
        for i in 0..N {
            let number = self.text(args + i).parse();
            found.push(number.map_err(|_| self.bad(args + i, "no number that can stand here"))?);
        }
        found.try_into().map_err(|_| ("numbers are missing".to_owned(), None))
    }

    fn float(&self, arg: usize) -> Result<f64, ClauseError> {
        match self.session.machine.heap.value(self.cell(arg)) {
            Value::Int(value) => Ok(value as f64),
            Value::Float(value) if value.is_finite() => Ok(value),
            _ => Err(self.bad(arg, "no number")),
        }
    }

    fn rate(&self, arg: usize) -> Result<f64, ClauseError> {
        let rate = self.float(arg)?;
        if rate >= 0.0 { Ok(rate) } else { Err(self.bad(arg, "less than nothing")) }
    }

    fn version(&self, arg: usize) -> Result<i64, ClauseError> {
        match self.cell(arg).as_int() {
            Some(VERSION) => Ok(VERSION),
            Some(newer) if newer > VERSION => Err((
                format!(
                    "the policy is of version {newer}, from a newer zug; \
                     this one reads version {VERSION}"
                ),
                self.clause.span_of(arg),
            )),
            _ => Err(self.bad(arg, "no version of policies")),
        }
    }

    fn rules(&self, args: usize) -> Result<bool, ClauseError> {
        let print = format!("{:016x}", fingerprint(&self.session.machine, &self.session.world));
        if self.atom(args + 1)? == print {
            return Ok(true);
        }
        let file = self.atom(args)?;
        Err((
            format!("the policy was learned with other rules: `{file}` as it was then"),
            self.clause.span_of(args + 1),
        ))
    }

    fn against(&self, arg: usize) -> Result<Against, ClauseError> {
        self.text(arg).parse().map_err(|why| (why, self.clause.span_of(arg)))
    }

    fn row(
        &mut self,
        args: usize,
        rule: &Rule,
    ) -> Result<(Row, Record, Option<Record>), ClauseError> {
        let (player, state) = (self.bound(args), self.record(args + 1));
        let list = self.session.machine.heap.proper_list(self.cell(args + 2));
        let list = list.ok_or_else(|| self.bad(args + 2, "no list of moves"))?;
        let mut moves = Vec::new();
        for item in list {
            let heap = &self.session.machine.heap;
            let Some((name, 3, inner)) = heap.name_arity(heap.deref(item)) else {
                return Err(self.bad(args + 2, "no list of move(Move, Number, Times)"));
            };
            if self.session.machine.symbols.name(name) != "move" {
                return Err(self.bad(args + 2, "no list of move(Move, Number, Times)"));
            }
            let worth = self.float(inner + 1)?;
            if !rule.allows(worth) {
                let why = match rule.method {
                    Method::Matchboxes => "no number of beads",
                    _ => "nothing that a move can be worth",
                };
                return Err(self.bad(inner + 1, why));
            }
            let [tries] = self.numbers(inner + 2)?;
            let mv = self.record(inner);
            moves.push((self.written(&mv), MoveStats { worth, tries }));
        }
        if rule.method == Method::Matchboxes && moves.iter().all(|(_, known)| known.worth == 0.0) {
            return Err(self.bad(args + 2, "a box without beads"));
        }
        let named = player.as_ref().map(|player| self.written(player));
        let row = Row { player: named, state: self.written(&state), moves };
        Ok((row, state, player))
    }

    fn written(&self, record: &Record) -> String {
        canonical_text(&self.session.machine, &self.session.world, record)
    }
}
