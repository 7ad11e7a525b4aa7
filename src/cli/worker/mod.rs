//! The process behind a question of `zug serve`'s page: reads it, answers it in records, ends.
//!
//! The question is a line of JSON on standard input ([`question`]). Answers are lines of JSON, each a
//! record: those of the question, `progress`, `output` (what rules write), and `end`, which is the last.
//! Further lines of input are words: `more` for the next answer of a query, `stop`. The end of the input
//! is a stop too: whoever asked is gone.

mod ask;
mod at_once;
mod board;
mod click;
mod gallery;
mod header;
mod play;
mod question;
mod reply;
mod search;

use super::rule_args::Terms;
use super::serve_args::ServeArgs;
use super::{Exit, rules};
use question::{Question, Task};
use reply::{End, Reply};
use std::io::BufRead;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;
use zug_code::Specialise;
use zug_domain::Contract;
use zug_machine::Fault;
use zug_prolog::session::{Allowance, Session};
use zug_search::Limits;
use zug_term::diagnostic::Diagnostic;
use zug_usecases::Failure;
use zug_usecases::record::{ErrorData, Finding};

/// Bytes that rules may write for a question.
const OUTPUT: u64 = 4 << 20;
/// Time for an answer where rules are only looked at.
const BRIEFLY: Duration = Duration::from_secs(10);

/// Answers the question on standard input.
pub fn run(args: &ServeArgs, flag: &Arc<AtomicBool>) -> Exit {
    let mut line = String::new();
    let read = std::io::stdin().lock().read_line(&mut line);
    let reply = Reply::default();
    let question = match read.map(|_| serde_json::from_str::<Question>(&line)) {
        Ok(Ok(question)) => question,
        Ok(Err(error)) => {
            return reply.end(End::error(ErrorData::new("arguments", error.to_string())));
        }
        Err(error) => return reply.end(End::error(ErrorData::new("io", error.to_string()))),
    };
    let stopped = Arc::new(AtomicBool::new(false));
    let words = listen(flag, &stopped);
    let desk = Desk { reply, words, flag: flag.clone(), stopped, terms: terms(args), question };
    let ended = desk.answer();
    let was_stopped = desk.is_stopped();
    desk.reply.end(match ended {
        Ok(end) if was_stopped => End { outcome: "interrupted", ..end },
        Ok(end) => end,
        Err(failure) => failed(&failure, was_stopped),
    })
}

/// How rules are run: in a sandbox, within what the server allows.
fn terms(args: &ServeArgs) -> Terms {
    let allowance = Allowance {
        time: Some(args.time),
        memory: args.memory,
        inferences: None,
        output: Some(OUTPUT),
    };
    Terms {
        mode: Specialise::On,
        allowance,
        sandbox: !args.sandbox.unwanted(),
        iso: args.sandbox.iso(),
    }
}

/// Hears the words behind the question: each `more` is told; a stop, and the end of the input, set the
/// flag that all long work looks at.
fn listen(flag: &Arc<AtomicBool>, stopped: &Arc<AtomicBool>) -> Receiver<()> {
    let (more, words) = channel();
    let (flag, stopped) = (flag.clone(), stopped.clone());
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines() {
            match line.as_deref() {
                Ok("more") => {
                    let _ = more.send(());
                }
                _ => break,
            }
        }
        stopped.store(true, Ordering::Relaxed);
        flag.store(true, Ordering::Relaxed);
    });
    words
}

fn failed(failure: &Failure, was_stopped: bool) -> End {
    let (outcome, findings): (_, &[Diagnostic]) = match failure {
        Failure::Stopped(Fault::Stopped(_), findings) if was_stopped => ("interrupted", findings),
        Failure::Stopped(_, findings) => ("stopped", findings),
        Failure::Faults(findings) | Failure::Policy(findings) => ("faults", findings),
        Failure::Diagnosed(_, findings) => ("error", findings),
        Failure::Limit(_) => ("stopped", &[]),
        _ => ("error", &[]),
    };
    let error = rules::told(failure).or_else(|| match failure {
        Failure::Stopped(fault, _) => {
            let words = match fault {
                Fault::Stopped(reason) => reason.to_string(),
                Fault::Halt(status) => format!("the rules called halt({status})"),
                Fault::Ball(_) => "the rules raised an error".to_owned(),
            };
            Some(ErrorData::new("stopped", words))
        }
        Failure::Faults(_) => Some(ErrorData::new("faults", "the rules have errors")),
        _ => None,
    });
    End { outcome, error, findings: findings.iter().map(Finding::from).collect(), ..End::default() }
}

/// A question being answered.
struct Desk {
    reply: Reply,
    /// A message for each `more`.
    words: Receiver<()>,
    /// Ends what is being done.
    flag: Arc<AtomicBool>,
    /// Nobody wants anything more.
    stopped: Arc<AtomicBool>,
    terms: Terms,
    question: Question,
}

impl Desk {
    fn answer(&self) -> Result<End, Failure> {
        let question = &self.question;
        match &question.task {
            Task::Check => ask::check(self),
            Task::Query { at, goal } => ask::query(self, at, goal),
            Task::Open => play::open(self),
            Task::Preview => gallery::preview(self),
            Task::Templates => gallery::templates(self),
            Task::Look(at) => play::look(self, at),
            Task::Machine { at, agent, seed } => play::machine(self, at, agent, *seed),
            Task::Round(asked) => at_once::round(self, asked),
            Task::Hint(at) => play::hint(self, at),
            Task::Values(at) => play::values(self, at),
            Task::Solve { at, engine, heuristic, depth } => {
                search::solve(self, at, engine.as_deref(), heuristic.as_deref(), *depth)
            }
            Task::Compare(asked) => search::compare(self, asked),
            Task::Tree(asked) => search::tree(self, asked),
        }
    }

    /// Whether nothing more is wanted. The machine's own flag is cleared by the search that heeds it.
    fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed) || self.flag.load(Ordering::Relaxed)
    }

    /// The rule file, from the folder of the server.
    fn file(&self) -> PathBuf {
        PathBuf::from(&self.question.file)
    }

    /// The time for what is asked: what the question says, within what the server allows.
    fn time(&self) -> Duration {
        let most = self.terms.allowance.time.unwrap_or(BRIEFLY);
        let asked = self.question.seconds.map(Duration::try_from_secs_f64);
        asked.and_then(Result::ok).map_or(most, |asked| asked.min(most))
    }

    /// The limits of a search.
    fn limits(&self) -> Limits {
        Limits {
            time: Some(self.time()),
            memory: self.terms.allowance.memory,
            cancel: Some(self.flag.clone()),
            ..Limits::none()
        }
    }

    /// A session that has loaded nothing yet, with the text that the page has instead of the file's.
    fn session(&self, mode: Specialise) -> Session {
        let is_preview = matches!(self.question.task, Task::Preview);
        let time = if is_preview { Some(self.time()) } else { self.terms.allowance.time };
        let terms = Terms {
            mode,
            allowance: Allowance { time, ..self.terms.allowance },
            sandbox: self.terms.sandbox || self.question.shared,
            ..self.terms
        };
        let file = self.file();
        let input = Box::new(std::io::empty());
        let streams = (Box::new(self.reply.output()) as _, Box::new(self.reply.output()) as _);
        let mut session = rules::on_streams(&terms, &file, &self.flag, input, streams);
        zug_domain::set_asking_time(&mut session.world, Some(self.time().min(BRIEFLY)));
        if let Some(text) = &self.question.text {
            session.read_unsaved(&file, text.clone());
        }
        session
    }

    /// A session that has loaded the rules, and what was found in them. What follows has limits of its own.
    fn loaded(&self) -> Result<(Session, Vec<Diagnostic>), Failure> {
        let mut session = self.session(self.terms.mode);
        let found = zug_usecases::load(&mut session, &self.file())?;
        session.allow(&Allowance { time: None, ..self.terms.allowance });
        Ok((session, found))
    }

    /// The same of rules that are a domain.
    fn domain(&self) -> Result<(Session, Contract), Failure> {
        let (session, _) = self.loaded()?;
        let contract = Contract::of(&session.machine);
        Ok((session, contract))
    }
}
