//! `tree(Goal)` and `tree(Goal, Options)` at the prompt.

use super::play_query::no_option;
use super::query::Typed;
use super::{Flow, Repl};
use crate::render::tree::{LabelKind, View, Written, labels, written};
use crate::usecases::tree::{ALL_NODES, Form, MOST_UNFOLDED, Marks, TreeRequest, take_goal, tree};
use crate::usecases::{Failure, may_create, write_new};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use zug_domain::Contract;
use zug_machine::{Fault, StopReason};
use zug_prolog::session::Query;
use zug_prolog::user_predicate;
use zug_term::diagnostic::Diagnostic;

/// Nodes that are drawn at the prompt unless another number is asked for.
const MOST_NODES: usize = 100;

/// The options of tree/2.
const OPTIONS: &str = "depth(D), full, truncate, graph, symmetry, max_nodes(N), all, \
    highlight([pv,winning,pruned,path]), label(board), file(Name), format(svg), force, \
    heuristic(Name), instance(Name)";

/// What a query `tree(Goal, Options)` asks for.
struct Wanted {
    request: TreeRequest,
    file: Option<PathBuf>,
    format: Option<Written>,
    force: bool,
    label: LabelKind,
    all: bool,
    /// `max_nodes` was said.
    counted: bool,
}

impl Repl<'_> {
    /// Whether a query is `tree(Goal)` or `tree(Goal, Options)`, and not a predicate of the
    /// program.
    pub(super) fn is_tree(&self, typed: &Typed) -> bool {
        let machine = &self.session.machine;
        typed.name.is_some_and(|(name, arity)| {
            arity <= 2
                && machine.symbols.name(name) == "tree"
                && user_predicate(machine, "tree", arity).is_none()
        })
    }

    /// Draws a tree.
    pub(super) fn tree_query(&mut self, query: Query) -> io::Result<Flow> {
        let wanted = self.tree_wanted(&query);
        self.session.close(query);
        let drawn = match wanted {
            Ok(wanted) => self.draw_tree(&wanted)?,
            Err(words) => Err(Failure::Players(words)),
        };
        if let Err(failure) = drawn {
            self.tally.errors += 1;
            self.tree_failure(&failure)?;
        }
        self.session.machine.interrupt.store(false, Ordering::Relaxed);
        self.session.world.streams.end_query()?;
        Ok(Flow::Continue)
    }

    fn draw_tree(&mut self, wanted: &Wanted) -> io::Result<Result<(), Failure>> {
        let unwritable = |path: &Path, error| Failure::Unwritable(path.to_owned(), error);
        if let Some(path) = &wanted.file
            && let Err(error) = may_create(path, wanted.force)
        {
            return Ok(Err(unwritable(path, error)));
        }
        let report = match tree(self.session, &wanted.request) {
            Ok(report) => report,
            Err(failure) => return Ok(Err(failure)),
        };
        let labels = labels(self.session, &report, wanted.label);
        let format = wanted.format.unwrap_or_else(|| Written::by_name(wanted.file.as_deref()));
        let theme = match wanted.file {
            Some(_) => crate::render::style::Theme::new(false),
            None => self.theme,
        };
        let terminal = wanted.file.is_none();
        let view = View {
            all: wanted.all,
            columns: terminal.then(zug_tools::columns::terminal).flatten(),
            lines: None,
        };
        let output = match written(&report, &labels, format, &theme, view) {
            Ok(output) => output,
            Err(words) => return Ok(Err(Failure::Players(words))),
        };
        let Some(path) = &wanted.file else {
            self.fresh_line()?;
            return self.say(&String::from_utf8_lossy(&output.bytes)).map(Ok);
        };
        if let Err(error) = write_new(path, &output.bytes, wanted.force) {
            return Ok(Err(unwritable(path, error)));
        }
        self.fresh_line()?;
        self.say(&format!("The tree is in `{}`.\n", path.display()))?;
        for remark in &output.remarks {
            let remark = in_options(remark);
            self.say(&format!("{remark}\n"))?;
        }
        Ok(Ok(()))
    }

    fn tree_wanted(&mut self, query: &Query) -> Result<Wanted, String> {
        let contract = Contract::of(&self.session.machine);
        let pred = contract.rule.or_else(|| contract.game.map(|roles| roles.moves.pred));
        let mut wanted = Wanted {
            request: TreeRequest {
                file: PathBuf::from(self.rules_with(pred)),
                max_nodes: MOST_NODES,
                ..TreeRequest::default()
            },
            file: None,
            format: None,
            force: false,
            label: LabelKind::Board,
            all: false,
            counted: false,
        };
        let heap = &self.session.machine.heap;
        let Some((_, arity, args)) =
            self.session.goal(query).and_then(|goal| heap.name_arity(goal))
        else {
            return Ok(wanted);
        };
        if arity > 0 {
            let goal = heap.at(args);
            take_goal(self.session, goal, &mut wanted.request)?;
        }
        if arity > 1 {
            for (name, value) in self.tree_options(query)? {
                wanted.take(&name, &value)?;
            }
            let page = wanted.format.unwrap_or_else(|| Written::by_name(wanted.file.as_deref()));
            match page {
                _ if wanted.counted => wanted.all = true,
                _ if wanted.all => wanted.request.max_nodes = ALL_NODES,
                Written::Html => wanted.request.max_nodes = MOST_UNFOLDED,
                _ => {}
            }
        }
        Ok(wanted)
    }

    /// The second argument: a list of options or a single one, names and values.
    fn tree_options(&self, query: &Query) -> Result<Vec<(String, String)>, String> {
        let machine = &self.session.machine;
        let heap = &machine.heap;
        let Some((_, 2, args)) = self.session.goal(query).and_then(|goal| heap.name_arity(goal))
        else {
            return Ok(Vec::new());
        };
        let all = heap.deref(heap.at(args + 1));
        let options = heap.proper_list(all).unwrap_or_else(|| vec![all]);
        let option = |option| {
            let option = heap.deref(option);
            match heap.name_arity(option) {
                Some((name, 0, _)) => Ok((machine.symbols.name(name).to_owned(), String::new())),
                Some((name, 1, args)) => {
                    let value = self.term_shown(heap.at(args));
                    Ok((machine.symbols.name(name).to_owned(), value))
                }
                _ => Err(no_option(&self.term_shown(option), ("tree/2", OPTIONS))),
            }
        };
        options.into_iter().map(option).collect()
    }

    fn tree_failure(&mut self, failure: &Failure) -> io::Result<()> {
        let finding = match failure {
            Failure::Rule(raised) | Failure::Limit(raised) => {
                return self.complain(&raised.finding);
            }
            Failure::Stopped(Fault::Stopped(StopReason::Interrupted), _) => {
                return self.warn("interrupted\n");
            }
            Failure::Stopped(fault, _) => {
                Diagnostic::error("E0704", self.session.describe(fault).to_string())
            }
            Failure::Unwritable(path, error) => {
                let words = error.to_string().replace("--force", "force");
                let message = format!("can't write `{}`: {words}", path.display());
                Diagnostic::error("E0704", message)
            }
            Failure::NoSuchInstance(name, known) => {
                let message = format!("there is no instance `{name}`");
                Diagnostic::error("E0704", message)
                    .hint(format!("the instances are {}", known.join(", ")))
            }
            Failure::NoSuchHeuristic(name, known) => {
                let message = format!("there is no heuristic `{name}`");
                Diagnostic::error("E0704", message)
                    .hint(format!("the heuristics are {}", known.join(", ")))
            }
            Failure::NotForGames(name) => {
                let message = format!("`{name}` is an engine for puzzles, and this is a game");
                Diagnostic::error("E0704", message)
            }
            Failure::NotForPuzzles(name) => {
                let message = format!("`{name}` is an engine for games, and this is a puzzle");
                Diagnostic::error("E0704", message)
            }
            Failure::Players(words) => Diagnostic::error("E0704", words.clone()),
            _ => Diagnostic::error("E0704", "no rules of a puzzle or a game are loaded")
                .hint("`['rules/nim.pl'].` loads some; `tree(moves).` then draws their tree"),
        };
        self.complain(&finding)
    }
}

/// A remark with the options of the command as those of tree/2.
fn in_options(remark: &str) -> String {
    remark
        .replace("--max-nodes N", "`max_nodes(N)`")
        .replace("-o FILE.html", "`file('NAME.html')`")
        .replace("--truncate", "`truncate`")
        .replace("--graph", "`graph`")
        .replace("--all", "`all`")
}

impl Wanted {
    fn take(&mut self, name: &str, value: &str) -> Result<(), String> {
        fn number<T: std::str::FromStr>(name: &str, value: &str) -> Result<T, String> {
            value.parse().map_err(|_| format!("`{name}({value})` wants a number"))
        }
        let plain = || value.trim_matches('\'').to_owned();
        let request = &mut self.request;
        match (name, value) {
            ("full", "") => request.form = Form::Full,
            ("truncate", "") => request.form = Form::Truncated,
            ("graph", "") => request.form = Form::Graph,
            ("symmetry", "") => request.symmetry = true,
            ("force", "" | "true") => self.force = true,
            ("depth", _) => {
                request.depth = Some(number(name, value)?);
                request.limits.depth = request.depth;
            }
            ("max_nodes", _) => {
                request.max_nodes = number::<usize>(name, value)?.max(1);
                self.counted = true;
            }
            ("all", "" | "true") => self.all = true,
            ("heuristic", _) => request.heuristic = Some(plain()),
            ("instance", _) => request.instance = Some(plain()),
            ("file", _) => self.file = Some(PathBuf::from(plain().trim_matches('"'))),
            ("format", _) => {
                let format = Written::by_word(&plain());
                self.format = Some(format.ok_or_else(|| {
                    format!("there is no format `{value}`; there are {}", Written::NAMES)
                })?);
            }
            ("label", "board") => self.label = LabelKind::Board,
            ("label", "term") => self.label = LabelKind::Term,
            ("label", "none") => self.label = LabelKind::None,
            ("highlight", _) => {
                request.marks = Marks::NONE;
                for word in value.trim_matches(['[', ']']).split(',') {
                    match word.trim() {
                        "pv" => request.marks.pv = true,
                        "winning" => request.marks.winning = true,
                        "pruned" => request.marks.pruned = true,
                        "path" => request.marks.path = true,
                        "" | "none" => {}
                        word => return Err(format!("`{word}` can't be marked; {OPTIONS}")),
                    }
                }
            }
            _ => return Err(no_option(name, ("tree/2", OPTIONS))),
        }
        Ok(())
    }
}
