//! `tree(Goal)` and `tree(Goal, Options)` at the prompt.

use super::{DialogueError, Repl};
use std::path::{Path, PathBuf};
use zug_domain::Contract;
use zug_options::{Row, SetResult, Table, Within};
use zug_prolog::session::Query;
use zug_render::tree::{LabelKind, TreeOutput, View, labels, written};
use zug_term::Cell;
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
    /// Draws a tree.
    pub(super) fn tree_query(&mut self, query: Query) -> Result<(), DialogueError> {
        let wanted = self.tree_wanted(&query);
        self.session.close(query);
        let wanted = wanted.map_err(Failure::Players)?;
        let unwritable = |path: &Path, error| Failure::Unwritable(path.to_owned(), error);
        if let Some(path) = &wanted.file
            && let Err(error) = self.session.world.files.may_create(path, wanted.force)
        {
            return Err(unwritable(path, error).into());
        }
        let mut report = tree(self.session, &wanted.request)?;
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
        if format == TreeOutput::Text {
            report.remarks.iter_mut().for_each(|remark| *remark = in_options(remark));
        }
        let output = written(&report, &labels, format, &theme, view).map_err(Failure::Players)?;
        if let Some(pictures) = self.pictures.as_mut().filter(|_| is_picture) {
            pictures.push(String::from_utf8_lossy(&output.bytes).into_owned());
            return Ok(());
        }
        let Some(path) = &wanted.file else {
            self.fresh_line()?;
            return Ok(self.say(&String::from_utf8_lossy(&output.bytes))?);
        };
        if let Err(error) = self.session.world.files.write_new(path, &output.bytes, wanted.force) {
            return Err(unwritable(path, error).into());
        }
        self.fresh_line()?;
        self.say(&format!("The tree is in `{}`.\n", path.display()))?;
        for remark in &output.remarks {
            let remark = in_options(remark);
            self.say(&format!("{remark}\n"))?;
        }
        Ok(())
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
}

/// A remark with the options of the command as those of tree/2.
fn in_options(remark: &str) -> String {
    remark
        .replace("--max-nodes N", "`max_nodes(N)`")
        .replace("-o FILE.html", "`file('NAME.html')`")
        .replace("--truncate", "`truncate`")
        .replace("--graph", "`graph`")
        .replace("--depth D", "`depth(D)`")
        .replace("--all", "`all`")
}
