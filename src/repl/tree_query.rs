//! `tree(Goal)` and `tree(Goal, Options)` at the prompt.

use super::query::TypedQuery;
use super::{Flow, Repl};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use zug_domain::Contract;
use zug_machine::{Fault, StopReason};
use zug_options::{Row, SetResult, Table, Within};
use zug_prolog::session::Query;
use zug_prolog::user_predicate;
use zug_render::tree::{LabelKind, TreeOutput, View, labels, written};
use zug_term::Cell;
use zug_term::diagnostic::Diagnostic;
use zug_usecases::Failure;
use zug_usecases::tree::{ALL_NODES, Form, MOST_UNFOLDED, Marks, TreeRequest, take_goal, tree};

/// Nodes that are drawn at the prompt unless another number is asked for.
const MOST_NODES: usize = 100;

/// What a query `tree(Goal, Options)` asks for.
pub(super) struct TreeQuery {
    request: TreeRequest,
    file: Option<PathBuf>,
    format: Option<TreeOutput>,
    force: bool,
    label: LabelKind,
    all: bool,
    /// `max_nodes` was said.
    counted: bool,
}

/// What is made of states that occur more than once, and how deep the tree is.
static FORMS: [Row<TreeQuery>; 7] = [
    Row::small("depth", "D", "How deep to go", |to: &mut TreeQuery, depth| {
        to.request.depth = Some(depth);
        to.request.limits.depth = to.request.depth;
        Ok(())
    }),
    Row::flag("full", "Draw every occurrence of a state", |to: &mut TreeQuery, on| {
        to.form(on, Form::Full)
    }),
    Row::flag("truncate", "Draw what is below a state once", |to: &mut TreeQuery, on| {
        to.form(on, Form::Truncated)
    }),
    Row::flag("graph", "Draw every state once", |to: &mut TreeQuery, on| to.form(on, Form::Graph)),
    Row::flag("symmetry", "Take symmetrical states for one", |to: &mut TreeQuery, on| {
        to.request.symmetry = on;
        Ok(())
    }),
    Row::whole("max-nodes", "N", "Draw this many nodes at most", |to: &mut TreeQuery, nodes| {
        to.request.max_nodes = usize::try_from(nodes).unwrap_or(usize::MAX).max(1);
        to.counted = true;
        Ok(())
    }),
    Row::flag("all", "Draw all of it", |to: &mut TreeQuery, on| {
        to.all = on;
        Ok(())
    }),
];

/// What is marked, what stands in a node, where the tree goes.
static DRAWN: [Row<TreeQuery>; 5] = [
    Row::names(
        "highlight",
        "[pv,winning,winner,pruned,path]",
        "What is marked",
        |to: &mut TreeQuery, all| {
            let mut marks = Marks::NONE;
            for word in &all {
                match &**word {
                    "pv" => marks.pv = true,
                    "winning" => marks.winning = true,
                    "winner" => marks.winner = true,
                    "pruned" => marks.pruned = true,
                    "path" => marks.path = true,
                    "none" => {}
                    word => {
                        let known = "pv, winning, winner, pruned, path";
                        return Err(format!("`{word}` can't be marked; there are {known}").into());
                    }
                }
            }
            to.request.marks = marks;
            Ok(())
        },
    ),
    Row::word(
        "label",
        "board",
        "What stands in a node",
        &[("board", ""), ("term", ""), ("none", "")],
        |to: &mut TreeQuery, label| {
            to.label = match label {
                "board" => LabelKind::Board,
                "term" => LabelKind::Term,
                _ => LabelKind::None,
            };
            Ok(())
        },
    ),
    Row::file("file", "Name", "Write to this file", |to: &mut TreeQuery, file| {
        to.file = Some(PathBuf::from(file));
        Ok(())
    }),
    Row::text("format", "svg", "What is written", |to: &mut TreeQuery, name| {
        let known = TreeOutput::NAMES;
        let format = TreeOutput::by_word(name)
            .ok_or_else(|| format!("there is no format `{name}`; there are {known}"))?;
        to.format = Some(format);
        Ok(())
    }),
    Row::flag("force", "Overwrite the file if it is there", |to: &mut TreeQuery, on| {
        to.force = on;
        Ok(())
    }),
];

/// Of what the tree is.
static START: [Row<TreeQuery>; 2] = [
    Row::text("heuristic", "Name", "The heuristic", |to: &mut TreeQuery, name| {
        to.request.heuristic = Some(name.to_owned());
        Ok(())
    }),
    Row::text("instance", "Name", "The instance", |to: &mut TreeQuery, name| {
        to.request.instance = Some(name.to_owned());
        Ok(())
    }),
];

/// The options of tree/2.
pub(super) static OPTIONS: Table<TreeQuery, Cell> = Table(&[
    &Within(&FORMS, |wanted: &mut TreeQuery| wanted),
    &Within(&DRAWN, |wanted: &mut TreeQuery| wanted),
    &Within(&START, |wanted: &mut TreeQuery| wanted),
]);

impl TreeQuery {
    /// Sets the form, if it is wanted.
    fn form(&mut self, on: bool, form: Form) -> SetResult {
        if on {
            self.request.form = form;
        }
        Ok(())
    }
}

impl Repl<'_> {
    /// Whether a query is `tree(Goal)` or `tree(Goal, Options)`, and not a predicate of the
    /// program.
    pub(super) fn is_tree(&self, typed: &TypedQuery) -> bool {
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

    fn draw_tree(&mut self, wanted: &TreeQuery) -> io::Result<Result<(), Failure>> {
        let unwritable = |path: &Path, error| Failure::Unwritable(path.to_owned(), error);
        if let Some(path) = &wanted.file
            && let Err(error) = self.session.world.files.may_create(path, wanted.force)
        {
            return Ok(Err(unwritable(path, error)));
        }
        let report = match tree(self.session, &wanted.request) {
            Ok(report) => report,
            Err(failure) => return Ok(Err(failure)),
        };
        let labels = labels(self.session, &report, wanted.label);
        let is_picture =
            self.pictures.is_some() && wanted.file.is_none() && wanted.format.is_none();
        let format = match is_picture {
            true => TreeOutput::Svg,
            false => wanted.format.unwrap_or_else(|| TreeOutput::by_name(wanted.file.as_deref())),
        };
        let theme = match wanted.file {
            Some(_) => zug_render::style::Theme::new(false),
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
        if let Some(pictures) = self.pictures.as_mut().filter(|_| is_picture) {
            pictures.push(String::from_utf8_lossy(&output.bytes).into_owned());
            return Ok(Ok(()));
        }
        let Some(path) = &wanted.file else {
            self.fresh_line()?;
            return self.say(&String::from_utf8_lossy(&output.bytes)).map(Ok);
        };
        if let Err(error) = self.session.world.files.write_new(path, &output.bytes, wanted.force) {
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

    fn tree_wanted(&mut self, query: &Query) -> Result<TreeQuery, String> {
        let contract = Contract::of(&self.session.machine);
        let pred = contract.rule.or_else(|| contract.game.map(|roles| roles.moves.pred));
        let mut wanted = TreeQuery {
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
            self.options(query, ("tree/2", &OPTIONS), &mut wanted)?;
            let page = wanted.format.unwrap_or_else(|| TreeOutput::by_name(wanted.file.as_deref()));
            match page {
                _ if wanted.counted => wanted.all = true,
                _ if wanted.all => wanted.request.max_nodes = ALL_NODES,
                TreeOutput::Html => wanted.request.max_nodes = MOST_UNFOLDED,
                _ => {}
            }
        }
        Ok(wanted)
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
