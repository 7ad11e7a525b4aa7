//! `zug solve`: plans, values, solutions and equilibria of what a rule file poses.

use super::args::{AtRandom, CodeArgs, Format, LimitArgs, SearchParameters, engine_names};
use super::base::BaseArgs;
use super::boards::BoardArgs;
#[cfg(feature = "cluster")]
use super::cluster_args::ClusterArgs;
use super::given::{Given, option_set};
use super::progress::ProgressLine;
use super::verify_args::VerifyArgs;
use super::{Exit, base, complain, emit, ended, fail, io, print, report, rules};
use clap::Args;
use std::cell::RefCell;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use zug_domain::model::LABELLING;
use zug_domain::{Contract, DomainKind};
use zug_options::{Rows, Within};
use zug_prolog::session::Session;
use zug_render::found::{record, text};
use zug_render::style::Theme;
use zug_render::tree::file_name;
use zug_render::{game, model, solution};
use zug_report::round_seconds;
use zug_search::game::Storage;
use zug_search::options::STORAGE;
use zug_search::progress::{ProgressEvent, set_listener};
use zug_search::{Limits, Outcome};
use zug_tools::check::hidden_information;
use zug_usecases::given::GIVEN;
use zug_usecases::record::{Progress, TermData};
use zug_usecases::solve::options::{FILES, HEURISTIC, INSTANCES, PLANS, PLAYER, SOLUTIONS, STATE};
use zug_usecases::solve::{
    Found, Given as GivenOptions, InstanceReport, SolveEvent, SolveObserver, SolveReport,
    SolveRequest, misfit, solve, why_one_thread,
};

option_set! {
    /// What is solved, and what is looked for.
    Asked: SolveRequest = [
        Rows(&PLAYER),
        Rows(&STATE),
        Rows(&PLANS),
        Rows(&SOLUTIONS),
        Within(&LABELLING, |to: &mut SolveRequest| &mut to.labelling),
        Rows(&HEURISTIC),
        Rows(&INSTANCES),
    ]
}

option_set! {
    /// What is written of results.
    Written: SolveRequest = [Rows(&FILES)]
}

option_set! {
    /// How positions of games are kept.
    Kept: Storage = [Rows(&STORAGE)]
}

/// `zug solve`.
#[derive(Args, Debug)]
pub struct SolveArgs {
    /// The rule file
    pub file: PathBuf,
    /// The engine [default: astar if the file has a heuristic, else ucs; for games solve_game,
    /// or alphabeta if a depth or a time is given]
    #[arg(short, long, value_name = "NAME", value_parser = engine_names(), hide_possible_values = true)]
    pub engine: Option<String>,
    #[command(flatten)]
    pub given: Given<Asked>,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub parameters: Given<SearchParameters>,
    #[command(flatten)]
    pub verify: VerifyArgs,
    #[command(flatten)]
    pub base: BaseArgs,
    #[command(flatten)]
    pub files: Given<Written>,
    #[cfg(feature = "cluster")]
    #[command(flatten)]
    pub cluster: ClusterArgs,
    /// Keep the layers of a game's positions, with the moves between them, in files of this folder too, and go on from
    /// there if it has some
    #[cfg(feature = "cluster")]
    #[arg(
        long,
        value_name = "DIR",
        value_hint = clap::ValueHint::DirPath,
        requires = "ClusterArgs",
        help_heading = "Several workers"
    )]
    pub disk: Option<PathBuf>,
    #[command(flatten)]
    pub sampling: Given<AtRandom>,
    #[command(flatten)]
    pub storage: Given<Kept>,
    #[command(flatten)]
    pub boards: BoardArgs,
    /// How to print the result
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
    /// Say which questions code made from the rules answered, and what stood in its way
    #[arg(long = "code")]
    pub tells_code: bool,
    #[command(flatten)]
    pub code: CodeArgs,
}

/// Other instances that are named in the note about them.
const OTHERS: usize = 8;

/// Runs the command.
pub fn run(args: &SolveArgs, flag: &Arc<AtomicBool>) -> Exit {
    let terms = args.limits.rules.terms(args.code.mode());
    let (file, mut session) = match rules::open(&args.file, &terms, flag) {
        Ok(opened) => opened,
        Err(exit) => return exit,
    };
    let written = args.files.save.is_some() || args.files.certificate.is_some();
    if args.boards.force && args.boards.draw.is_none() && !written {
        fail("arguments", "--force goes with --draw, --save or --certificate");
        return Exit::Usage;
    }
    if let Err(exit) = base::open(&mut session, args.base.db.as_deref()) {
        return exit;
    }
    let contract = Contract::of(&session.machine);
    let kind = contract.kind();
    let request = args.request(file, flag);
    if let Some(words) =
        misfit(&GivenOptions { request: &request, db: args.base.db.is_some() }, kind)
    {
        fail("arguments", &words);
        return Exit::Usage;
    }
    if kind != DomainKind::Model && contract.has_model() {
        let what = if kind == DomainKind::Puzzle { "puzzle" } else { "game" };
        complain(&format!("the file has a model too; it is solved as a {what}"));
    }
    if let Err(failure) = args.boards.check() {
        return rules::show_failure(&failure);
    }
    answer(&mut session, &request, &args.boards, args.tells_code)
}

impl SolveArgs {
    /// The request that the arguments make.
    fn request(&self, file: PathBuf, flag: &Arc<AtomicBool>) -> SolveRequest {
        let SolveRequest { save, certificate, .. } = self.files.0.clone();
        let force = self.boards.force;
        SolveRequest {
            file,
            engine: self.engine.clone(),
            options: self.parameters.0.clone(),
            limits: limits(&self.limits, flag),
            effort: self.verify.0,
            sampling: self.sampling.0.clone(),
            storage: self.storage.0,
            boards: self.boards.wants_states(),
            save: save.map(|save| save.forced(force)),
            certificate: certificate.map(|certificate| certificate.forced(force)),
            #[cfg(feature = "cluster")]
            cluster: self.cluster.wanted(),
            #[cfg(feature = "cluster")]
            disk: self.disk.clone(),
            ..self.given.0.clone()
        }
    }
}

/// Solves what the loaded rules pose, and writes every result as it comes.
pub fn answer(
    session: &mut Session,
    request: &SolveRequest,
    boards: &BoardArgs,
    tells_code: bool,
) -> Exit {
    let kind = Contract::of(&session.machine).kind();
    let theme = Theme::new(io::colours().0).telling_code(tells_code);
    let standing = Rc::new(RefCell::new(Standing::default()));
    let mut observer = |event: SolveEvent<'_>| standing.borrow_mut().show(event);
    // Games in which all choose at once leave the line to their searches.
    let observer = (kind != DomainKind::Simultaneous).then_some(&mut observer);
    let observer = observer.map(|observer| {
        standing.borrow_mut().line = Some(ProgressLine::new());
        observer as &mut SolveObserver<'_>
    });
    if kind == DomainKind::Model {
        listen(standing.clone());
    }
    let (mut first, mut exit) = (true, Exit::Success);
    let mut each = |found: &Found, session: &mut Session| {
        io::clear_progress();
        standing.borrow_mut().best = None;
        exit = exit.graver(ended(found));
        if let Found::Value(_) | Found::Equilibria(_) | Found::Tries(_) = found {
            let _ = session.world.streams.end_query();
        }
        if let Found::Value(report) = found {
            if let Some(finding) = hidden_information(&session.machine, &session.world) {
                rules::show(&finding);
            }
            base::note(session);
            note_threads(session, &request.limits, Some(report.found.engine));
        }
        let written = if emit::is_open() {
            report(&record(found, session), String::new)
        } else {
            let text = text(found, session, Some(boards.manner()), &theme);
            // What rules write on the way comes before the report.
            let _ = session.world.streams.flush_standard();
            print(&if first { text } else { format!("\n{text}") })
        };
        first = false;
        if written != Exit::Success {
            exit = written;
            return false;
        }
        let shown = pictures(found, session, boards);
        exit = exit.graver(shown);
        match found {
            Found::Plan(report) if request.save.is_some() => {
                report.not_kept().iter().for_each(|why| complain(why));
            }
            Found::Value(report) => {
                report.remark.iter().for_each(|remark| complain(&format!("note: {remark}")));
            }
            _ => {}
        }
        shown == Exit::Success
    };
    let solved = solve(session, request, observer, &mut each);
    if kind == DomainKind::Model {
        set_listener(None);
    }
    io::clear_progress();
    let _ = session.world.streams.end_query();
    // Of a game it stands before the result.
    if kind != DomainKind::Game {
        base::note(session);
    }
    match solved {
        Ok(report) => {
            notes(session, request, &report);
            exit
        }
        Err(failure) => rules::show_failure(&failure),
    }
}

/// Shows the notes behind all results.
fn notes(session: &Session, request: &SolveRequest, report: &SolveReport) {
    rules::show_all(&report.findings);
    let is_seen = |report: &&InstanceReport| {
        report.found.outcome() == Outcome::Exhausted && report.found.no_plan.is_none()
    };
    if let Some(hopeless) = report.results.iter().filter_map(Found::plan).find(is_seen) {
        advice(session, hopeless).iter().for_each(|advice| complain(advice));
    }
    note_others(&report.others);
    if let Some(Found::Plan(last)) = report.results.last() {
        note_threads(session, &request.limits, Some(last.found.engine));
    }
}

/// Shows the states of a plan, or of best play, if the options want them.
fn pictures(found: &Found, session: &mut Session, boards: &BoardArgs) -> Exit {
    match found {
        Found::Plan(report) => {
            let states = match report.found.states.as_slice() {
                [] => std::slice::from_ref(&report.found.start),
                states => states,
            };
            let title = format!("{}, {}", file_name(&report.file), report.instance);
            let moves = solution::names(session, report.found.moves());
            boards.show(session, &title, states, &moves)
        }
        Found::Value(report) if boards.wants_states() => {
            let player = TermData::text_of(session, &report.found.player);
            let title = format!("{}, {player} to move", file_name(&report.file));
            let states = std::iter::once(&report.found.state).chain(&report.states).cloned();
            let line = solution::names(session, &report.found.line);
            boards.show(session, &title, &states.collect::<Vec<_>>(), &line)
        }
        _ => Exit::Success,
    }
}

/// How far the search is that runs.
#[derive(Default)]
struct Standing {
    line: Option<ProgressLine>,
    /// The best value of a model that was found so far.
    best: Option<String>,
}

impl Standing {
    fn show(&mut self, event: SolveEvent<'_>) {
        match (event, &mut self.line) {
            (SolveEvent::Path(state), Some(line)) => line.update(state),
            (SolveEvent::Game(state), Some(line)) => {
                line.show(state.elapsed, || game::progress(state), || state.into());
            }
            (SolveEvent::Better(better), _) => {
                self.best = Some(better.value.clone());
                self.count(better.nodes, better.elapsed);
            }
            _ => {}
        }
    }

    /// Shows the nodes of a search over a model.
    fn count(&mut self, nodes: u64, elapsed: Duration) {
        let best = &self.best;
        let data = || Progress {
            elapsed_seconds: round_seconds(elapsed),
            nodes: Some(nodes),
            best: best.clone(),
            ..Progress::default()
        };
        if let Some(line) = &mut self.line {
            line.show(elapsed, || model::progress(best.as_deref(), nodes, elapsed), data);
        }
    }
}

/// Shows how far the search over a model is that runs in this thread.
fn listen(standing: Rc<RefCell<Standing>>) {
    set_listener(Some(Box::new(move |event| {
        if let ProgressEvent::Counted(work) = event {
            standing.borrow_mut().count(work.done, work.elapsed);
        }
    })));
}

/// The limits of a search. Memory falls back on what the session may take.
pub fn limits(args: &LimitArgs, flag: &Arc<AtomicBool>) -> Limits {
    let Limits { nodes, depth, threads, .. } = *args.counts;
    Limits { nodes, depth, threads, ..args.rules.limits(flag) }
}

/// The commands that show why there is no solution, and how near it comes where there is more than the start.
fn advice(session: &Session, report: &InstanceReport) -> Vec<String> {
    let why = format!("to see why: {}", why_not(session, report, "solvable", ""));
    let near = why_not(session, report, report.found.engine, "P, C");
    let near = format!("to see how near it comes: {near}");
    if report.found.stats.expanded > 1 { vec![why, near] } else { vec![why] }
}

/// The command that shows why a predicate of a start, with these arguments behind it, fails.
fn why_not(session: &Session, report: &InstanceReport, predicate: &str, more: &str) -> String {
    let name = &report.instance;
    let call = |start: &str| match (start, more) {
        ("", "") => format!("why_not({predicate})"),
        ("", more) => format!("why_not({predicate}({more}))"),
        (start, "") => format!("why_not({predicate}({start}))"),
        (start, more) => format!("why_not({predicate}({start}, {more}))"),
    };
    let goal = match (report.named, report.has_name) {
        _ if name == GIVEN => call(&TermData::text_of(session, &report.found.start)),
        (false, _) => call(""),
        (true, true) => format!("initial_state({name}, S), {}", call("S")),
        // One of several without names is known by its number.
        (true, false) => {
            format!("findall(I, initial_state(I), L), nth1({name}, L, S), {}", call("S"))
        }
    };
    format!("zug query {} '{}'", zug_term::source::word(&report.file), goal.replace('\'', "'\\''"))
}

/// Tells why one thread did what several were to do; an enumeration has no engine.
pub(super) fn note_threads(session: &Session, limits: &Limits, engine: Option<&str>) {
    if let Some(why) = why_one_thread(session, limits, engine) {
        complain(&why);
    }
}

pub(super) fn note_others(others: &[String]) {
    if others.is_empty() {
        return;
    }
    let mut names = others[..others.len().min(OTHERS)].join(", ");
    if others.len() > OTHERS {
        names += ", …";
    }
    let (number, verb) = match others.len() {
        1 => ("another instance".to_owned(), "was"),
        n => (format!("{n} other instances"), "were"),
    };
    complain(&format!("{number} {verb} not tried: {names} (--instance NAME, or --all)"));
}
