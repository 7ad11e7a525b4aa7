//! `tree(Goal)` and `tree(Goal, Options)` at the prompt.

use super::{DialogueError, Repl};
use std::path::{Path, PathBuf};
use zug_domain::Contract;
use zug_options::{Row, Table, Within, row};
use zug_prolog::session::Query;
use zug_render::tree::{LABEL, LabelKind, TreeOutput, View, labels, written};
use zug_term::Cell;
use zug_usecases::Failure;
use zug_usecases::options::in_list;
use zug_usecases::tree::options::{DEPTH, FORM, MARKS, PLACE};
use zug_usecases::tree::{TreeRequest, take_goal, tree};

/// Nodes that are drawn at the prompt unless another number is asked for.
const MOST_NODES: usize = 100;

/// What a query `tree(Goal, Options)` asks for.
#[derive(Default)]
pub(super) struct TreeQuery {
    request: TreeRequest,
    file: Option<PathBuf>,
    format: Option<TreeOutput>,
    force: bool,
    label: LabelKind,
}

/// Where the tree goes.
static WRITTEN: [Row<TreeQuery>; 3] = [
    row!(file("file", "NAME", "Write to this file") => Some(TreeQuery.file)),
    Row::text("format", "svg", "What is written", |to: &mut TreeQuery, name| {
        let known = TreeOutput::NAMES;
        let format = TreeOutput::by_word(name)
            .ok_or_else(|| format!("there is no format `{name}`; there are {known}"))?;
        to.format = Some(format);
        Ok(())
    }),
    row!(flag("force", "Overwrite the file if it is there") => TreeQuery.force),
];

/// The options of tree/2.
pub(super) static OPTIONS: Table<TreeQuery, Cell> = Table(&[
    &Within(&DEPTH, |wanted: &mut TreeQuery| &mut wanted.request.limits),
    &Within(&FORM, |wanted: &mut TreeQuery| &mut wanted.request),
    &Within(&MARKS, |wanted: &mut TreeQuery| &mut wanted.request),
    &Within(&LABEL, |wanted: &mut TreeQuery| &mut wanted.label),
    &Within(&WRITTEN, |wanted: &mut TreeQuery| wanted),
    &Within(&PLACE, |wanted: &mut TreeQuery| &mut wanted.request),
]);

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
            all: wanted.request.all,
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
                ..TreeRequest::default()
            },
            ..TreeQuery::default()
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
        }
        let page = wanted.format.unwrap_or_else(|| TreeOutput::by_name(wanted.file.as_deref()));
        wanted.request.set_most_nodes(page == TreeOutput::Html, MOST_NODES);
        Ok(wanted)
    }
}

/// A remark with the options of the command as those of tree/2.
fn in_options(remark: &str) -> String {
    in_list(remark, &OPTIONS).replace("-o FILE.html", "`file('NAME.html')`")
}
